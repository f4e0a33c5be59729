"""The number that was asked for first, as it is written into the statement of the question around it."""

from __future__ import annotations

import pytest
from sqlglot import exp

from queries.clinic import dataset, usual
from shoal.queries.answering.assemble_answer import AnswerRows
from shoal.queries.answering.earlier_values import filled_in, number_of
from shoal.queries.declaration.declaration import Kind, Value
from shoal.queries.query import Earlier
from shoal.queries.sql.questions import plan_question

PLAN = plan_question("SELECT COUNT(*) FROM people", dataset(), usual(dataset()))


def written(value: Value, kind: Kind = "number", low: float = 0, high: float = 100) -> str:
    told = AnswerRows(((value,),), {}, ())
    return number_of(Earlier(PLAN, kind, low, high), told).sql(dialect="duckdb")


@pytest.mark.parametrize(
    ("value", "sql"),
    [(12, "'12.0'"), (0.5, "'0.5'"), (-3, "'0.0'"), (1e9, "'100.0'"), (None, "NULL"), (float("nan"), "NULL"),
     ("text", "NULL"), (0.1, "'0.10000000000036380'"[:8])],
)  # fmt: skip
def test_a_number_is_brought_between_its_bounds_and_what_is_none_is_missing(value: Value, sql: str) -> None:
    assert written(value).startswith(sql.rstrip("'"))


def test_days_and_moments_stay_between_their_days() -> None:
    assert written("1970-01-05", "date") == "'1970-01-05'"
    assert written("1990-01-05", "date") == "'1970-04-11'"
    assert written("1970-01-05 10:30:00", "timestamp") == "'1970-01-05 10:30:00'"
    assert written("1969-01-05 10:30:00", "timestamp") == "'1970-01-01'"
    assert written("no day", "date") == written(7, "date") == "NULL"


def test_no_row_and_several_rows_are_missing() -> None:
    earlier = Earlier(PLAN, "number", 0, 9)
    for rows in ((), ((1,), (2,)), ((1, 2),)):
        assert isinstance(number_of(earlier, AnswerRows(rows, {}, ())), exp.Null)


def test_a_statement_without_places_is_left_as_it_is() -> None:
    select = exp.Select().select(exp.Parameter(this=exp.Literal.number(0)))
    assert filled_in(select, []) is select
    assert filled_in(select, [exp.Literal.string("1.5")]).sql(dialect="duckdb") == "SELECT '1.5'"
    assert "$0" in select.sql(dialect="duckdb")
