"""Anonymity by neighbourhood."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.graphs.graph import Graph
from shoal.graphs.measures.degree_anonymity import DegreeAnonymity
from shoal.graphs.measures.neighbourhood_anonymity import NeighbourhoodAnonymity, neighbourhood_work

from .builders import all_graphs, graph_of, random_graph

Form = tuple[int, tuple[bool, ...]]


def form(graph: Graph, node: int) -> Form:
    """The smallest way to write the graph among the neighbours, over all orders."""
    row = graph.neighbours(node).tolist()
    ways = [
        tuple(graph.has(order[one], order[other]) for one in range(len(row)) for other in range(one))
        for order in permutations(row)
    ]
    return len(row), min(ways)


def test_classes_are_isomorphic_neighbourhoods_in_all_graphs_of_five() -> None:
    for number, graph in enumerate(all_graphs(5)):
        if number % 3 and graph.nodes == 5:
            continue  # every third of the large ones will do
        forms = [form(graph, node) for node in range(graph.nodes)]
        found = NeighbourhoodAnonymity().measure(graph)
        assert found.classes == len(set(forms))
        assert found.level == min((forms.count(one) for one in forms), default=0)


def around(*graphs: Graph) -> Graph:
    """One person per graph, who knows everybody in it."""
    sources: list[NDArray[np.integer]] = []
    targets: list[NDArray[np.integer]] = []
    first = len(graphs)
    for centre, graph in enumerate(graphs):
        edges = graph.edge_list()
        sources += [edges.sources + first, np.full(graph.nodes, centre)]
        targets += [edges.targets + first, np.arange(first, first + graph.nodes)]
        first += graph.nodes
    return Graph.of_edges(first, np.concatenate(sources), np.concatenate(targets))


def circle(length: int, shift: int = 0) -> list[tuple[int, int]]:
    return [(shift + at, shift + (at + 1) % length) for at in range(length)]


def test_what_refinement_cannot_tell_apart_is_told_apart() -> None:
    # Six friends in a ring, or in two rings of three: all degrees agree, and so do those of friends.
    ring, rings = graph_of(6, circle(6)), graph_of(6, [*circle(3), *circle(3, 3)])
    both = NeighbourhoodAnonymity().measure(around(ring, rings))
    same = NeighbourhoodAnonymity().measure(around(ring, ring))
    assert both.alone * both.classes > 0 and round(both.alone * 14) == 2
    assert same.alone == 0


def test_the_order_of_nodes_plays_no_role() -> None:
    graph = random_graph(60, 200, 3)
    order = np.random.default_rng(1).permutation(60)
    edges = graph.edge_list()
    turned = Graph.of_edges(60, order[edges.sources], order[edges.targets])
    assert NeighbourhoodAnonymity().measure(turned) == NeighbourhoodAnonymity().measure(graph)


def test_neighbourhoods_tell_at_least_as_much_as_degrees() -> None:
    graph = random_graph(80, 300, 4)
    assert NeighbourhoodAnonymity().measure(graph).level <= DegreeAnonymity().measure(graph).level


def test_what_a_node_is_counts_where_the_graph_says_it() -> None:
    ring = graph_of(4, circle(4))
    assert NeighbourhoodAnonymity().measure(ring).level == 4
    told = replace(ring, kinds=pl.Series(["baker", "baker", "baker", None]))
    assert NeighbourhoodAnonymity().measure(told).level == 1


def test_work_grows_with_the_squares_of_degrees_and_is_bounded_by_the_edges() -> None:
    assert neighbourhood_work(graph_of(3, [(0, 1)])) == 2
    star = graph_of(1001, [(0, at) for at in range(1, 1001)])
    assert neighbourhood_work(star) == 2000 * 2000**0.5
