"""Leaves in a line."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.hierarchies import Hierarchy, flat, from_nested, masked, of_width
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.text_values import Label


def ends(*places: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(places, np.int32)


def test_numbers_stand_by_size_and_a_stretch_of_them_is_a_range() -> None:
    order = LeafOrder.of(of_width(["30", "4", "17"], 10))
    assert [order.hierarchy.leaves[leaf] for leaf in order.leaf_at] == ["4", "17", "30"]
    assert order.names_over(ends(0, 1, 2), ends(2, 2, 2)) == ["[4, 30]", "[17, 30]", "30"]


def test_categories_stand_branch_by_branch_and_a_stretch_has_the_label_that_covers_it() -> None:
    order = LeafOrder.of(from_nested({"Lung": ["Flu", "Cold"], "Heart": ["Attack"]}))
    names = [order.hierarchy.leaves[leaf] for leaf in order.leaf_at]
    first = min(names.index("Flu"), names.index("Cold"))
    assert order.names_over(ends(first, 0, 0), ends(first + 1, 2, 0)) == ["Lung", "*", names[0]]
    assert order.level_over(ends(first, 0, 0), ends(first + 1, 2, 0)).tolist() == [1, 2, 0]


def test_a_missing_value_among_numbers_stands_last_and_in_no_range() -> None:
    order = LeafOrder.of(of_width(["3", "1"], 2).with_missing_value())
    assert [order.hierarchy.leaves[leaf] for leaf in order.leaf_at] == ["1", "3", None]
    assert order.names_over(ends(0, 0, 2), ends(1, 2, 2)) == ["[1, 3]", "*", None]


def test_a_range_is_read_back_as_the_numbers_it_covers() -> None:
    order = LeafOrder.of(flat(["1", "5", "9", "12"]))
    assert order.stretch_of("[5, 12]") == (1, 3)
    assert order.stretch_of("[2, 10]") == (1, 2)
    assert order.stretch_of("5") == (1, 1)
    assert order.stretch_of("*") == (0, 3)
    assert order.stretch_of("[6, 7]") is None
    assert order.stretch_of("nobody") is None


def test_codes_of_one_length_stand_so_that_every_mask_covers_a_stretch() -> None:
    order = LeafOrder.of(masked(["476", "123", "479", "130"]))
    for level, names in enumerate(order.hierarchy.names):
        for code, name in enumerate(names):
            places = np.flatnonzero(order.codes[level] == code)
            assert places.tolist() == list(range(places[0], places[-1] + 1))
            if level == order.hierarchy.level_of([name]):
                assert order.stretch_of(name) == (places[0], places[-1])


@given(st.lists(st.integers(0, 40), min_size=1, max_size=25, unique=True))
def test_every_label_of_any_hierarchy_covers_a_stretch(numbers: list[int]) -> None:
    leaves: list[Label] = [f"v{number}" for number in numbers]
    middle: list[Label] = [f"g{number % 4}" for number in numbers]
    order = LeafOrder.of(Hierarchy.of_levels([leaves, middle]))
    for codes in order.codes:
        assert np.count_nonzero(np.diff(codes)) + 1 == len(set(codes.tolist()))
    assert sorted(order.leaf_at.tolist()) == list(range(len(numbers)))
    assert order.leaf_at[order.place_of].tolist() == list(range(len(numbers)))


@pytest.mark.parametrize("label", ["[a, b]", "[1, ]", "[]", None])
def test_what_is_no_label_covers_nothing(label: Label) -> None:
    assert LeafOrder.of(flat(["1", "2"])).stretch_of(label) is None
