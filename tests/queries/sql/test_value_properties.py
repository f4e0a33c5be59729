"""What is known of a value: missing or not, how fine, how long, which values at all."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.fixed_point import DOMAIN
from shoal.queries.sql.typed_expression import TypedExpression
from shoal.queries.sql.value_properties import (
    FINEST,
    Cell,
    as_double,
    boolean,
    cell_of,
    constant,
    distinct_values,
    finest_bit,
    image,
    in_parentheses,
    integer,
    literal_integer,
    literal_number,
    null_of,
    number,
    refuse,
    stretch,
)

X = exp.column("x", table="t0", quoted=True)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_double_is_a_multiple_of_its_finest_bit(value: float) -> None:
    step = finest_bit(value)
    assert FINEST <= step <= 0
    assert (Fraction(value) / Fraction(2) ** step).denominator == 1


def test_a_column_may_be_missing_whatever_its_keys_are() -> None:
    cell = cell_of(TypedExpression(X, "text", domain=("a", "bcd")))
    assert cell.missing and cell.domain == ("a", "bcd") and cell.length == 3
    assert constant(cell_of(TypedExpression(X, "text", domain=("only",)))) is None


def test_a_column_is_as_fine_as_its_grid_and_else_as_fine_as_a_double() -> None:
    assert cell_of(TypedExpression(X, "number", 0, 1, code=X, grid=Fraction(1, 1024))).step == -10
    assert cell_of(TypedExpression(X, "number", 0, 1)).step == FINEST
    assert cell_of(TypedExpression(X, "integer")).step == 0


def test_integer_keys_bound_a_column() -> None:
    cell = cell_of(TypedExpression(X, "integer", domain=(5, -2, None)))
    assert (cell.low, cell.high) == (-2.0, 5.0)


def test_a_column_comes_as_a_tree_of_its_own() -> None:
    source = TypedExpression(X, "integer", unit=True)
    cell = cell_of(source)
    assert cell.sql is not X and cell.sql == X and cell.unit


def test_few_whole_numbers_are_listed_and_many_are_not() -> None:
    assert stretch(-0.5, 2.5, missing=True) == (0, 1, 2, None)
    assert stretch(0, DOMAIN - 1, missing=False) == tuple(range(DOMAIN))
    assert stretch(0, DOMAIN, missing=False) is None
    assert distinct_values(range(DOMAIN + 1), missing=False) is None
    assert distinct_values([2, None, 1, 2], missing=True) == (2, 1, None)


def test_a_domain_is_worked_out_value_by_value() -> None:
    one, two = integer(0, 2, True, sql=X), integer(1, 2, False, sql=X)
    assert image(lambda x, y: x * y, one, two) == (0, 1, 2, 4, None)
    assert image(lambda x: x, null_of("date")) == (None,)


def test_one_possible_value_is_written_as_a_literal() -> None:
    assert integer(3, 3, False, sql=X).sql == literal_integer(3).sql
    assert number(X, 0, 9, False, 0, (2.5,)).sql == literal_number(2.5).sql
    assert integer(3, 3, True, sql=X).sql is X
    assert str(literal_number(-0.0).low) == "0.0"


def test_large_whole_numbers_have_bounds_around_them() -> None:
    cell = literal_integer(2**63 - 1)
    assert cell.low is not None and cell.high is not None and cell.low < 2**63 - 1 < cell.high
    assert cell.domain == (2**63 - 1,)


def test_parentheses_keep_an_operator_together() -> None:
    total = exp.Add(this=X.copy(), expression=X.copy())
    assert in_parentheses(total).sql() == '("t0"."x" + "t0"."x")'
    assert in_parentheses(X) is X
    assert in_parentheses(exp.And(this=exp.true(), expression=exp.false())).sql() == "(TRUE AND FALSE)"
    assert in_parentheses(exp.Not(this=exp.true())).sql() == "(NOT TRUE)"


def test_a_whole_number_worked_out_as_a_double_is_not_cast_twice() -> None:
    real = exp.Add(this=X.copy(), expression=X.copy())
    assert as_double(integer(0, 2, True, real=real)) == real
    assert as_double(Cell(X, "integer")).sql() == 'CAST("t0"."x" AS DOUBLE)'


def test_conditions_are_true_false_or_missing() -> None:
    assert boolean(X, missing=True).domain == (True, False, None)
    assert boolean(X, missing=False).domain == (True, False)


def test_a_refusal_names_the_part_its_kind_and_the_cure() -> None:
    with pytest.raises(NotAllowed, match=r"'x % 2' \(Mod\) cannot be asked: write it so"):
        refuse(exp.Mod(this=exp.column("x"), expression=exp.Literal.number(2)), "write it so")
    with pytest.raises(NotAllowed) as refusal:
        refuse(exp.Literal.string("y" * 500), "short")
    assert len(str(refusal.value)) < 110


def test_a_refusal_survives_what_sqlglot_cannot_write() -> None:
    with pytest.raises(NotAllowed, match="JSONObject"):
        refuse(exp.JSONObject(expressions=exp.column("x")), "no")
