"""PostgreSQL as an engine: one snapshot, rows by COPY, other types as text, failures in one sentence."""

from __future__ import annotations

import secrets

import psycopg
import pytest
from sqlglot import exp

from engine_places import ODD, place_of
from shoal import protect, verify
from shoal.core.errors import BadInput, BadParameter, BadTable
from shoal.engines.address import Address, address_of
from shoal.engines.postgres_engine import PostgresEngine
from shoal.engines.sql_engine import connect, named
from shoal.tables.in_engine.written_rows import counted_frame


def filled(url: str, columns: str) -> Address:
    name = f"t{secrets.token_hex(6)}"
    with psycopg.connect(url) as connection:
        connection.execute(f"CREATE TABLE {name} AS SELECT {columns}".encode())
    return Address("postgresql", url, (name,))


def test_a_table_that_changes_while_it_is_read_shows_one_state(postgres: str) -> None:
    address = filled(postgres, "generate_series(1, 5) AS a")
    with connect([address]) as engine:
        tree = exp.select("a").from_(engine.table(address))
        before = engine.frame(tree)
        with psycopg.connect(postgres, autocommit=True) as other:
            other.execute(f"DELETE FROM {address.table[0]} WHERE a > 2".encode())
        assert engine.frame(tree).height == before.height == 5


def test_types_that_polars_lacks_come_as_text_and_find_their_rows_again(postgres: str) -> None:
    address = filled(
        postgres,
        "*FROM (VALUES (1.0, 'a'::\"char\", '1 day'::interval, '10.0.0.1'::inet, ARRAY[1,2], "
        "'2020-01-01 00:00+02'::timestamptz, '12:00:01.5'::time, 1.5::real), (1.00, 'a', '24:00:00', "
        "'10.0.0.1', ARRAY[1,2], '2019-12-31 22:00+00', '12:00:01.5', 1.5)) AS t(n, c, i, net, l, m, at, r)",
    )
    with connect([address]) as engine:
        table = engine.table(address)
        groups = engine.frame(exp.select("*").from_(table).distinct())
        # 1 day and 24 hours are equal for PostgreSQL; whichever is kept is found again.
        assert groups.height == 1
        assert groups["n"].to_list() == ["1"]
        lent = engine.lend(groups, table)
        same = [
            exp.EQ(this=exp.column(name, "r"), expression=exp.column(name, "m")) for name in groups.columns
        ]
        rows = exp.select(exp.column("n", "r")).from_(exp.alias_(table.copy(), "r", table=True))
        assert engine.frame(rows.join(exp.alias_(lent, "m", table=True), on=exp.and_(*same))).height == 2


def test_a_connection_that_is_lost_is_one_sentence_and_leaves_nothing(
    postgres: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = place_of("postgresql", request, tmp_path_factory.mktemp("p"))
    source, target = place.source(ODD), place.target()
    with connect([source], target) as engine:
        rows = exp.select("*").from_(engine.table(source))
        (own,) = engine.frame(exp.select(exp.alias_(exp.Anonymous(this="pg_backend_pid"), "a"))).row(0)
        with pytest.raises(BadTable, match="; check that the server") as caught, engine.create(target, rows):
            with psycopg.connect(postgres, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s)", (own,))
            engine.frame(rows)
        assert "\n" not in str(caught.value)
    with connect([source]) as engine:
        engine.check_new(target)


def test_passwords_come_from_the_environment_and_are_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "geheim")
    address = address_of("postgresql://me:geheim@127.0.0.1:1/db#t")
    assert address is not None
    with pytest.raises(BadTable, match="cannot connect to 'postgresql://me:") as caught:
        connect([address])
    assert "geheim" not in str(caught.value)


def test_another_database_is_refused(postgres: str) -> None:
    address = filled(postgres, "1 AS a")
    with connect([address]) as engine:
        with pytest.raises(BadParameter, match="in another database"):
            engine.table(Address("postgresql", "postgresql://elsewhere/db", ("t",)))
        with pytest.raises(BadParameter, match="PostgreSQL cannot write"):
            engine.check_new(Address("duckdb", "a", ("t",)))
        assert engine.sql(named("a", "b")) == '"a"."b"'


def test_dates_that_python_does_not_have_are_refused_by_their_column(postgres: str) -> None:
    address = filled(postgres, "'infinity'::date AS until, 1 AS a")
    with connect([address]) as engine, pytest.raises(BadTable, match="'until' holds values") as caught:
        engine.frame(exp.select("*").from_(engine.table(address)))
    # The library's own words would quote cells.
    assert "['infinity']" not in str(caught.value)


def test_texts_that_differ_and_count_as_equal_are_refused_by_their_column(postgres: str) -> None:
    mark = secrets.token_hex(6)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(
            f"CREATE COLLATION c{mark} (provider=icu, locale='und-u-ks-level2', deterministic=false)".encode()
        )
    address = filled(
        postgres, f"'a' COLLATE c{mark} AS town, 'a '::bpchar AS code, 'a'::char(3) AS old, 1 AS a"
    )
    with connect([address]) as engine:
        table = engine.table(address)
        assert engine.loose_texts(table, ["a", "old", "town", "code"]) == ["town", "code"]
        with pytest.raises(BadTable, match="'town' different texts count as equal"):
            counted_frame(engine, table, ["a", "town"])
        assert counted_frame(engine, table, ["a", "old"])[0].height == 1


def test_a_role_that_may_only_read_can_verify(postgres: str) -> None:
    address = filled(postgres, "generate_series(1, 9) / 5 AS a")
    role = f"r{secrets.token_hex(6)}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        for words in (
            f"CREATE ROLE {role} LOGIN",
            f"GRANT SELECT ON {address.table[0]} TO {role}",
            f"ALTER ROLE {role} SET default_transaction_read_only = on",
        ):
            connection.execute(words.encode())
    there = f"{postgres.replace('shoal@', f'{role}@')}#{address.table[0]}"
    assert verify(there, quasi="a", k=4).holds
    assert not verify(there, quasi="a", k=5).holds


@pytest.mark.parametrize("password", ["geheim%zz", "geheim%00", "gehe im"])
def test_an_address_that_the_driver_cannot_read_is_not_quoted(password: str) -> None:
    with pytest.raises(BadParameter, match=r"cannot be read; write a space in it as %20") as caught:
        verify(f"postgresql://me:{password}@127.0.0.1:1/d#t", quasi="a", k=2)
    assert "gehe" not in f"{caught.value} {caught.value.__cause__}"


def test_a_type_that_cannot_be_grouped_is_refused_with_what_helps(postgres: str) -> None:
    for kind in ("json", "point", "money", "bit(3)"):
        address = filled(postgres, f"NULL::{kind} AS a FROM generate_series(1, 9)")
        with pytest.raises(
            BadTable, match=r"could not identify an .*; make a view that shows the column as text"
        ):
            protect(address, quasi="a", k=2, output=f"{postgres}#never")


def test_a_role_that_may_not_write_is_told_so_before_anything_is_read(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    role = f"r{secrets.token_hex(6)}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(
            f'CREATE ROLE {role} LOGIN; CREATE SCHEMA "{role} x"; CREATE SCHEMA {role} AUTHORIZATION {role}; '
            f"CREATE TABLE {role}.t AS SELECT 1 AS a FROM generate_series(1, 9)".encode()
        )
        connection.execute(
            f'GRANT SELECT ON {role}.t TO {role}; GRANT USAGE ON SCHEMA "{role} x" TO {role}'.encode()
        )
    monkeypatch.setattr(PostgresEngine, "frame", lambda *_: pytest.fail("something was read"))
    url = postgres.replace("shoal@", f"{role}@")
    for schema, words in ((f"{role} x", "you may make no table there"), ("nowhere", "does not exist")):
        with pytest.raises(BadInput, match=f"cannot write .*{words}"):
            protect(f"{url}#{role}.t", quasi="a", k=2, output=f"{url}#{schema}.new", manifest=f"{role}.json")
    with (
        connect([Address("postgresql", url, (role, "t"))]) as engine,
        pytest.raises(BadParameter, match="the server is read-only"),
    ):
        assert isinstance(engine, PostgresEngine)
        engine._run("SET TRANSACTION READ ONLY")
        engine.check_new(Address("postgresql", url, (role, "new")))
    with connect([Address("postgresql", url, (role, "t"))]) as engine:
        engine.check_new(Address("postgresql", url, (role, "new")))
