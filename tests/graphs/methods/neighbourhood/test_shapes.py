"""Shapes of neighbourhoods."""

import networkx as nx

from shoal.graphs.methods.neighbourhood.shapes import Shape, Shapes, missing, together


def around(*shapes: nx.Graph) -> list[set[int]]:
    """Node 0 in the middle of everything."""
    whole = nx.disjoint_union_all([nx.empty_graph(1), *shapes])
    whole.add_edges_from((0, one) for one in range(1, len(whole)))
    return [set(whole[one]) for one in range(len(whole))]


def test_lonely_friends_and_parts_are_told_apart() -> None:
    shapes = Shapes()
    found = shapes.of(around(nx.empty_graph(2), nx.path_graph(3), nx.path_graph(2), nx.path_graph(2)), 0)
    assert found.lonely == 2 and len(found.parts) == 3 and len(set(found.parts)) == 2
    assert (shapes.vertices(found.parts), shapes.edges(found.parts), shapes.degree(found)) == (7, 4, 9)


def test_every_small_connected_part_has_its_own_number_and_keeps_it() -> None:
    shapes = Shapes()
    atlas = [shape for shape in nx.graph_atlas_g() if 2 <= len(shape) <= 6 and nx.is_connected(shape)]
    numbers = [shapes.of(around(shape), 0).parts for shape in atlas]
    # Refinement confuses some regular ones; the model, which does not, has the last word.
    assert len(set(numbers)) >= len(atlas) - 3
    for shape, expected in zip(atlas, numbers, strict=True):
        turned = nx.relabel_nodes(shape, {one: len(shape) - 1 - one for one in shape})
        assert shapes.of(around(turned), 0).parts == expected
        if numbers.count(expected) == 1:
            known = shapes.known[expected[0]]
            drawn = nx.Graph([(one, other) for one in range(known.size) for other in known.near[one]])
            assert nx.is_isomorphic(drawn, shape)


def test_long_paths_are_told_from_other_trees() -> None:
    shapes = Shapes()
    broom = nx.path_graph(12)
    broom.add_edge(1, 12)
    other = nx.path_graph(12)
    other.add_edge(5, 12)
    assert shapes.of(around(broom), 0) != shapes.of(around(other), 0)


def test_what_is_missing_and_what_contains_all() -> None:
    assert missing((1, 1, 2), (1, 3)) == [1, 2]
    assert together([Shape(0, (1, 1)), Shape(5, (1, 2))]) == (1, 1, 2)
