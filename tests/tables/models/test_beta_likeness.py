"""β-likeness against its definition in fractions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.text_values import Label
from shoal.tables.models.beta_likeness import BetaLikeness

from ..builders import one_column
from .refining import Keeps, agrees, domain_of, letters, spares_no_doomed_row

models = st.builds(BetaLikeness, st.sampled_from([0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 3.0, 10.0]))


def gain(group: Sequence[Label], domain: Domain) -> Fraction:
    """The largest (q - p) / p; 0 when no value is more frequent than in the table."""
    found = Fraction(0)
    for value, total in zip(domain.values, domain.totals.tolist(), strict=True):
        p, q = Fraction(total, int(domain.totals.sum())), Fraction(group.count(value), len(group))
        found = max(found, (q - p) / p)
    return found


def twin(model: BetaLikeness, domain: Domain) -> Keeps:
    return lambda group: gain(group, domain) <= Fraction(str(model.beta))


@given(letters, models)
def test_a_class_holds_exactly_when_no_value_gains_too_much(
    groups: list[list[str]], model: BetaLikeness
) -> None:
    domain = domain_of(groups)
    agrees(model, twin(model, domain), groups, domain)
    level = max(gain(group, domain) for group in groups)
    assert model.level(one_column(groups)) == pytest.approx(float(level), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(letters, models)
def test_no_refinement_releases_a_doomed_row(groups: list[list[str]], model: BetaLikeness) -> None:
    domain = domain_of(groups)
    for group in groups[:2]:
        spares_no_doomed_row(model, twin(model, domain), group, domain)


@given(letters)
def test_the_whole_table_is_like_itself(groups: list[list[str]]) -> None:
    whole = one_column([[value for group in groups for value in group]])
    assert BetaLikeness(0.001).holds(whole).all() and BetaLikeness(1).level(whole) == pytest.approx(0)


def test_a_value_that_the_table_never_had_is_not_let_in() -> None:
    domain = Domain("s", ("a", "b"), np.array([4, 0]))
    seen = one_column([["a"], ["a", "b"]], domain)
    assert BetaLikeness(100).holds(seen).tolist() == [True, False]
    assert BetaLikeness(100).level(seen) == math.inf


@pytest.mark.parametrize("beta", [0, -1, math.nan, math.inf])
def test_a_beta_outside_its_range_is_refused(beta: float) -> None:
    with pytest.raises(BadParameter, match=f"beta above 0, not {beta:g}"):
        BetaLikeness(beta)
