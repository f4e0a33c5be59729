"""Somebody who knows how many friends people have."""

import numpy as np
import polars as pl
from hypothesis import given, settings

from graphs.drawn import graph_of, graphs
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacks.degree import Degree
from shoal.graphs.graph import Graph


def themselves(graph: Graph) -> pl.DataFrame:
    names = graph.names().cast(pl.String)
    return pl.DataFrame({"original": names, "label": names})


@settings(max_examples=60, deadline=None)
@given(graphs())
def test_of_an_unchanged_graph_those_are_hit_who_are_alone_with_their_degree(graph: Graph) -> None:
    alone = (np.bincount(graph.degrees)[graph.degrees] == 1).sum()
    finding = Degree().attack(Scene(graph))
    assert finding.rate.hits == alone and finding.wrong == 0
    mean = len(set(graph.degrees.tolist())) / graph.nodes
    assert abs(finding.details["right_by_picking"] - mean) < 1e-9  # type: ignore[operator]


def by_hand(theirs: int, seen: list[int], adds: bool, removes: bool) -> list[int]:
    """The nodes that fit a number of friends, as the docstring says."""
    allowed = [d for d in seen if d == theirs or (d > theirs and adds) or (d < theirs and removes)]
    near = min((abs(d - theirs) for d in allowed), default=None)
    return [node for node, d in enumerate(seen) if d in allowed and abs(d - theirs) == near]


@settings(max_examples=60, deadline=None)
@given(graphs(8), graphs(8))
def test_candidates_are_the_nearest_that_the_method_allows(known: Graph, released: Graph) -> None:
    seen = released.degrees.tolist()
    for adds, removes in ((True, True), (True, False), (False, True), (False, False)):
        scene = Scene(released, original=known, truth=themselves(known), adds=adds, removes=removes)
        finding, places = Degree().attack(scene), scene.places(known)
        assert places is not None
        fitting = [by_hand(degree, seen, adds, removes) for degree in known.degrees.tolist()]
        right = sum(nodes == [place] for nodes, place in zip(fitting, places, strict=True))
        wrong = sum(len(nodes) == 1 for nodes in fitting) - right
        picked = sum(place in nodes and 1 / len(nodes) for nodes, place in zip(fitting, places, strict=True))
        assert finding.rate.hits == right and finding.wrong == wrong / known.nodes
        assert abs(finding.details["right_by_picking"] - picked / known.nodes) < 1e-9  # type: ignore[operator]


def test_arrows_tell_more_than_edges() -> None:
    arrows = Graph.of_edges(3, [0, 1], [1, 2], directed=True)
    assert Degree().attack(Scene(arrows)).rate.hits == 3
    assert Degree().attack(Scene(arrows.undirected())).rate.hits == 1


def test_a_finding_tells_the_node_and_the_number_of_friends() -> None:
    star = graph_of(4, (0, 1), (0, 2), (0, 3))
    (told,) = Degree().attack(Scene(star)).findings
    assert told == {"who": {"node": "0"}, "learned": {"node": "0", "friends": 3}, "confidence": 1.0}
