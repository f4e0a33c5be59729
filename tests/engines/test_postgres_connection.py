"""PostgreSQL behind a door that only reads."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import psycopg
import pytest

from shoal.core.errors import BadParameter, NotInstalled, Unanswered
from shoal.engines.postgres_connection import Postgres


@pytest.fixture
def door(postgres: str) -> Iterator[Postgres]:
    door = Postgres(postgres)
    yield door
    door.close()


def test_a_frame_has_the_types_of_its_columns(door: Postgres) -> None:
    with door.snapshot() as snapshot:
        frame = snapshot.frame(
            "SELECT 1::bigint AS a, 0.5::float8 AS b, 'x%s'::text AS c, true AS d, '2024-02-29'::date AS e"
            " UNION ALL SELECT NULL, NULL, NULL, NULL, NULL"
        )
        empty = snapshot.frame("SELECT 1::bigint AS a, ''::text AS c WHERE false")
    assert frame.rows() == [(1, 0.5, "x%s", True, date(2024, 2, 29)), (None,) * 5]
    assert [str(kind) for kind in frame.dtypes] == ["Int64", "Float64", "String", "Boolean", "Date"]
    assert (empty.height, [str(kind) for kind in empty.dtypes]) == (0, ["Int64", "String"])


def test_a_type_that_is_not_known_fails_whatever_the_rows(door: Postgres) -> None:
    for rows in ("true", "false"):
        with pytest.raises(Unanswered), door.snapshot() as snapshot:
            snapshot.frame(f"SELECT 1::numeric AS a WHERE {rows}")


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE public.x (i int)",
        "CREATE TEMP SEQUENCE s",
        "SELECT nextval('numbers')",
        "INSERT INTO numbers_table VALUES (1)",
        "COPY (SELECT 1) TO PROGRAM 'true'; CREATE TABLE public.x (i int)",
    ],
)
def test_nothing_is_written(door: Postgres, postgres: str, sql: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as owner:
        owner.execute("CREATE SEQUENCE IF NOT EXISTS numbers")
        owner.execute("CREATE TABLE IF NOT EXISTS numbers_table (i int)")
    with pytest.raises(Unanswered, match=r"\Athe rows could not be read\Z"), door.snapshot() as snapshot:
        snapshot.rows(sql.replace("numbers", "public.numbers"))


def test_settings_do_not_hang_on_the_role(postgres: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as owner:
        owner.execute("ALTER ROLE shoal SET timezone = 'Asia/Tokyo'")
        owner.execute("ALTER ROLE shoal SET datestyle = 'German'")
        owner.execute("ALTER ROLE shoal SET extra_float_digits = 0")
    try:
        door = Postgres(postgres, timeout=7)
        with door.snapshot() as snapshot:
            rows = snapshot.rows(
                "SELECT '2024-02-29'::date::text, 0.1::float4::float8::text, current_setting('timezone'),"
                " current_setting('search_path'), current_setting('statement_timeout'),"
                " current_setting('transaction_isolation'), current_setting('transaction_read_only')"
            )
        door.close()
    finally:
        with psycopg.connect(postgres, autocommit=True) as owner:
            owner.execute("ALTER ROLE shoal RESET ALL")
    assert rows == [
        ("2024-02-29", "0.10000000149011612", "UTC", "pg_catalog, pg_temp", "7s", "repeatable read", "on")
    ]


def test_a_snapshot_does_not_see_what_comes_later(door: Postgres, postgres: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as owner:
        owner.execute("DROP TABLE IF EXISTS later")
        owner.execute("CREATE TABLE later (i int)")
        with door.snapshot() as snapshot:
            assert snapshot.rows("SELECT count(*) FROM public.later") == [(0,)]
            owner.execute("INSERT INTO later VALUES (1)")
            assert snapshot.rows("SELECT count(*) FROM public.later") == [(0,)]
        with door.snapshot() as snapshot:
            assert snapshot.rows("SELECT count(*) FROM public.later") == [(1,)]


def test_a_lost_connection_is_made_anew(door: Postgres, postgres: str) -> None:
    with door.snapshot() as snapshot:
        ((process,),) = snapshot.rows("SELECT pg_backend_pid()")
    with psycopg.connect(postgres, autocommit=True) as owner:
        owner.execute("SELECT pg_terminate_backend(%s, 5000)", (process,))
    with door.snapshot() as snapshot:
        assert snapshot.rows("SELECT 1") == [(1,)]
    with pytest.raises(Unanswered), door.snapshot() as snapshot:
        snapshot.rows("SELECT 1 / 0")
    with door.snapshot() as snapshot:
        assert snapshot.rows("SELECT 2") == [(2,)]


def test_sixteen_threads_read_at_the_same_time(door: Postgres) -> None:
    def read(number: int) -> int:
        with door.snapshot() as snapshot:
            return int(snapshot.frame(f"SELECT {number}::bigint AS n")["n"].item())

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(read, range(200))) == list(range(200))


def test_only_utf8_is_read(postgres: str) -> None:
    with psycopg.connect(postgres, autocommit=True) as owner:
        owner.execute("DROP DATABASE IF EXISTS raw")
        owner.execute("CREATE DATABASE raw ENCODING 'SQL_ASCII' TEMPLATE template0")
    door = Postgres(postgres.rsplit("/", 1)[0] + "/raw")
    with pytest.raises(BadParameter, match="encoded in SQL_ASCII; only UTF8"), door.snapshot():
        pass


def test_a_missing_driver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(NotInstalled, match=r"pip install 'shoal\[postgres\]'"):
        Postgres("postgresql:///x")


def test_a_timeout_must_make_sense() -> None:
    with pytest.raises(BadParameter, match="a timeout of 0 makes no sense"):
        Postgres("postgresql:///x", timeout=0)
