"""Whose a column is follows from names alone, and where that is not sure nobody guesses."""

from __future__ import annotations

from typing import cast

import sqlglot
from sqlglot import exp

from queries.clinic import dataset
from shoal.queries.sql.visible_columns import owner_of, relations_in


def owner(column: str, start: str) -> str | None:
    select = cast(exp.Select, sqlglot.parse_one(f"SELECT 1 FROM {start}", dialect="duckdb"))
    part = cast(exp.Column, sqlglot.parse_one(column, dialect="duckdb"))
    return owner_of(part, relations_in(select, dataset()))


def test_a_column_is_of_the_table_that_has_it() -> None:
    assert owner("age", "people p JOIN visits v ON p.id = v.id") == "p"
    assert owner("COST", "people p, visits v") == "v"
    assert owner("v.age", "people p, visits v") == "v"
    assert owner("n", "people JOIN (SELECT id, 1 AS n FROM visits) t USING (id)") == "t"


def test_what_two_have_or_nobody_knows_is_nobody_s() -> None:
    assert owner("id", "people p, visits v") is None
    assert owner("x.age", "people p") is None
    assert owner("age", "people p, t") is None
    assert owner("age", "people p, (SELECT * FROM visits) v") is None
