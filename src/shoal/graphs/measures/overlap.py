"""What two versions of a graph have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.contract import Measure
from shoal.core.errors import BadGraph
from shoal.core.outcome import Json
from shoal.graphs.appraisal.degrees import Degrees, movers_distance
from shoal.graphs.graph import Graph, Int32


@dataclass(frozen=True, eq=False)
class Versions:
    """A released graph and the one it was made from; who is who is told by the labels."""

    released: Graph
    original: Graph


@dataclass(frozen=True)
class Changes:
    """Edges and people of two versions, and how far degrees moved.

    `overlap` is the share of the original edges that are still there; `jaccard` the edges in both over those
    in either. `degree_change` adds up how much every person's degree changed (people on one side only have
    degree 0 on the other), `degree_distance` is how far the distribution moved, in friends per person.
    """

    added: int
    removed: int
    kept: int
    nodes_added: int
    nodes_removed: int
    degree_change: int
    degree_distance: float

    @property
    def overlap(self) -> float:
        return self.kept / (self.kept + self.removed) if self.kept + self.removed else 1.0

    @property
    def jaccard(self) -> float:
        either = self.kept + self.removed + self.added
        return self.kept / either if either else 1.0

    def to_json(self) -> dict[str, Json]:
        return {
            "added": self.added,
            "removed": self.removed,
            "kept": self.kept,
            "overlap": self.overlap,
            "jaccard": self.jaccard,
            "nodes_added": self.nodes_added,
            "nodes_removed": self.nodes_removed,
            "degree_change": self.degree_change,
            "degree_distance": self.degree_distance,
        }


@dataclass(frozen=True)
class Overlap(Measure[Versions, Changes]):
    """Which edges of the original are still there, and which are new.

    People are paired by their labels; an edge is the same if both its ends are. An original without edges
    is kept in full.

    Liu & Terzi, "Towards identity anonymization on graphs", 2008; Jaccard 1901.
    """

    name: ClassVar[str] = "overlap"

    def measure(self, versions: Versions) -> Changes:
        """Both versions without direction, edge by edge."""
        from shoal.graphs.appraisal import measure_kernels as kernels

        pair = _pair_nodes(versions.released.undirected(), versions.original.undirected())
        one, other = pair.released, pair.original
        kept = int(kernels.shared_entries(one.offsets, one.targets, other.offsets, other.targets)) // 2
        return Changes(
            added=one.edges - kept,
            removed=other.edges - kept,
            kept=kept,
            nodes_added=one.nodes - versions.original.nodes,
            nodes_removed=one.nodes - versions.released.nodes,
            degree_change=int(np.abs(one.degrees - other.degrees).sum()),
            degree_distance=movers_distance(
                Degrees.of(versions.released.undirected()), Degrees.of(versions.original.undirected())
            ),
        )


def _pair_nodes(released: Graph, original: Graph) -> Versions:
    """Both graphs on the nodes of either, where node i is the same person in both."""
    one, other = released.names(), original.names()
    if one.dtype != other.dtype:
        one, other = one.cast(pl.String), other.cast(pl.String)
    if len(one) == len(other) and one.equals(other):
        return Versions(released, original)
    for names in (one, other):
        if names.n_unique() < len(names):
            raise BadGraph("two nodes have the same label, so nobody can say who is who; give each its own")
    people = pl.DataFrame({"label": pl.concat([one.alias("label"), other.alias("label")]).unique()})
    people = people.with_row_index("at")
    return Versions(
        *(_reordered_graph(graph, names, people) for graph, names in ((released, one), (original, other)))
    )


def _reordered_graph(graph: Graph, names: pl.Series, people: pl.DataFrame) -> Graph:
    at = names.to_frame("label").join(people, on="label", how="left", maintain_order="left")["at"]
    places: Int32 = at.to_numpy().astype(np.int32)
    edges = graph.edge_list()
    return Graph.of_edges(people.height, places[edges.sources], places[edges.targets])
