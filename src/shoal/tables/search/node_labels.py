"""The labels of the classes at a node, made when a model asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from shoal.tables.model_inputs.text_values import Label
from shoal.tables.search.distinct_tuples import Int32, Tuples
from shoal.tables.search.node_memory import Node


class NodeNames(Mapping[str, Sequence[Label]]):
    """The texts of the labels in a column."""

    def __init__(self, tuples: Tuples, node: Node) -> None:
        self._tuples, self._node = tuples, node

    def __getitem__(self, column: str) -> Sequence[Label]:
        if column not in self._tuples.columns:
            raise KeyError(column)
        place = self._tuples.columns.index(column)
        return self._tuples.hierarchies[place].names[self._node[place]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tuples.columns)

    def __len__(self) -> int:
        return len(self._tuples.columns)


class NodeLabels(Mapping[str, Int32]):
    """The label of each class in a column, looked up when a model asks for it."""

    def __init__(self, tuples: Tuples, node: Node, rows: Int32) -> None:
        self._tuples, self._node, self._rows = tuples, node, rows

    def __getitem__(self, column: str) -> Int32:
        if column not in self._tuples.columns:
            raise KeyError(column)
        place = self._tuples.columns.index(column)
        codes = self._tuples.hierarchies[place].codes[self._node[place]]
        return np.asarray(codes[self._tuples.codes[self._rows, place]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._tuples.columns)

    def __len__(self) -> int:
        return len(self._tuples.columns)
