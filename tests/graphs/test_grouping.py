"""Super-nodes and super-edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadGraph
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping


def square() -> Graph:
    return Graph.of_edges(4, [0, 1, 2, 3], [1, 2, 3, 0])


def raw(sizes: list[int], edges: list[tuple[int, int, int]]) -> Grouping:
    sources, targets, weights = zip(*edges, strict=True) if edges else ((), (), ())
    return Grouping(
        np.array(sizes, np.int64),
        np.array(sources, np.int32),
        np.array(targets, np.int32),
        np.array(weights, np.int64),
    )


def test_a_square_in_two_groups() -> None:
    grouping = Grouping.of_graph(square(), [0, 0, 1, 1])
    assert grouping.sizes.tolist() == [2, 2]
    edges = zip(grouping.sources, grouping.targets, grouping.weights, strict=True)
    assert list(edges) == [(0, 0, 1), (0, 1, 2), (1, 1, 1)]
    assert (grouping.groups, grouping.nodes, grouping.edges) == (2, 4, 4)
    assert grouping.pairs.tolist() == [1, 4, 1]
    assert grouping.densities.tolist() == [1, 0.5, 1]


def test_an_edge_is_sure_where_all_pairs_are_linked() -> None:
    assert Grouping.of_graph(square(), [0, 0, 1, 1]).sure_edges == 2  # inside of both pairs
    assert Grouping.of_graph(square(), [0, 1, 0, 1]).sure_edges == 4  # everybody knows all of the others
    assert Grouping.of_graph(square(), [0, 0, 0, 0]).sure_edges == 0


def test_alone_in_a_group_means_that_every_edge_between_two_such_people_is_sure() -> None:
    grouping = Grouping.of_graph(square(), range(4))
    assert grouping.sure_edges == grouping.edges == 4
    assert grouping.log_worlds == 0


def test_direction_is_dropped() -> None:
    graph = Graph.of_edges(3, [0, 1, 1], [1, 0, 2], directed=True)
    assert Grouping.of_graph(graph, [0, 0, 0]).weights.tolist() == [2]


def test_nobody_has_no_groups() -> None:
    grouping = Grouping.of_graph(Graph.of_edges(0, [], []), [])
    assert (grouping.groups, grouping.nodes, grouping.edges, grouping.log_worlds) == (0, 0, 0, 0)
    assert grouping.sample(1).nodes == 0


@pytest.mark.parametrize(
    ("sizes", "edges", "says"),
    [
        ([2, 0], [], "group 1 is empty"),
        ([2, 2], [(0, 1, 5)], "stands for 5 edges among 4 pairs"),
        ([2, 2], [(0, 0, 2)], "among 1 pairs"),
        ([2, 1], [(1, 1, 1)], "among 0 pairs"),
        ([2, 2], [(0, 1, 0)], "stands for 0 edges"),
        ([2, 2], [(1, 0, 1)], "turned around"),
        ([2, 2], [(0, 2, 1)], "no group 2"),
        ([2, 2], [(-1, 0, 1)], "no group -1"),
        ([2, 2], [(0, 1, 1), (0, 1, 2)], "listed twice"),
    ],
)
def test_what_no_graph_can_have_is_refused(
    sizes: list[int], edges: list[tuple[int, int, int]], says: str
) -> None:
    with pytest.raises(BadGraph, match=says):
        raw(sizes, edges)


@pytest.mark.parametrize(
    ("group_of", "says"), [([0, 0], "one per node"), ([0, 0, -1, 0], "no group -1"), ([0, 0, 2, 2], "empty")]
)
def test_groups_that_do_not_fit_the_graph_are_refused(group_of: list[int], says: str) -> None:
    with pytest.raises(BadGraph, match=says):
        Grouping.of_graph(square(), group_of)


def test_nothing_can_be_changed_afterwards() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Grouping.of_graph(square(), [0, 0, 1, 1]).weights[0] = 5


@given(st.data())
def test_sizes_and_weights_are_those_of_a_plain_count(data: st.DataObject) -> None:
    nodes = data.draw(st.integers(1, 12))
    pairs = [(i, j) for i in range(nodes) for j in range(i)]
    edges = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    groups = data.draw(st.integers(1, nodes))
    others = st.lists(st.integers(0, groups - 1), min_size=nodes - groups, max_size=nodes - groups)
    group_of = [*range(groups), *data.draw(others)]
    grouping = Grouping.of_graph(
        Graph.of_edges(nodes, [e[0] for e in edges], [e[1] for e in edges]), group_of
    )
    counted: dict[tuple[int, int], int] = {}
    for one, other in edges:
        low, high = sorted((group_of[one], group_of[other]))
        counted[low, high] = counted.get((low, high), 0) + 1
    found = zip(grouping.sources.tolist(), grouping.targets.tolist(), grouping.weights.tolist(), strict=True)
    assert {(one, other): weight for one, other, weight in found} == counted
    assert grouping.sizes.tolist() == [group_of.count(group) for group in range(groups)]


def test_the_same_seed_draws_the_same_graph() -> None:
    grouping = Grouping.of_graph(square(), [0, 0, 0, 0])
    draws = [tuple(grouping.sample(seed).targets) for seed in (1, 1, 2, 3, 4, 5)]
    assert draws[0] == draws[1] and len(set(draws)) > 1
    assert tuple(grouping.sample(np.random.default_rng(1)).targets) == draws[0]
