"""(d,γ)-privacy from amplification, against Bayes over every prior."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.d_gamma_privacy import DGammaPrivacy
from shoal.tables.table import Table

SEEN = Classes.of(Table(pl.DataFrame({"q": ["x"]}), quasi=("q",)))


@given(st.floats(0.01, 0.5), st.floats(1, 60), st.floats(0, 1), st.floats(-1, 1))
def test_no_belief_crosses_the_bounds_when_it_holds(d: float, a: float, share: float, way: float) -> None:
    """Any prior up to d, any release whose likelihood ratio is within the amplification."""
    gamma = min(0.99, 2 * d)
    model = DGammaPrivacy(d, gamma)
    seen = replace(SEEN, guarantees={"amplification": a})
    assert model.level(seen) == pytest.approx(d * a)
    if model.holds(seen).all():
        prior, ratio = max(d * share, 1e-9), a**way
        posterior = prior * ratio / (prior * ratio + 1 - prior)
        assert posterior <= gamma + 1e-9
        assert posterior / prior >= d / gamma - 1e-9


def test_noise_vouches_for_it_too_and_delta_does_not() -> None:
    assert DGammaPrivacy(0.1, 0.3).holds(replace(SEEN, guarantees={"epsilon": 1.0, "delta": 0.0})).all()
    assert not DGammaPrivacy(0.1, 0.3).holds(replace(SEEN, guarantees={"epsilon": 1.0, "delta": 1e-9})).any()
    assert not DGammaPrivacy(0.1, 0.3).holds(SEEN).any()


@pytest.mark.parametrize("values", [(0.0, 0.5), (0.5, 0.5), (0.2, 1.0), (0.6, 0.5)])
def test_parameters_out_of_order_are_refused(values: tuple[float, float]) -> None:
    with pytest.raises(BadParameter, match=f"not d={values[0]:g} and gamma={values[1]:g}"):
        DGammaPrivacy(*values)
