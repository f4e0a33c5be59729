"""Whose rows a query has follows from text and declaration; rows per person are never noisy ones."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from queries.clinic import dataset, usual
from shoal.core.errors import NotAllowed
from shoal.queries.sql.outer_lineage import Made
from shoal.queries.sql.row_kinds import Names, RowKinds
from shoal.queries.sql.visible_columns import relations_of

STORE = usual()


def never(_: exp.Expression, __: Names) -> Made:
    raise AssertionError("nothing is made while kinds are told")


def kind(text: str) -> str:
    tree = sqlglot.parse_one(text, dialect="duckdb")
    assert isinstance(tree, exp.Expression)
    return RowKinds(dataset(), STORE, never).kind(tree, {})


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("SELECT * FROM people", "rows"),
        ("SELECT age FROM (SELECT age FROM people) t", "rows"),
        ("SELECT id, COUNT(*) FROM visits GROUP BY id", "rows"),
        ("SELECT v.id, ward FROM visits v GROUP BY 1, 2", "rows"),
        ("SELECT id AS who, SUM(cost) AS s FROM visits GROUP BY who", "rows"),
        ("SELECT id, COUNT(*) FROM visits GROUP BY ALL", "rows"),
        ("SELECT DISTINCT id, ward FROM visits", "rows"),
        ("SELECT DISTINCT ward FROM visits", "noisy"),
        ("SELECT COUNT(*) FROM visits", "noisy"),
        ("SELECT ward, COUNT(*) FROM visits GROUP BY ward", "noisy"),
        ("SELECT id % 2, COUNT(*) FROM visits GROUP BY 1", "noisy"),
        ("SELECT id, ward, COUNT(*) FROM visits GROUP BY ROLLUP (id, ward)", "noisy"),
        ("SELECT n FROM (SELECT COUNT(*) AS n FROM visits) t", "noisy"),
        ("SELECT n FROM (SELECT id, COUNT(*) AS n FROM visits GROUP BY id) t", "rows"),
        ("SELECT AVG(n) FROM (SELECT id, COUNT(*) AS n FROM visits GROUP BY id) t", "noisy"),
        ("WITH t AS (SELECT id FROM visits) SELECT * FROM t", "rows"),
        ("WITH t AS (SELECT COUNT(*) AS n FROM visits) SELECT * FROM t", "noisy"),
        ("SELECT * FROM visits JOIN wards USING (ward)", "rows"),
        ("SELECT id, RANK() OVER (ORDER BY cost) FROM visits", "rows"),
        ("SELECT 1", "noisy"),
    ],
)
def test_the_unit_decides(text: str, whose: str) -> None:
    assert kind(text) == whose


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM people, (SELECT COUNT(*) AS n FROM people) t",
        "SELECT id FROM people UNION ALL SELECT id FROM visits",
        "SELECT * FROM nowhere",
        "SELECT * FROM READ_CSV('x')",
    ],
)
def test_rows_of_people_stay_apart_from_noisy_ones(text: str) -> None:
    with pytest.raises(NotAllowed):
        kind(text)


def test_relations_are_what_from_and_join_name() -> None:
    tree = sqlglot.parse_one("SELECT 1 FROM a JOIN b ON TRUE, c", dialect="duckdb")
    assert isinstance(tree, exp.Expression)
    assert [one.name for one in relations_of(tree)] == ["a", "b", "c"]
