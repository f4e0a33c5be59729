"""The graph as compressed rows: what goes in, what is left out, what comes back."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadGraph
from shoal.graphs.graph import MOST_NODES, Cleaning, Edges, Graph

Pairs = list[tuple[int, int]]


def made(nodes: int, pairs: Pairs, directed: bool = False) -> Graph:
    return Graph.of_edges(nodes, [one for one, _ in pairs], [other for _, other in pairs], directed=directed)


def pairs_of(graph: Graph) -> Pairs:
    edges = graph.edge_list()
    return list(zip(edges.sources.tolist(), edges.targets.tolist(), strict=True))


def edges_of(pairs: Pairs) -> Edges:
    array = np.array(pairs, np.int32).reshape(-1, 2)
    return Edges(array[:, 0].copy(), array[:, 1].copy())


def test_every_graph_up_to_five_nodes_comes_back_as_it_went_in() -> None:
    for nodes in range(6):
        possible = list(itertools.combinations(range(nodes), 2))
        for bits in range(1 << len(possible)):
            pairs = [pair for at, pair in enumerate(possible) if bits >> at & 1]
            graph = made(nodes, [pair[::-1] for pair in pairs])
            assert pairs_of(graph) == pairs and (graph.nodes, graph.edges) == (nodes, len(pairs))
            assert graph.degrees.tolist() == [sum(node in pair for pair in pairs) for node in range(nodes)]
            assert graph.density == (len(pairs) / len(possible) if possible else 0)
            assert all(graph.has(*pair) == graph.has(*pair[::-1]) == (pair in pairs) for pair in possible)


@st.composite
def edge_lists(draw: st.DrawFn) -> tuple[int, Pairs]:
    nodes = draw(st.integers(1, 9))
    end = st.integers(0, nodes - 1)
    return nodes, draw(st.lists(st.tuples(end, end), max_size=40))


@given(edge_lists(), st.booleans())
def test_loops_and_repeated_edges_are_left_out_and_counted(given: tuple[int, Pairs], directed: bool) -> None:
    nodes, pairs = given
    graph = made(nodes, pairs, directed)
    plain = [pair if directed else (min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]]
    assert pairs_of(graph) == sorted(set(plain))
    assert graph.cleaned.loops == len(pairs) - len(plain)
    assert graph.cleaned.duplicates == len(plain) - len(set(plain))
    assert graph.edges + graph.cleaned.loops + graph.cleaned.duplicates == len(pairs)


@given(edge_lists())
def test_direction_is_dropped_with_a_count(given: tuple[int, Pairs]) -> None:
    nodes, pairs = given
    arrows = {pair for pair in pairs if pair[0] != pair[1]}
    graph = made(nodes, pairs, directed=True).undirected()
    assert not graph.directed and graph.cleaned.undirected
    assert pairs_of(graph) == sorted({(min(pair), max(pair)) for pair in arrows})
    assert graph.cleaned.merged == sum(pair[::-1] in arrows for pair in arrows) // 2
    assert graph.undirected() is graph


@given(edge_lists(), st.data(), st.booleans())
def test_edges_are_added_and_removed(given: tuple[int, Pairs], data: st.DataObject, directed: bool) -> None:
    graph = made(*given, directed)
    there = pairs_of(graph)
    possible = itertools.permutations(range(given[0]), 2)
    absent = [pair for pair in possible if pair not in there and (directed or pair[0] < pair[1])]
    removed = [pair for pair in there if data.draw(st.booleans())]
    added = data.draw(st.lists(st.sampled_from(absent), unique=True, max_size=8)) if absent else []
    changed = graph.with_edges(
        edges_of(added), edges_of([pair[::-1] for pair in removed] if not directed else removed)
    )
    assert pairs_of(changed) == sorted({*there, *added} - {*removed}) and changed.cleaned == graph.cleaned
    assert pairs_of(graph) == there, "input is never altered"


@given(edge_lists(), st.randoms(use_true_random=False), st.booleans())
def test_nodes_move_with_labels_kinds_and_edges(
    given: tuple[int, Pairs], chance: object, directed: bool
) -> None:
    nodes, pairs = given
    labels, kinds = (
        pl.Series([f"n{at}" for at in range(nodes)]),
        pl.Series([f"k{at % 2}" for at in range(nodes)]),
    )
    ends = edges_of(pairs)
    graph = Graph.of_edges(nodes, ends.sources, ends.targets, labels=labels, kinds=kinds, directed=directed)
    places = np.arange(nodes)
    chance.shuffle(places)  # type: ignore[attr-defined]
    moved = graph.moved(places)

    def named(graph: Graph) -> set[object]:
        pairs = pairs_of(graph)
        return {
            tuple(map(graph.name, pair)) if directed else frozenset(map(graph.name, pair)) for pair in pairs
        }

    assert named(moved) == named(graph)
    assert moved.kinds is not None
    assert all(moved.name(int(places[at])) == f"n{at}" for at in range(nodes))
    assert all(moved.kinds[int(places[at])] == f"k{at % 2}" for at in range(nodes))


def test_nodes_without_labels_are_called_by_their_numbers() -> None:
    graph = made(3, [(0, 1)])
    assert graph.names().to_list() == [0, 1, 2] and graph.name(2) == "2"
    named = Graph.of_edges(2, [0], [1], labels=pl.Series(["x", "y"]))
    assert named.name(int(named.edge_list().targets[0])) == named.name(named.edge_list().targets[0]) == "y"


def test_rows_cannot_be_altered() -> None:
    graph = made(3, [(0, 1), (1, 2)])
    for array in (graph.offsets, graph.targets, graph.neighbours(1)):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


def test_an_empty_graph_and_a_lone_node_are_graphs() -> None:
    assert (made(0, []).nodes, made(0, []).edges, made(0, []).density) == (0, 0, 0.0)
    assert (made(1, [(0, 0)]).edges, made(1, [(0, 0)]).cleaned.loops, made(1, []).density) == (0, 1, 0.0)
    assert not made(1, []).has(0, 0)


@pytest.mark.parametrize("pair", [(0, 3), (3, 0), (-1, 0), (0, 2**32), (2**40, 1)])
def test_an_edge_to_a_node_that_is_not_there_is_refused_before_any_compiled_loop(
    pair: tuple[int, int],
) -> None:
    with pytest.raises(BadGraph, match="the graph has nodes 0 to 2"):
        made(3, [(0, 1), pair])


def test_too_many_nodes_are_refused() -> None:
    with pytest.raises(BadGraph, match="split the graph"):
        Graph.of_edges(MOST_NODES + 1, [], [])


def test_removing_an_edge_that_is_not_there_is_a_defect_that_shows() -> None:
    with pytest.raises(AssertionError, match="not there"):
        made(3, [(0, 1)]).with_edges(removed=edges_of([(1, 2)]))


def test_what_was_left_out_is_told_in_sentences() -> None:
    assert Cleaning().notes == ()
    told = Cleaning(1, 2000, 1, True, ("weight", "since")).notes
    assert told == (
        "1 loop (an edge from a node to itself) left out",
        "2,000 repeated edges left out",
        "direction dropped, 1 pair of opposite edges became one edge each",
        "2 further columns or attributes left out (weight, since): only nodes and edges are released",
    )
