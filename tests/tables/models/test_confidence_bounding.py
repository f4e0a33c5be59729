"""Confidence bounding against its definition, and against people who want more than it gives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.text_values import Label
from shoal.tables.models.confidence_bounding import ConfidenceBounding
from shoal.tables.models.l_diversity import LDiversity

from ..builders import one_column
from .refining import Keeps, agrees, domain_of, letters, spares_no_doomed_row

models = st.builds(
    ConfidenceBounding,
    st.sampled_from([0.0, 0.2, 0.25, 0.3, 0.5, 0.7, 0.75, 1.0]),
    st.lists(st.sampled_from("abcde"), unique=True, max_size=3).map(tuple),
)


def twin(model: ConfidenceBounding) -> Keeps:
    def keeps(group: Sequence[Label]) -> bool:
        watched = model.values or set(group)
        return all(Fraction(group.count(v), len(group)) <= Fraction(str(model.h)) for v in watched)

    return keeps


@given(letters, models)
def test_a_class_holds_exactly_when_no_listed_value_is_too_sure(
    groups: list[list[str]], model: ConfidenceBounding
) -> None:
    agrees(model, twin(model), groups, domain_of(groups))


@settings(max_examples=60, deadline=None)
@given(letters, models)
def test_no_refinement_releases_a_doomed_row(groups: list[list[str]], model: ConfidenceBounding) -> None:
    for group in groups[:2]:
        spares_no_doomed_row(model, twin(model), group, domain_of(groups))


@given(letters, st.integers(1, 4))
def test_over_all_values_it_is_probabilistic_diversity(groups: list[list[str]], l: int) -> None:  # noqa: E741
    seen = one_column(groups)
    bound, diversity = ConfidenceBounding(1 / l), LDiversity(l, "probabilistic")
    assert (bound.holds(seen) == diversity.holds(seen)).all()
    assert bound.level(seen) == pytest.approx(1 / diversity.level(seen))


def test_a_value_that_is_not_listed_may_be_certain() -> None:
    seen = one_column([["flu"] * 9 + ["HIV"], ["HIV", "flu"]])
    assert ConfidenceBounding(0.1, ("HIV",)).holds(seen).tolist() == [True, False]
    assert ConfidenceBounding(0.1, ("HIV",)).level(seen) == 0.5
    assert ConfidenceBounding(0.1).holds(seen).tolist() == [False, False]


def test_a_share_a_hair_above_h_does_not_pass() -> None:
    seen = one_column([["a"] * 50_001 + ["b"] * 49_999])
    assert not ConfidenceBounding(0.5).holds(seen).any()
    assert ConfidenceBounding(0.50001).holds(seen).all()


@pytest.mark.parametrize("h", [-0.1, 1.5, 50, math.nan, math.inf])
def test_an_h_outside_its_range_is_refused_with_the_cure(h: float) -> None:
    with pytest.raises(BadParameter, match=rf"between 0 and 1, not {h:g}; for 50 % write h=0\.5"):
        ConfidenceBounding(h)


def test_a_column_that_is_not_sensitive_is_refused() -> None:
    with pytest.raises(BadParameter, match="confidence-bounding names 'ill', which is not a sensitive"):
        ConfidenceBounding(0.5, column="ill").holds(one_column([["a"]]))
