"""Canonical forms against NetworkX, on every small graph and on famous look-alikes."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from shoal.graphs.neighbourhoods.canonical_form import form_of

CONNECTED = [shape for shape in nx.graph_atlas_g() if len(shape) > 1 and nx.is_connected(shape)]


def form(shape: nx.Graph, chance: np.random.Generator | None = None, kinds: list[int] | None = None) -> bytes:
    """The form of a graph under shuffled vertex numbers and edges, coloured by degree."""
    size = len(shape)
    new = chance.permutation(size) if chance else np.arange(size)
    ends = np.array([(new[one], new[other]) for one, other in shape.edges()]).reshape(-1, 2)
    if chance:
        ends = chance.permuted(ends, axis=1)[chance.permutation(len(ends))]
    colours, placed = np.empty(size, np.int64), np.zeros(size, np.int64)
    for vertex in range(size):
        colours[new[vertex]] = shape.degree(vertex)
        placed[new[vertex]] = kinds[vertex] if kinds else 0
    if kinds:
        colours += 100 * placed
    return form_of(colours, placed, ends[:, 0].astype(np.int64), ends[:, 1].astype(np.int64))


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7])
def test_no_two_small_graphs_share_a_form_and_numbering_does_not_matter(size: int) -> None:
    chance = np.random.default_rng(size)
    shapes = [shape for shape in CONNECTED if len(shape) == size]
    forms = [form(shape) for shape in shapes]
    assert len(set(forms)) == len(shapes)  # the atlas has one graph of each shape
    for shape, expected in zip(shapes, forms, strict=True):
        assert form(shape, chance) == expected == form(shape, chance)


def test_look_alikes_that_no_refinement_tells_apart_have_different_forms() -> None:
    # Both have 16 vertices of degree 6, and any two share two neighbours.
    rook = nx.convert_node_labels_to_integers(nx.line_graph(nx.complete_bipartite_graph(4, 4)))
    shrikhande = nx.Graph()
    for x in range(4):
        for y in range(4):
            for right, up in ((0, 1), (1, 0), (1, 1)):
                shrikhande.add_edge(4 * x + y, 4 * ((x + right) % 4) + (y + up) % 4)
    chance = np.random.default_rng(1)
    assert form(rook) == form(rook, chance)
    assert form(shrikhande) == form(shrikhande, chance)
    assert form(rook) != form(shrikhande)


def test_kinds_must_agree_place_by_place() -> None:
    chance = np.random.default_rng(2)
    for shape in (nx.path_graph(4), nx.cycle_graph(5), nx.complete_graph(4), nx.star_graph(3)):
        colourings = [
            [int(at in chosen) for at in range(len(shape))] for chosen in combinations(range(len(shape)), 2)
        ]
        for one in colourings:
            for other in colourings:
                left, right = shape.copy(), shape.copy()
                nx.set_node_attributes(left, dict(enumerate(one)), "kind")
                nx.set_node_attributes(right, dict(enumerate(other)), "kind")
                same = nx.is_isomorphic(left, right, node_match=lambda a, b: a["kind"] == b["kind"])
                assert (form(shape, chance, one) == form(shape, chance, other)) == same


def test_twins_are_counted_when_they_are_folded() -> None:
    # A vertex between two cliques: 3 and 4 on either side, or 2 and 5, are as many vertices.
    def between(left: int, right: int) -> nx.Graph:
        shape = nx.disjoint_union(nx.complete_graph(left), nx.complete_graph(right))
        middle = left + right
        shape.add_edges_from((middle, other) for other in range(middle))
        return shape

    assert form(between(3, 4)) == form(between(4, 3)) != form(between(2, 5))
