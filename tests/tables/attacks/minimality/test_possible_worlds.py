"""Possible worlds of a class."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.attacks.minimality import possible_worlds
from shoal.tables.attacks.minimality.possible_worlds import blame


def counted(sizes: list[int], limits: list[int], often: int) -> tuple[float, list[float]]:
    """Every way to deal a value to people, one by one."""
    part = np.repeat(np.arange(len(sizes)), sizes)
    ways, over, found = 0, 0, np.zeros(len(sizes))
    for chosen in combinations(range(len(part)), often):
        number = np.bincount(part[list(chosen)], minlength=len(sizes))
        ways += 1
        if (number > limits).any():
            over += 1
            found += number / sizes
    return over / ways, (found / ways).tolist()


def asked(sizes: list[int], limits: list[int], often: int) -> tuple[float, list[float]]:
    found = blame(
        np.array([0, len(sizes)]),
        np.array(sizes),
        np.array(limits),
        np.array([0]),
        np.array([often]),
        np.array([0, 1]),
    )
    return float(found[0][0]), found[1].tolist()


def test_two_cases_among_two_and_five_people_leave_one_world() -> None:
    chance, found = asked([2, 5], [1, 2], 2)
    # Of 21 ways to choose two of seven people, one gives the value to both of the first part.
    assert np.isclose(chance, 1 / 21) and np.allclose(found, [1 / 21, 0])


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[int], list[int], int]:
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    limits = [draw(st.integers(0, size)) for size in sizes]
    return sizes, limits, draw(st.integers(1, sum(sizes)))


@given(cases())
def test_all_worlds_are_counted(case: tuple[list[int], list[int], int]) -> None:
    chance, found = counted(*case)
    told = asked(*case)
    assert np.isclose(told[0], chance) and np.allclose(told[1], found)


@given(cases())
def test_parts_by_themselves_never_claim_too_much(case: tuple[list[int], list[int], int]) -> None:
    sizes, limits, often = case
    rows = sum(sizes)
    logs = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, rows + 1)))))
    chance, found = counted(*case)
    above, below = possible_worlds._apart(np.array(sizes), np.array(limits), rows, often, logs)
    assert above >= chance - 1e-9 and (below <= np.array(found) + 1e-9).all()
    assert np.isclose(above, chance) or len(sizes) > 1


def test_values_add_up_and_large_classes_are_answered_too() -> None:
    # Two groups: one of two values, one so large that parts are looked at by themselves.
    limits = np.array([1, 1, 5, 5, 1100, 1100])
    total, found = blame(
        np.array([0, 2, 4]),
        np.array([2, 6, 1500, 1500]),
        limits[[0, 1, 2, 3, 4, 5]],
        np.array([0, 4]),
        np.array([4, 4, 2000]),
        np.array([0, 2, 3]),
    )
    one = asked([2, 6], [1, 5], 4)[0]
    assert np.isclose(total[0], 2 * one)
    assert 0 < total[1] < 1e-6 and 0 < found[4] <= total[1]
