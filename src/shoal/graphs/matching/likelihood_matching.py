"""Match the people of two networks from a few who are known, by the likelihood of their friends.

Two nodes are the same person the likelier, the more friends they share who are matched already, the rarer
these friends are, and the fewer matched friends only one of them has. In rounds, everybody is given their
most likely candidate, if each is the other's. A pair that is more likely than not helps to judge others, by
as much as it is believed itself; in the end only those count that are as sure as was asked for. Pairs are
looked at again in every round, so that an early slip is mended once more is known.

After Yartseva and Grossglauser, "On the performance of percolation graph matching", 2013, and Korula and
Lattanzi, "An efficient reconciliation algorithm for social networks", 2014, who count shared friends;
counting alone takes hubs for each other, so that here each friend counts as much as it tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from shoal.core.deadline import OutOfTime
from shoal.core.progress import tell
from shoal.graphs.graph import Graph, Int32, Int64
from shoal.graphs.matching import likelihood_kernels as kernels
from shoal.graphs.matching.likelihood_kernels import Evidence, Float64, Mask
from shoal.graphs.matching.matching import NOBODY, Matching, Rows, inverse, rows_of
from shoal.graphs.matching.parallel_loop import in_chunks

MOST_ROUNDS = 100
GROWS = 1.002  # the least by which a round must find more people, else it counts as idle
IDLE = 2  # rounds in a row, after which it ends
RELEASED = 3  # so many times as many as it began with: then those must hold their own, too
# The most that numbers of friends tell against a pair, as a logarithm of odds: a method may have changed the
# friends of one in fifty. On made-up networks 2 and 8 find nearly as many.
MOST_APART = 4.0
HELPS = 0.5  # how sure a pair must be to help to judge others; on made-up networks 0.3 errs more, 0.7 stalls
SUREST = 0.999  # of a pair that was not known
LEAST_OVERLAP, MOST_OVERLAP = 0.2, 0.95
WEDGES = 20_000  # people with a common friend who are looked at
_MOVES = 0.1  # of how sure a pair is: then its friends are asked again
Friends = tuple[Int64, Float64]  # per direction and node: friends in a pair, and what missing them tells


@dataclass(frozen=True, eq=False)
class _Side:
    """One network of the two, and what is believed about its people so far."""

    rows: Rows
    directed: bool
    best: Int32
    lead: Float64
    closure: float  # how many times as often as others two people with a common friend know each other

    @classmethod
    def of(cls, graph: Graph) -> _Side:
        nobody, rows = np.full(graph.nodes, NOBODY), rows_of(graph)
        return cls(rows, graph.directed, nobody, np.zeros(graph.nodes), _closure(rows))

    @property
    def nodes(self) -> int:
        return len(self.best)

    @property
    def ways(self) -> list[tuple[Int64, Int32]]:
        """The rows in each direction that there is."""
        return [self.rows[:2], self.rows[2:]] if self.directed else [self.rows[:2]]

    def degrees(self, way: int) -> Int64:
        """How many friends everybody has in one direction."""
        return np.diff(self.rows[2 if way else 0])

    def near(self, changed: Mask) -> Int64:
        """The friends of whoever changed."""
        marked = np.zeros(self.nodes, np.bool_)
        for offsets, ends in self.ways:
            kernels.mark_friends(offsets, ends, changed, marked)
        return np.flatnonzero(marked)

    def known(self, pairs: Int32, trust: Float64, kept: float) -> Friends:
        """Per direction and node, how many friends are in a pair, and what it tells to miss all of them."""
        number, missed = np.zeros((2, self.nodes), np.int64), np.zeros((2, self.nodes))
        missing = np.log(1 - kept * trust)
        for way, (offsets, ends) in enumerate(self.ways):
            kernels.known_friends(offsets, ends, pairs, missing, number[way], missed[way])
        return number, missed


def match_people(
    left: Graph, right: Graph, known: Int32, confidence: float, *, fixed: bool = True
) -> Matching:
    """The people of one network in the other, from those who are known (per left node; -1 for nobody).

    `confidence` is how sure a pair must be against everybody else. With `fixed`, those who were known stay as
    they are; else only until there are enough others to judge them by. Where the time is over, what was found
    until then.
    """
    here, there = _Side.of(left), _Side.of(right)
    nodes, sure, first = known, known != NOBODY, len(Matching(known))
    taken = inverse(known, right.nodes) != NOBODY
    trust = sure.astype(np.float64)
    everybody = np.arange(left.nodes), np.arange(right.nodes)
    asked, idle, most, done = everybody, 0, first, 0
    for done in range(1, MOST_ROUNDS + 1):
        try:
            _look(here, there, nodes, trust, asked)
        except OutOfTime:
            return Matching(_sure(nodes, trust, confidence), done - 1, complete=False)
        new, believed = _mutual(here, there)
        helps = ~sure & (believed >= HELPS) & ~taken[new]
        new = np.where(sure, known, np.where(helps, new, NOBODY))
        believed = np.where(sure, 1.0, np.where(helps, np.minimum(believed, SUREST), 0.0))
        changed = (new != nodes) | (np.abs(believed - trust) > _MOVES)
        there_changed = np.zeros(right.nodes, np.bool_)
        for pairs in (nodes, new):
            there_changed[pairs[changed & (pairs != NOBODY)]] = True
        nodes, trust = new, believed
        number = len(Matching(nodes))
        tell(number, 0, f"round {done}: people matched")
        idle = 0 if number > GROWS * most else idle + 1
        most = max(most, number)
        if not fixed and most >= RELEASED * first:
            sure, taken = np.zeros_like(sure), np.zeros_like(taken)
        if idle == IDLE or not changed.any():
            break
        # Whoever has a friend who changed is asked again. An idle round may be so because what is known of
        # somebody's candidates changed: then everybody is.
        asked = everybody if idle else (here.near(changed), there.near(there_changed))
    return Matching(_sure(nodes, trust, confidence), done)


def match_with_all_others_known(left: Graph, right: Graph, places: Int64, confidence: float) -> Matching:
    """Whom somebody would match who knew everybody else: as many as can be hoped for in these networks."""
    here, there = _Side.of(left), _Side.of(right)
    trust = np.where(places >= 0, SUREST, 0.0)
    _look(here, there, places.astype(np.int32), trust, (np.arange(left.nodes), np.arange(right.nodes)))
    return Matching(_sure(*_mutual(here, there), confidence), 1)


def _sure(nodes: Int32, trust: Float64, confidence: float) -> Int32:
    return np.where(trust >= confidence, nodes, NOBODY)


def _mutual(here: _Side, there: _Side) -> tuple[Int32, Float64]:
    """Per left node, its best candidate where each is the other's, and how sure that is."""
    best = here.best
    both = (best != NOBODY) & (there.best[best] == np.arange(len(best)))
    lead = np.clip(np.minimum(here.lead, there.lead[best]), -30, 30)
    return np.where(both, best, NOBODY), np.where(both, 1 / (1 + np.exp(-lead)), 0.0)


def _look(here: _Side, there: _Side, nodes: Int32, trust: Float64, asked: tuple[Int64, Int64]) -> None:
    """Everybody's best candidate by what is known now, in both directions."""
    back = inverse(nodes, there.nodes)
    edges, others, shared = kernels.shared_edges(here.rows, there.rows, nodes, back)
    kept = _share(shared, edges), _share(shared, others)
    turned = kept[1], kept[0]
    back_trust = np.where(back != NOBODY, trust[back], 0.0)
    friends = here.known(nodes, trust, kept[0]), there.known(back, back_trust, kept[1])
    _judge(here, there, _evidence(there, nodes, trust, kept), friends, asked[0], kept)
    _judge(there, here, _evidence(here, back, back_trust, turned), friends[::-1], asked[1], turned)


def _judge(
    one: _Side,
    other: _Side,
    evidence: Evidence,
    friends: tuple[Friends, ...],
    asked: Int64,
    kept: tuple[float, float],
) -> None:
    # Whoever shares one friend shares others, too, whoever they are: only the first tells all that it could.
    nobody = _nobody(one, other, friends, kept) - log(other.closure)
    about = np.zeros((other.nodes, 6))
    for way in range(len(one.ways)):
        degrees, (number, missed) = other.degrees(way), friends[1]
        about[:, 3 * way] = np.where(degrees > 0, np.log(np.maximum(degrees, 1)), -1.0)
        about[:, 3 * way + 1], about[:, 3 * way + 2] = missed[way], degrees - number[way]

    def judge(nodes: Int64) -> None:
        kernels.best_candidates(
            one.rows,
            other.rows,
            one.directed,
            evidence,
            about,
            nodes,
            kept,
            MOST_APART,
            nobody,
            one.best,
            one.lead,
        )

    in_chunks(judge, asked)


def _nobody(one: _Side, other: _Side, friends: tuple[Friends, ...], kept: tuple[float, float]) -> Float64:
    """Per node, the odds of all together who share no friend with it, by their numbers of friends."""
    own, known = friends
    found = np.full(one.nodes, (1 - len(one.ways)) * log(max(1, other.nodes)))
    for way in range(len(one.ways)):
        here, there = one.degrees(way), other.degrees(way)
        rests, which = np.unique(here - own[0][way], return_inverse=True)
        other_rests, which_other = np.unique(there - known[0][way], return_inverse=True)
        weights = np.bincount(which_other, np.where(there > 0, np.exp(known[1][way]), 0.0)).astype(np.float64)
        total = kernels.all_others(rests, other_rests, weights, kept, MOST_APART)
        found += np.log(np.maximum(total, 1e-300))[which]
    return found


def _evidence(other: _Side, pairs: Int32, trust: Float64, kept: tuple[float, float]) -> Evidence:
    """What each pair tells to whoever shares it, beyond what it tells to miss it on both sides."""
    entries, matched = max(len(other.rows[1]), 1), pairs != NOBODY
    missing, believed = np.log(1 - kept[0] * trust), trust[matched]
    shared = np.zeros((2, len(pairs)))
    for way in range(2):
        degrees = np.maximum(other.degrees(1 - way)[pairs[matched]], 1)
        told = np.log(kept[0] * entries * believed / (degrees * other.closure))
        shared[way, matched] = told - missing[matched] - np.log(1 - kept[1] * believed)
    return pairs, shared, missing


def _closure(rows: Rows) -> float:
    """How many times as often as by chance two people know each other who have a common friend."""
    degrees = np.diff(rows[0])
    until = np.cumsum(degrees.astype(np.float64) * (degrees - 1))
    if not len(until) or until[-1] == 0:
        return 1.0
    chance = np.random.default_rng(0)
    middles = np.searchsorted(until, chance.random(WEDGES) * until[-1], "right")
    ones = chance.integers(0, degrees[middles])
    others = (ones + chance.integers(1, degrees[middles])) % degrees[middles]
    ends = (rows[1][rows[0][middles] + each] for each in (ones, others))
    expected = np.minimum(
        np.prod([degrees[each].astype(np.float64) for each in ends], axis=0) / len(rows[1]), 1.0
    ).sum()
    closed = kernels.closed_wedges(rows, ones, middles, others)
    return float(max((closed + 1) / (expected + 1), 1.0))


def _share(shared: int, edges: int) -> float:
    # A few edges say little: then it is nearly one half.
    return min(max((shared + 5) / (edges + 10), LEAST_OVERLAP), MOST_OVERLAP)
