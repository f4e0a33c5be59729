"""The exact search without an array of the whole lattice: it keeps boxes of nodes that are still open.

A box is all nodes between a low and a high one. What costs too much is cut off its high end; a high end that
is closed settles the whole box. Else the highest node is sought, on a path from low to high, that settles
all between low and itself, and what is left of the box becomes at most one smaller box per column. The path
goes up where the fewest rows are saved, so that a node far up is still closed and covers much.

What prunes is what prunes in `lattice_search`: doomed rows, and the cost of cells. Where to look first is
learned on the way (`_Guess`): it only decides how often the search looks in vain, never what it finds.

Boxes are taken by their bound, so that the least of those left is what no release can beat, at any time;
where very many are open, one is taken to its end before the next, and memory stays small.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.core import clock
from shoal.core.progress import Progress, Watch
from shoal.core.randomness import generator
from shoal.tables.appraisal.objective import CellLoss
from shoal.tables.search import grouping_kernels as kernels
from shoal.tables.search.lattice import Lattice, Node
from shoal.tables.search.lattice_descent import Descent
from shoal.tables.search.level_costs import climb
from shoal.tables.search.node_search import NEXT_TO_EQUAL, WATCH_EVERY, Best, Models, NodeSearch

MOST_OPEN = 50_000  # boxes; about 50 MB
MOST_KNOWN = 20_000  # nodes whose bounds are remembered
MOST_CLOSED = 8_192  # closed nodes that are remembered; others may be closed once more
CLIMB_EVERY = 20  # nodes; then paths follow what was learned since
HOPELESS = 1.0  # logarithm of rows; measured: with a guess farther off than that looking is in vain
FIRST_SHARE = 0.2  # of the time, for a first good node
FIRST_SECONDS = 5.0

Least = Sequence[Sequence[float]]  # per column and level, numbers whose sum no node of a box can beat


class _Box(NamedTuple):
    """The nodes from low to high, numbers whose sums none of them can beat, and the least of those sums."""

    low: Node
    high: Node
    least: Least
    bound: float


class BoxSearch(NodeSearch):
    """One search for a cell loss; `run` gives the best node, or None when none is found."""

    def __init__(
        self, lattice: Lattice, models: Models, objective: CellLoss, limit: int, within: Sequence[slice] = ()
    ) -> None:
        super().__init__(lattice, models, objective, limit, within)
        steps = self.prices.levels
        self._climb: list[tuple[int, int]] = []
        self._climb_until = 0
        low, high = (tuple(part[end] for part in self.part) for end in (0, -1))
        least = [step.tolist() for step in steps]
        first = _Box(low, high, least, _sum_between(least, low, high))
        self._open: list[tuple[float, int, _Box]] = [(first.bound, 0, first)]
        self._deep: list[_Box] = []
        self._boxes = self._settled = 0
        self._known: dict[Node, Least | None] = {}
        self._closed = np.full((MOST_CLOSED, len(low)), -1, np.int64)
        self._closings = 0
        self._guess = _Guess(lattice.shape, self.rows)

    @property
    def bound(self) -> float:
        """What no node that is not settled can beat; infinite when all are."""
        deep = min((box.bound for box in self._deep), default=np.inf)
        return min(deep, self._open[0][0] if self._open else np.inf)

    def run(self, time_limit: float | None = None, watch: Watch | None = None) -> Best | None:
        """Search until the best is proved, or until the time is over."""
        started = told = clock.now()
        self._start(started + (FIRST_SECONDS if time_limit is None else FIRST_SHARE * time_limit), watch)
        while (box := self._next()) is not None:
            rest = self._rest(box)
            self._settled += 1
            if self._deep or len(self._open) > MOST_OPEN:
                self._deep.extend(rest)
            else:
                for one in rest:
                    self._boxes += 1
                    heapq.heappush(self._open, (one.bound, self._boxes, one))
            if time_limit is None and watch is None:
                continue
            now = clock.now()
            if watch is not None and now - told > WATCH_EVERY:
                told = now
                watch(self._progress())
            if time_limit is not None and now - started > time_limit:
                break
        if self.best is None:
            return None
        bound, proved = self.bound, not self.bound < self.cost * NEXT_TO_EQUAL
        if proved:
            self._lower()
        lowest = float(self.cost) if proved else float(bound)
        return Best(self.best, float(self.cost), proved, self.evaluated, lowest)

    def _start(self, until: float, watch: Watch | None) -> None:
        """A good node to begin with: much costs more than it and need not be looked at."""
        high = self._open[0][2].high
        self._look(high)
        if self.best is None or math.prod(map(len, self.part)) < math.prod(self.lattice.shape):
            return
        first = Descent(self.lattice, self.models, self.objective, self.limit, 0.0, generator(0))
        first.run(until, watch)
        self.evaluated += first.evaluated
        if first.best is not None and first.cost < self.cost * NEXT_TO_EQUAL:
            self.best, self.cost = first.best, first.cost

    def _next(self) -> _Box | None:
        """The box to look at next, if any could hold the best."""
        while self._deep:
            box = self._deep.pop()
            if box.bound < self.cost * NEXT_TO_EQUAL:
                return box
        if self._open and self._open[0][0] < self.cost * NEXT_TO_EQUAL:
            return heapq.heappop(self._open)[2]
        return None

    def _progress(self) -> Progress:
        bound = self.bound
        waiting = len(self._open) + len(self._deep)
        best = None if self.best is None else float(self.cost)
        return Progress(self._settled, waiting, best, bound if np.isfinite(bound) else None)

    def _rest(self, box: _Box) -> list[_Box]:
        """What is left of a box when as much as possible of it has been settled."""
        trimmed = self._trimmed(box)
        if trimmed is None or trimmed.low == trimmed.high:
            return []
        return self._without(trimmed, self._highest_settled(trimmed))

    def _trimmed(self, box: _Box) -> _Box | None:
        """A box without the levels that cost too much; None when nothing is left."""
        low, high, least, bound = box
        while True:
            # How much dearer than the least a level may be.
            spare = self.cost * NEXT_TO_EQUAL - bound
            if spare <= 0:
                return None
            lower = tuple(
                [
                    _last_upto(of, a, b, min(of[a : b + 1]) + spare)
                    for of, a, b in zip(least, low, high, strict=True)
                ]
            )
            if lower != low and self._guess.lost(lower) < self._enough_lost(low) - HOPELESS:
                return _Box(low, lower, least, bound)  # looking there would tell too little
            looked = self._look(lower)
            if looked is None:
                return None
            told, known = _sum_between(looked, low, lower), _sum_between(least, low, lower)
            if lower == high and not told > known:
                return _Box(low, high, least, known)
            high, least, bound = (lower, looked, told) if told > known else (lower, least, known)

    def _highest_settled(self, box: _Box) -> Node:
        """The highest node found on a path that settles all from the low end of a box up to itself."""
        if self.evaluated >= self._climb_until:
            self._climb, self._climb_until = self._guess.climb(), self.evaluated + CLIMB_EVERY
        path, node = [box.low], list(box.low)
        for column, level in self._climb:
            if box.low[column] <= level < box.high[column]:
                node[column] += 1
                path.append(tuple(node))
        enough = self._enough_lost(box.low)
        settled, last = -1, len(path) - 1  # what is at `last` settles nothing
        while last - settled > 1:
            probe = settled + 1
            while probe + 1 < last and self._guess.lost(path[probe + 1]) >= enough:
                probe += 1
            if settled >= 0 and self._guess.lost(path[probe]) < enough:
                break
            if self._settles(path[probe], box.low):
                settled = probe
            else:
                last = probe
        return path[max(settled, 0)]  # a node that was looked at is settled, whatever it costs

    def _enough_lost(self, low: Node) -> float:
        """How many rows lost at a node above settle a low one, about, as a logarithm."""
        base = self.prices.base(low)
        dear = self.rows * (self.cost - base) / (1 - base) if base < 1 else 1.0
        return math.log(max(min(self.limit + 1.0, dear), 1.0))

    def _settles(self, node: Node, low: Node) -> bool:
        """Whether nothing between a low node and this one can be better than the best."""
        least = self._look(node)
        return least is None or not _sum_between(least, low, node) < self.cost * NEXT_TO_EQUAL

    def _without(self, box: _Box, settled: Node) -> list[_Box]:
        """A box less all from its low end to a settled node: per column what lies above that node there, and
        not above it in the columns before.
        """
        low, high, least, _ = box
        columns = [column for column in range(len(low)) if settled[column] < high[column]]
        # The dearest step first: that box is the largest, and most likely costs too much.
        rise = {
            c: float(self.prices.levels[c][settled[c] + 1] - self.prices.levels[c][low[c]]) for c in columns
        }
        found, upto = [], list(high)
        mins = [min(of[a : b + 1]) for of, a, b in zip(least, low, high, strict=True)]
        for c in sorted(columns, key=lambda one: -rise[one]):
            mins[c] = min(least[c][settled[c] + 1 : high[c] + 1])
            bound = sum(mins)
            if bound < self.cost * NEXT_TO_EQUAL:
                start = (*low[:c], settled[c] + 1, *low[c + 1 :])
                found.append(_Box(start, tuple(upto), least, bound))
            upto[c] = settled[c]
            mins[c] = min(least[c][low[c] : settled[c] + 1])
        return sorted(found, key=lambda one: -one.bound)

    def _look(self, node: Node) -> Least | None:
        """Numbers whose sum no node from the bottom to this one can beat; None when those are closed."""
        known = self._known.get(node)
        if known is not None:
            return known
        if kernels.any_above(self._closed, min(self._closings, MOST_CLOSED), np.array(node, np.int64)):
            return None
        self.evaluated += 1
        classes = self.lattice.classes(node)
        kept, doomed, closed = self._judged(classes)
        lost = float(doomed.sum())
        self._guess.learn(node, lost)
        if closed:
            self._closed[self._closings % MOST_CLOSED] = node
            self._closings += 1
            return None
        suppressed = int(classes.sizes[~kept].sum())
        if lost:
            flat, end = self.prices.below(self.lattice, node, classes, doomed).tolist(), 0
            least = [flat[end : (end := end + level + 1)] for level in node]
        else:
            least = [of[: level + 1].tolist() for of, level in zip(self.prices.levels, node, strict=True)]
        if sum(of[-1] for of in least) < self.cost:  # else the doomed alone cost too much
            self._judge(node, classes, kept, suppressed)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[node] = least
        return least


class _Guess:
    """How many rows a node loses, guessed from the nodes that were looked at: a number per column and level,
    of which the sum is the logarithm.
    """

    def __init__(self, shape: Sequence[int], rows: int) -> None:
        self._start = math.log(max(rows, 1))
        self._of: list[list[float]] = [[0.0] * levels for levels in shape]

    def lost(self, node: Node) -> float:
        """The guess, as a logarithm."""
        return self._start + sum([of[level] for of, level in zip(self._of, node, strict=True)])

    def climb(self) -> list[tuple[int, int]]:
        """All steps from bottom to top, always the one that saves the fewest rows: nodes far up lose many."""
        return climb([-np.diff(of) for of in self._of])

    def learn(self, node: Node, lost: float) -> None:
        """Half of what the guess is off goes to the numbers that it came from."""
        share = 0.5 * (math.log(max(lost, 1.0)) - self.lost(node)) / (len(node) + 1)
        self._start += share
        for of, level in zip(self._of, node, strict=True):
            of[level] += share


def _sum_between(least: Least, low: Node, high: Node) -> float:
    return sum([min(of[a : b + 1]) for of, a, b in zip(least, low, high, strict=True)])


def _last_upto(numbers: Sequence[float], first: int, last: int, most: float) -> int:
    """The last place from first to last with a number that is not above `most`, of which there is one."""
    while numbers[last] > most and last > first:
        last -= 1
    return last
