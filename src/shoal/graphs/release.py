"""A protected graph: what goes out, what was promised about it, what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from shoal.core.outcome import Json, Promise, Tables, promise_rows
from shoal.graphs.graph import Graph, Int64
from shoal.graphs.grouping import Grouping
from shoal.graphs.sight import Sight


@dataclass(frozen=True, eq=False)
class GraphRelease:
    """What `protect` returns for a graph.

    A method leaves nodes where they were: node i of `graph` is node i of the original, under its old label.
    `relabelled` gives new labels; `mapping` then tells old from new and never goes out with the release.
    Where nodes have no counterpart (groups, synthetic graphs) `paired` is false, and `added` and `removed`
    are None. `bound` is how many edges every release with these promises must add, as far as is known.
    """

    graph: Graph | Grouping
    original_edges: int
    method: str
    added: int | None = None
    removed: int | None = None
    bound: int | None = None
    paired: bool = True
    mapping: pl.DataFrame | None = None  # columns `original` and `label`; the owner's alone
    promises: tuple[Promise, ...] = ()
    guarantees: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, Json] = field(default_factory=dict)  # figures that only this method has
    seconds: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def nodes(self) -> int:
        """People that the release stands for."""
        return self.graph.nodes

    @property
    def edges(self) -> int:
        """Edges that the release stands for."""
        return self.graph.edges

    def seen(self) -> Sight:
        """What goes out, as models look at it."""
        return Sight(self.graph, self.guarantees)

    def promised(self, promises: tuple[Promise, ...]) -> GraphRelease:
        """The same release with the outcome of its check."""
        return replace(self, promises=promises)

    def noted(self, notes: Sequence[str]) -> GraphRelease:
        """The same release with remarks for the person who asked for it."""
        return replace(self, notes=(*self.notes, *notes))

    def relabelled(self, order: Int64) -> GraphRelease:
        """The same release with node i called order[i]; `mapping` keeps who is who."""
        graph = self.graph
        assert isinstance(graph, Graph) and self.paired
        edges = graph.edge_list()
        sources, targets = order[edges.sources], order[edges.targets]
        kinds = None if graph.kinds is None else graph.kinds[np.argsort(order)]
        moved = Graph.of_edges(graph.nodes, sources, targets, directed=graph.directed, kinds=kinds)
        mapping = pl.DataFrame({"original": graph.names(), "label": pl.Series(order)})
        return replace(self, graph=replace(moved, cleaned=graph.cleaned), mapping=mapping)

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal graph protect --json` prints."""
        return {
            "nodes": self.nodes,
            "edges_before": self.original_edges,
            "edges_after": self.edges,
            "added": self.added,
            "removed": self.removed,
            "bound": self.bound,
            "models": [promise.to_json() for promise in self.promises],
            "method": self.method,
            "guarantees": dict(self.guarantees),
            "details": dict(self.details),
            "seconds": self.seconds,
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        """Promises, and what the release cost in edges."""
        figures = [["figure", "value"], ["nodes", f"{self.nodes:,}"], ["method", self.method]]
        figures.append(["edges", f"{self.original_edges:,} before, {self.edges:,} after"])
        if self.added is not None and self.removed is not None:
            share = self.original_edges or 1
            figures.append(["edges added", f"{self.added:,} ({self.added / share:.2%})"])
            figures.append(["edges removed", f"{self.removed:,} ({self.removed / share:.2%})"])
        if self.bound is not None:
            figures.append(["fewest edges that any such release adds", f"{self.bound:,}"])
        for name, value in {**self.guarantees, **self.details}.items():
            told = f"{value:,.6g}" if isinstance(value, int | float) else str(value)
            figures.append([name.replace("_", " "), told])
        return {"promises": promise_rows(self.promises), "release": figures}
