"""δ-disclosure against its definition in whole numbers."""

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
from shoal.tables.models.delta_disclosure import DeltaDisclosure

from ..builders import one_column
from .refining import Keeps, agrees, domain_of, letters, spares_no_doomed_row

# Whole numbers, so that 2^delta is exact.
models = st.builds(DeltaDisclosure, st.sampled_from([1.0, 2.0, 3.0]))


def twin(model: DeltaDisclosure, domain: Domain) -> Keeps:
    def keeps(group: Sequence[Label]) -> bool:
        factor = Fraction(2) ** int(model.delta)
        for value, total in zip(domain.values, domain.totals.tolist(), strict=True):
            p, q = Fraction(total, int(domain.totals.sum())), Fraction(group.count(value), len(group))
            if not p / factor < q < p * factor:
                return False
        return True

    return keeps


@given(letters, models)
def test_a_class_holds_exactly_when_every_value_is_nearly_as_frequent(
    groups: list[list[str]], model: DeltaDisclosure
) -> None:
    domain = domain_of(groups)
    agrees(model, twin(model, domain), groups, domain)


@settings(max_examples=60, deadline=None)
@given(letters, models)
def test_no_refinement_releases_a_doomed_row(groups: list[list[str]], model: DeltaDisclosure) -> None:
    domain = domain_of(groups)
    for group in groups[:2]:
        spares_no_doomed_row(model, twin(model, domain), group, domain)


def test_a_class_without_a_value_tells_that_nobody_has_it() -> None:
    seen = one_column([["a", "b", "a"], ["a", "a", "a"]])
    assert DeltaDisclosure(9).holds(seen).tolist() == [True, False]
    assert DeltaDisclosure(9).level(seen) == math.inf
    assert DeltaDisclosure(9).doomed(seen).tolist() == [0, 3]


def test_exactly_delta_is_too_much() -> None:
    """b is in an eighth of the table and in a quarter of the class: log₂ 2 = 1."""
    domain = Domain("s", ("a", "b"), np.array([7, 1]))
    seen = one_column([["a", "a", "a", "b"]], domain)
    assert DeltaDisclosure(1).level(seen) == 1
    assert not DeltaDisclosure(1).holds(seen).any() and DeltaDisclosure(1.001).holds(seen).all()


@pytest.mark.parametrize("delta", [0, -1, math.nan, math.inf])
def test_a_delta_outside_its_range_is_refused(delta: float) -> None:
    with pytest.raises(BadParameter, match=f"delta above 0, not {delta:g}"):
        DeltaDisclosure(delta)
