"""The lattice of full-domain generalisations, and the classes at each of its nodes.

A node is one level per quasi-identifier. Its classes are rolled up from the smallest node already known
below it, never from the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.tables import kernels
from shoal.tables.classes import Classes, ValueCounts
from shoal.tables.tuples import Int32, Int64, Tuples, packed

Node = tuple[int, ...]

DIRECT_CELLS = 1 << 21  # 8 MB of slots: larger tables miss the cache and hashing wins
REMEMBERED = 192
HALVES_BYTES = 256 << 20
NOWHERE = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class NodeClasses(Classes):
    """The classes of a node, each with one tuple that stands for it."""

    representatives: Int32 = None  # type: ignore[assignment]  # a default must follow the parent's


class Lattice:
    """All full-domain recodings of a table's tuples."""

    def __init__(self, tuples: Tuples) -> None:
        self.tuples = tuples
        self.shape = tuple(ladder.height + 1 for ladder in tuples.ladders)
        blocks = [ladder.codes for ladder in tuples.ladders]
        begins = np.cumsum([0] + [block.size for block in blocks[:-1]])
        # starts[c][level]: where the label codes of column c on that level begin in the flat ladder
        self._starts = [
            [int(begin) + level * block.shape[1] for level in range(block.shape[0])]
            for begin, block in zip(begins, blocks, strict=True)
        ]
        self._slots = np.full(DIRECT_CELLS, -1, np.int32)
        base = NodeClasses(tuples.sizes, tuples.sensitive, np.arange(len(tuples.sizes), dtype=np.int32))
        self._sizes = _Memory(len(self.shape), base)
        self._values = _Memory(len(self.shape), base)
        split = _split(self.shape)
        self._halves = (_Half(tuples, slice(0, split)), _Half(tuples, slice(split, len(self.shape))))

    def starts(self, node: Node) -> Int64:
        """Where each column's level begins in a flat `level × leaf` array."""
        return np.array([start[level] for start, level in zip(self._starts, node, strict=True)], np.int64)

    def classes(self, node: Node) -> NodeClasses:
        """The equivalence classes when every column is on its level; sensitive counts come when asked for."""
        _, classes = self._roll_up(self._sizes.below(node), node)
        self._sizes.keep(node, classes)
        return classes

    def members(self, node: Node) -> tuple[Int32, NodeClasses]:
        """The class of every tuple, and the classes."""
        return self._roll_up(self._sizes.base, node)

    def _roll_up(self, source: NodeClasses, node: Node) -> tuple[Int32, NodeClasses]:
        left, right = self._halves[0].at(node), self._halves[1].at(node)
        keys = kernels.pair(
            left.labels,
            self._halves[0].of_tuple,
            right.labels,
            self._halves[1].of_tuple,
            source.representatives,
            left.count,
        )
        if left.count * right.count <= DIRECT_CELLS:
            group, first, sizes = kernels.group_direct(keys, source.sizes, self._slots)
        else:
            group, first, sizes = kernels.group_hashed(keys, source.sizes)
        values = _Later(self, node) if self.tuples.sensitive else {}
        return group, NodeClasses(sizes, values, source.representatives[first])

    def _count(self, node: Node) -> Mapping[str, ValueCounts]:
        """Sensitive counts at a node, merged from the smallest node below it that has them."""
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
        self._values.keep(node, NodeClasses(classes.sizes, counts, classes.representatives))
        return counts

    def row_costs(self, rows: Int32, costs: NDArray[np.float64], node: Node) -> NDArray[np.float64]:
        """For tuples the sum over columns of a flat `level × leaf` cost array, read on the node's levels."""
        found: NDArray[np.float64] = kernels.row_costs(self.tuples.codes, rows, costs, self.starts(node))
        return found


@dataclass(frozen=True, eq=False)
class _Labels:
    """One number per distinct half tuple: alike where all labels are alike."""

    labels: Int32
    count: int


class _Half:
    """Half of the columns. It has far fewer distinct tuples than the whole, and each combination of levels
    is worked out once on those; a node then reads two numbers per tuple instead of all columns.
    """

    def __init__(self, tuples: Tuples, columns: slice) -> None:
        self._columns = columns
        self._ladders = tuples.ladders[columns]
        codes = tuples.codes[:, columns]
        widths = [len(ladder.leaves) for ladder in self._ladders]
        keys = packed(list(codes.T), widths, len(codes))
        self.of_tuple, first, _ = kernels.group_hashed(keys, tuples.sizes)
        self._codes = codes[first]
        self._known: dict[Node, _Labels] = {}

    def at(self, node: Node) -> _Labels:
        levels = node[self._columns]
        known = self._known.get(levels)
        if known is None:
            if len(self._known) * 4 * len(self._codes) > HALVES_BYTES:
                self._known.clear()
            known = self._known[levels] = self._label(levels)
        return known

    def _label(self, levels: Node) -> _Labels:
        chosen = list(zip(self._ladders, levels, strict=True))
        labels = [ladder.codes[level][self._codes[:, c]] for c, (ladder, level) in enumerate(chosen)]
        widths = [len(ladder.names[level]) for ladder, level in chosen]
        keys = packed(labels, widths, len(self._codes))
        group, first, _ = kernels.group_hashed(keys, np.ones(len(keys), np.int64))
        return _Labels(group, len(first))


def _split(shape: Sequence[int]) -> int:
    """Where to cut the columns so that both halves have about as many combinations of levels."""
    upto = np.cumsum(np.log(shape))
    return int(np.abs(upto - upto[-1] / 2).argmin()) + 1


class _Later(Mapping[str, ValueCounts]):
    """Sensitive counts that are computed when a model first looks at them."""

    def __init__(self, lattice: Lattice, node: Node) -> None:
        self._lattice, self._node = lattice, node
        self._counts: Mapping[str, ValueCounts] | None = None

    def __getitem__(self, column: str) -> ValueCounts:
        if self._counts is None:
            self._counts = self._lattice._count(self._node)
        return self._counts[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lattice.tuples.sensitive)

    def __len__(self) -> int:
        return len(self._lattice.tuples.sensitive)


class _Memory:
    """The nodes remembered for rolling up from; the bottom is always among them."""

    def __init__(self, columns: int, base: NodeClasses) -> None:
        self._nodes = np.zeros((REMEMBERED, columns), np.int64)
        self._groups = np.full(REMEMBERED, NOWHERE)
        self._groups[0] = len(base)
        self._kept: list[NodeClasses] = [base]
        self._next = 1

    @property
    def base(self) -> NodeClasses:
        """The bottom: every tuple a class."""
        return self._kept[0]

    def below(self, node: Sequence[int]) -> NodeClasses:
        """The remembered classes with the fewest groups that refine the node."""
        count = len(self._kept)
        fits = (self._nodes[:count] <= np.array(node)).all(axis=1)
        return self._kept[int(np.where(fits, self._groups[:count], NOWHERE).argmin())]

    def keep(self, node: Sequence[int], classes: NodeClasses) -> None:
        """Remember a node, forgetting the oldest."""
        # Close to the bottom there is nothing to save; the memory is for nodes that are small.
        if 2 * len(classes) > len(self._kept[0]):
            return
        place = self._next
        self._nodes[place], self._groups[place] = node, len(classes)
        if place < len(self._kept):
            self._kept[place] = classes
        else:
            self._kept.append(classes)
        self._next = place + 1 if place + 1 < REMEMBERED else 1
