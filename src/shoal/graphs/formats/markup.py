"""What GraphML and GML have in common: nodes and edges with attributes.

Nodes are called by their `label`, else their `name`, where every node has one of its own; else by their id.
Where noise hides who is there, each is called by what it has itself, and its id.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from shoal.core.errors import BadGraph
from shoal.engines.frames import one_line, quote_value
from shoal.graphs.formats.groupings import grouping_of
from shoal.graphs.formats.node_numbering import as_labels, number_by_name
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping

SIZE, EDGES = "size", "edges"  # the attributes of a grouping
_NAMES = ("label", "name")


@dataclass(eq=False)
class MarkupGraph:
    """Nodes and edges as a file tells them; values of an attribute are None where a node has none."""

    name: str
    ids: dict[str, int] = field(default_factory=dict)
    nodes: dict[str, dict[int, str]] = field(default_factory=dict)  # attribute → node → value
    sources: array[int] = field(default_factory=lambda: array("i"))
    targets: array[int] = field(default_factory=lambda: array("i"))
    edges: dict[str, dict[int, str]] = field(default_factory=dict)  # attribute → edge → value
    directed: bool = False
    grouped: bool = False  # the file says that it is a grouping
    _waiting: list[tuple[int, str, str]] = field(default_factory=list)

    def add_node(self, identity: str) -> int:
        """The number of a new node."""
        if not identity:
            raise BadGraph(f"{self.name} has a node without an id; give every node one")
        number = len(self.ids)
        if self.ids.setdefault(identity, number) != number:
            raise BadGraph(
                f"{self.name} has two nodes with id {quote_value(identity)}; give every node its own"
            )
        return number

    def add_edge(self, source: str, target: str) -> int:
        """The number of a new edge; its ends may follow later in the file."""
        number = len(self.sources)
        one, other = self.ids.get(source, -1), self.ids.get(target, -1)
        if one < 0 or other < 0:
            self._waiting.append((number, source, target))
        self.sources.append(one)
        self.targets.append(other)
        return number

    def close(self) -> None:
        """No more nodes follow."""
        for number, source, target in self._waiting:
            for identity in (source, target):
                if identity not in self.ids:
                    raise BadGraph(
                        f"{self.name} has an edge with node {quote_value(identity)}, which is not "
                        "there; add the"
                        " node"
                    )
            self.sources[number], self.targets[number] = self.ids[source], self.ids[target]
        self._waiting.clear()
        if not self.ids:
            raise BadGraph(f"{self.name} has no nodes; give a graph with at least one")

    def subject(self, directed: bool | None, kinds: str | None, private: bool = False) -> Graph | Grouping:
        """The grouping, if it is one, else the graph; `private` as in `read_graph`."""
        self.close()
        if self._is_grouping():
            return self._grouping()
        return self._graph(directed, kinds, private)

    def _is_grouping(self) -> bool:
        sized = len(self.nodes.get(SIZE, ())) == len(self.ids)
        weighted = len(self.sources) > 0 and len(self.edges.get(EDGES, ())) == len(self.sources)
        return sized and (weighted or (self.grouped and not self.sources))

    def _grouping(self) -> Grouping:
        texts = list(self.ids)
        told = {identity: self._whole(SIZE, self.nodes[SIZE][at]) for identity, at in self.ids.items()}
        pairs = [
            (texts[one], texts[other], self._whole(EDGES, self.edges[EDGES][edge]))
            for edge, (one, other) in enumerate(zip(self.sources, self.targets, strict=True))
        ]
        return grouping_of(told, pairs, self.name)

    def _whole(self, attribute: str, value: str) -> int:
        try:
            number = float(value)
            assert number == int(number)
            return int(number)
        except (ValueError, OverflowError, AssertionError):
            raise BadGraph(
                f"{self.name} has {attribute} {quote_value(value)} in a grouping; give whole numbers"
            ) from None

    def _graph(self, directed: bool | None, kinds: str | None, private: bool) -> Graph:
        called = None if private else self._called()
        if private:
            labels = pl.Series("label", self._own_names(), pl.String)
        else:
            labels = as_labels(self._column(called) if called else list(self.ids))
        ends = number_by_name(labels, np.asarray(self.sources, np.int32), np.asarray(self.targets, np.int32))
        told = None
        if kinds is not None:
            told = pl.Series("kind", self._kinds(kinds), pl.String)[labels.arg_sort().to_numpy()]
        others = [name for name in (*self.nodes, *self.edges) if name not in (called, kinds)]
        left_out = [one_line(name) for name in dict.fromkeys(others)]
        if directed and not self.directed:
            raise BadGraph(f"{self.name} says that its edges have no direction; leave out directed")
        graph = ends.graph(self.directed, told, left_out)
        return graph.undirected() if directed is False else graph

    def _called(self) -> str | None:
        for wanted in _NAMES:
            for attribute, values in self.nodes.items():
                if attribute.lower() == wanted and len(values) == len(self.ids):
                    texts = set(values.values())
                    if len(texts) == len(self.ids) and "" not in texts:
                        return attribute
        return None

    def _own_names(self) -> list[str]:
        """Every node by its own label or name and id, so that nobody else's decides where it stands."""
        told = [
            self.nodes[attribute]
            for wanted in _NAMES
            for attribute in sorted(self.nodes)
            if attribute.lower() == wanted
        ]
        names = [next(filter(None, (values.get(at) for values in told)), "") for at in self.ids.values()]
        return [f"{name}\n{identity}" for name, identity in zip(names, self.ids, strict=True)]

    def _column(self, attribute: str) -> list[str]:
        values = self.nodes[attribute]
        return [values[at] for at in range(len(self.ids))]

    def _kinds(self, attribute: str) -> Sequence[str]:
        values = self.nodes.get(attribute)
        if values is None:
            raise BadGraph(
                f"no node of {self.name} has attribute {quote_value(attribute)}; there are"
                f" {one_line(', '.join(self.nodes)) or 'none'}"
            )
        if len(values) < len(self.ids):
            lacking = next(identity for identity, at in self.ids.items() if at not in values)
            raise BadGraph(
                f"node {quote_value(lacking)} of {self.name} has no {quote_value(attribute)}; give "
                "every node its kind"
            )
        return self._column(attribute)
