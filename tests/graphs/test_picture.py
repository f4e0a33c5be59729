"""Pictures of graphs that fit the eye."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from graphs.drawn import graph_of, power_law
from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.methods.supergraph import Supergraph
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.picture import MOST, excerpt, layout, picture, svg


def drawn(document: dict[str, Any], layer: int) -> list[list[dict[str, Any]]]:
    """What a layer of each panel shows."""
    names = [panel["layer"][layer]["data"]["name"] for panel in document["hconcat"]]
    return [document["datasets"][name] for name in names]


def test_added_and_removed_edges_are_told_apart() -> None:
    before, after = graph_of(4, (0, 1), (1, 2)), graph_of(4, (0, 1), (2, 3))
    _, lines = drawn(picture(before, after, 2, "title"), 0)
    assert sorted(line["what"] for line in lines) == ["added", "edge", "removed"]


def test_people_alone_with_their_number_of_friends_are_marked() -> None:
    graph = power_law(40, 80, 1)
    made = Supergraph(seed=1).protect(graph, [KDegree(4)]).graph
    assert isinstance(made, Graph)
    marks = [{dot["who"] for dot in side} for side in drawn(picture(graph, made, 4, "title"), 1)]
    assert "alone" in marks[0] and marks[1] == {"safe"}


def test_without_a_release_there_is_one_panel() -> None:
    (dots,) = drawn(picture(graph_of(4, (0, 1), (1, 2)), None, 2, "title"), 1)
    assert [dot["who"] for dot in dots] == ["safe", "alone", "safe", "alone"]


def test_it_becomes_an_svg() -> None:
    assert svg(graph_of(3, (0, 1)), graph_of(3, (0, 1), (1, 2)), 2, "A title", "and more").startswith("<svg")


def test_a_layout_repeats_and_leaves_the_generator_alone() -> None:
    graph = power_law(30, 60, 2)
    random.seed(4)
    expected = random.random()
    random.seed(4)
    one = layout(graph)
    assert random.random() == expected
    assert np.array_equal(one, layout(graph)) and one.min() >= 0 and one.max() <= 1


@pytest.mark.parametrize("nodes", [0, 1])
def test_hardly_anybody_can_be_drawn(nodes: int) -> None:
    assert svg(graph_of(nodes), graph_of(nodes), 1, "title")


def test_a_ball_of_wool_is_refused() -> None:
    with pytest.raises(BadParameter, match=f"{MOST + 1} nodes are too many to look at; {MOST} can be drawn"):
        picture(graph_of(MOST + 1), graph_of(MOST + 1), 2, "title")


def test_of_a_large_graph_people_are_shown_who_hang_together() -> None:
    graph = power_law(2_000, 4_000, 3)
    shown = excerpt(graph, 100)
    assert len(set(shown.tolist())) == 100
    near = sum(np.isin(graph.neighbours(int(node)), shown).any() for node in shown)
    assert near >= 99  # all but perhaps the one it began with know somebody in it
    before, after = drawn(picture(graph, graph, 5, "title", shown=shown), 1)
    assert len(before) == len(after) == 100
    with pytest.raises(BadParameter, match="2,000 nodes are too many"):
        picture(graph, graph, 5, "title")
