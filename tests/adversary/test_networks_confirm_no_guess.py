"""Somebody who tries every network there could be: what lies beside a release tells none of them apart."""

import json
import pickle
from itertools import combinations

import polars as pl
import pytest

from shoal.graphs.graph import Graph
from shoal.graphs.manifest import record
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.protect import protect_graph
from shoal.jobs.graphs.requests import ProtectGraph

METHODS = {
    "supergraph": "k-degree(k=2)",
    "simultaneous": "k-degree(k=2)",
    "deletion": "k-degree(k=2)",
    "relaxed": "k-degree(k=2)",
    "neighbourhood": "k-neighbourhood(k=2)",
}


def published(edges: list[tuple[int, int]], people: int, method: str) -> tuple[GraphRelease, str, str]:
    """A release, what its manifest says, and what a pickle of it shows."""
    graph = Graph.of_edges(people, [a for a, _ in edges], [b for _, b in edges])
    job = ProtectGraph(data=graph, method=method, model=METHODS[method], seed=1, labels="keep")
    release = protect_graph(job)
    sent: GraphRelease = pickle.loads(pickle.dumps(release))
    document = {**sent.to_json(), "seconds": 0}
    return release, record(release, {}, graph.cleaned, {"output": ""}), json.dumps(document)


@pytest.mark.parametrize(
    "method",
    [pytest.param(name, marks=[] if name == "simultaneous" else [pytest.mark.slow]) for name in METHODS],
)
def test_originals_with_one_release_and_as_many_edges_have_one_manifest(method: str) -> None:
    """That nothing was added and nothing removed told that every edge of a release was true."""
    people = 4
    pairs = list(combinations(range(people), 2))
    found: dict[object, set[tuple[str, str]]] = {}
    several = 0
    for chosen in range(2 ** len(pairs)):
        edges = [pair for place, pair in enumerate(pairs) if chosen >> place & 1]
        release, manifest, sent = published(edges, people, method)
        drawn = (len(edges), *map(tuple, release.to_polars().sort(pl.all()).rows()))
        several += drawn in found
        found.setdefault(drawn, set()).add((manifest, sent))
    assert several, "every original has a release of its own: nothing to test"
    assert {len(told) for told in found.values()} == {1}
