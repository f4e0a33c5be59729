"""Columns of outer queries are traced to leaves where they plainly are theirs."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

from shoal.queries.query import OuterColumn
from shoal.queries.sql.outer_lineage import Made, columns_by_name, either_column, trace_columns

NOISY, KEY = OuterColumn("n", ((0, 1),)), OuterColumn("k", fixed=True)
RELATIONS = {"t": {"n": NOISY, "k": KEY}, "u": {"m": OuterColumn("m", ((1, 0),))}}


def traced(text: str) -> tuple[OuterColumn, ...] | None:
    tree = sqlglot.parse_one(text, dialect="duckdb")
    assert isinstance(tree, exp.Select)
    return trace_columns(tree, RELATIONS)


def test_a_column_is_traced_and_an_expression_is_made() -> None:
    found = traced(
        "SELECT t.n AS a, UPPER(k) AS b, n + 1 AS c, SUM(n) OVER () AS d, 'x' AS e, q AS f FROM t, u"
    )
    assert found is not None
    assert [column.sources for column in found] == [((0, 1),), (), (), (), (), ()]
    assert [column.fixed for column in found] == [False, True, False, False, True, False]
    assert [column.name for column in found] == ["a", "b", "c", "d", "e", "f"]


def test_a_star_is_all_columns_unless_a_join_merges_some() -> None:
    found = traced("SELECT * FROM t, u")
    assert found is not None
    assert [column.name for column in found] == ["n", "k", "m"]
    assert traced("SELECT * FROM t JOIN u USING (n)") is None


def test_a_union_is_a_leaf_s_where_both_are() -> None:
    both = either_column(NOISY, OuterColumn("m", ((1, 0),)))
    assert both.sources == ((0, 1), (1, 0))
    assert either_column(NOISY, OuterColumn("c")).sources == ()


def test_an_alias_that_renames_columns_hides_where_they_come_from() -> None:
    made = Made(exp.Select(), (NOISY,))
    assert columns_by_name(made, None) == {"n": NOISY}
    alias = exp.TableAlias(this=exp.to_identifier("t"), columns=[exp.to_identifier("z")])
    assert columns_by_name(made, alias) is None
