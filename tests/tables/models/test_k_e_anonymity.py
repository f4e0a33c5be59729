"""(k,e)-anonymity against its definition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.text_values import Label
from shoal.tables.models.k_e_anonymity import KEAnonymity

from ..builders import one_column
from .refining import Keeps, agrees, domain_of, figures, spares_no_doomed_row

models = st.builds(KEAnonymity, st.integers(1, 4), st.sampled_from([0.0, 0.1, 1.0, 1.2, 3.0, 7.3]))


def twin(model: KEAnonymity) -> Keeps:
    def keeps(group: Sequence[Label]) -> bool:
        numbers = {Fraction(value) for value in group if value is not None}
        return len(numbers) >= model.k and max(numbers) - min(numbers) >= Fraction(str(model.e))

    return keeps


@given(figures, models)
def test_a_class_holds_exactly_when_it_has_many_numbers_far_apart(
    groups: list[list[str]], model: KEAnonymity
) -> None:
    agrees(model, twin(model), groups, domain_of(groups))


@settings(max_examples=40, deadline=None)
@given(figures, models)
def test_no_refinement_releases_a_doomed_row(groups: list[list[str]], model: KEAnonymity) -> None:
    spares_no_doomed_row(model, twin(model), groups[0][:7], domain_of(groups))


def test_the_same_number_written_twice_is_one() -> None:
    seen = one_column([["1", "1.0", "1.00"], ["1", "2", "9"]])
    assert KEAnonymity(2, 0).holds(seen).tolist() == [False, True]
    assert KEAnonymity(2, 0).level(seen) == 0
    assert KEAnonymity(3, 8).unmet(one_column([["1", "2", "7"]])).startswith("has 3 different numbers over 6")


def test_what_is_e_in_decimals_is_enough() -> None:
    """0.8 - 0.7 comes out below 0.1."""
    assert KEAnonymity(2, 0.1).holds(one_column([["0.7", "0.8"]])).all()


def test_words_are_refused_in_one_sentence() -> None:
    with pytest.raises(BadParameter, match="k-e-anonymity needs numbers, and 's' has 'a'"):
        KEAnonymity(2, 1).doomed(one_column([["1", "a"]]))


@pytest.mark.parametrize(
    ("k", "e", "message"),
    [(0, 1, "not 0"), (2, -1, "not -1"), (2, math.inf, "not inf"), (2, math.nan, "nan")],
)
def test_bad_parameters_are_refused(k: int, e: float, message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        KEAnonymity(k, e)
