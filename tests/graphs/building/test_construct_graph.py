"""ConstructGraph and SuperGraph, as the thesis writes them."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from graphs.building.small import labelled, numbers, of_pairs, pairs_of
from shoal.graphs.building.construct_graph import ORDERS, Order, construct_graph, join_nodes, supergraph
from shoal.graphs.building.realisability import realisable


@pytest.mark.parametrize("order", ORDERS)
def test_it_says_no_if_and_only_if_no_graph_has_the_degrees(order: Order) -> None:
    chance = np.random.default_rng(1)
    for nodes in range(1, 7):
        for degrees in combinations_with_replacement(range(nodes + 1), nodes):
            wanted = chance.permutation(numbers(*degrees))
            made = construct_graph(wanted, order, chance)
            assert (made.answer == "found") == realisable(wanted)
            assert made.graph is None or made.graph.degrees.tolist() == wanted.tolist()


def test_nobody_needs_no_edges() -> None:
    made = construct_graph(numbers(), "random", np.random.default_rng(1))
    assert made.graph is not None and made.graph.nodes == 0


def core_edges(order: Order) -> int:
    degrees = np.repeat(numbers(8, 1), (20, 200))
    made = construct_graph(degrees, order, np.random.default_rng(1))
    assert made.graph is not None
    return sum(one < 20 and other < 20 for one, other in pairs_of(made.graph))


def test_the_highest_first_makes_a_dense_core_and_the_lowest_first_a_sparse_one() -> None:
    assert core_edges("highest") > core_edges("random") > core_edges("lowest")


def test_a_supergraph_keeps_every_edge_and_no_is_always_right() -> None:
    every = [graph for graph in labelled(4) if graph.nodes == 4]
    chance = np.random.default_rng(1)
    for graph in every:
        around = [larger.degrees.tolist() for larger in every if pairs_of(graph) <= pairs_of(larger)]
        for degrees in {tuple(larger.degrees.tolist()) for larger in every}:
            made = supergraph(graph, numbers(*degrees), "random", chance)
            if made.graph is not None:
                assert made.graph.degrees.tolist() == list(degrees)
                assert pairs_of(graph) <= pairs_of(made.graph)
            if made.answer == "no":
                assert list(degrees) not in around


def test_unknown_means_that_there_may_be_one() -> None:
    # A path 0–1–2–3 and a node 4: who starts with 4–1 or 4–2 leaves two neighbours short.
    answers = set()
    graph = of_pairs(5, [(0, 1), (1, 2), (2, 3)])
    for seed in range(50):
        made = supergraph(graph, numbers(2, 3, 3, 2, 2), "random", np.random.default_rng(seed))
        answers.add(made.answer)
    assert answers <= {"found", "unknown"} and "found" in answers


def test_a_lenient_search_serves_whom_it_can() -> None:
    graph = of_pairs(4, [(0, 1)])
    made = join_nodes(graph, numbers(1, 2, 1, 0), "highest", np.random.default_rng(1), lenient=True)
    assert made.unmet.sum() + 2 * len(made.edges) == 4
    assert len(made.edges) >= 1


def test_the_same_seed_gives_the_same_graph() -> None:
    degrees = numbers(3, 3, 2, 2, 2, 2)
    one, other = (construct_graph(degrees, "random", np.random.default_rng(7)).graph for _ in range(2))
    assert one is not None and other is not None and pairs_of(one) == pairs_of(other)
