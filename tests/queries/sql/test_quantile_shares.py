"""Quantiles are read in every form in which people write them."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sqlglot
from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.quantile_shares import share_of


def read(text: str) -> exp.Expression:
    found = sqlglot.parse_one(f"SELECT {text}", dialect="duckdb").expressions[0]
    assert isinstance(found, exp.Expression)
    return found


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("MIN(x)", Fraction(0)),
        ("MAX(x)", Fraction(1)),
        ("MEDIAN(x)", Fraction(1, 2)),
        ("QUANTILE_CONT(x, 0.9)", Fraction(9, 10)),
        ("PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY x)", Fraction(1, 4)),
        ("PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY x DESC)", Fraction(3, 4)),
        ("APPROX_QUANTILE(x, 0.5)", Fraction(1, 2)),
    ],
)
def test_a_quantile_is_a_share_of_the_rows(text: str, share: Fraction) -> None:
    found = share_of(read(text))
    assert found is not None and found[0].sql() == "x" and found[1] == share


def test_what_is_no_quantile_has_no_share() -> None:
    assert share_of(read("SUM(x)")) is None


def test_several_shares_at_once_are_refused_with_what_to_write() -> None:
    with pytest.raises(NotAllowed, match="write a quantile for each"):
        share_of(read("QUANTILE_CONT(x, [0.25, 0.5])"))
    with pytest.raises(NotAllowed, match="a number from 0 to 1"):
        share_of(read("QUANTILE_CONT(x, 1.5)"))
