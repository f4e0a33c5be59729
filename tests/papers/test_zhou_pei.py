"""Zhou and Pei 2008: the neighbourhood attack of their introduction, on a network of nine people."""

from __future__ import annotations

import pytest

from graphs.drawn import graph_of, pairs_of
from shoal.graphs.graph import Graph
from shoal.graphs.methods.neighbourhood.neighbourhood import Neighbourhood
from shoal.graphs.model_view import ModelView
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.models.k_neighbourhood import KNeighbourhood

PEOPLE = ("Ada", "Bob", "Cathy", "Dell", "Ed", "Fred", "Gill", "Harry", "Irene")


def network(*pairs: str) -> Graph:
    ends = [tuple(PEOPLE.index(name) for name in pair.split("-")) for pair in pairs]
    return graph_of(len(PEOPLE), *((one, other) for one, other in ends))


# As in the paper, Ada has two friends who know each other and two who do not; the other edges are ours.
FRIENDS = ("Ada-Cathy", "Ada-Dell", "Cathy-Dell", "Ada-Ed", "Ada-Fred")
ORIGINAL = network(*FRIENDS, "Bob-Harry", "Bob-Irene", "Bob-Ed", "Bob-Fred", "Gill-Ed", "Gill-Fred")
NOISY = network(
    *FRIENDS, "Bob-Harry", "Bob-Irene", "Harry-Irene", "Bob-Ed", "Bob-Fred", "Gill-Ed", "Gill-Fred"
)


def test_ada_is_found_by_how_her_friends_know_each_other() -> None:
    holds = KNeighbourhood(2).holds(ModelView(ORIGINAL))
    assert [name for name, held in zip(PEOPLE, holds, strict=True) if not held] == ["Ada", "Bob", "Gill"]
    # Her number of friends alone hides her: Bob has as many.
    assert KDegree(2).holds(ModelView(ORIGINAL))[0]


def test_one_edge_between_harry_and_irene_hides_ada_behind_bob() -> None:
    holds = KNeighbourhood(2).holds(ModelView(NOISY))
    assert [name for name, held in zip(PEOPLE, holds, strict=True) if not held] == ["Gill"]


@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_method_hides_everybody_and_keeps_every_edge(k: int) -> None:
    release = Neighbourhood(seed=1).protect(ORIGINAL, [KNeighbourhood(k)])
    assert isinstance(release.graph, Graph)
    assert pairs_of(ORIGINAL) <= pairs_of(release.graph)
    assert KNeighbourhood(k).level(release.seen()) >= k


def test_labels_are_part_of_what_an_attacker_knows() -> None:
    # Definition 1 of the paper: an isomorphism of neighbourhoods keeps labels.
    import polars as pl

    triangle = graph_of(3, (0, 1), (1, 2), (2, 0))
    labelled = Graph(triangle.offsets, triangle.targets, kinds=pl.Series(["student", "student", "professor"]))
    assert KNeighbourhood(2).level(ModelView(triangle)) == 3
    assert KNeighbourhood(2).level(ModelView(labelled)) == 1
