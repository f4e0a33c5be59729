"""The lattice of full-domain generalisations, and the classes at each of its nodes.

A node is one level per quasi-identifier. Its classes are rolled up from the smallest node already known
below it, never from the rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.classes import People, ValueCounts
from shoal.tables.search import grouping_kernels as kernels
from shoal.tables.search import node_kernels
from shoal.tables.search.distinct_tuples import Int32, Int64, Tuples, pack_codes
from shoal.tables.search.node_labels import NodeLabels, NodeNames
from shoal.tables.search.node_memory import NOWHERE, Memory, Node, NodeClasses

__all__ = ["Lattice", "Node", "NodeClasses"]

DIRECT_CELLS = 1 << 23  # 32 MB of slots; beyond that hashing is as fast
BLOCK_BYTES = 256 << 20
COUNTS_ARE_WORTH = 2  # times as many classes to begin with; without their counts a node is rolled up twice


class Lattice:
    """All full-domain recodings of a table's tuples."""

    def __init__(self, tuples: Tuples) -> None:
        self.tuples = tuples
        self.shape = tuple(hierarchy.height + 1 for hierarchy in tuples.hierarchies)
        one = all(len(hierarchy.names[-1]) == 1 for hierarchy in tuples.hierarchies)
        self._alike = tuple(levels - 1 for levels in self.shape) if one else None
        blocks = [hierarchy.codes for hierarchy in tuples.hierarchies]
        begins = np.cumsum([0] + [block.size for block in blocks[:-1]])
        # starts[c][level]: where the label codes of column c on that level begin in the flat hierarchy
        self._starts = [
            [int(begin) + level * block.shape[1] for level in range(block.shape[0])]
            for begin, block in zip(begins, blocks, strict=True)
        ]
        every = np.arange(len(tuples.sizes), dtype=np.int32)
        bottom = NodeLabels(tuples, (0,) * len(self.shape), every)
        self._merge = _Merge()
        people, away = None, np.empty(0, np.int32)
        if tuples.crowd is not None:
            everybody = np.arange(len(tuples.crowd.sizes), dtype=np.int32)
            fits, away = self._strangers((0,) * len(self.shape), every, everybody)
            people = People(fits, int(tuples.crowd.sizes[away].sum()))
        base = NodeClasses(
            tuples.sizes, tuples.sensitive, bottom, {}, people, representatives=every, strangers=away
        )
        self._sizes = Memory(len(self.shape), base)
        self._values = Memory(len(self.shape), base)
        self._last: _Step | None = None
        self._block = _blocks(tuples, 0, len(self.shape), self._merge)

    def starts(self, node: Node) -> Int64:
        """Where each column's level begins in a flat `level × leaf` array."""
        return np.array([start[level] for start, level in zip(self._starts, node, strict=True)], np.int64)

    def classes(self, node: Node) -> NodeClasses:
        """The equivalence classes when every column is on its level; sensitive counts come when asked for."""
        source = self._source(node)
        group, classes = self._roll_up(source, node)
        self._last = _Step(node, source, group, classes)
        self._sizes.keep(node, classes)
        return classes

    def _source(self, node: Node) -> NodeClasses:
        """The classes to roll up a node from: the fewest, or nearly so with sensitive counts."""
        source = self._sizes.below(node)
        if not _counted(source.sensitive):
            counted = self._values.below(node)
            if len(counted) <= COUNTS_ARE_WORTH * len(source):
                return counted
        return source

    def members(self, node: Node) -> tuple[Int32, NodeClasses]:
        """The class of every tuple, and the classes."""
        return self._roll_up(self._sizes.base, node)

    def _roll_up(self, source: NodeClasses, node: Node) -> tuple[Int32, NodeClasses]:
        if node == self._alike:
            group, first, sizes = _all_alike(source.sizes)
        else:
            group, first, sizes = self._block.groups(node, source.representatives, source.sizes)
        values = _Later(self, node) if self.tuples.sensitive else {}
        rows = source.representatives[first]
        people, away = self._people(source, group, node, rows)
        labels, names = NodeLabels(self.tuples, node, rows), NodeNames(self.tuples, node)
        return group, NodeClasses(sizes, values, labels, names, people, representatives=rows, strangers=away)

    def _people(
        self, source: NodeClasses, group: Int32, node: Node, rows: Int32
    ) -> tuple[People | None, Int32]:
        """How many people of the population fit each class, and which of its combinations fit none."""
        crowd, away = self.tuples.crowd, source.strangers
        if crowd is None or source.population is None:
            return None, away
        # Who fits a class fits whatever it becomes part of; strangers alone are looked at again.
        counts = np.bincount(group, source.population.counts, len(rows)).astype(np.int64)
        if len(away):
            fits, away = self._strangers(node, rows, away)
            counts += fits
        return People(counts, int(crowd.sizes[away].sum())), away

    def _strangers(self, node: Node, rows: Int32, away: Int32) -> tuple[Int64, Int32]:
        """How many of the people who fitted no class fit each of these, and who still fits none."""
        crowd, hierarchies = self.tuples.crowd, self.tuples.hierarchies
        assert crowd is not None
        codes = np.concatenate((self.tuples.codes[rows], crowd.codes[away]))
        labels = [
            hierarchy.codes[level][codes[:, c]]
            for c, (hierarchy, level) in enumerate(zip(hierarchies, node, strict=True))
        ]
        widths = [len(hierarchy.names[level]) for hierarchy, level in zip(hierarchies, node, strict=True)]
        group, first, _ = self._merge(
            pack_codes(labels, widths, len(codes)), np.ones(len(codes), np.int64), NOWHERE
        )
        # Classes come first, so a group whose first member is not one of them has no released row.
        own = group[len(rows) :]
        fits = np.bincount(own, weights=crowd.sizes[away], minlength=len(first)).astype(np.int64)
        return fits[group[: len(rows)]], away[first[own] >= len(rows)]

    def _count(self, node: Node) -> Mapping[str, ValueCounts]:
        """Sensitive counts at a node, merged from the smallest node below it that has them."""
        last = self._last
        if last is not None and last.node == node and _counted(last.source.sensitive):
            source, group, classes = last.source, last.group, last.classes
        else:
            source = self._values.below(node)
            group, classes = self._roll_up(source, node)
        counts = {
            column: ValueCounts(
                old.domain,
                *kernels.merge_counts(
                    old.offsets, old.values, old.counts, group, len(classes), len(old.domain.values)
                ),
            )
            for column, old in source.sensitive.items()
        }
        kept = replace(classes, sensitive=counts)
        self._values.keep(node, kept)
        return counts

    def row_costs(self, rows: Int32, costs: NDArray[np.float64], node: Node) -> NDArray[np.float64]:
        """For tuples the sum over columns of a flat `level × leaf` cost array, read on the node's levels."""
        found: NDArray[np.float64] = node_kernels.row_costs(self.tuples.codes, rows, costs, self.starts(node))
        return found


class _Step(NamedTuple):
    """The last node whose classes were made, from which others, and by which groups."""

    node: Node
    source: NodeClasses
    group: Int32
    classes: NodeClasses


class _Labels(NamedTuple):
    """One number per distinct tuple of a block, alike where all its labels are; and how many there are."""

    labels: Int32
    width: int


class _Column:
    """A block of one column: its labels stand in its hierarchy."""

    def __init__(self, hierarchy: Hierarchy, codes: Int32, column: int, merge: _Merge) -> None:
        self._hierarchy, self._column, self._merge = hierarchy, column, merge
        self.of_tuple: Int32 = codes
        self.width = len(hierarchy.leaves)

    def groups(self, node: Node, rows: Int32, sizes: Int64) -> tuple[Int32, Int32, Int64]:
        """As in a block of several columns."""
        labels, width = self.at(node)
        return self._merge(labels[self.of_tuple[rows]].astype(np.int64), sizes, width)

    def at(self, node: Node) -> _Labels:
        """The label of each leaf."""
        level = node[self._column]
        return _Labels(self._hierarchy.codes[level], len(self._hierarchy.names[level]))


class _Block:
    """Some columns, as two smaller blocks. A block has fewer distinct tuples than the whole table, and each
    combination of its levels is worked out once on those: a node then reads two numbers per tuple instead of
    all its columns.
    """

    def __init__(self, left: _Part, right: _Part, columns: slice, merge: _Merge, whole: bool) -> None:
        self._left, self._right, self._columns, self._merge = left, right, columns, merge
        self._known: dict[Node, _Labels] = {}
        self.of_tuple: Int32
        every = np.arange(len(left.of_tuple), dtype=np.int32)
        if whole:  # tuples are distinct as they are
            self.of_tuple = first = every
        else:
            keys = kernels.pair(right.of_tuple, every, left.of_tuple, every, every, right.width)
            self.of_tuple, first, _ = merge(keys, np.ones(len(keys), np.int64), left.width * right.width)
        self.width: int = len(first)
        self._left_of, self._right_of = left.of_tuple[first], right.of_tuple[first]
        self._every, self._ones = np.arange(len(first), dtype=np.int32), np.ones(len(first), np.int64)

    def groups(self, node: Node, rows: Int32, sizes: Int64) -> tuple[Int32, Int32, Int64]:
        """Some distinct tuples of the block, merged where all their labels are alike."""
        left, right = self._left.at(node), self._right.at(node)
        # Tuples are sorted, so the right side changes fastest: as the low digits it keeps neighbours close.
        keys = kernels.pair(right.labels, self._right_of, left.labels, self._left_of, rows, right.width)
        return self._merge(keys, sizes, left.width * right.width)

    def at(self, node: Node) -> _Labels:
        """The number of each distinct tuple of the block."""
        levels = node[self._columns]
        known = self._known.get(levels)
        if known is None:
            if len(self._known) * 4 * len(self._every) > BLOCK_BYTES:
                self._known.clear()
            group, first, _ = self.groups(node, self._every, self._ones)
            known = self._known[levels] = _Labels(group, len(first))
        return known


_Part = _Column | _Block


class _Merge:
    """Equal keys into groups, by the way that suits how far the keys reach."""

    def __init__(self) -> None:
        self._slots = np.empty(0, np.int32)

    def __call__(self, keys: Int64, sizes: Int64, reach: int) -> tuple[Int32, Int32, Int64]:
        if reach <= DIRECT_CELLS:
            if reach > len(self._slots):
                # Zeros: the system gives no memory for what no key ever touches.
                self._slots = np.zeros(min(4 * reach, DIRECT_CELLS), np.int32)
            found: tuple[Int32, Int32, Int64] = kernels.group_direct(keys, sizes, self._slots)
        else:
            found = kernels.group_hashed(keys, sizes)
        return found


def _blocks(tuples: Tuples, begin: int, end: int, merge: _Merge) -> _Part:
    """The columns from begin to end as a tree of blocks with about as many combinations of levels each."""
    if end - begin == 1:
        return _Column(tuples.hierarchies[begin], np.ascontiguousarray(tuples.codes[:, begin]), begin, merge)
    upto = np.cumsum([math.log(hierarchy.height + 1) for hierarchy in tuples.hierarchies[begin:end]])
    middle = begin + 1 + int(np.abs(upto[:-1] - upto[-1] / 2).argmin())
    left, right = _blocks(tuples, begin, middle, merge), _blocks(tuples, middle, end, merge)
    return _Block(left, right, slice(begin, end), merge, end - begin == len(tuples.columns))


class _Later(Mapping[str, ValueCounts]):
    """Sensitive counts that are computed when a model first looks at them."""

    def __init__(self, lattice: Lattice, node: Node) -> None:
        self._lattice, self._node = lattice, node
        self._counts: Mapping[str, ValueCounts] | None = None

    @property
    def known(self) -> bool:
        """Whether a model has looked."""
        return self._counts is not None

    def __getitem__(self, column: str) -> ValueCounts:
        if self._counts is None:
            self._counts = self._lattice._count(self._node)
        return self._counts[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lattice.tuples.sensitive)

    def __len__(self) -> int:
        return len(self._lattice.tuples.sensitive)


def _all_alike(sizes: Int64) -> tuple[Int32, Int32, Int64]:
    """As `_Merge` has it, one group of all: nothing is left to tell them apart at the top."""
    return np.zeros(len(sizes), np.int32), np.zeros(1, np.int32), np.array([sizes.sum()], np.int64)


def _counted(values: Mapping[str, ValueCounts]) -> bool:
    """Whether the counts are there already."""
    return not isinstance(values, _Later) or values.known
