"""What was noted cannot be changed or deleted, not even by a slip of somebody who has the database open."""

import sqlite3

import psycopg
import pytest

from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.ledger import Ledger

CHANGES = (
    "UPDATE entries SET loss = 0",
    "UPDATE entries SET question = 'another' WHERE id = 1",
    "DELETE FROM entries",
    "DELETE FROM entries WHERE id = (SELECT max(id) FROM entries)",
)
ROW = "(1, 't', 'd', 'a', 'reserve', 0, 0, 'q', 'c')"


@pytest.mark.parametrize("change", CHANGES)
def test_entries_are_never_changed_or_deleted(ledger: Ledger, place: str, change: str) -> None:
    ledger.reserve("people", "ada", Cost(5, 0), "a question")
    _refused(place, change)
    assert ledger.check().holds


def test_the_detours_are_closed_too(ledger: Ledger, place: str) -> None:
    if place.startswith("postgresql"):
        _refused(place, "TRUNCATE entries")
        _refused(place, f"INSERT INTO entries VALUES {ROW}")
    else:
        _refused(place, f"INSERT OR REPLACE INTO entries VALUES {ROW}")
        _refused(place, f"INSERT INTO entries VALUES {ROW.replace('(1,', '(99,')}")
    assert ledger.check().holds


def test_a_negative_cost_does_not_get_in(ledger: Ledger, place: str) -> None:
    assert ledger.check().entries == 2
    _refused(place, "INSERT INTO entries VALUES (3, 't', 'd', 'a', 'reserve', -1, 0, 'q', 'c')")


def _refused(place: str, statement: str) -> None:
    if place.startswith("postgresql"):
        with (
            psycopg.connect(place, options="-c search_path=shoal_ledger") as server,
            pytest.raises(psycopg.Error),
        ):
            server.execute(statement.encode())
        return
    file = sqlite3.connect(place)
    with pytest.raises(sqlite3.IntegrityError):
        file.execute(statement)
    file.close()
