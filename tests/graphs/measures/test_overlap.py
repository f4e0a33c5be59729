"""Two versions of a graph."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pytest

from shoal.core.errors import BadGraph
from shoal.graphs.graph import Graph
from shoal.graphs.measures.overlap import Changes, Overlap, Versions

from .builders import all_graphs, graph_of, random_graph


def named(graph: Graph) -> set[frozenset[str]]:
    edges = graph.edge_list()
    return {
        frozenset((graph.name(one), graph.name(other)))
        for one, other in zip(edges.sources.tolist(), edges.targets.tolist(), strict=True)
    }


def check(released: Graph, original: Graph) -> Changes:
    found = Overlap().measure(Versions(released, original))
    now, then = named(released), named(original)
    assert (found.added, found.removed, found.kept) == (len(now - then), len(then - now), len(now & then))
    assert found.overlap == pytest.approx(len(now & then) / len(then) if then else 1)
    assert found.jaccard == pytest.approx(len(now & then) / len(now | then) if now | then else 1)
    here, there = ({graph.name(node) for node in range(graph.nodes)} for graph in (released, original))
    assert (found.nodes_added, found.nodes_removed) == (len(here - there), len(there - here))
    degrees = [
        {graph.name(node): int(graph.degrees[node]) for node in range(graph.nodes)}
        for graph in (released, original)
    ]
    change = sum(abs(degrees[0].get(name, 0) - degrees[1].get(name, 0)) for name in here | there)
    assert found.degree_change == change
    return found


def test_every_pair_of_graphs_of_up_to_three_nodes() -> None:
    graphs = list(all_graphs(3))
    for one, other in product(graphs, graphs):
        check(one, other)


def test_people_are_paired_by_label_whatever_their_place() -> None:
    original = replace(random_graph(40, 100, 1), labels=pl.Series([f"p{at}" for at in range(40)]))
    order = np.random.default_rng(2).permutation(40)
    edges = original.edge_list()
    labels = np.empty(40, object)
    labels[order] = original.names().to_list()
    moved = Graph.of_edges(
        40, order[edges.sources], order[edges.targets], labels=pl.Series(labels.tolist(), dtype=pl.String)
    )
    found = check(moved, original)
    assert found.overlap == 1 and found.added == 0 and found.degree_change == 0


def test_numbers_and_the_same_numbers_as_text_are_the_same_people() -> None:
    original = graph_of(3, [(0, 1), (1, 2)])
    released = replace(graph_of(3, [(0, 1)]), labels=pl.Series(["0", "1", "2"]))
    assert check(released, original).removed == 1


def test_people_on_one_side_only_are_counted() -> None:
    original = replace(graph_of(3, [(0, 1), (1, 2)]), labels=pl.Series([10, 20, 30]))
    released = replace(graph_of(3, [(0, 1), (1, 2)]), labels=pl.Series([20, 30, 40]))
    found = check(released, original)
    assert (found.kept, found.nodes_added, found.nodes_removed) == (1, 1, 1)


def test_direction_is_left_aside() -> None:
    original = Graph.of_edges(3, [0, 1], [1, 2], directed=True)
    released = Graph.of_edges(3, [1, 2], [0, 1], directed=True)
    assert Overlap().measure(Versions(released, original)).overlap == 1


def test_labels_that_name_two_people_are_refused() -> None:
    original = replace(graph_of(2, [(0, 1)]), labels=pl.Series(["a", "a"]))
    with pytest.raises(BadGraph, match="same label"):
        Overlap().measure(Versions(graph_of(2, [(0, 1)]), original))


def test_changes_become_json() -> None:
    found = Overlap().measure(Versions(graph_of(3, [(0, 1)]), graph_of(3, [(1, 2)]))).to_json()
    assert (found["added"], found["removed"], found["overlap"], found["jaccard"]) == (1, 1, 0.0, 0.0)
    assert found["degree_distance"] == 0.0 and found["degree_change"] == 2
