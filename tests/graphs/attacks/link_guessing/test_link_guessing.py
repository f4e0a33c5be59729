"""Somebody who tells added edges from true ones."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from graphs.attacks.link_guessing.test_learnt_scorer import circles
from graphs.drawn import graphs, pairs_of, rarest
from shoal.core.errors import BadParameter
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacks.link_guessing.link_guessing import PREDICTORS, Guess, LinkGuessing
from shoal.graphs.graph import Edges, Graph


def themselves(graph: Graph) -> pl.DataFrame:
    names = graph.names().cast(pl.String)
    return pl.DataFrame({"original": names, "label": names})


def scene_of(released: Graph, original: Graph) -> Scene:
    return Scene(released, original=original, truth=themselves(original), seed=3)


def strangers(graph: Graph, number: int) -> Edges:
    """Pairs from opposite circles."""
    one = np.arange(1, 8 * number, 8, dtype=np.int32)
    return Edges(one, one + graph.nodes // 2)


def test_edges_between_strangers_are_all_found_and_taken_away() -> None:
    original = circles()
    released = original.with_edges(added=strangers(original, 5))
    finding = LinkGuessing("jaccard").attack(scene_of(released, original))
    # Twelve true edges join circles, too: those and the five look alike.
    assert finding.rate.targets == 5 and finding.details["added"] == 5
    assert finding.details["auc"]["jaccard"] > 0.95  # type: ignore[call-overload,index,operator]
    assert finding.baseline == 5 / released.edges


def test_true_edges_of_the_same_people_stand_for_what_partners_can_do() -> None:
    original = circles()
    finding = LinkGuessing("jaccard").attack(
        scene_of(original.with_edges(added=strangers(original, 5)), original)
    )
    told: Any = finding.details["auc_of_true_edges_of_the_same_people"]
    bound = told["jaccard"]
    assert 0.2 < bound < 0.8  # a true edge is like a true edge


def test_the_best_of_all_has_a_wider_interval_than_one_that_was_named() -> None:
    original = circles()
    scene = scene_of(original.with_edges(added=strangers(original, 5)), original)
    best, named = LinkGuessing().attack(scene), LinkGuessing("jaccard").attack(scene)
    assert best.rate.hits >= named.rate.hits and best.rate.chosen_from == 8
    assert set(best.details["auc"]) >= {"spectral", "learnt", "hubs"}  # type: ignore[arg-type]


def test_no_predictor_looks_at_the_truth() -> None:
    """Whichever edges were added, a release gets the same scores: the learnt one is trained without it."""
    released = circles().with_edges(added=strangers(circles(), 5))
    ends = released.edge_list()
    scores = []
    for first in (0, 40):
        some = slice(first, first + 9)
        original = released.with_edges(removed=Edges(ends.sources[some], ends.targets[some]))
        guess = Guess.of(scene_of(released, original), PREDICTORS, np.random.default_rng(1))
        assert guess.added.sum() == 9
        scores.append(guess.edges)
    assert all(np.array_equal(scores[0][word], scores[1][word]) for word in PREDICTORS)


def test_the_larger_degree_tells_edges_of_a_hub_among_all_and_not_among_its_own() -> None:
    original = circles()
    hub = np.zeros(20, np.int32)
    far = np.array([node for node in range(1, 96) if not original.has(0, node)][-20:], np.int32)
    released = original.with_edges(added=Edges(hub, far))
    told: Any = LinkGuessing().attack(scene_of(released, original)).details
    assert told["auc"]["largest-degree"] > 0.95 and told["strongest"]["auc"] >= told["auc"]["largest-degree"]
    assert told["auc_among_edges_of_the_same_people"]["largest-degree"] == 0.5
    assert told["edges_wrong_released"] == 20 >= told["edges_wrong_cleaned"]


def test_removed_edges_are_told_from_pairs_that_never_were() -> None:
    original = circles()
    edges = original.edge_list()
    some = slice(3, None, 20)
    released = original.with_edges(removed=Edges(edges.sources[some], edges.targets[some]))
    finding = LinkGuessing("common-neighbours").attack(scene_of(released, original))
    gone = len(edges.sources[some])
    assert finding.rate.targets == gone == finding.details["removed"] and finding.details["added"] == 0
    assert finding.rate.value > 0.8 and 0.4 < finding.baseline < 0.6
    for told in finding.findings:
        pair = int(told["who"]["name"]), int(told["learned"]["removed"])  # type: ignore[arg-type,call-overload,index]
        assert pair in pairs_of(original) - pairs_of(released)


@settings(max_examples=40, deadline=None)
@given(graphs(8), graphs(8))
def test_every_edge_is_counted_once(original: Graph, released: Graph) -> None:
    finding = LinkGuessing("jaccard").attack(scene_of(released, original))
    true = {pair for pair in pairs_of(original) if max(pair) < released.nodes}
    added, removed = pairs_of(released) - true, true - pairs_of(released)
    assert finding.details["added"] == len(added) and finding.details["removed"] == len(removed)
    if added:
        assert finding.rate.targets == len(added) and finding.rate.hits <= len(added)
        assert finding.details["k_released"] == rarest(released.degrees)


def test_taking_the_added_edges_away_brings_the_true_degrees_back() -> None:
    star = Graph.of_edges(8, [0, 0, 0, 1, 4, 5, 6], [1, 2, 3, 2, 5, 6, 4])
    released = star.with_edges(added=Edges(np.array([3], np.int32), np.array([7], np.int32)))
    finding = LinkGuessing("hubs").attack(scene_of(released, star))
    assert finding.rate.targets == 1
    assert finding.details["alone_with_their_true_degree_released"] == 1  # node 0 has three friends still


def test_an_unknown_predictor_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadParameter, match="jaccard"):
        LinkGuessing("magic")  # type: ignore[arg-type]


def test_without_the_truth_nobody_can_tell_right_from_wrong() -> None:
    graph = circles()
    with pytest.raises(BadParameter, match="--truth"):
        LinkGuessing().attack(Scene(graph, original=circles()))
