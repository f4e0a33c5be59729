"""What is special about the server: its address, its settings, its absence."""

import sys

import psycopg
import pytest

from queries.ledger.books import fresh_database, opened
from shoal.core.errors import BadParameter, NotInstalled
from shoal.queries.ledger.backend import Unwritten
from shoal.queries.ledger.open_ledger import open_ledger
from shoal.queries.ledger.postgres_ledger import SCHEMA


def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    with pytest.raises(BadParameter, match="see that the server runs") as told:
        open_ledger("postgresql://shoal:secret@127.0.0.1:1/none")
    assert "secret" not in str(told.value)


def test_an_address_that_cannot_be_read_is_told_without_the_password() -> None:
    with pytest.raises(BadParameter, match="cannot be read") as told:
        open_ledger("postgresql://shoal:secret@host:port:again/x?y")
    assert "secret" not in str(told.value)


def test_a_missing_driver_is_told_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(NotInstalled, match=r"shoal\[postgres\]"):
        open_ledger("postgresql://127.0.0.1:1/none")


def test_a_server_that_does_not_wait_for_its_disk_is_made_to(postgres: str) -> None:
    place = fresh_database(postgres)
    with psycopg.connect(place, autocommit=True) as server:
        server.execute("ALTER ROLE shoal SET synchronous_commit = off")
    try:
        with opened(place) as ledger, ledger.place.writing() as hand:
            assert hand.rows("SHOW synchronous_commit") == [("on",)]
            assert hand.rows("SHOW transaction_isolation") == [("read committed",)]
    finally:
        with psycopg.connect(place, autocommit=True) as server:
            server.execute("ALTER ROLE shoal RESET synchronous_commit")


def test_a_user_who_may_not_make_tables_can_use_those_that_are_there(postgres: str) -> None:
    place = fresh_database(postgres)
    opened(place).close()
    with psycopg.connect(place, autocommit=True) as server:
        server.execute("DROP ROLE IF EXISTS clerk")
        server.execute("CREATE ROLE clerk LOGIN")
        server.execute(f"GRANT USAGE ON SCHEMA {SCHEMA} TO clerk".encode())
        server.execute(f"GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA {SCHEMA} TO clerk".encode())
    with open_ledger(place.replace("shoal@", "clerk@")) as ledger:
        assert ledger.granted("people", "ada")
        assert ledger.check().holds


def test_a_lost_table_ends_the_answers(postgres: str) -> None:
    place = fresh_database(postgres)
    with opened(place) as ledger:
        with psycopg.connect(place, autocommit=True) as server:
            server.execute(f"DROP SCHEMA {SCHEMA} CASCADE".encode())
        with pytest.raises(Unwritten, match="nothing is answered"):
            ledger.remaining("people", "ada")
