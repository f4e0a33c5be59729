from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies import TOP, Hierarchy
from shoal.tables.hierarchies.hierarchy import Label
from work import calls_of

from .checks import assert_hierarchy, same, texts, way


def test_the_top_is_added_when_it_is_not_there() -> None:
    assert way(Hierarchy.of_levels([["a", "b"], ["x", "x"]]), "a") == ["a", "x", "*"]
    assert Hierarchy.of_levels([["a", "b"], ["*", "*"]]).height == 1


def test_a_star_as_the_only_value_still_has_a_level_above_it() -> None:
    assert Hierarchy.of_levels([["*"]]).height == 1


def test_a_hierarchy_without_values_is_refused() -> None:
    with pytest.raises(BadHierarchy, match="no values"):
        Hierarchy.of_levels([])
    with pytest.raises(BadHierarchy, match="no values"):
        Hierarchy.of_levels([[]])


def test_levels_of_different_length_are_refused() -> None:
    with pytest.raises(BadHierarchy, match="level 1 has 1 labels for 2 values"):
        Hierarchy.of_levels([["a", "b"], ["x"]])


def test_a_value_that_stands_twice_is_refused_with_its_lines() -> None:
    with pytest.raises(BadHierarchy, match=r"'a' stands twice .*lines 1 and 9"):
        Hierarchy.of_levels([["a", "b", "a"]], lines=[1, 4, 9])


def test_a_level_that_is_not_a_refinement_is_refused_with_value_and_lines() -> None:
    with pytest.raises(
        BadHierarchy, match=r"level 2 .*'x' becomes 'one' \(line 2\) and 'two' \(line 5\); give it one parent"
    ):
        Hierarchy.of_levels([["a", "b", "c"], ["y", "x", "x"], ["one", "one", "two"]], lines=[1, 2, 5])


@given(st.lists(st.lists(st.sampled_from("xyz"), min_size=4, max_size=4), min_size=1, max_size=4))
def test_exactly_the_levels_that_refine_each_other_are_accepted(above: list[list[str]]) -> None:
    levels: list[list[str]] = [[*"abcd"], *above]
    refines = all(
        high[i] == high[j]
        for low, high in pairwise(levels)
        for i in range(4)
        for j in range(4)
        if low[i] == low[j]
    )
    if refines:
        assert_hierarchy(Hierarchy.of_levels(levels), [*"abcd"])
    else:
        with pytest.raises(BadHierarchy, match="not a refinement"):
            Hierarchy.of_levels(levels)


def test_covered_counts_the_leaves_below_each_label() -> None:
    hierarchy = Hierarchy.of_levels([["a", "b", "c"], ["x", "x", "y"]])
    assert hierarchy.covered.tolist() == [[1, 1, 1], [2, 2, 1], [3, 3, 3]]


@given(st.lists(texts, min_size=1, unique=True))
def test_the_missing_value_stays_itself_up_to_the_top(values: list[str]) -> None:
    plain = Hierarchy.of_levels([values, ["group"] * len(values)])
    hierarchy = plain.with_missing_value()
    assert_hierarchy(hierarchy, [*values, None])
    assert way(hierarchy, None) == [None, None, TOP]
    assert hierarchy.with_missing_value() is hierarchy
    assert plain.missing([None]) == [None]


def test_leaves_that_stand_alone_are_added_once() -> None:
    hierarchy = Hierarchy.of_levels([["1", "2"], ["[0, 5)", "[0, 5)"]]).with_alone(["?", "1", "?"])
    assert hierarchy.leaves == ("1", "2", "?")
    assert way(hierarchy, "?") == ["?", "?", "*"]
    assert hierarchy.position("?") == 2


def test_the_levels_build_the_same_hierarchy_again() -> None:
    hierarchy = Hierarchy.of_levels([["a", None, "c"], ["x", "x", None]])
    assert same(Hierarchy.of_levels(hierarchy.levels()), hierarchy)


def test_a_hundred_thousand_leaves_are_checked() -> None:
    levels: list[list[Label]] = [[f"{leaf:05}"[: 5 - h] for leaf in range(100_000)] for h in range(5)]
    made: list[Hierarchy] = []
    # Work on whole columns: a call or more per leaf and level would be half a million.
    assert calls_of(lambda: made.append(Hierarchy.of_levels(levels).with_missing_value())) < 2_000_000
    assert len(made[0].levels()[0]) == 100_001


def test_the_part_above_a_level_has_its_labels_for_values() -> None:
    hierarchy = Hierarchy.of_levels([["a", "b", "c"], ["x", "y", "x"], ["z", "z", "z"]])
    assert hierarchy.above(1).levels() == [["x", "y"], ["z", "z"], [TOP, TOP]]
    assert same(hierarchy.above(0), hierarchy)
