"""Finding people again after edges were changed."""

from itertools import combinations, permutations

import numpy as np
import pytest

from graphs.drawn import graph_of, pairs_of, power_law
from shoal.graphs.attacker_reasoning.tolerant_search import Sought, recover, search_order, without_hubs
from shoal.graphs.attacks.walk.plant import plant
from shoal.graphs.graph import Edges, Graph

NETWORK = power_law(400, 2400, 5)
PEOPLE = np.array([30, *NETWORK.neighbours(30)[-5:]])


def changed(graph: Graph, hubs: int, chance: np.random.Generator) -> Graph:
    """Everybody gets an edge to one of the hubs, but for those who have one already."""
    big = np.argsort(-graph.degrees)[:hubs]
    ends = [(node, int(chance.choice(big))) for node in range(graph.nodes) if node not in big]
    new = np.array([pair for pair in ends if not graph.has(*pair)], np.int32)
    return graph.with_edges(added=Edges(new[:, 0].copy(), new[:, 1].copy()))


def test_nothing_changed_and_all_are_found_at_once() -> None:
    found = recover(NETWORK, Sought.of(NETWORK, PEOPLE), adds=False, removes=False)
    assert found.found and found.nodes.tolist() == PEOPLE.tolist() and found.changes == 0


@pytest.mark.parametrize("rounds", [1, 3])
def test_edges_to_hubs_hide_nobody(rounds: int) -> None:
    chance = np.random.default_rng(1)
    planted = plant(NETWORK, 7, 8, 14, 8, chance)
    released = planted.graph
    for _ in range(rounds):
        released = changed(released, 8, chance)
    found = recover(released, planted.sought, adds=True, removes=False)
    assert found.nodes.tolist() == planted.members.tolist()


def test_edges_that_are_gone_are_allowed_for() -> None:
    lost = [int(NETWORK.neighbours(int(node))[0]) for node in PEOPLE[:3]]
    gone = np.array([PEOPLE[:3], lost], np.int32)
    released = NETWORK.with_edges(removed=Edges(gone[0].copy(), gone[1].copy()))
    found = recover(released, Sought.of(NETWORK, PEOPLE), adds=False, removes=True)
    assert found.nodes.tolist() == PEOPLE.tolist() and found.changes > 0


def test_people_who_can_change_places_are_not_found() -> None:
    ring = graph_of(6, *((i, (i + 1) % 6) for i in range(6)))
    found = recover(ring, Sought.of(ring, np.array([0, 1])), adds=False, removes=False)
    assert not found.found


def test_whoever_comes_next_knows_most_of_those_before() -> None:
    sought = Sought.of(NETWORK, PEOPLE)
    order = search_order(NETWORK, sought)
    assert sorted(order.tolist()) == list(range(len(PEOPLE)))
    for place in range(1, len(order)):
        assert sought.joined[order[place], order[:place]].any()


def test_without_hubs_all_other_edges_stay() -> None:
    small = without_hubs(NETWORK, 0.1)
    big = {
        node
        for node in range(400)
        if NETWORK.degrees[node] > np.quantile(NETWORK.degrees, 0.9, method="lower")
    }
    assert big and pairs_of(small) == {pair for pair in pairs_of(NETWORK) if not big & set(pair)}


def plain(released: Graph, sought: Sought) -> list[int]:
    """The plain twin where nothing was changed: all people in any order who fit in every respect."""
    answers = []
    for chosen in permutations(range(released.nodes), len(sought.degrees)):
        them = Sought.of(released, np.array(chosen))
        alike = (them.joined == sought.joined).all() and (them.degrees == sought.degrees).all()
        if alike and (them.shared == sought.shared).all() and set(sought.codes) <= set(them.codes):
            answers.append(chosen)
    return [one[0] if len(set(one)) == 1 else -1 for one in zip(*answers, strict=True)]


@pytest.mark.parametrize("seed", range(40))
def test_the_search_finds_what_trying_all_people_finds(seed: int) -> None:
    chance = np.random.default_rng(seed)
    pairs = [pair for pair in combinations(range(7), 2) if chance.random() < 0.45]
    graph = graph_of(7, *pairs)
    members = chance.permutation(7)[:3]
    order = chance.permutation(7)
    released = graph.moved(order)
    found = recover(released, Sought.of(graph, members), adds=False, removes=False)
    assert found.nodes.tolist() == plain(released, Sought.of(graph, members))
    if found.found:
        assert found.nodes.tolist() == order[members].tolist()
