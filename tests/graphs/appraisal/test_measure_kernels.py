"""Every compiled loop against its plain-Python twin."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from graphs.measures.builders import (
    all_graphs,
    graph_of,
    joined_pairs_around,
    random_graph,
    skewed_graph,
    walked,
)
from shoal.graphs.appraisal import measure_kernels as kernels
from shoal.graphs.graph import Graph

GRAPHS = [random_graph(300, 500, 1), skewed_graph(300, 700, 2), graph_of(3, []), graph_of(200, [(0, 199)])]
GRAPHS += [
    graph_of(700, [(at, at + 1) for at in range(699)]),
    graph_of(400, [(0, at) for at in range(1, 400)]),
]


@pytest.mark.parametrize("graph", GRAPHS)
def test_one_walk_finds_every_distance_nearest_first(graph: Graph) -> None:
    for source in range(0, graph.nodes, 37):
        distances, queue = np.full(graph.nodes, -1, np.int32), np.empty(graph.nodes, np.int32)
        reached = kernels.distances_from(graph.offsets, graph.targets, source, distances, queue)
        twin = walked(graph, source)
        assert {node: int(step) for node, step in enumerate(distances) if step >= 0} == twin
        assert set(queue[:reached].tolist()) == set(twin)
        assert (np.diff(distances[queue[:reached]]) >= 0).all()


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("number", [1, 2, 63, 64])
def test_many_walks_at_once_add_up_the_same_distances(graph: Graph, number: int) -> None:
    sources = np.random.default_rng(number).integers(0, graph.nodes, number)
    work = np.zeros(1, np.int64)
    found = kernels.sums_of_distances(graph.offsets, graph.targets, sources, work)
    assert found.tolist() == [sum(walked(graph, source).values()) for source in sources.tolist()]
    if graph.degrees[sources].any():
        assert work[0] > 0


def test_the_same_source_twice_counts_twice() -> None:
    graph = graph_of(3, [(0, 1), (1, 2)])
    found = kernels.sums_of_distances(
        graph.offsets, graph.targets, np.array([0, 0, 1]), np.zeros(1, np.int64)
    )
    assert found.tolist() == [3, 3, 2]


@pytest.mark.parametrize("graph", GRAPHS)
def test_components_are_who_can_be_reached(graph: Graph) -> None:
    which = kernels.components_of(graph.offsets, graph.targets)
    for source in range(0, graph.nodes, 29):
        together = set(np.flatnonzero(which == which[source]).tolist())
        assert together == set(walked(graph, source))
    assert set(which.tolist()) == set(range(which.max() + 1))


def test_triangles_are_pairs_of_friends_who_know_each_other_in_all_graphs_of_five() -> None:
    for graph in all_graphs(5):
        twin = [joined_pairs_around(graph, node) for node in range(graph.nodes)]
        assert kernels.triangles_of(graph.offsets, graph.targets).tolist() == twin


@pytest.mark.parametrize("seed", range(3))
def test_triangles_in_larger_graphs(seed: int) -> None:
    graph = skewed_graph(120, 1500, seed)
    twin = [joined_pairs_around(graph, node) for node in range(graph.nodes)]
    assert kernels.triangles_of(graph.offsets, graph.targets).tolist() == twin


def test_closed_pairs_are_looked_up_by_place() -> None:
    graph = skewed_graph(60, 400, 4)
    centres, first, second = [], [], []
    for node in range(graph.nodes):
        for one in range(graph.degrees[node]):
            for other in range(one + 1, graph.degrees[node]):
                centres.append(node)
                first.append(one)
                second.append(other)
    closed = kernels.closed_pairs(
        graph.offsets, graph.targets, np.array(centres), np.array(first), np.array(second)
    )
    assert closed == sum(joined_pairs_around(graph, node) for node in range(graph.nodes)) > 0


def test_refined_colours_agree_exactly_where_the_colours_of_neighbours_do() -> None:
    graph = random_graph(200, 260, 5)
    colours = (np.arange(200) % 3).astype(np.uint64)
    found = kernels.refine_colours(graph.offsets, graph.targets, colours)
    twins = [frozenset(Counter(colours[graph.neighbours(node)].tolist()).items()) for node in range(200)]
    assert len({*zip(found.tolist(), twins, strict=True)}) == len({*found.tolist()}) == len({*twins})


def test_mixing_follows_the_published_generator() -> None:
    # The first outputs of SplitMix64 from state 0, as its author lists them.
    step = 0x9E3779B97F4A7C15
    states = [np.uint64(step * turn % 2**64) for turn in range(3)]
    assert [int(kernels.mix_bits(state)) for state in states] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


@pytest.mark.parametrize("seed", range(4))
def test_shared_entries_are_the_intersection(seed: int) -> None:
    one, other = random_graph(30, 100, seed), random_graph(30, 100, seed + 50)
    twin = sum(other.has(node, end) for node in range(30) for end in one.neighbours(node).tolist())
    assert kernels.shared_entries(one.offsets, one.targets, other.offsets, other.targets) == twin > 0
