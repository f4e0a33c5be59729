from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.hierarchies import masked

from .checks import assert_hierarchy, some_texts, way


def test_the_zip_code_of_the_seeds_loses_one_digit_per_level() -> None:
    hierarchy = masked(["47677", "47602", "47677"])
    assert hierarchy.leaves == ("47677", "47602")
    assert way(hierarchy, "47677") == ["47677", "4767*", "476**", "47***", "4****", "*"]
    assert hierarchy.label("47602", 1) != hierarchy.label("47677", 1)
    assert hierarchy.label("47602", 2) == hierarchy.label("47677", 2)


def test_a_short_code_waits_until_the_mask_reaches_it() -> None:
    hierarchy = masked(["47677", "476"])
    assert way(hierarchy, "476") == ["476", "476", "476**", "47***", "4****", "*"]


def test_the_right_side_can_be_kept_instead() -> None:
    assert way(masked(["123", "23"], keep_left=False), "123") == ["123", "*23", "**3", "*"]
    assert way(masked(["123", "23"], keep_left=False), "23") == ["23", "*23", "**3", "*"]


def test_long_codes_can_lose_several_characters_per_level() -> None:
    assert way(masked(["abcde"], sign="x", step=2), "abcde") == ["abcde", "abcxx", "axxxx", "*"]


@given(some_texts, st.sampled_from("*x7"), st.booleans(), st.integers(1, 3))
def test_every_mask_is_a_hierarchy(values: list[str], sign: str, keep_left: bool, step: int) -> None:
    assert_hierarchy(masked(values, sign, keep_left, step), values)


def test_a_sign_of_two_characters_is_refused() -> None:
    with pytest.raises(BadParameter, match="'xx' must be one character"):
        masked(["1"], sign="xx")


def test_a_step_that_hides_nothing_is_refused() -> None:
    with pytest.raises(BadParameter, match="step=0"):
        masked(["1"], step=0)
