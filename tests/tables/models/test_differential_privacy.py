"""Differential privacy of a table is what the method says, and nothing that rows can show."""

from __future__ import annotations

import math
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.optimal import Optimal
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.differential_privacy import DifferentialPrivacy
from shoal.tables.table import Table

TABLE = Table(
    pl.DataFrame({"q": ["x", "y"]}), quasi=("q",), hierarchies={"q": Hierarchy.of_levels([["x", "y"]])}
)
SEEN = Classes.of(TABLE)


@given(st.floats(0.01, 5), st.floats(0, 0.5), st.floats(0.01, 5), st.floats(0, 0.5))
def test_it_holds_when_the_record_promises_as_much(e: float, d: float, given: float, rest: float) -> None:
    seen = replace(SEEN, guarantees={"epsilon": given, "delta": rest})
    model = DifferentialPrivacy(e, d)
    assert model.level(seen) == given
    assert model.holds(seen).tolist() == [given <= e * (1 + 1e-12) and rest <= d * (1 + 1e-12)] * 2
    assert (model.doomed(seen) > 0).tolist() == (~model.holds(seen)).tolist()


def test_rows_that_nobody_vouches_for_keep_no_promise() -> None:
    assert not DifferentialPrivacy(100, 0.99).holds(SEEN).any()
    with pytest.raises(Unreachable, match="a promise of a method, not of rows; use noisy-counts or"):
        Optimal().protect(TABLE, [DifferentialPrivacy(1)])


@pytest.mark.parametrize("values", [(0.0,), (math.inf,), (math.nan,), (1.0, 1.0), (1.0, -0.1)])
def test_parameters_out_of_range_are_refused(values: tuple[float, ...]) -> None:
    with pytest.raises(BadParameter, match="differential-privacy needs"):
        DifferentialPrivacy(*values)


def test_a_promise_that_is_none_is_told_without_a_number() -> None:
    assert "1.65 (ε = 0.5)" in DifferentialPrivacy(0.5).in_words()
    assert "more than 10^300 (ε = 1000)" in DifferentialPrivacy(1000).in_words()
