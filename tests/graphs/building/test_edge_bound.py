"""No matching of stubs gets by with fewer edges than the bound says."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from graphs.drawn import all_graphs, graph_of, power_law
from shoal.graphs.building import edge_bound
from shoal.graphs.building.edge_bound import edges_needed
from shoal.graphs.building.target_degrees import Change, anonymous_degrees
from shoal.graphs.graph import Graph, Int64


def fewest(graph: Graph, targets: Int64) -> int:
    """Of all sets of open pairs, the smallest that takes every node at least to its target."""
    deleting = bool((targets < graph.degrees).any())
    open_pairs = [pair for pair in combinations(range(graph.nodes), 2) if graph.has(*pair) == deleting]
    lacking = np.abs(targets - graph.degrees)
    for size in range(len(open_pairs) + 1):
        for chosen in combinations(open_pairs, size):
            met = np.bincount(np.array(chosen, np.int64).ravel(), minlength=graph.nodes)
            if (met >= lacking).all():
                return size
    return len(open_pairs) + 1  # out of reach: any bound is right


@pytest.mark.parametrize("change", ["raise", "lower"])
def test_it_is_never_above_the_best_choice_of_pairs(change: Change) -> None:
    reached = total = 0
    for nodes in (3, 4, 5):
        for graph in all_graphs(nodes):
            for k in range(2, nodes + 1):
                targets = anonymous_degrees(graph.degrees, k, change)
                needed, best = edges_needed(graph, targets), fewest(graph, targets)
                assert needed <= best
                reached, total = reached + (needed == best), total + 1
    assert reached / total > 0.9  # it is not only right but says something


def test_hubs_lack_partners_that_nobody_offers() -> None:
    star = graph_of(8, *((0, leaf) for leaf in range(1, 8)))
    # Two more hubs of degree 7 lack six partners each; one edge between them is all that they can share.
    targets = np.array([7, 7, 7, 1, 1, 1, 1, 1])
    assert edges_needed(star, targets) == 11


def test_a_graph_that_is_fine_needs_nothing() -> None:
    ring = graph_of(4, (0, 1), (1, 2), (2, 3), (3, 0))
    assert edges_needed(ring, ring.degrees) == 0


@pytest.mark.parametrize("change", ["raise", "lower"])
def test_many_nodes_get_a_bound_that_is_no_higher(change: Change, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = power_law(300, 900, 4)
    targets = anonymous_degrees(graph.degrees, 20, change)
    careful = edges_needed(graph, targets)
    monkeypatch.setattr(edge_bound, "_FEW", int((targets != graph.degrees).sum()) - 1)
    half = -(-int(np.abs(targets - graph.degrees).sum()) // 2)
    assert half <= edges_needed(graph, targets) <= careful
