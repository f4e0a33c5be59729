"""The method neighbourhood: it keeps every edge, keeps its promise, and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.drawn import all_graphs, graph_of, graphs, pairs_of, power_law
from shoal.core.errors import BadParameter
from shoal.core.progress import Progress
from shoal.graphs.graph import Graph
from shoal.graphs.methods.neighbourhood.neighbourhood import MergedKinds, Neighbourhood, merge_rare_kinds
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.models.k_neighbourhood import KNeighbourhood
from shoal.graphs.release import GraphRelease

WAYS: tuple[Any, ...] = ("auto", "levels", "twins")


def kept(graph: Graph, release: GraphRelease, k: int) -> None:
    assert isinstance(release.graph, Graph)
    before, after = pairs_of(graph), pairs_of(release.graph)
    assert before <= after
    assert (release.added, release.removed) == (len(after) - len(before), 0)
    assert release.bound is not None and release.bound <= len(after) - len(before)
    assert KNeighbourhood(k).holds(release.seen()).all()


def ring(nodes: int) -> list[tuple[int, int]]:
    return [(one, (one + 1) % nodes) for one in range(nodes)]


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 5])
def test_every_small_graph_for_every_k(nodes: int) -> None:
    for graph in all_graphs(nodes):
        for k in range(1, nodes + 1):
            kept(graph, Neighbourhood(seed=1).protect(graph, [KNeighbourhood(k)]), k)


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=40)
@given(graphs(14), st.integers(1, 6))
def test_any_graph_any_k_either_way(way: Any, graph: Graph, k: int) -> None:
    k = min(k, graph.nodes)
    kept(graph, Neighbourhood(way, seed=k).protect(graph, [KNeighbourhood(k)]), k)


@pytest.mark.parametrize("way", WAYS)
def test_a_network_with_hubs(way: Any) -> None:
    graph = power_law(300, 500, 4)
    kept(graph, Neighbourhood(way, seed=1).protect(graph, [KNeighbourhood(3), KNeighbourhood(4)]), 4)


def test_a_sparse_graph_costs_a_few_edges() -> None:
    # A long ring and one triangle beside it: the triangle's people look like nobody else.
    graph = graph_of(103, *ring(100), (100, 101), (101, 102), (102, 100))
    release = Neighbourhood(seed=1).protect(graph, [KNeighbourhood(5)])
    kept(graph, release, 5)
    assert release.details["way"] == "levels"
    assert release.added is not None and release.added <= 20


def test_what_is_safe_is_left_alone() -> None:
    graph = graph_of(10, *ring(10))
    release = Neighbourhood(seed=1).protect(graph, [KNeighbourhood(10)])
    assert (release.added, release.bound, release.details["way"]) == (0, 0, "nothing to do")


def test_everybody_in_one_class_ends_at_the_latest_with_the_complete_graph() -> None:
    graph = graph_of(6, (0, 1), (0, 2), (0, 3), (1, 2), (4, 5))
    release = Neighbourhood("twins", seed=1).protect(graph, [KNeighbourhood(6)])
    kept(graph, release, 6)
    assert release.notes == ("nothing but the complete graph was found: it tells nothing",)


def test_a_clustered_graph_of_cliques_ends() -> None:
    shape = nx.relaxed_caveman_graph(20, 6, 0.2, seed=3)
    graph = graph_of(120, *shape.edges())
    release = Neighbourhood(seed=1).protect(graph, [KNeighbourhood(5)])
    kept(graph, release, 5)
    assert release.edges < 120 * 119 // 4


def test_the_same_seed_gives_the_same_release() -> None:
    graph = power_law(80, 150, 2)
    one, other = (Neighbourhood(seed=5).protect(graph, [KNeighbourhood(3)]) for _ in range(2))
    assert isinstance(one.graph, Graph) and isinstance(other.graph, Graph)
    assert pairs_of(one.graph) == pairs_of(other.graph)


def test_kinds_are_kept_where_enough_people_share_them() -> None:
    graph = power_law(60, 90, 7)
    kinds = pl.Series("kind", ["nurse", "cook", "judge"] * 19 + ["king", "pope", "bard"])
    release = Neighbourhood(seed=1).protect(replace(graph, kinds=kinds), [KNeighbourhood(3)])
    kept(graph, release, 3)
    assert isinstance(release.graph, Graph) and release.graph.kinds is not None
    assert release.graph.kinds.to_list() == kinds.to_list()[:57] + ["*"] * 3
    assert release.notes == ("3 people had a kind that too few share; it is now *",)


def test_kinds_that_do_not_count_are_left_alone() -> None:
    kinds = pl.Series("kind", list("abcde"))
    graph = replace(graph_of(5, *ring(5)), kinds=kinds)
    release = Neighbourhood(seed=1).protect(graph, [KNeighbourhood(5, labels=False)])
    assert isinstance(release.graph, Graph) and release.graph.kinds is not None
    assert release.graph.kinds.to_list() == kinds.to_list() and release.added == 0


def test_direction_is_dropped_and_told() -> None:
    graph = Graph.of_edges(5, [0, 1, 1, 2, 3], [1, 0, 2, 3, 4], directed=True)
    release = Neighbourhood(seed=1).protect(graph, [KNeighbourhood(2)])
    kept(graph.undirected(), release, 2)
    assert isinstance(release.graph, Graph) and release.graph.cleaned.undirected


def test_progress_is_told() -> None:
    told: list[Progress] = []
    Neighbourhood(seed=1).protect(power_law(80, 150, 2), [KNeighbourhood(3)], told.append)
    assert told and [one.done for one in told] == list(range(1, len(told) + 1))


def test_bad_requests_get_one_sentence() -> None:
    graph = graph_of(4, (0, 1))
    with pytest.raises(BadParameter, match=r"reaches k-neighbourhood, not k-degree.*use method supergraph"):
        Neighbourhood(seed=1).protect(graph, [KDegree(2)])
    with pytest.raises(BadParameter, match="needs at least 5 nodes, and the graph has 4; lower k"):
        Neighbourhood(seed=1).protect(graph, [KNeighbourhood(5)])
    with pytest.raises(BadParameter, match=r"way=sideways.*give auto, levels or twins"):
        Neighbourhood("sideways")  # type: ignore[arg-type]
    labelled = replace(graph, kinds=pl.Series(["a", "a", "b", "b"]))
    with pytest.raises(BadParameter, match="does not look at kinds; give way=twins"):
        Neighbourhood("levels").protect(labelled, [KNeighbourhood(2)])


def test_input_is_not_altered() -> None:
    graph = power_law(50, 90, 1)
    before = (graph.offsets.copy(), graph.targets.copy())
    Neighbourhood(seed=1).protect(graph, [KNeighbourhood(3)])
    assert np.array_equal(before[0], graph.offsets) and np.array_equal(before[1], graph.targets)


def of(kinds: Sequence[str | int | None], k: int) -> MergedKinds:
    return merge_rare_kinds(replace(graph_of(len(kinds)), kinds=pl.Series("kind", kinds)), k)


def values(found: MergedKinds) -> list[object]:
    assert found.kinds is not None
    return found.kinds.to_list()


def test_rare_kinds_become_a_star() -> None:
    found = of(["a", "a", "b", "c"], 2)
    assert values(found) == ["a", "a", "*", "*"] and found.lost == 2


def test_one_rare_person_takes_the_rarest_other_kind_along() -> None:
    found = of(["a", "a", "a", "b", "b", "c"], 2)
    assert values(found) == ["a", "a", "a", "*", "*", "*"] and found.lost == 3


def test_a_missing_kind_is_a_kind() -> None:
    assert values(of([None, None, "a", "a"], 2)) == [None, None, "a", "a"]
    assert values(of([None, "b", "a", "a"], 2)) == ["*", "*", "a", "a"]


def test_numbers_are_kinds_too() -> None:
    assert values(of([1, 1, 2, 3], 2)) == ["1", "1", "*", "*"]
    assert values(of([1, 1, 2, 2], 2)) == [1, 1, 2, 2]


def test_a_graph_without_kinds_has_none() -> None:
    assert merge_rare_kinds(graph_of(3), 2).kinds is None


@given(st.lists(st.sampled_from(["a", "b", "c", "d", "*", None]), min_size=1, max_size=20), st.integers(1, 8))
def test_every_kind_that_is_left_has_k_people(kinds: list[str | None], k: int) -> None:
    k = min(k, len(kinds))
    found = of(kinds, k)
    counts = {kind: values(found).count(kind) for kind in values(found)}
    assert min(counts.values()) >= k
    assert found.lost == sum(one != other for one, other in zip(kinds, values(found), strict=True))
