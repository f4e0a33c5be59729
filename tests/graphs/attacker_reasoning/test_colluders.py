"""People who find themselves, and the friends that only they know."""

import numpy as np

from graphs.drawn import graph_of, power_law
from shoal.graphs.attacker_reasoning.colluders import find_circle, in_order, nearest_nodes
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


def test_the_nearest_node_is_found_and_only_where_it_is_one() -> None:
    members = np.array([0, 2])
    found = [
        nearest_nodes(MAIL, members, [code], adds=False, removes=False).tolist() for code in (3, 1, 2, 0)
    ]
    assert found == [[1], [4], [-1], [-1]]
    without = graph_of(7, (0, 1), (0, 4), (2, 3), (2, 5), (2, 6))
    assert nearest_nodes(without, members, [3], adds=False, removes=False).tolist() == [-1]
    assert nearest_nodes(MAIL, members, [1, 1], adds=False, removes=False).tolist() == [-1, -1]


def test_of_several_as_near_the_one_with_fewest_friends_is_no_hub_that_was_hidden() -> None:
    both = graph_of(6, (0, 2), (1, 2), (0, 3), (1, 3), (3, 4), (3, 5))
    members = np.array([0, 1])
    assert nearest_nodes(both, members, [3], adds=True, removes=False).tolist() == [2]
    assert nearest_nodes(both, members, [3], adds=False, removes=False).tolist() == [-1]
