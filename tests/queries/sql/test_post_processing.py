"""Expressions after the noise give what DuckDB gives, and null where DuckDB would fail or overflow."""

from __future__ import annotations

import math
import warnings

import duckdb
import numpy as np
import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

from shoal.queries.declaration.declaration import Value
from shoal.queries.query import Order
from shoal.queries.sql.nullable_arrays import Array, column, plain_values
from shoal.queries.sql.post_processing import (
    check_expression,
    column_values,
    evaluate,
    keep_groups,
    order_groups,
    whole,
)

from .post_twins import NAMES, NUMBERS, TEXTS, TRUTHS, Twin, anything, rows, tame, tops, truths

Row = tuple[Value, ...]


@pytest.fixture(scope="module")
def duck() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t (i BIGINT, k0 VARCHAR, k1 VARCHAR, k2 DOUBLE, k3 BOOLEAN, a0 DOUBLE, a1 DOUBLE)"
    )
    return connection


def fill(duck: duckdb.DuckDBPyConnection, table: list[Row]) -> dict[str, Array]:
    """The rows in DuckDB, and as columns of plain objects."""
    duck.execute("DELETE FROM t")
    places = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * len(table))
    duck.execute(
        f"INSERT INTO t VALUES {places}", [value for i, row in enumerate(table) for value in (i, *row)]
    )
    values = {name: np.empty(len(table), object) for name in NAMES}
    for place, name in enumerate(NAMES):
        values[name][:] = [row[place] for row in table]
    return values


def parsed(text: str) -> exp.Expression:
    return check_expression(sqlglot.parse_one(text, dialect="duckdb"))


def same(ours: Value, theirs: Value) -> bool:
    if isinstance(ours, float) and isinstance(theirs, float | int) and not isinstance(theirs, bool):
        return math.isclose(ours, theirs, rel_tol=1e-12)
    return ours == theirs and isinstance(ours, bool) == isinstance(theirs, bool)


@settings(max_examples=160)
@given(twin=tops, table=rows)
def test_expressions_give_what_duckdb_gives(
    duck: duckdb.DuckDBPyConnection, twin: Twin, table: list[Row]
) -> None:
    values = fill(duck, table)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours = column_values(parsed(twin.ours), values)
    theirs = [row[0] for row in duck.execute(f"SELECT {twin.duck} FROM t ORDER BY i").fetchall()]
    assert all(map(same, ours, theirs)), (twin, ours, theirs)


OPERATORS = (
    "({0} + {1})", "({0} - {1})", "({0} * {1})", "({0} / {1})", "({0} % {1})", "POWER({0}, {1})",
    "ROUND({0})", "ROUND({0}, 1)", "ROUND({0}, -1)", "FLOOR({0})", "CEIL({0})", "ABS({0})", "SQRT({0})",
    "LN({0})", "EXP({0})", "CAST({0} AS INTEGER)", "CAST({0} AS BIGINT)", "(- {0})",
)  # fmt: skip


@pytest.mark.parametrize("form", OPERATORS)
def test_every_operator_on_every_pair_of_values(duck: duckdb.DuckDBPyConnection, form: str) -> None:
    pairs: list[Row] = [(None, None, None, None, one, other) for one in NUMBERS for other in NUMBERS]
    values = fill(duck, pairs)
    ours = column_values(parsed(form.format("a0", "a1")), values)
    theirs = duck.execute(f"SELECT {tame(form.format('a0', 'a1'))} FROM t ORDER BY i").fetchall()
    assert all(same(one, row[0]) for one, row in zip(ours, theirs, strict=True))


@pytest.mark.parametrize("sign", ["=", "<>", "<", "<=", ">", ">=", "||"])
def test_every_comparison_of_every_pair_of_texts(duck: duckdb.DuckDBPyConnection, sign: str) -> None:
    values = fill(duck, [(one, other, None, None, None, None) for one in TEXTS for other in TEXTS])
    theirs = duck.execute(f"SELECT k0 {sign} k1 FROM t ORDER BY i").fetchall()
    assert column_values(parsed(f"k0 {sign} k1"), values) == [row[0] for row in theirs]


@settings(max_examples=60)
@given(
    terms=st.lists(st.tuples(anything, st.booleans(), st.booleans()), min_size=1, max_size=3),
    table=rows,
)
def test_order_is_the_one_of_duckdb_with_nulls_where_told(
    duck: duckdb.DuckDBPyConnection, terms: list[tuple[Twin, bool, bool]], table: list[Row]
) -> None:
    values = fill(duck, table)
    order = [Order(parsed(twin.ours), descending, first) for twin, descending, first in terms]
    columns = ", ".join(f"{twin.duck} AS o{place}" for place, (twin, _, _) in enumerate(terms))
    words = ", ".join(
        f"o{place} {'DESC' if descending else 'ASC'} NULLS {'FIRST' if first else 'LAST'}"
        for place, (_, descending, first) in enumerate(terms)
    )
    theirs = duck.execute(f"SELECT i FROM (SELECT i, {columns} FROM t) ORDER BY {words}, i").fetchall()
    assert order_groups(order, values).tolist() == [row[0] for row in theirs]


@settings(max_examples=60)
@given(condition=truths(3), table=rows)
def test_having_keeps_the_groups_that_duckdb_keeps(
    duck: duckdb.DuckDBPyConnection, condition: Twin, table: list[Row]
) -> None:
    values = fill(duck, table)
    theirs = duck.execute(f"SELECT i FROM t WHERE {condition.duck} ORDER BY i").fetchall()
    assert np.flatnonzero(keep_groups(parsed(condition.ours), values)).tolist() == [row[0] for row in theirs]


@settings(max_examples=80)
@given(
    twin=tops,
    keys=st.lists(
        st.tuples(
            st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.sampled_from(NUMBERS), st.sampled_from(TRUTHS)
        ),
        min_size=1, max_size=4,
    ),
    draws=st.integers(1, 3),
    seed=st.integers(0, 2**32),
)  # fmt: skip
def test_draws_and_groups_together_give_what_each_draw_gives(
    twin: Twin, keys: list[Row], draws: int, seed: int
) -> None:
    node = parsed(twin.ours)
    values = {name: column([key[place] for key in keys]) for place, name in enumerate(NAMES[:4])}
    chance = np.random.default_rng(seed)
    known = np.array(NUMBERS, np.float64)
    noisy = {name: chance.choice(known, (draws, len(keys))) for name in NAMES[4:]}
    together = np.broadcast_to(evaluate(node, values | noisy), (draws, len(keys)))
    for draw in range(draws):
        alone = evaluate(node, values | {name: array[draw] for name, array in noisy.items()})
        alone = np.broadcast_to(alone, (len(keys),))
        assert together.dtype == alone.dtype
        for one, other in zip(plain_values(together[draw], False), plain_values(alone, False), strict=True):
            # Numpy's powers may differ in the last digit between arrays of different shapes.
            assert one == (pytest.approx(other, rel=1e-12) if isinstance(other, float) else other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a0 / 0", None),
        ("0 / 0", None),
        ("a0 % 0", None),
        ("LN(0)", None),
        ("SQRT(-1)", None),
        ("EXP(1000)", None),
        ("POWER(-8, 1/3)", None),
        ("POWER(NULL, 0)", None),
        ("1e300 * 1e300 - 1e300 * 1e300", None),
        ("CAST(3e9 AS INTEGER)", None),
        ("CAST(3e9 AS BIGINT)", 3000000000),
        ("CAST(k0 AS DOUBLE)", None),
        ("CAST(' -1.5e1 ' AS DOUBLE)", -15.0),
        ("CAST(a0 AS VARCHAR) || '!'", "12!"),
        ("a0 || '!'", "12!"),
        ("CAST(2.5 AS VARCHAR)", "2.5"),
        ("TRY_CAST('x' AS BIGINT)", None),
        ("k0 + 1", None),
        ("CASE WHEN a0 THEN 1 ELSE 2 END", 2),
        ("k1 >= DATE '2024-02-28'", True),
        ("k1 = '2024-02-29'", True),
        ("-0.0 * 1", 0.0),
        ("k9 IS NULL", True),
        ("COALESCE(k9, 0)", 0),
        ("COALESCE(k9, 'none')", "none"),
    ],
)
def test_odd_values_are_null_and_never_an_error(text: str, expected: Value) -> None:
    values = {
        "k0": np.array(["abc"], object),
        "k1": np.array(["2024-02-29"], "datetime64[D]"),
        "k9": np.array([None], object),
        "a0": np.array([12]),
    }
    # Without kinds, a mix of kinds is not refused but null.
    node = sqlglot.parse_one(text, dialect="duckdb")
    node = node if text.startswith("CASE WHEN a0") else check_expression(node)
    [found] = column_values(node, values, {"a0"})
    assert found == expected
    assert isinstance(found, bool) == isinstance(expected, bool)


def test_whole_numbers_stay_whole_where_the_expression_is() -> None:
    values = {"k0": np.array([2020, None], object), "a0": np.array([3.0, 4.0]), "a1": np.array([2.0, 5.0])}
    counts = {"k0", "a0"}
    assert column_values(parsed("k0"), values, counts) == [2020, None]
    for text in (
        "a0 + 1",
        "-(a0 * 2)",
        "COALESCE(a0, 0)",
        "CASE WHEN a0 > 1 THEN a0 ELSE 0 END",
        "ROUND(a1)",
    ):
        assert whole(parsed(text), counts), text
        assert all(isinstance(value, int) for value in column_values(parsed(text), values, counts)), text
    for text in ("a0 / 2", "a0 + 0.5", "a1", "ROUND(a1, 1)", "CASE WHEN a0 > 1 THEN a1 ELSE 0 END", "'1'"):
        assert not whole(parsed(text), counts), text


def test_a_literal_and_no_order_go_with_every_group() -> None:
    values = {"k0": np.array(["a", "b", "c"], object), "a0": np.array([1.0, 2.0, 3.0])}
    assert column_values(parsed("7"), values) == [7, 7, 7]
    assert keep_groups(None, values).tolist() == [True, True, True]
    assert order_groups([], values).tolist() == [0, 1, 2]
    assert order_groups([Order(parsed("7"))], values).tolist() == [0, 1, 2]
    empty = {name: array[:0] for name, array in values.items()}
    assert column_values(parsed("a0 / 2"), empty) == []
    assert order_groups([Order(parsed("k0 || 'x'"), descending=True)], empty).tolist() == []
