from __future__ import annotations

import re
from bisect import bisect_right
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadHierarchy, BadParameter
from shoal.tables.hierarchies import of_cuts, of_width

from .checks import assert_hierarchy, some_numbers, way

INTERVAL = re.compile(r"\[(.+), (.+)\)")


def test_each_level_joins_two_intervals_of_the_one_below() -> None:
    hierarchy = of_width(["17", "22", "29", "90"], width=5)
    assert way(hierarchy, "22") == ["22", "[20, 25)", "[20, 30)", "[20, 40)", "[0, 40)", "[0, 80)", "*"]


def test_levels_fanout_and_origin_are_the_users() -> None:
    hierarchy = of_width(["18", "29", "90"], width=10, levels=2, fanout=3, origin=18)
    assert way(hierarchy, "18") == ["18", "[18, 28)", "[18, 48)", "*"]
    assert way(hierarchy, "29") == ["29", "[28, 38)", "[18, 48)", "*"]


def test_decimal_widths_print_as_they_were_given() -> None:
    assert way(of_width(["0.3", "0.7"], 0.1, levels=1), "0.3") == ["0.3", "[0.3, 0.4)", "*"]


def test_negative_and_positive_values_meet_at_the_top() -> None:
    hierarchy = of_width(["-3", "3"], width=2)
    assert way(hierarchy, "-3") == ["-3", "[-4, -2)", "[-4, 0)", "*"]
    assert way(hierarchy, "3") == ["3", "[2, 4)", "[0, 4)", "*"]


def test_one_wide_interval_is_kept_when_it_was_asked_for() -> None:
    assert way(of_width(["3", "4"], width=100), "3") == ["3", "[0, 100)", "*"]


def test_different_spellings_of_a_number_share_its_interval() -> None:
    hierarchy = of_width(["5", "5.0", "05", "5e0", "99"], width=2)
    assert len({hierarchy.label(value, 1) for value in ("5", "5.0", "05", "5e0")}) == 1


@given(some_numbers, st.decimals("0.01", 50, places=2), st.integers(2, 4), st.integers(-20, 20))
def test_intervals_of_a_width_are_a_hierarchy_and_hold_their_values(
    values: list[str], width: Decimal, fanout: int, origin: int
) -> None:
    hierarchy = of_width(values, width, fanout=fanout, origin=origin)
    assert_hierarchy(hierarchy, values)
    for value in hierarchy.leaves:
        for level, label in enumerate(way(hierarchy, value)[1:-1]):
            found = INTERVAL.fullmatch(str(label))
            assert found
            low, high = Fraction(found[1]), Fraction(found[2])
            assert low <= Fraction(str(value)) < high
            assert high - low == Fraction(width) * fanout**level


def test_cut_points_leave_open_ends() -> None:
    hierarchy = of_cuts(["3", "18", "64.9", "65"], [65, 18])
    assert [hierarchy.label(value, 1) for value in hierarchy.leaves] == [
        "< 18",
        "[18, 65)",
        "[18, 65)",
        "≥ 65",
    ]


def test_coarser_cuts_give_higher_levels() -> None:
    assert way(of_cuts(["20", "3"], [[18, 30, 65], [30]]), "20") == ["20", "[18, 30)", "< 30", "*"]


@given(some_numbers, st.lists(st.integers(-999, 999), min_size=1, max_size=9, unique=True), st.data())
def test_cuts_are_a_hierarchy_that_counts_the_cuts_to_the_left(
    values: list[str], cuts: list[int], data: st.DataObject
) -> None:
    coarser = data.draw(st.lists(st.sampled_from(cuts), min_size=1, unique=True))
    hierarchy = of_cuts(values, [cuts, coarser])
    assert_hierarchy(hierarchy, values)
    place = [bisect_right(sorted(cuts), Decimal(str(value))) for value in hierarchy.leaves]
    labels = [hierarchy.label(value, 1) for value in hierarchy.leaves]
    assert len(set(labels)) == len(set(place)) == len(set(zip(labels, place, strict=True)))


def test_a_coarser_cut_that_is_not_among_the_finer_is_refused() -> None:
    with pytest.raises(BadHierarchy, match="the cut 31 is not among the finer cuts 18, 30"):
        of_cuts(["1"], [[18, 30], [31]])


def test_a_value_that_is_no_number_is_refused_by_name() -> None:
    with pytest.raises(BadHierarchy, match="'thirty' is not a number"):
        of_width(["30", "thirty"], 5)
    with pytest.raises(BadHierarchy, match="'thirty' is not a number"):
        of_cuts(["30", "thirty"], [5])


@pytest.mark.parametrize(
    ("given_", "message"),
    [({"width": 0}, "width=0"), ({"width": "x"}, "width=x"), ({"width": 1, "fanout": 1}, "fanout=1"),
     ({"width": 1, "levels": 0}, "levels=0"), ({"width": 1, "origin": "o"}, "origin=o")],
)  # fmt: skip
def test_impossible_intervals_are_refused_with_the_value(given_: dict[str, int], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        of_width(["1"], **given_)


def test_cuts_that_are_none_or_mixed_are_refused() -> None:
    with pytest.raises(BadParameter, match="no cut points"):
        of_cuts(["1"], [])
    with pytest.raises(BadParameter, match="5 stands alone"):
        of_cuts(["1"], [5, [6]])  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="cut=x"):
        of_cuts(["1"], ["x"])
