"""Edges changed one by one until the degrees are right."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphs.building.small import drawn_graph, graphs, labelled, numbers, of_pairs, pairs_of
from shoal.graphs.building.construct_graph import construct_graph
from shoal.graphs.building.swapping import edited
from shoal.graphs.graph import Graph


@given(graphs(), st.integers(0, 10**6), st.booleans())
def test_the_degrees_told_are_those_of_the_graph(graph: Graph, seed: int, insist: bool) -> None:
    chance = np.random.default_rng(seed)
    target = np.clip(graph.degrees + chance.integers(-2, 3, graph.nodes), 0, graph.nodes - 1)
    made = edited(graph, target, 1, 2, insist, chance)
    after = graph.with_edges(made.added, made.removed)
    assert after.degrees.tolist() == made.degrees.tolist()
    assert len(pairs_of(after)) == graph.edges + len(made.added) - len(made.removed)
    assert made.left >= 0


def test_degrees_of_another_small_graph_are_reached_or_what_is_left_is_told() -> None:
    every = [graph for graph in labelled(4) if graph.nodes == 4]
    reached = 0
    for graph in every:
        for other in every[::7]:
            # k = 5 closes every class: nothing may be shared, so the target is the one that was given.
            made = edited(graph, other.degrees, 5, 9, True, np.random.default_rng(1))
            assert int(np.abs(made.degrees - other.degrees).sum()) == made.left
            reached += made.left == 0
    assert reached > 0.9 * len(every) * len(every[::7])


def test_two_who_lack_an_edge_are_linked() -> None:
    made = edited(of_pairs(4, [(0, 1)]), numbers(1, 1, 1, 1), 1, 0, False, np.random.default_rng(1))
    assert (len(made.added), len(made.removed), made.left) == (1, 0, 0)


def test_two_neighbours_who_have_too_many_lose_their_edge() -> None:
    made = edited(of_pairs(3, [(0, 1), (1, 2)]), numbers(0, 1, 1), 1, 0, False, np.random.default_rng(1))
    assert (len(made.added), len(made.removed), made.left) == (0, 1, 0)


def test_nearly_all_of_a_large_graph_stays() -> None:
    graph = drawn_graph(3000, 9000, 1)
    chance = np.random.default_rng(1)
    target = graph.degrees.copy()
    target[chance.choice(graph.nodes, 200, replace=False)] += 1
    made = edited(graph, target, 5, 100, True, chance)
    assert made.left == 0
    assert len(made.removed) < 10 and 100 <= len(made.added) < 110


def test_a_graph_that_has_its_degrees_is_left_alone() -> None:
    graph = drawn_graph(50, 90, 1)
    made = edited(graph, graph.degrees, 1, 0, True, np.random.default_rng(1))
    assert len(made.added) == len(made.removed) == made.left == 0


def test_a_built_graph_is_brought_to_the_degrees_of_another() -> None:
    graph = drawn_graph(60, 120, 1)
    other = construct_graph(drawn_graph(60, 120, 2).degrees, "random", np.random.default_rng(1)).graph
    assert other is not None
    made = edited(other, graph.degrees, 61, other.edges, True, np.random.default_rng(1))
    assert made.left == 0
