"""What an attack on a graph looks at."""

import numpy as np
import polars as pl

from graphs.drawn import graph_of
from shoal.graphs.attacker_reasoning.scene import Scene, Seeds
from shoal.graphs.graph import Graph

NAMED = Graph.of_edges(3, [0, 1], [1, 2], labels=pl.Series(["Ann", "Bob", "Cid"]))
RELEASE = graph_of(3, (2, 1), (1, 0))
TRUTH = pl.DataFrame({"original": ["Ann", "Bob"], "label": ["2", "1"]})


def test_the_truth_tells_where_people_are_and_how_they_are_called() -> None:
    scene = Scene(RELEASE, original=NAMED, truth=TRUTH)
    places = scene.places(NAMED)
    assert places is not None and places.tolist() == [2, 1, -1]
    assert scene.who(2) == {"name": "Ann"} and scene.who(0) == {"node": "0"}
    assert scene.known is NAMED


def test_without_the_truth_nobody_is_named() -> None:
    scene = Scene(RELEASE, original=NAMED)
    assert scene.places(NAMED) is None and scene.who(2) == {"node": "2"}


def test_what_people_know_of_the_release_itself_is_where_they_are() -> None:
    scene = Scene(RELEASE)
    places = scene.places(scene.known)
    assert places is not None and places.tolist() == [0, 1, 2]


def test_seeds_are_pairs() -> None:
    assert len(Seeds(np.array([1, 2]), np.array([5, 6]))) == 2
