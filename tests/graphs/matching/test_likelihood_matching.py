from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

import numpy as np
import pytest

from graphs.matching.networks import circles, hidden_pair, known
from shoal.core.deadline import until
from shoal.core.progress import following
from shoal.graphs.attacks.propagation.propagation import spread
from shoal.graphs.graph import Graph, Int32
from shoal.graphs.matching.likelihood_kernels import Mask
from shoal.graphs.matching.likelihood_matching import _closure, match_people, match_with_all_others_known
from shoal.graphs.matching.matching import Matching, rate, rows_of

Attack = Callable[[Graph, Graph, Int32, float], Matching]


def spread_from(left: Graph, right: Graph, begun: Int32, _: float) -> Matching:
    return spread(left, right, begun, begun >= 0, 0.5)


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
    left, right, places = hidden_pair(circles(friends=6), 0.4)
    begun = known(places, 120)
    scores = [rate(match_people(left, right, begun, sure), places, begun < 0) for sure in (0.55, 0.99)]
    assert scores[0].wrong > scores[1].wrong
    assert scores[0].right > scores[1].right


def test_knowing_everybody_else_is_the_most_that_can_be_hoped_for() -> None:
    left, right, places = hidden_pair(circles(friends=8), 0.6)
    everybody = np.ones(left.nodes, np.bool_)
    most = rate(match_with_all_others_known(left, right, places, 0.9), places, everybody)
    begun = known(places, 80)
    found = rate(match_people(left, right, begun, 0.9), places, everybody)
    assert found.right - 80 <= most.right + 5
    assert 0.3 < most.right / most.people < 1


def test_when_the_time_is_over_the_matches_so_far_are_told() -> None:
    left, right, places = hidden_pair(circles(), 0.8)
    begun = known(places, 20)
    rounds: list[tuple[int, str]] = []
    with ExitStack() as stack:

        def follow(done: int, _: int, at_work: str) -> None:
            rounds.append((done, at_work))
            if len(rounds) == 2:
                stack.enter_context(until(0.0))

        stack.enter_context(following(follow))
        matching = match_people(left, right, begun, 0.9)
    assert not matching.complete
    assert matching.rounds == 2
    assert 20 < len(matching) <= rounds[-1][0]
    assert rounds[0][1] == "round 1: people matched"


def test_a_matching_counts_its_pairs() -> None:
    assert len(Matching(np.array([3, -1, 0], np.int32))) == 2


def test_circles_of_friends_who_know_each_other_are_noticed() -> None:
    chance = np.random.default_rng(1)
    strangers = Graph.of_edges(400, *chance.integers(0, 400, (2, 4_000)))
    circle = np.repeat(np.arange(400), 10)
    friends = Graph.of_edges(400, circle, circle // 20 * 20 + chance.integers(0, 20, len(circle)))
    assert 1 <= _closure(rows_of(strangers)) < 1.3
    assert _closure(rows_of(friends)) > 10  # nearly twenty times as many know each other as by chance
    assert _closure(rows_of(Graph.of_edges(3, [0], [1]))) == 1


@pytest.mark.parametrize("attack", [match_people, spread_from])
def test_people_who_were_not_crawled_are_found_by_who_points_to_them(attack: Attack) -> None:
    left, right, places = hidden_pair(circles(friends=20, directed=True), 0.8)
    chance = np.random.default_rng(5)
    left, right = not_crawled(left, chance.random(400) < 0.25), not_crawled(right, chance.random(400) < 0.25)
    begun = known(places, 40)
    silent = (np.diff(left.offsets) == 0) | (np.diff(right.offsets)[places] == 0)
    score = rate(attack(left, right, begun, 0.9), places, silent & (begun < 0))
    assert score.people > 100
    assert score.right > 0.6 * score.people
    assert score.wrong < 0.1 * score.people


def not_crawled(graph: Graph, silent: Mask) -> Graph:
    """A network in which nobody asked some people whom they point to."""
    ends = graph.edge_list()
    kept = ~silent[ends.sources]
    return Graph.of_edges(graph.nodes, ends.sources[kept], ends.targets[kept], directed=True)
