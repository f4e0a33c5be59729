"""People who find themselves, and the friends that only they know."""

import numpy as np

from graphs.drawn import graph_of, power_law
from shoal.graphs.attacker_reasoning.circle import find_circle, in_order, known_by
from shoal.graphs.attacker_reasoning.scene import Scene

# Alice 0, Bob 1, Cathy 2, Dan 3, Ed 4, Fay 5, Gus 6
MAIL = graph_of(7, (0, 1), (0, 2), (0, 4), (2, 1), (2, 3), (2, 5), (2, 6), (1, 4), (4, 3), (4, 6), (1, 5))


def test_members_are_found_and_then_the_friends_that_nobody_else_is_like() -> None:
    found = find_circle(MAIL, MAIL, Scene(MAIL), [0, 2], 0)
    assert sorted(found.members.tolist()) == [0, 2] and found.nodes.tolist() == found.members.tolist()
    where = dict(zip(found.friends.tolist(), found.friend_nodes.tolist(), strict=True))
    assert where == {1: 1, 4: 4, 3: -1, 5: -1, 6: -1}


def test_members_come_so_that_each_knows_one_before() -> None:
    graph = power_law(50, 200, 2)
    members = [7, *graph.neighbours(7)[:3].tolist()]
    order = in_order(graph, members)
    assert sorted(order.tolist()) == sorted(members)
    for place in range(1, len(order)):
        assert any(graph.has(int(order[place]), int(one)) for one in order[:place])


def test_slack_finds_members_whose_edges_were_changed() -> None:
    changed = graph_of(7, *[(0, 1), (0, 2), (0, 4), (2, 1), (2, 3), (2, 5), (2, 6), (2, 4), (1, 4), (4, 3)])
    strict = find_circle(MAIL, changed, Scene(changed), [0, 2], 0)
    assert set(strict.nodes.tolist()) == {-1}
    loose = find_circle(MAIL, changed, Scene(changed, removes=False), [0, 2], 1)
    assert loose.nodes[loose.members == 2].tolist() == [2]


def test_who_knows_which_members() -> None:
    assert known_by(MAIL, np.array([0, 2])) == {1: 3, 4: 1, 3: 2, 5: 2, 6: 2}
