"""A typed expression knows whether it can be calculated with and summed."""

from sqlglot import exp

from shoal.queries.sql.typed import Typed


def test_only_numbers_are_numeric_and_only_both_bounds_bound() -> None:
    assert Typed(exp.column("x"), "integer").numeric
    assert not Typed(exp.column("x"), "date").numeric
    assert not Typed(exp.column("x"), "number", low=0.0).bounded
    assert Typed(exp.column("x"), "number", 0.0, 0.0).bounded
