"""A protected graph: what goes out, what was promised about it, what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from shoal.core.contract import Method
from shoal.core.errors import BadParameter
from shoal.core.notebook import Framed, Shown, as_html
from shoal.core.outcome import Json, Promise, Tables, promise_rows
from shoal.core.private_state import Seal, find_kept, keep_apart
from shoal.graphs.graph import Cleaning, Graph, Int64
from shoal.graphs.grouping import Grouping
from shoal.graphs.model_view import GraphModel, ModelView


@dataclass(frozen=True, eq=False)
class GraphRelease(Framed, Shown):
    """What `protect` returns for a graph: what is released, and nothing else about anybody.

    A method leaves nodes where they were: node i of `graph` is node i of the original, under its old label.
    `relabelled` gives new labels; `mapping` then tells old from new. It is kept apart, in this process alone,
    and never goes out with the release.
    Where nodes have no counterpart (groups, synthetic graphs) `paired` is false, and `added` and `removed`
    are None. `bound` is how many edges the nearest degrees that keep the promise, as they were
    drawn among ties, need at least.
    """

    graph: Graph | Grouping
    original_edges: int | None  # None where a promise covers it
    method: str
    added: int | None = None
    removed: int | None = None
    bound: int | None = None
    paired: bool = True
    renamed: bool = False  # labels are new
    promises: tuple[Promise, ...] = ()
    guarantees: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, Json] = field(default_factory=dict)  # figures that only this method has
    left_out: tuple[str, ...] = ()  # columns and attributes of the original, by name; their values are gone
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    seal: Seal = field(default_factory=Seal, repr=False)  # leads to the mapping; tells nothing itself

    def __post_init__(self) -> None:
        if self.guarantees:
            # An exact count of a private graph beside the noisy one would take the noise off again.
            for name in ("original_edges", "added", "removed", "bound"):
                object.__setattr__(self, name, None)

    def __repr__(self) -> str:
        promised = "".join(f", {promise.model or promise.name}" for promise in self.promises)
        return f"GraphRelease({self.nodes:,} nodes, {self.edges:,} edges, {self.method}{promised})"

    def __copy__(self) -> GraphRelease:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> GraphRelease:
        return self

    def __getstate__(self) -> dict[str, Any]:
        # A pickle travels as the manifest does.
        return vars(self._as_told())

    def _repr_html_(self) -> str:
        # A notebook is saved and passed on with all that it shows.
        return as_html(self._as_told().to_tables())

    def _as_told(self) -> GraphRelease:
        """The same without figures that follow from degrees of the original, and remarks that count."""
        graph = self.graph
        if isinstance(graph, Graph):
            graph = replace(graph, cleaned=Cleaning())  # it has names of columns that were not released
        return replace(
            self,
            graph=graph,
            added=None,
            removed=None,
            bound=None,
            details={},
            left_out=(),
            notes=(),
            seconds=0.0,
        )

    @property
    def mapping(self) -> pl.DataFrame | None:
        """Who is who, for the owner alone: columns `original` and `label`; None where nobody knows."""
        return find_kept(self.seal, pl.DataFrame)

    def with_mapping(self, mapping: pl.DataFrame) -> GraphRelease:
        """The same release, with who is who kept apart."""
        return replace(self, seal=keep_apart(mapping))

    @property
    def nodes(self) -> int:
        """People that the release stands for."""
        return self.graph.nodes

    @property
    def edges(self) -> int:
        """Edges that the release stands for."""
        return self.graph.edges

    def seen(self) -> ModelView:
        """What goes out, as models look at it."""
        return ModelView(self.graph, self.guarantees)

    def promised(self, promises: tuple[Promise, ...]) -> GraphRelease:
        """The same release with the outcome of its check."""
        return replace(self, promises=promises)

    def noted(self, notes: Sequence[str]) -> GraphRelease:
        """The same release with remarks for the person who asked for it."""
        return replace(self, notes=(*self.notes, *notes))

    def after(self, seconds: float) -> GraphRelease:
        """The same release with how long it took."""
        return replace(self, seconds=seconds)

    def relabelled(self, order: Int64) -> GraphRelease:
        """The same release with node i called order[i]; `mapping` keeps who is who."""
        graph = self.graph
        assert isinstance(graph, Graph) and self.paired
        mapping = pl.DataFrame({"original": graph.names(), "label": pl.Series(order)})
        made = replace(self, graph=replace(graph.moved(order), labels=None), renamed=True)
        return made.with_mapping(mapping)

    def in_order(self) -> GraphRelease:
        """The same release with its nodes in the order of their labels.

        Nodes come in the order in which the original named them, and that tells of its edges: the first two
        nodes of an edge list, say, are neighbours.
        """
        graph = self.graph
        if not isinstance(graph, Graph) or graph.labels is None or graph.labels.is_sorted():
            return self
        places = np.empty(graph.nodes, np.int64)
        places[graph.labels.arg_sort().to_numpy()] = np.arange(graph.nodes)
        return replace(self, graph=graph.moved(places))

    def to_polars(self) -> pl.DataFrame:
        """The released edges, one row each, under the labels of the release."""
        if not isinstance(self.graph, Graph):
            raise BadParameter(
                f"{self.method} releases groups, which are no list of edges; take release.graph"
            )
        ends, names = self.graph.edge_list(), self.graph.names()
        return pl.DataFrame({"source": names.gather(ends.sources), "target": names.gather(ends.targets)})

    def to_networkx(self) -> Any:
        """The released graph as a NetworkX object, under the labels of the release."""
        from shoal.graphs.formats.objects import to_networkx

        return to_networkx(self.graph)

    def to_igraph(self) -> Any:
        """The released graph as an igraph object, under the labels of the release."""
        from shoal.graphs.formats.objects import to_igraph

        return to_igraph(self.graph)

    @property
    def figures(self) -> dict[str, Json]:
        """What became of the edges; unknown to all where noise was promised to hide it."""
        return {
            "edges_before": self.original_edges,
            "edges_after": self.edges,
            "added": self.added,
            "removed": self.removed,
            "bound": self.bound,
        }

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal graph protect --json` prints."""
        return {
            "nodes": self.nodes,
            **self.figures,
            "models": [promise.to_json() for promise in self.promises],
            "method": self.method,
            "guarantees": dict(self.guarantees),
            "details": dict(self.details),
            "left_out": list(self.left_out),
            "seconds": self.seconds,
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        """Promises, and what the release cost in edges."""
        figures = [["figure", "value"], ["nodes", f"{self.nodes:,}"], ["method", self.method]]
        before = "" if self.original_edges is None else f"{self.original_edges:,} before, "
        figures.append(["edges", f"{before}{self.edges:,} after"])
        if self.added is not None and self.removed is not None:
            share = self.original_edges or 1
            figures.append(["edges added", f"{self.added:,} ({self.added / share:.2%})"])
            figures.append(["edges removed", f"{self.removed:,} ({self.removed / share:.2%})"])
        if self.bound is not None:
            figures.append(["fewest edges that the degrees chosen need", f"{self.bound:,}"])
        for name, value in {**self.guarantees, **self.details}.items():
            told = (
                f"{value:,.6g}"
                if isinstance(value, float)
                else f"{value:,}"
                if isinstance(value, int)
                else value
            )
            # In a list of figures "edges: 1" would say that one edge is left.
            called = {"edges": "edges hidden", "nodes": "people hidden"}.get(name, name)
            figures.append([called.replace("_", " "), str(told)])
        return {"promises": promise_rows(self.promises), "release": figures}


GraphMethod = Method[Graph, GraphModel, GraphRelease]
