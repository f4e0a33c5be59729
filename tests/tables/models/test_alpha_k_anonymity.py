"""(α,k)-anonymity against its definition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.text_values import Label
from shoal.tables.models.alpha_k_anonymity import AlphaKAnonymity

from ..builders import one_column
from .refining import Keeps, agrees, domain_of, letters, spares_no_doomed_row

models = st.builds(
    AlphaKAnonymity,
    st.sampled_from([0.0, 0.2, 0.25, 0.3, 0.5, 0.7, 0.75, 1.0]),
    st.integers(1, 5),
    st.lists(st.sampled_from("abcde"), unique=True, max_size=3).map(tuple),
)


def twin(model: AlphaKAnonymity) -> Keeps:
    def keeps(group: Sequence[Label]) -> bool:
        alpha = Fraction(str(model.alpha))
        watched = model.values or set(group)
        return len(group) >= model.k and all(group.count(v) <= alpha * len(group) for v in watched)

    return keeps


@given(letters, models)
def test_a_class_holds_exactly_when_it_is_large_and_mixed(
    groups: list[list[str]], model: AlphaKAnonymity
) -> None:
    agrees(model, twin(model), groups, domain_of(groups))


@settings(max_examples=60, deadline=None)
@given(letters, models)
def test_no_refinement_releases_a_doomed_row(groups: list[list[str]], model: AlphaKAnonymity) -> None:
    for group in groups[:2]:
        spares_no_doomed_row(model, twin(model), group, domain_of(groups))


def test_what_is_left_must_still_fill_a_class() -> None:
    """One row of six is too many; the five that could stay are fewer than k, so all six go."""
    seen = one_column([["HIV"] * 3 + ["flu"] * 3])
    assert AlphaKAnonymity(0.4, 1, ("HIV",)).doomed(seen).tolist() == [1]
    assert AlphaKAnonymity(0.4, 6, ("HIV",)).doomed(seen).tolist() == [6]


@pytest.mark.parametrize(
    ("alpha", "k", "message"),
    [
        (50, 2, r"between 0 and 1, not 50; for 50 % write alpha=0\.5"),
        (math.nan, 2, "not nan"),
        (-1, 2, "not -1"),
        (0.5, 0, "k of at least 1, not 0"),
    ],
)
def test_bad_parameters_are_refused_with_the_cure(alpha: float, k: int, message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        AlphaKAnonymity(alpha, k)


def test_a_column_that_is_not_sensitive_is_refused_in_its_own_name() -> None:
    with pytest.raises(BadParameter, match="alpha-k-anonymity names 'ill'"):
        AlphaKAnonymity(0.5, 2, column="ill").holds(one_column([["a"]]))
