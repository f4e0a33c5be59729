"""(ε,m)-anonymity against its definition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.text_values import Label
from shoal.tables.models.epsilon_m_anonymity import Deviation, EpsilonMAnonymity

from ..builders import one_column
from .refining import Keeps, agrees, domain_of, figures, spares_no_doomed_row

deviations: st.SearchStrategy[Deviation] = st.sampled_from(["absolute", "relative"])
models = st.builds(
    EpsilonMAnonymity, st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.0, 3.0]), st.integers(1, 4), deviations
)
signed = st.lists(
    st.lists(st.sampled_from(["-8", "-1", "-0.1", "0", "0.1", "2", "3"]), min_size=1, max_size=8),
    min_size=1,
    max_size=4,
)


def fullest(model: EpsilonMAnonymity, group: Sequence[Label]) -> int:
    numbers = [Fraction(value) for value in group if value is not None]
    epsilon = Fraction(str(model.epsilon))
    return max(
        sum(
            abs(other - one) <= epsilon * (abs(one) if model.deviation == "relative" else 1)
            for other in numbers
        )
        for one in numbers
    )


def twin(model: EpsilonMAnonymity) -> Keeps:
    return lambda group: fullest(model, group) * model.m <= len(group)


@given(figures | signed, models)
def test_a_class_holds_exactly_when_no_neighbourhood_is_too_full(
    groups: list[list[str]], model: EpsilonMAnonymity
) -> None:
    agrees(model, twin(model), groups, domain_of(groups))
    level = min(Fraction(len(group), fullest(model, group)) for group in groups)
    assert model.level(one_column(groups)) == pytest.approx(float(level))


@settings(max_examples=60, deadline=None)
@given(figures | signed, models)
def test_no_refinement_releases_a_doomed_row(groups: list[list[str]], model: EpsilonMAnonymity) -> None:
    for group in groups[:2]:
        spares_no_doomed_row(model, twin(model), group[:7], domain_of(groups))


def test_two_classes_that_hold_may_fail_together_so_a_failing_class_dooms_nobody() -> None:
    """5 lies between 4 and 6, which are not near each other: the union fails, both halves hold."""
    model = EpsilonMAnonymity(1, 2)
    halves = one_column([["4", "6"], ["5", "9"]])
    assert model.holds(halves).all()
    whole = one_column([["4", "6", "5", "9"]])
    assert not model.holds(whole).any() and model.doomed(whole).tolist() == [0]


def test_different_numbers_that_are_close_do_not_make_a_class_diverse() -> None:
    """Ten salaries within 1,000 of each other: distinct diversity is fooled, this is not."""
    seen = one_column([[str(30_000 + 100 * step) for step in range(10)]])
    assert not EpsilonMAnonymity(1000, 2).holds(seen).any()
    assert EpsilonMAnonymity(1000, 2).doomed(seen).tolist() == [10]
    assert EpsilonMAnonymity(0, 10).holds(seen).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon": -1, "m": 2}, "not -1"),
        ({"epsilon": math.nan, "m": 2}, "not nan"),
        ({"epsilon": math.inf, "m": 2}, "not inf"),
        ({"epsilon": 1, "m": 0}, "m of at least 1, not 0"),
        ({"epsilon": 1, "m": 2, "deviation": "squared"}, "not 'squared'"),
    ],
)
def test_bad_parameters_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        EpsilonMAnonymity(**arguments)  # type: ignore[arg-type]


def test_words_are_refused_in_one_sentence() -> None:
    with pytest.raises(BadParameter, match="epsilon-m-anonymity needs numbers, and 's' has a missing value"):
        EpsilonMAnonymity(1, 2).level(one_column([["1", None]]))
