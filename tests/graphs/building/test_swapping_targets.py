"""Target degrees mended: parity, partners for hubs, a way out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.building.small import numbers
from shoal.graphs.building.swapping_targets import (
    Move,
    apply_move,
    even,
    k_anonymous,
    lift_degrees,
    moves,
    nudge_degrees,
)
from shoal.graphs.building.target_degrees import Change, anonymous_degrees
from shoal.graphs.graph import Int64


@st.composite
def anonymous(draw: st.DrawFn) -> tuple[Int64, int]:
    """Degrees of which each occurs k times."""
    nodes = draw(st.integers(2, 40))
    degrees = numbers(*draw(st.lists(st.integers(0, nodes - 1), min_size=nodes, max_size=nodes)))
    k = draw(st.integers(1, nodes))
    return anonymous_degrees(degrees, k, "raise"), k


def chance() -> np.random.Generator:
    return np.random.default_rng(1)


@given(anonymous(), st.sampled_from(["raise", "both"]))
def test_an_odd_sum_becomes_even_and_every_degree_still_occurs_k_times(
    given_: tuple[Int64, int], change: Change
) -> None:
    degrees, k = given_
    made = even(degrees, degrees, k, change, chance())
    assert k_anonymous(made, k) and made.min() >= 0 and made.max() < len(made)
    if int(degrees.sum()) % 2 == 0:
        assert made is degrees
    elif any(move.cost % 2 for move in moves(degrees, k, change)):
        assert int(made.sum()) % 2 == 0
    if change == "raise":
        assert (made >= degrees).all()


@given(anonymous(), st.sampled_from(["raise", "both"]))
def test_every_move_leaves_k_in_each_class(given_: tuple[Int64, int], change: Change) -> None:
    degrees, k = given_
    for move in moves(degrees, k, change):
        made = apply_move(degrees, degrees, move, chance())
        assert k_anonymous(made, k) and made.min() >= 0 and made.max() < len(made)
        assert int(np.abs(made - degrees).sum()) == move.cost


@given(anonymous(), st.integers(1, 200), st.integers(1, 40))
def test_lifting_adds_what_was_asked_or_all_there_is(
    given_: tuple[Int64, int], amount: int, below: int
) -> None:
    degrees, k = given_
    made = lift_degrees(degrees, degrees, k, amount, below, chance())
    assert k_anonymous(made, k) and (made >= degrees).all() and made.max() < len(made)
    if int((made - degrees).sum()) < amount:
        assert made.min() >= min(below, len(made) - 1)


def test_members_of_large_classes_go_up_first() -> None:
    degrees = np.repeat(numbers(9, 2, 1), (3, 10, 20))
    made = lift_degrees(degrees, degrees, 3, 12, 9, chance())
    assert np.bincount(made).tolist() == [0, 8, 22, 0, 0, 0, 0, 0, 0, 3]


def test_all_leaves_of_a_star_go_up_together() -> None:
    degrees = numbers(9, 9, *[1] * 8)
    assert lift_degrees(degrees, degrees, 2, 8, 2, chance()).tolist() == [9, 9, *[2] * 8]


@given(anonymous(), st.integers(1, 5), st.sampled_from(["raise", "both"]))
def test_a_nudge_keeps_the_promise(given_: tuple[Int64, int], times: int, change: Change) -> None:
    degrees, k = given_
    made = nudge_degrees(degrees, degrees, k, change, times, chance())
    assert k_anonymous(made, k) and made.min() >= 0 and made.max() < len(made)


def test_where_nobody_can_move_nothing_moves() -> None:
    assert nudge_degrees(numbers(0), numbers(0), 1, "both", 3, chance()).tolist() == [0]


@pytest.mark.parametrize(
    ("degrees", "k", "holds"),
    [([5, 5, 3, 3, 2, 2, 2], 2, True), ([5, 5, 3, 3, 2, 2, 2], 3, False), ([], 4, True)],
)
def test_a_vector_is_k_anonymous_when_every_value_occurs_k_times(
    degrees: list[int], k: int, holds: bool
) -> None:
    assert k_anonymous(numbers(*degrees), k) is holds


def test_the_cost_of_a_move_is_its_distance() -> None:
    assert Move(2, 5, 4).cost == 12


def test_who_moves_is_who_is_taken_nearest_to_what_they_had() -> None:
    target, original = numbers(3, 3, 3, 2, 2, 2), numbers(3, 3, 3, 2, 2, 1)
    up = apply_move(target, original, Move(2, 3, 1), chance())
    assert up[5] == 2 and sorted(up) == [2, 2, 3, 3, 3, 3]
    down = apply_move(target, original, Move(2, 1, 1), chance())
    assert down.tolist() == original.tolist()
