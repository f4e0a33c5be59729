"""Limits on shares: in exact fractions, and rows that no refinement releases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.model_inputs.share_limits import among, limits, surplus, within
from shoal.tables.model_inputs.text_values import Label
from tables.builders import one_column
from tables.models.refining import letters

some_share = st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.3, 0.5, 0.6, 0.75, 0.9, 1.0])
some_names = st.sets(st.sampled_from("abcde"))


def fits(group: Sequence[Label], share: float, named: set[str]) -> bool:
    most = Fraction(str(share))
    return all(
        Fraction(count, len(group)) <= most
        for value, count in Counter(group).items()
        if not named or value in named
    )


@given(letters, some_share, some_names)
def test_a_class_is_within_its_limits_exactly_when_every_share_is(
    groups: list[list[str]], share: float, named: set[str]
) -> None:
    counts = one_column(groups).sensitive["s"]
    found = within(counts, limits(counts, share, named))
    assert found.tolist() == [fits(group, share, named) for group in groups]


@given(letters, some_share, some_names)
def test_a_surplus_is_there_exactly_where_a_limit_is_passed(
    groups: list[list[str]], share: float, named: set[str]
) -> None:
    counts = one_column(groups).sensitive["s"]
    limit = limits(counts, share, named)
    assert ((surplus(counts, limit) > 0) == ~within(counts, limit)).all()
    assert (surplus(counts, limit) <= counts.sizes).all()


def test_the_rows_that_must_go_are_counted_to_the_row() -> None:
    counts = one_column([["a"] * 7 + ["b"] * 3, ["a"] * 5, ["b"]]).sensitive["s"]
    # Of 7 : 3 at most a half may be a: four must go. Nothing but a can never be released.
    assert surplus(counts, np.full(4, 0.5)).tolist() == [4, 5, 1]
    assert surplus(counts, limits(counts, 0.5, {"a"})).tolist() == [4, 5, 0]
    assert surplus(counts, limits(counts, 0.0, {"a"})).tolist() == [7, 5, 0]


@pytest.mark.parametrize("share", [0.999999, 1 - 1e-9])
def test_a_limit_next_to_1_does_not_doom_too_many(share: float) -> None:
    counts = one_column([["a"] * 3 + ["b"]]).sensitive["s"]
    assert surplus(counts, limits(counts, share, {"a"})).tolist() == [0]


def test_named_values_that_do_not_occur_are_nowhere() -> None:
    counts = one_column([["a", None]]).sensitive["s"]
    assert among(counts, ["z"]).tolist() == [False, False]
    assert among(counts, ["a"]).tolist() == [True, False]
