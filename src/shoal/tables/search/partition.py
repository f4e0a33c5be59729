"""A table cut into parts, all of them in step, so that a model is asked about all cuts of a round at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import ClassModel, Mask
from shoal.core.progress import Progress, Watch
from shoal.tables.group_medians import medians
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.search import grouping_kernels as kernels
from shoal.tables.search.distinct_tuples import Int32, Int64, Tuples
from shoal.tables.search.labelled_release import LabelledParts, all_models_hold, among, merge_classes

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cutter:
    """One way to cut a part: a column, and where along its line."""

    column: int
    # at the median · between numbers and what is no number · into the branches below the label
    where: Literal["median", "numbers", "branches"]


class Partition:
    """Tuples in parts; every part covers a stretch of the line of leaves of each column."""

    def __init__(
        self,
        tuples: Tuples,
        orders: Sequence[LeafOrder],
        models: Sequence[ClassModel[Classes]],
        relaxed: bool = False,
    ) -> None:
        self.orders, self.models, self.relaxed = orders, models, relaxed
        self._every = [order.place_of[tuples.codes[:, c]] for c, order in enumerate(orders)]
        self._spans = [_spans(order) for order in orders]
        self.cutters = _cutters(orders)
        # A cut at the median leaves the smaller side as large as can be, so where it fails for k it fails for
        # every part of the part.
        self._settled = np.array(
            [cut.where == "median" and _only_k(models) and not relaxed for cut in self.cutters]
        )
        self._counts = {} if all(model.reads == "sizes" for model in models) else dict(tuples.sensitive)
        self._base = np.arange(len(tuples.sizes), dtype=np.int32)  # the tuples that the counts speak of
        # Tuples that may still be cut, sorted by part, with what is read of them again and again.
        self._rows = np.arange(len(tuples.sizes))
        self._sizes = tuples.sizes
        self._places = list(self._every)
        self._offsets = np.array([0, len(tuples.sizes)])
        self._nodes = np.zeros(1, np.int64)
        self._tried = np.zeros((1, len(self.cutters)), np.bool_)
        # Every part there ever was, with the part it was cut from; tuples know the last one they were in.
        self._parent = np.array([-1])
        self._node_of = np.zeros(len(tuples.sizes), np.int64)

    def cut_up(self, watch: Watch | None = None) -> None:
        """Cut every part until no cut leaves all its pieces holding."""
        while len(self._nodes):
            low, high = self._ends()
            widths = np.where(self._tried, 0.0, self._widths(low, high))
            chosen = widths.argmax(axis=1)
            able = widths[np.arange(len(chosen)), chosen] > 0
            if not able.all():
                self._rest(able)
                low, high, chosen = low[:, able], high[:, able], chosen[able]
            if len(self._nodes):
                self._round(chosen, low, high)
            if watch is not None:
                left = len(self._rows)
                watch(Progress(len(self._node_of) - left, left, None, None))

    def parts(self) -> tuple[Int32, Int32, Int32]:
        """The part of each tuple, and of each part the first and last place in every column."""
        nodes, number = np.unique(self._node_of, return_inverse=True)
        part: Int32 = number.reshape(-1).astype(np.int32)
        order, offsets = kernels.arrange_by_group(part, len(nodes))
        places = [place[order] for place in self._every]
        low = np.stack([np.minimum.reduceat(place, offsets[:-1]) for place in places], axis=1)
        high = np.stack([np.maximum.reduceat(place, offsets[:-1]) for place in places], axis=1)
        return part, low, high

    def settle(self, tuples: Tuples) -> LabelledParts:
        """The parts under their labels, after cuts were taken back that a reader's classes do not survive."""
        while True:
            labelled = LabelledParts.over(tuples, self.orders, *self.parts())
            # Parts with the same labels are one class to a reader. Most models hold for what is put together
            # of classes that hold; where one does not, the cut that made them is taken back.
            holds = all_models_hold(self.models, labelled.classes())
            if holds.all():
                return labelled
            self.take_back(np.flatnonzero(~holds[labelled.class_of_part]), labelled.class_of_part)

    def take_back(self, failing: Int64, class_of_part: Int32) -> None:
        """Undo the cuts between parts that are one class and fail as such."""
        nodes = np.unique(self._node_of)
        doubtful = np.zeros(len(self._parent), np.bool_)
        for number in np.unique(class_of_part[failing]).tolist():
            together = nodes[class_of_part == number].tolist()
            lines = [self._line(node) for node in together]
            doubtful[max(set(lines[0]).intersection(*lines[1:]))] = True
        # A part is numbered after the one it was cut from, so one pass from the first finds the highest.
        target = np.arange(len(self._parent))
        for node in range(1, len(target)):
            above = target[self._parent[node]]
            if doubtful[above]:
                target[node] = above
        self._node_of = target[self._node_of]

    def _line(self, node: int) -> list[int]:
        line = []
        while node >= 0:
            line.append(node)
            node = int(self._parent[node])
        return line

    def _ends(self) -> tuple[Int32, Int32]:
        starts = self._offsets[:-1]
        low = np.stack([np.minimum.reduceat(place, starts) for place in self._places])
        high = np.stack([np.maximum.reduceat(place, starts) for place in self._places])
        return low, high

    def _widths(self, low: Int32, high: Int32) -> Floats:
        """Per part and cutter the share of leaves that the label of the column covers; 0 where no cut is."""
        widths = np.zeros((low.shape[1], len(self.cutters)))
        for c, cut in enumerate(self.cutters):
            order, first, last = self.orders[cut.column], low[cut.column], high[cut.column]
            level = order.level_over(first, last)
            covered = self._spans[cut.column][level, order.codes[level, first]] - 1
            covered[last < order.numbers] = (last - first)[last < order.numbers]
            covered[first == last] = 0
            if cut.where == "numbers":
                covered[(first >= order.numbers) | (last < order.numbers)] = 0
            widths[:, c] = covered / max(len(order.leaf_at) - 1, 1)
        return widths

    def _rest(self, able: Mask) -> None:
        """Let the parts go that cannot be cut any more."""
        lengths = np.diff(self._offsets)
        stay = np.repeat(able, lengths)
        self._node_of[self._rows[~stay]] = np.repeat(self._nodes, lengths)[~stay]
        self._rows, self._sizes = self._rows[stay], self._sizes[stay]
        self._places = [place[stay] for place in self._places]
        self._offsets = np.concatenate(([0], np.cumsum(lengths[able])))
        self._nodes, self._tried = self._nodes[able], self._tried[able]
        if self._counts and 2 * len(self._rows) < len(self._base):
            active = np.sort(self._rows)
            self._counts = among(self._counts, np.searchsorted(self._base, active))
            self._base = active.astype(np.int32)

    def _round(self, chosen: Int64, low: Int32, high: Int32) -> None:
        """Try one cut in every part; take it where all pieces hold."""
        parts = len(chosen)
        part = np.repeat(np.arange(parts), np.diff(self._offsets))
        piece, first = self._pieces(chosen, part, low, high)
        part_of = part[first]
        classes = self._classes(piece, len(first))
        holds = all_models_hold(self.models, classes)
        many = np.array([cut.where == "branches" for cut in self.cutters])[chosen]
        taken = np.ones(parts, np.bool_)
        np.logical_and.at(taken, part_of[~many[part_of]], holds[~many[part_of]])
        # Of branches, those that stand alone leave; the others stay together.
        rest = ~holds & many[part_of]
        if many.any():
            taken &= ~many | self._leave(classes, part_of, rest, many)
        # New numbers: pieces of a part that is cut, its rest as a single piece, other parts as they are.
        alone = taken[part_of] & ~rest
        group = np.where(alone, parts + np.arange(len(first)), part_of)
        _, at, found = np.unique(group, return_index=True, return_inverse=True)
        number: Int32 = found.reshape(-1).astype(np.int32)
        owner = part_of[at]
        tried = self._tried[owner]
        tried[taken[owner]] &= self._settled
        tried[~taken[owner], chosen[owner[~taken[owner]]]] = True
        fresh = len(self._parent) + np.cumsum(taken[owner]) - 1
        nodes = np.where(taken[owner], fresh, self._nodes[owner])
        self._parent = np.concatenate((self._parent, self._nodes[owner[taken[owner]]]))
        self._nodes, self._tried = nodes, tried
        if taken.any():
            self._arrange(number[piece], len(at))

    def _arrange(self, part: Int32, parts: int) -> None:
        order, self._offsets = kernels.arrange_by_group(part, parts)
        self._rows, self._sizes = self._rows[order], self._sizes[order]
        self._places = [place[order] for place in self._places]

    def _pieces(self, chosen: Int64, part: Int64, low: Int32, high: Int32) -> tuple[Int32, Int32]:
        """The piece of each tuple if every part is cut as chosen, and the first tuple of each piece."""
        side = np.empty(len(part), np.int64)
        lengths = np.diff(self._offsets)
        for c, cut in enumerate(self.cutters):
            mine = np.flatnonzero(chosen == c)
            if not len(mine):
                continue
            order, there = self.orders[cut.column], np.repeat(chosen == c, lengths)
            place = self._places[cut.column][there]
            offsets = np.concatenate(([0], np.cumsum(lengths[mine])))
            ends = low[cut.column][mine], high[cut.column][mine]
            if cut.where == "branches":
                below = np.repeat(order.level_over(*ends) - 1, lengths[mine])
                side[there] = order.codes[below, place]
            elif cut.where == "numbers":
                side[there] = place >= order.numbers
            elif self.relaxed:
                run = np.repeat(np.arange(len(mine)), lengths[mine])
                rank = np.empty(len(place), np.int64)
                rank[np.lexsort((place, run))] = np.arange(len(place))
                side[there] = rank - offsets[run] >= lengths[mine][run] // 2
            else:
                cuts = medians(place, self._sizes[there], offsets, *ends)
                side[there] = place > np.repeat(cuts, lengths[mine])
        width = max(2, *(len(order.leaf_at) for order in self.orders))
        piece, first, _ = kernels.group_hashed(part * width + side, self._sizes)
        return piece, first

    def _classes(self, piece: Int32, pieces: int) -> Classes:
        sizes = np.bincount(piece, self._sizes, pieces).astype(np.int64)
        if not self._counts:
            return Classes(sizes)
        at = np.searchsorted(self._base, self._rows) if len(self._base) < len(self._node_of) else self._rows
        outside = len(self._base) > len(at)
        group = np.full(len(self._base), pieces, np.int32)
        group[at] = piece
        whole = merge_classes(
            Classes(np.ones(len(self._base), np.int64), self._counts), group, pieces + outside
        )
        return Classes(sizes, among(whole.sensitive, np.arange(pieces)) if outside else whole.sensitive)

    def _leave(self, classes: Classes, part_of: Int64, rest: Mask, many: Mask) -> Mask:
        """Which parts can let branches leave; marks in `rest` what stays behind.

        Where the rest does not hold, the smallest branches that could leave stay with it, one, then two more,
        then four.
        """
        parts = len(many)
        standing = np.bincount(part_of[~rest], minlength=parts)
        staying = np.bincount(part_of[rest], minlength=parts)
        good: Mask = many & (standing > 0) & (staying == 0)
        asked = many & (standing > 0) & (staying > 0)
        more = 1
        while asked.any():
            members = np.flatnonzero(rest & asked[part_of])
            number = np.cumsum(asked) - 1
            group = number[part_of[members]].astype(np.int32)
            few = Classes(classes.sizes[members], among(classes.sensitive, members))
            fine = all_models_hold(self.models, merge_classes(few, group, int(asked.sum())))
            good[np.flatnonzero(asked)[fine]] = True
            asked &= ~good
            # One branch at least must leave, or nothing is won.
            order = np.lexsort((classes.sizes, rest, part_of))
            rank = np.empty(len(order), np.int64)
            rank[order] = np.arange(len(order))
            begin = np.concatenate(([0], np.cumsum(np.bincount(part_of, minlength=parts))))[:-1]
            standing = np.bincount(part_of[~rest], minlength=parts)
            asked &= standing > 1
            joins = ~rest & asked[part_of]
            joins &= rank - begin[part_of] < np.minimum(more, standing - 1)[part_of]
            rest |= joins
            more *= 2
        return good


def _cutters(orders: Sequence[LeafOrder]) -> list[Cutter]:
    """In the order in which they are tried where parts are equally wide."""
    cutters = []
    for column, order in enumerate(orders):
        if 0 < order.numbers < len(order.leaf_at):
            cutters.append(Cutter(column, "numbers"))
        cutters.append(Cutter(column, "median" if order.numbers else "branches"))
    return cutters


def _spans(order: LeafOrder) -> Int64:
    """How many leaves each label covers, per level and code."""
    width = max(len(names) for names in order.hierarchy.names)
    return np.stack([np.bincount(codes, minlength=width) for codes in order.codes])


def _only_k(models: Sequence[ClassModel[Classes]]) -> bool:
    return all(isinstance(model, KAnonymity) for model in models)
