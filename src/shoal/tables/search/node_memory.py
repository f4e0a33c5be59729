"""The classes of nodes that a search has been to, for rolling up others from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.tables.model_inputs.classes import Classes
from shoal.tables.search import grouping_kernels as kernels
from shoal.tables.search.distinct_tuples import Int32

Node = tuple[int, ...]

REMEMBERED = 192
REMEMBERED_CLASSES = 32_000_000  # about 400 MB
NOWHERE = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class NodeClasses(Classes):
    """The classes of a node, each with one tuple that stands for it, and whom of a population fits none."""

    representatives: Int32 = None  # type: ignore[assignment]  # a default must follow the parent's
    strangers: Int32 = None  # type: ignore[assignment]


class Memory:
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

    def below(self, node: Node) -> NodeClasses:
        """The remembered classes with the fewest groups that refine the node."""
        count = len(self._kept)
        levels = np.array(node, np.int64)
        return self._kept[kernels.smallest_below(self._nodes[:count], self._groups[:count], levels)]

    def keep(self, node: Sequence[int], classes: NodeClasses) -> None:
        """Remember a node, forgetting the oldest."""
        # Close to the bottom there is nothing to save; the memory is for nodes that are small.
        if len(classes) > min(len(self._kept[0]) // 2, REMEMBERED_CLASSES // REMEMBERED):
            return
        place = self._next
        self._nodes[place], self._groups[place] = node, len(classes)
        if place < len(self._kept):
            self._kept[place] = classes
        else:
            self._kept.append(classes)
        self._next = place + 1 if place + 1 < REMEMBERED else 1
