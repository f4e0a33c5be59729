"""The engine of outer queries has nothing but the tables it is given, and an end."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import polars as pl
import pytest

from shoal.core.errors import BadParameter, NotAllowed
from shoal.queries.sql.outer_engine import OuterEngine, plain, refusal

TABLE = pl.DataFrame(
    {"n": [1, 2, None], "x": [0.5, float("inf"), None], "d": [datetime.date(2024, 1, 2)] * 3}
)


def test_it_tells_plain_values() -> None:
    with OuterEngine({"leaf 0": TABLE}) as engine:
        found = engine.run('SELECT n, x, d, n::DECIMAL(5, 1) AS e, n > 1 AS t FROM "leaf 0" ORDER BY n')
    assert found.names == ("n", "x", "d", "e", "t")
    assert found.rows[0] == (1, 0.5, "2024-01-02", 1.0, False)
    assert found.rows[1][1] is None
    assert found.rows[2][0] is None


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('{0}')",
        "SELECT * FROM '{0}'",
        "SELECT * FROM glob('{0}')",
        "COPY (SELECT 1) TO '{0}'",
        "ATTACH '{0}'",
        "SET threads = 8",
        "INSTALL httpfs",
        "SELECT 1; SELECT 2",
    ],
)
def test_it_reaches_no_file_and_no_setting(sql: str, tmp_path: Path) -> None:
    path = tmp_path / "secret.csv"
    path.write_text("a\n1\n", encoding="utf-8")
    with OuterEngine({"t": TABLE}) as engine, pytest.raises((duckdb.Error, Exception)):
        engine.run(sql.format(path))


def test_what_takes_too_long_is_ended() -> None:
    big = pl.DataFrame({"n": list(range(5_000))})
    with OuterEngine({"t": big}) as engine, pytest.raises(Exception):  # noqa: B017
        engine.run("SELECT COUNT(*) FROM t a, t b, t c, t d WHERE a.n + b.n + c.n = d.n % 7", within=0.2)


def test_what_is_too_large_is_ended() -> None:
    big = pl.DataFrame({"n": list(range(5_000))})
    with OuterEngine({"t": big}) as engine:
        for sql in ("SELECT a.n FROM t a, t b", "SELECT repeat('x', 9999) FROM t a, t b"):
            with pytest.raises(BadParameter, match="too large"):
                engine.run(sql, within=60.0)


def test_a_query_that_does_not_fit_the_tables_is_refused() -> None:
    with OuterEngine({"t": TABLE}) as engine, pytest.raises(NotAllowed, match="not understood"):
        engine.bind("SELECT m FROM t")


def test_columns_that_are_no_answer_are_refused() -> None:
    assert refusal(("BIGINT", "DECIMAL(5,1)", "VARCHAR"), ("a", "b", "c")) is None
    assert "no answer" in (refusal(("BIGINT[]",), ("a",)) or "")


def test_values_are_plain() -> None:
    assert plain(Decimal("1.5")) == 1.5
    assert plain(float("nan")) is None
    assert plain(datetime.datetime(2024, 1, 2, 3)) == "2024-01-02T03:00:00"
