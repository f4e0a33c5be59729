"""The sparse way."""

from graphs.drawn import graph_of, power_law
from shoal.graphs.methods.neighbourhood.equalise import Levels, Plan
from shoal.graphs.methods.neighbourhood.shapes import Shape
from shoal.graphs.methods.neighbourhood.working_graph import Work


def test_a_price_is_what_each_node_put_right_costs() -> None:
    assert Plan((1, 2, 3), Shape(2, ()), 12, 2).price == 6


def test_a_hub_joins_others_of_its_number_of_friends() -> None:
    # Three stars with 5, 5 and 4 leaves, and pairs from which a leaf may come.
    stars = [(0, one) for one in range(3, 8)] + [(1, one) for one in range(8, 13)]
    stars += [(2, one) for one in range(13, 17)]
    pairs = [(17 + 2 * at, 18 + 2 * at) for at in range(10)]
    path = [(37, 38), (38, 39), (40, 41), (41, 42), (43, 44), (44, 45)]
    work = Work(graph_of(46, *stars, *pairs, *path), 3)
    assert Levels(work, lambda _: None).run(100, 10**6)
    assert not list(work.unsafe()) and work.added == 1


def test_it_stops_at_the_most_edges_that_it_may_add() -> None:
    work = Work(power_law(200, 400, 3), 5)
    assert not Levels(work, lambda _: None).run(3, 10**6)


def test_whoever_leads_three_times_is_left_to_others() -> None:
    # Nobody is free here: everybody knows everybody but for one edge.
    pairs = [(one, other) for other in range(6) for one in range(other)]
    work = Work(graph_of(6, *pairs[1:]), 4)
    levels = Levels(work, lambda _: None)
    assert levels.run(100, 10**6)
    assert max(levels.tries.values()) <= 3


def test_it_stops_when_looking_for_friends_takes_too_long() -> None:
    work = Work(power_law(200, 400, 3), 5)
    assert not Levels(work, lambda _: None).run(10**6, 100)
    assert 100 < work.looks < 10**6
