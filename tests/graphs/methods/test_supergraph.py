"""k-degree anonymity by added edges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.drawn import all_graphs, graph_of, graphs, pairs_of, power_law, rarest
from shoal.core.errors import BadParameter, Unreachable
from shoal.graphs.graph import Graph
from shoal.graphs.methods import supergraph
from shoal.graphs.methods.supergraph import Supergraph
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.release import GraphRelease

SHARED = Path(__file__).parents[4] / "shared" / "data" / "graphs"
REAL = ["ca-AstroPh.csv", "ca-GrQc.csv", "email-Enron.csv", "facebook_combined.csv"]
REAL += ["karate.csv", "power.csv", "wiki-Vote.csv"]


def protected(graph: Graph, k: int, **settings: Any) -> GraphRelease:
    release = Supergraph(**{"seed": 1, **settings}).protect(graph, [KDegree(k)])
    assert isinstance(release.graph, Graph)
    return release


def edges(release: GraphRelease) -> set[tuple[int, int]]:
    assert isinstance(release.graph, Graph)
    return pairs_of(release.graph)


@given(graphs(), st.data())
def test_every_edge_is_kept_and_the_figures_are_exact(graph: Graph, data: st.DataObject) -> None:
    k = data.draw(st.integers(1, graph.nodes))
    before = pairs_of(graph)
    release = protected(graph, k)
    after = edges(release)
    assert before <= after and release.removed == 0 and release.added == len(after) - len(before)
    assert KDegree(k).holds(release.seen()).all()
    assert pairs_of(graph) == before
    assert release.bound is not None and release.bound <= release.added


@pytest.mark.parametrize("k", [5, 50])
@pytest.mark.parametrize("name", REAL)
def test_real_graphs_stay_within_five_per_cent_of_the_bound(name: str, k: int) -> None:
    if not (SHARED / name).exists():
        pytest.skip(f"{name} is not there: the shared data are not part of the project")
    ends = pl.read_csv(SHARED / name, has_header=False).to_numpy()
    nodes = int(ends.max()) + 1
    graph = Graph.of_edges(nodes, ends[:, 0], ends[:, 1])
    if k > nodes:
        pytest.skip(f"{name} has {nodes} nodes, fewer than k={k}")
    release = protected(graph, k)
    assert KDegree(k).holds(release.seen()).all()
    assert release.removed == 0 and edges(release) >= pairs_of(graph)
    assert release.added is not None and release.bound is not None
    assert release.added <= 1.05 * release.bound


def test_direction_is_dropped_and_counted() -> None:
    graph = Graph.of_edges(3, [0, 1, 1], [1, 0, 2], directed=True)
    release = protected(graph, 3)
    assert isinstance(release.graph, Graph)
    assert release.original_edges == 2 and release.graph.cleaned.merged == 1


@pytest.mark.parametrize("scheme", [1, 2, 3, 4])
def test_the_probing_of_the_thesis_is_there_for_comparison(scheme: int) -> None:
    graph = power_law(60, 90, 2)
    release = protected(graph, 3, probing=scheme)
    assert edges(release) >= pairs_of(graph) and KDegree(3).holds(release.seen()).all()
    assert isinstance(release.details["probes"], int)
    assert release.added == len(edges(release)) - graph.edges


def test_probing_that_finds_nothing_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supergraph, "_PROBES", 0)
    graph = next(
        graph
        for graph in all_graphs(6)
        if Supergraph(seed=1).protect(graph, [KDegree(2)]).details["partners_asked"]
    )
    with pytest.raises(Unreachable, match="leave probing out"):
        protected(graph, 2, probing=4)


def test_a_release_repeats_with_its_seed() -> None:
    graph = power_law(300, 800, 5)
    assert edges(protected(graph, 20)) == edges(protected(graph, 20))


def test_a_graph_without_edges_is_anonymous_already() -> None:
    release = protected(graph_of(7), 5)
    assert release.added == 0 and rarest(graph_of(7).degrees) == 7


@pytest.mark.parametrize("wrong", [{"probing": 5}, {"probing": -1}, {"max_delta": 0}])
def test_settings_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadParameter, match="give"):
        Supergraph(**wrong)


@settings(max_examples=80, deadline=None)
@given(graphs(), st.data(), st.sampled_from(["near", "alike"]))
def test_other_partners_keep_the_promise_and_near_ones_cost_nothing(
    graph: Graph, data: st.DataObject, partners: str
) -> None:
    k = data.draw(st.integers(1, graph.nodes))
    release, usual = protected(graph, k, partners=partners), protected(graph, k)
    after = edges(release)
    assert pairs_of(graph) <= after and release.added == len(after) - len(pairs_of(graph))
    assert KDegree(k).holds(release.seen()).all()
    assert release.added is not None and usual.added is not None
    assert release.added == usual.added if partners == "near" else release.added <= 1.5 * usual.added


@given(graphs(), st.data(), st.sampled_from(["any", "near", "alike"]))
def test_whatever_the_partners_edges_are_added_to_those_with_most(
    graph: Graph, data: st.DataObject, partners: str
) -> None:
    """Why the larger degree always tells: nobody's degree falls, and k people must share the largest."""
    k = data.draw(st.integers(1, graph.nodes))
    made = protected(graph, k, partners=partners).graph
    assert isinstance(made, Graph)
    most = int(graph.degrees.max())
    top = np.sort(graph.degrees)[::-1][:k]
    ends_added = (made.degrees - graph.degrees)[made.degrees >= most].sum()
    assert ends_added >= (most - top).sum()
