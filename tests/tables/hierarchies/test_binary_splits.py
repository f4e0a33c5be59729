from __future__ import annotations

from collections import Counter
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadHierarchy, BadParameter
from shoal.tables.hierarchies import grown

from .checks import assert_hierarchy, some_numbers, way


def test_the_classes_decide_where_to_split() -> None:
    values = ["1", "2", "3", "10", "11", "50"]
    hierarchy = grown(values, target=["a", "a", "b", "b", "b", "b"], depth=1)
    assert [hierarchy.label(value, 1) for value in values] == ["< 3", "< 3", "≥ 3", "≥ 3", "≥ 3", "≥ 3"]


def test_without_classes_the_closest_values_stay_together() -> None:
    values = ["1", "2", "3", "10", "11", "50"]
    hierarchy = grown(values, depth=2)
    assert way(hierarchy, "2") == ["2", "< 10", "< 50", "*"]
    assert way(hierarchy, "50") == ["50", "≥ 50", "≥ 50", "*"]


def test_frequent_values_weigh_more() -> None:
    assert grown(["1", "4", "5", "9"], depth=1).label("4", 1) == "< 9"
    assert grown(["1"] * 2 + ["4"] * 9 + ["5"] * 9 + ["9"] * 9, depth=1).label("4", 1) == "< 9"
    assert grown(["1"] * 9 + ["4"] * 9 + ["9"], depth=1).label("4", 1) == "≥ 4"


def test_one_value_cannot_be_split_and_the_missing_one_is_left_to_others() -> None:
    assert way(grown(["7", "7.0", None]), "7") == ["7", "*"]
    assert grown(["7", None, "8"], target=["a", "b", None], depth=1).leaves == ("7", "8")


@given(some_numbers, st.integers(1, 5), st.data())
def test_every_grown_tree_is_a_binary_hierarchy(values: list[str], depth: int, data: st.DataObject) -> None:
    same_length = st.lists(st.sampled_from("abc"), min_size=len(values), max_size=len(values))
    target = data.draw(st.none() | same_length)
    hierarchy = grown(values, target, depth)
    assert_hierarchy(hierarchy, values)
    assert hierarchy.height <= depth + 1
    for level in range(2, hierarchy.height + 1):
        below = {(hierarchy.label(value, level), hierarchy.label(value, level - 1)) for value in values}
        assert max(Counter(above for above, _ in below).values()) <= 2


def gain(left: list[str], right: list[str]) -> float:
    def entropy(classes: list[str]) -> float:
        return -sum(n / len(classes) * log2(n / len(classes)) for n in Counter(classes).values())

    both = left + right
    return entropy(both) - sum(len(half) / len(both) * entropy(half) for half in (left, right))


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc")), min_size=2, max_size=40))
def test_no_split_gains_more_than_the_first(rows: list[tuple[int, str]]) -> None:
    hierarchy = grown([str(value) for value, _ in rows], [label for _, label in rows], depth=1)
    if hierarchy.height == 1:
        assert len({value for value, _ in rows}) == 1
        return
    is_left = [str(hierarchy.label(str(value), 1)).startswith("<") for value, _ in rows]
    chosen = gain(
        [label for (_, label), left in zip(rows, is_left, strict=True) if left],
        [label for (_, label), left in zip(rows, is_left, strict=True) if not left],
    )
    lowest = min(value for value, _ in rows)
    for cut in {value for value, _ in rows if value > lowest}:
        other = gain([c for v, c in rows if v < cut], [c for v, c in rows if v >= cut])
        assert chosen >= other - 1e-6


def test_bad_requests_are_refused_with_the_value() -> None:
    with pytest.raises(BadHierarchy, match="'old' is not a number"):
        grown(["1", "old"])
    with pytest.raises(BadParameter, match="depth=0"):
        grown(["1"], depth=0)
    with pytest.raises(BadParameter, match="1 classes for 2 values"):
        grown(["1", "2"], target=["a"])
