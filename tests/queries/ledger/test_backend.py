"""Both places keep the same promises: all or nothing, one moment for a snapshot, not across a fork."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from shoal.core.errors import ShoalError
from shoal.queries.ledger.backend import Place, Unwritten
from shoal.queries.ledger.postgres_ledger import PostgresPlace
from shoal.queries.ledger.sqlite_ledger import SqlitePlace

TABLE = ("CREATE TABLE marks (id BIGINT PRIMARY KEY, text TEXT)",)


@pytest.fixture
def made(place: str) -> Iterator[Place]:
    found: Place
    if place.startswith("postgresql"):
        found = PostgresPlace(place, TABLE, "marks")
    else:
        found = SqlitePlace(place, TABLE, 17)
    yield found
    found.close()


def test_a_block_that_ends_is_there_and_one_that_raises_is_not(made: Place) -> None:
    with made.writing() as hand:
        hand.rows("INSERT INTO marks VALUES (?, ?)", 1, "ä'; DROP TABLE marks; --")
    with pytest.raises(ZeroDivisionError), made.writing() as hand:
        hand.rows("INSERT INTO marks VALUES (?, ?)", 2, None)
        assert hand.rows("SELECT count(*) FROM marks") == [(2,)]
        raise ZeroDivisionError
    with made.reading() as hand:
        assert hand.rows("SELECT id, text FROM marks") == [(1, "ä'; DROP TABLE marks; --")]


def test_an_error_of_the_database_is_told_as_ours_and_leaves_nothing(made: Place) -> None:
    with pytest.raises(Unwritten, match="nothing is answered"), made.writing() as hand:
        hand.rows("INSERT INTO marks VALUES (?, ?)", 1, "a")
        hand.rows("INSERT INTO marks VALUES (?, ?)", 1, "b")
    with made.writing() as hand:
        assert hand.rows("SELECT count(*) FROM marks") == [(0,)]


def test_a_snapshot_stays_at_its_moment_while_others_write(made: Place) -> None:
    with made.snapshot() as hand:
        assert hand.rows("SELECT count(*) FROM marks") == [(0,)]
        with made.writing() as other:
            other.rows("INSERT INTO marks VALUES (?, ?)", 1, "a")
        assert hand.rows("SELECT count(*) FROM marks") == [(0,)]
    with made.snapshot() as hand:
        assert hand.rows("SELECT count(*) FROM marks") == [(1,)]


def test_the_largest_number_comes_back_exactly(made: Place) -> None:
    with made.writing() as hand:
        hand.rows("INSERT INTO marks VALUES (?, ?)", 2**63 - 1, "")
    with made.reading() as hand:
        assert hand.rows("SELECT id FROM marks") == [(2**63 - 1,)]


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_is_refused_and_the_parent_goes_on(made: Place, tmp_path: Path) -> None:
    note = tmp_path / "note"
    child = os.fork()
    if not child:  # nothing of pytest may run here
        told = []
        try:
            for use in (made.writing, made.reading, made.snapshot):
                try:
                    with use():
                        pass
                except ShoalError as error:
                    told.append(str(error))
            made.close()
            note.write_text("\n".join(told))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert note.read_text().count("was forked; open it here again") == 3
    with made.writing() as hand:
        hand.rows("INSERT INTO marks VALUES (?, ?)", 1, "the parent goes on")
