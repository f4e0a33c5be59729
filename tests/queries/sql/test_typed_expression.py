"""A typed expression knows whether it can be calculated with and summed."""

from sqlglot import exp

from shoal.queries.sql.typed_expression import TypedExpression


def test_only_numbers_are_numeric_and_only_both_bounds_bound() -> None:
    assert TypedExpression(exp.column("x"), "integer").numeric
    assert not TypedExpression(exp.column("x"), "date").numeric
    assert not TypedExpression(exp.column("x"), "number", low=0.0).bounded
    assert TypedExpression(exp.column("x"), "number", 0.0, 0.0).bounded
