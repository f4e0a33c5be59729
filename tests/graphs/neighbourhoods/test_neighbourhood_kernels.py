"""The compiled loops and their plain twins."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from graphs.drawn import graph_of, graphs, pairs_of, power_law
from shoal.graphs.graph import Graph
from shoal.graphs.neighbourhoods import neighbourhood_kernels as kernels

MASK = 2**64 - 1


def mixed(value: int) -> int:
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def inner(graph: Graph, node: int) -> list[list[int]]:
    """For every neighbour, the places of those other neighbours that it knows."""
    row = graph.neighbours(node).tolist()
    edges = pairs_of(graph)
    return [[at for at, to in enumerate(row) if (min(one, to), max(one, to)) in edges] for one in row]


def coloured(graph: Graph, node: int, kinds: list[int]) -> list[int]:
    rows = inner(graph, node)
    colours = [mixed(kinds[one] + 1) for one in graph.neighbours(node).tolist()]
    for _ in range(3):
        totals = [sum(mixed((colours[to] + 0x9E3779B97F4A7C15) & MASK) for to in row) for row in rows]
        colours = [mixed((3 * own + total) & MASK) for own, total in zip(colours, totals, strict=True)]
    return colours


@given(graphs(9))
def test_summaries_are_what_a_plain_loop_finds(graph: Graph) -> None:
    kinds = np.arange(graph.nodes, dtype=np.int64) % 2
    edges, peaks, prints = kernels.summaries(graph.offsets, graph.targets, kinds)
    for node in range(graph.nodes):
        rows = inner(graph, node)
        assert edges[node] == sum(map(len, rows)) // 2
        assert peaks[node] == max(map(len, rows), default=0)
        ends = graph.neighbours(node).tolist()
        colours = (
            coloured(graph, node, kinds.tolist())
            if edges[node]
            else [mixed(int(kinds[one]) + 1) for one in ends]
        )
        expected = mixed(int(kinds[node]) + 1) + sum(mixed(colour) for colour in colours)
        assert int(prints[node]) == expected & MASK


@given(graphs(9))
def test_a_neighbourhood_is_described_with_its_components(graph: Graph) -> None:
    kinds, place = np.zeros(graph.nodes, np.int64), np.full(graph.nodes, -1, np.int32)
    for node in range(graph.nodes):
        starts, ends, component, colours = kernels.describe(graph.offsets, graph.targets, kinds, node, place)
        rows = [sorted(row.tolist()) for row in np.split(ends, starts[1:-1])] if len(component) else []
        assert rows == inner(graph, node)
        assert [int(one) for one in colours] == coloured(graph, node, kinds.tolist())
        for at, row in enumerate(rows):
            assert all(component[at] == component[to] for to in row)
        assert sorted(set(component.tolist())) == list(range(len(set(component.tolist()))))
        assert (place == -1).all()


def test_a_hub_among_few_neighbours_is_looked_up() -> None:
    # Node 0 has three friends, one of whom knows a hundred people: its row is searched, not walked.
    graph = graph_of(104, (0, 1), (0, 2), (0, 3), (1, 2), *((1, one) for one in range(4, 104)))
    edges, peaks, _ = kernels.summaries(graph.offsets, graph.targets, np.zeros(104, np.int64))
    assert edges[:4].tolist() == [1, 1, 1, 0]
    assert peaks[:4].tolist() == [1, 1, 1, 0]


def test_room_grows_with_the_neighbourhood() -> None:
    graph = power_law(200, 4000, 1)
    edges, _, _ = kernels.summaries(graph.offsets, graph.targets, np.zeros(200, np.int64))
    hub = int(np.argmax(graph.degrees))
    assert edges[hub] == sum(map(len, inner(graph, hub))) // 2
