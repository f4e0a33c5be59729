from __future__ import annotations

import numpy as np
import pytest

from graphs.matching.networks import circles, hidden_pair, known
from shoal.graphs.graph import Graph
from shoal.graphs.matching import likelihood_matching
from shoal.graphs.matching.likelihood_matching import hubs, match_people
from shoal.graphs.matching.matching import Matching, rate


@pytest.mark.parametrize("directed", [False, True])
def test_a_few_known_people_name_most_of_the_others(directed: bool) -> None:
    left, right, places = hidden_pair(circles(directed=directed), 0.8)
    score = rate(match_people(left, right, known(places, 20), 0.9), places, known(places, 20) < 0)
    assert score.right > 0.8 * score.people
    assert score.wrong < 0.05 * score.people


def test_nobody_is_found_in_a_network_of_strangers() -> None:
    left, right = circles(seed=1), circles(seed=2)
    places = np.random.default_rng(0).permutation(left.nodes)
    matching = match_people(left, right, known(places, 20), 0.9)
    assert len(matching) < 20 + 0.1 * left.nodes


def test_no_node_is_taken_twice_and_known_people_stay() -> None:
    left, right, places = hidden_pair(circles(), 0.5)
    begun = known(places, 30)
    matching = match_people(left, right, begun, 0.6)
    taken = matching.nodes[matching.nodes >= 0]
    assert len(np.unique(taken)) == len(taken)
    assert (matching.nodes[begun >= 0] == begun[begun >= 0]).all()


def test_a_wrong_start_is_let_go_where_it_is_not_certain() -> None:
    left, right, places = hidden_pair(circles(), 0.9)
    begun = known(places, 40)
    wrong = np.flatnonzero(begun >= 0)[:6]
    begun[wrong] = np.roll(begun[wrong], 1)
    loose = match_people(left, right, begun, 0.9, fixed=False)
    assert (loose.nodes[wrong] == places[wrong]).sum() >= 5


def test_more_confidence_finds_fewer_and_errs_less() -> None:
    left, right, places = hidden_pair(circles(friends=8), 0.6)
    begun = known(places, 80)
    scores = [rate(match_people(left, right, begun, sure), places, begun < 0) for sure in (0.55, 0.99)]
    assert scores[0].wrong > scores[1].wrong
    assert scores[0].right > scores[1].right


def test_nodes_that_would_take_too_long_to_ask_are_the_largest(monkeypatch: pytest.MonkeyPatch) -> None:
    star = Graph.of_edges(50, np.r_[np.zeros(49, int), 1, 3], np.r_[np.arange(1, 50), 2, 4])
    assert not hubs(star).any()
    monkeypatch.setattr(likelihood_matching, "MOST_STEPS", 500)
    assert np.flatnonzero(hubs(star)).tolist() == [0]


def test_a_matching_counts_its_pairs() -> None:
    assert len(Matching(np.array([3, -1, 0], np.int32))) == 2
