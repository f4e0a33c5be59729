"""Grouping instead of people."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.methods.grouping.twins import random_graph
from shoal import verbs
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.progress import Progress
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.methods.grouping.grouping import GroupingMethod
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.models.k_grouping import KGrouping
from shoal.graphs.release import GraphRelease


def protected(graph: Graph, k: int, rounds: int | None = 5, seed: int | None = 1) -> GraphRelease:
    return GroupingMethod(rounds, seed).protect(graph, [KGrouping(k)])


def groups(release: GraphRelease) -> Grouping:
    assert isinstance(release.graph, Grouping)
    return release.graph


def test_a_release_has_groups_and_says_what_they_show() -> None:
    graph = random_graph(40, 0.1, 1)
    release = protected(graph, 4)
    assert release.method == "grouping" and not release.paired
    assert release.added is None and release.removed is None
    assert groups(release).nodes == 40 and release.edges == release.original_edges == graph.edges
    details = release.details
    assert details["groups"] == groups(release).groups <= 10
    assert details["log_worlds"] == groups(release).log_worlds
    assert details["sure_edges"] == groups(release).sure_edges
    assert details["highest_density"] == groups(release).densities.max()


def test_verbs_accept_what_it_makes() -> None:
    release = verbs.protect(random_graph(30, 0.2, 2), GroupingMethod(3, 1), [KGrouping(5)], None)
    assert [promise.holds for promise in release.promises] == [True]
    assert release.promises[0].level is not None and release.promises[0].level >= 5


def test_one_person_a_group_is_the_graph_itself() -> None:
    graph = random_graph(12, 0.3, 3)
    release = protected(graph, 1)
    mapping = release.mapping
    assert mapping is not None and groups(release).log_worlds == 0
    label = dict(zip(mapping["original"], mapping["label"], strict=True))
    ends = graph.edge_list()
    ours = {
        frozenset((label[int(a)], label[int(b)])) for a, b in zip(ends.sources, ends.targets, strict=True)
    }
    edges = zip(groups(release).sources.tolist(), groups(release).targets.tolist(), strict=True)
    assert {frozenset(edge) for edge in edges} == ours
    assert "all pairs of people of their groups are linked" in " ".join(release.notes)


def test_everybody_in_one_group_leaves_two_numbers() -> None:
    graph = random_graph(12, 0.3, 3)
    release = protected(graph, 12)
    assert groups(release).sizes.tolist() == [12] and groups(release).weights.tolist() == [graph.edges]


def test_the_largest_k_counts() -> None:
    release = GroupingMethod(2, 1).protect(
        random_graph(20, 0.2, 1), [KGrouping(3), KGrouping(6), KGrouping(2)]
    )
    assert groups(release).sizes.min() >= 6


@pytest.mark.parametrize("nodes", [0, 1, 4])
def test_too_few_people_are_told(nodes: int) -> None:
    with pytest.raises(Unreachable, match=f"the graph has {nodes}"):
        protected(Graph.of_edges(nodes, [], []), 5)


def test_other_promises_are_refused() -> None:
    with pytest.raises(BadParameter, match=r"not k-degree\(k=2\)"):
        GroupingMethod().protect(random_graph(10, 0.3, 1), [KGrouping(2), KDegree(2)])
    with pytest.raises(BadParameter, match="how large groups are"):
        GroupingMethod().protect(random_graph(10, 0.3, 1), [])


def test_rounds_below_none_are_refused() -> None:
    with pytest.raises(BadParameter, match="rounds=-1"):
        GroupingMethod(rounds=-1)


def test_direction_is_dropped_and_told() -> None:
    graph = Graph.of_edges(6, [0, 1, 1, 2, 3, 4], [1, 0, 2, 3, 4, 5], directed=True)
    release = protected(graph, 2)
    assert release.edges == 5 and "direction dropped, 1 pair" in release.notes[0]


def test_who_is_where_stays_with_the_owner() -> None:
    labels = pl.Series(["ann", "bob", "cyd", "dan", "eve", "fay"])
    graph = Graph.of_edges(6, [0, 1, 2, 3], [1, 2, 3, 4], labels=labels)
    release = protected(graph, 3)
    assert release.mapping is not None and release.mapping["original"].to_list() == labels.to_list()
    assert np.bincount(release.mapping["label"]).tolist() == groups(release).sizes.tolist()
    assert "ann" not in str(release.to_json())
    assert groups(release).sample(1).labels is None


def test_the_numbers_of_groups_do_not_follow_the_input() -> None:
    graph = Graph.of_edges(400, range(399), range(1, 400))
    mapping = protected(graph, 4, 0).mapping
    assert mapping is not None
    first = mapping["label"].to_numpy()
    assert abs(np.corrcoef(np.arange(400), first)[0, 1]) < 0.5
    other = GroupingMethod(0).protect(graph, [KGrouping(4)]).mapping  # without a seed: the operating system's
    assert other is not None and other["label"].to_list() != first.tolist()


def test_a_seed_repeats_the_release() -> None:
    graph = random_graph(40, 0.1, 5)
    one, other = groups(protected(graph, 3)), groups(protected(graph, 3))
    assert one.sources.tolist() == other.sources.tolist() and one.weights.tolist() == other.weights.tolist()


def test_progress_is_passed_on() -> None:
    told: list[Progress] = []
    GroupingMethod(4, 1).protect(random_graph(20, 0.3, 1), [KGrouping(3)], told.append)
    assert told and told[-1].open == 0


@settings(max_examples=25)
@given(st.integers(1, 25), st.floats(0, 1), st.integers(1, 8), st.integers(0, 10**6))
def test_the_promise_holds_and_a_sample_fits(nodes: int, share: float, k: int, seed: int) -> None:
    k, graph = min(k, nodes), random_graph(nodes, share, seed)
    release = protected(graph, k, 2, seed)
    assert KGrouping(k).holds(release.seen()).all()
    assert groups(release).sample(seed).edges == graph.edges
    mapping = release.mapping
    assert mapping is not None
    again = Grouping.of_graph(graph, mapping["label"].to_numpy())
    assert again.weights.tolist() == groups(release).weights.tolist()
