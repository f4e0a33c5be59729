"""The search of top-down specialisation: which step is tried next, and whether the models hold after it."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shoal.core import clock
from shoal.core.contract import ClassModel
from shoal.core.progress import Progress, Watch
from shoal.tables.methods.top_down.column_tree import Split, Tree
from shoal.tables.methods.top_down.lkc_counts import Combinations
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.lkc import LKC
from shoal.tables.search import grouping_kernels as kernels
from shoal.tables.search.distinct_tuples import Tuples

Int32 = NDArray[np.int32]
SECONDS_PER_VISIT = 1e-8


class Specialisation:
    """The search: labels of every column, and the splits that are still open, best first.

    What a split is worth never changes, and once invalid it stays so, because a finer table breaks every
    promise that a coarser one breaks. So each split is tried once, when it is the best that is left, and is
    then either made or dropped.
    """

    def __init__(self, tuples: Tuples, trees: Sequence[Tree], models: Sequence[ClassModel[Classes]]) -> None:
        self.tuples, self.trees = tuples, trees
        self.labels = np.zeros((len(trees), len(tuples.sizes)), np.int32)
        self.stretches = [[(0, len(tree.counts) - 1)] for tree in trees]
        self.validity = Validity(tuples, self.labels, models)
        self.open: list[tuple[float, float, int, int, Split]] = []
        everyone = np.arange(len(tuples.sizes), dtype=np.int32)
        self.members: dict[tuple[int, int], Int32] = {}
        for column in range(len(trees)):
            self._offer(column, 0, everyone)

    def run(self, limit: float | None, watch: Watch | None) -> str | None:
        """Split until nothing is left; a remark when the time was too short for that."""
        done = skipped = 0
        while self.open:
            if limit is not None and clock.now() > limit:
                skipped += len(self.open)
                break
            _, _, column, number, split = heapq.heappop(self.open)
            members = self.members.pop((column, number))
            if limit is not None and self.validity.seconds(column, members) > limit - clock.now():
                skipped += 1
                continue
            self._try(column, number, members, split)
            done += 1
            if watch is not None:
                watch(Progress(done, len(self.open), None, None))
        if not skipped:
            return None
        return (
            f"the time limit left {skipped} steps untried: the release keeps its promises, but may be coarser"
        )

    def _try(self, column: int, number: int, members: Int32, split: Split) -> None:
        stretches = self.stretches[column]
        # The first child takes the number of its parent, so that numbers stay without gaps.
        numbers = np.arange(len(stretches) - 1, len(stretches) - 1 + len(split.starts), dtype=np.int32)
        numbers[0] = number
        places = self.trees[column].order.place_of[self.tuples.codes[members, column]]
        child = np.searchsorted(split.starts, places, side="right") - 1
        proposed = self.labels[column].copy()
        proposed[members] = numbers[child]
        if not self.validity.keeps(column, members, proposed):
            return
        self.labels[column] = proposed
        self.validity.made(column, len(numbers) - 1)
        for place, (low, high) in enumerate(zip(split.starts.tolist(), split.ends.tolist(), strict=True)):
            if place:
                stretches.append((low, high))
            else:
                stretches[number] = (low, high)
            self._offer(column, int(numbers[place]), members[child == place])

    def _offer(self, column: int, number: int, members: Int32) -> None:
        split = self.trees[column].split(*self.stretches[column][number])
        if split is not None:
            self.members[column, number] = members
            heapq.heappush(self.open, (-split.gain, -split.kept, column, number, split))


class Validity:
    """The state that answers: which tuples share a class, and how many labels each column has.

    LKC-privacy is counted over combinations; every other model is asked about the classes.
    """

    def __init__(self, tuples: Tuples, labels: Int32, models: Sequence[ClassModel[Classes]]) -> None:
        self.tuples, self.labels, self.models = tuples, labels, models
        self.widths = np.ones(len(labels), np.int64)
        self.group = np.zeros(len(tuples.sizes), np.int32)
        self.by_class = [model for model in models if not isinstance(model, LKC)]
        about = Classes(tuples.sizes, tuples.sensitive)
        self.by_combination = [
            Combinations.of(
                model.L, model.K, model.C, model.values, tuples.sizes, about.about(model.column, model.name)
            )
            for model in models
            if isinstance(model, LKC)
        ]
        self._next: Int32 | None = None

    def whole(self) -> Classes:
        """The table as one class, as it is before the first specialisation."""
        return self._grouped(np.zeros(len(self.tuples.sizes), np.int32), np.zeros(1, np.int32), self.labels)

    def seconds(self, column: int, members: Int32) -> float:
        """About how long it takes to answer."""
        others = int(np.count_nonzero(self.widths > 1)) - int(self.widths[column] > 1)
        visits = sum(one.visits(len(members), others) for one in self.by_combination)
        return SECONDS_PER_VISIT * (visits + len(self.tuples.sizes))

    def keeps(self, column: int, members: Int32, proposed: Int32) -> bool:
        """Whether all models hold once `proposed` are the labels of the column; only members' change."""
        others = np.flatnonzero(self.widths > 1)
        others = others[others != column]
        for one in self.by_combination:
            if not one.keeps(members, proposed, self.labels, self.widths, others):
                return False
        if not self.by_class:
            return True
        keys = self.group.astype(np.int64) * (int(proposed.max()) + 1) + proposed
        group, first, _ = kernels.group_hashed(keys, self.tuples.sizes)
        self._next = group
        labels = self.labels
        if any(model.scope == "table" for model in self.by_class):
            labels = labels.copy()
            labels[column] = proposed
        classes = self._grouped(group, first, labels)
        return all(model.holds(classes).all() for model in self.by_class)

    def made(self, column: int, more: int) -> None:
        """Remember that the specialisation last asked about was made; the column has so many labels more."""
        self.widths[column] += more
        if self._next is not None:
            self.group = self._next

    def _grouped(self, group: Int32, first: Int32, labels: Int32) -> Classes:
        """Classes with their labels, which are those of the first tuple of each."""
        classes = self.tuples.grouped(group, len(first))
        of_class = {name: labels[c][first] for c, name in enumerate(self.tuples.columns)}
        return Classes(classes.sizes, classes.sensitive, of_class)
