"""The file: whose it is, who may read it, and what happens when it vanishes."""

import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from patience import end, line_of
from queries.ledger.books import opened
from shoal.core.errors import BadParameter
from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.backend import Unwritten
from shoal.queries.ledger.open_ledger import open_ledger
from shoal.queries.ledger.sqlite_ledger import SqlitePlace

ONE = Cost(1, 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.sqlite"


def test_every_commit_is_forced_to_disk_and_the_log_is_written_ahead(path: Path) -> None:
    with opened(str(path)) as ledger, ledger.place.writing() as hand:
        assert hand.rows("PRAGMA synchronous") == [(2,)]  # FULL
        assert hand.rows("PRAGMA journal_mode") == [("wal",)]


def test_the_files_are_for_their_owner_only(path: Path) -> None:
    with opened(str(path)) as ledger:
        ledger.reserve("people", "ada", ONE, "a question")
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_a_file_deleted_in_mid_run_ends_the_answers(path: Path, suffix: str) -> None:
    with opened(str(path)) as ledger:
        ledger.reserve("people", "ada", ONE, "before")
        path.with_name(path.name + suffix).unlink()
        with pytest.raises(Unwritten, match="deleted or replaced"):
            ledger.reserve("people", "ada", ONE, "after")
        with pytest.raises(Unwritten, match="deleted or replaced"):
            ledger.remaining("people", "ada")
        with pytest.raises(Unwritten, match="deleted or replaced"):
            ledger.check()
        assert path.exists() == bool(suffix)  # and no empty one is made in its place


def test_an_older_copy_put_in_its_place_ends_the_answers(path: Path) -> None:
    opened(str(path)).close()
    shutil.copy(path, path.with_name("copy"))
    with opened(str(path)) as ledger:
        ledger.reserve("people", "ada", ONE, "before")
        path.with_name("copy").rename(path)
        with pytest.raises(Unwritten, match="deleted or replaced"):
            ledger.reserve("people", "ada", ONE, "after")


def test_a_head_that_was_set_back_ends_the_answers(path: Path) -> None:
    with opened(str(path)) as ledger:
        ledger.reserve("people", "ada", ONE, "before")
        other = sqlite3.connect(path)
        other.execute("UPDATE head SET id = 1")
        other.commit()
        other.close()
        with pytest.raises(Unwritten, match="set back from entry 3 to 1"):
            ledger.reserve("people", "ada", ONE, "after")


def test_a_foreign_file_is_told_and_left_alone(path: Path) -> None:
    path.write_text("name,age\nada,36\n" * 100)
    with pytest.raises(BadParameter, match="is no ledger of Shoal"):
        open_ledger(path)
    assert path.read_text().startswith("name,age")


def test_somebody_elses_database_is_told_and_left_alone(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE entries (id INTEGER)")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(BadParameter, match="is no ledger of Shoal"):
        open_ledger(path)
    assert path.read_bytes() == before


def test_a_damaged_file_is_told(path: Path) -> None:
    with opened(str(path)) as ledger:
        for number in range(200):
            ledger.reserve("people", "ada", ONE, f"question {number}" * 20)
    content = bytearray(path.read_bytes())
    for start in range(4096, len(content), 4096):
        content[start : start + 64] = b"\xff" * 64
    path.write_bytes(content)
    with pytest.raises((Unwritten, BadParameter), match=r"damaged|no ledger|cannot be"):
        opened(str(path)).reserve("people", "ada", ONE, "after")


def test_a_ledger_of_a_later_version_is_told(path: Path) -> None:
    opened(str(path)).close()
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(BadParameter, match="version 99"):
        open_ledger(path)


def test_a_closed_ledger_says_so(path: Path) -> None:
    ledger = opened(str(path))
    ledger.close()
    with pytest.raises(Unwritten, match="was closed"):
        ledger.reserve("people", "ada", ONE, "after")
    with pytest.raises(Unwritten, match="was closed"):
        ledger.remaining("people", "ada")


def test_a_writer_waits_for_another_process(path: Path) -> None:
    with opened(str(path)) as ledger:
        program = (
            "import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
            "c.execute('BEGIN IMMEDIATE'); print('locked', flush=True); time.sleep(0.7); c.execute('COMMIT')"
        )
        command = [sys.executable, "-c", program, str(path)]
        other = subprocess.Popen(command, stdout=subprocess.PIPE)
        try:
            assert line_of(other) == b"locked\n"
            assert ledger.reserve("people", "ada", ONE, "after the other").id == 3
        finally:
            end(other)


def test_a_file_of_another_stamp_is_no_ledger(path: Path) -> None:
    SqlitePlace(path, ("CREATE TABLE marks (id INTEGER)",), 1).close()
    with pytest.raises(BadParameter, match="no ledger"):
        SqlitePlace(path, ("CREATE TABLE marks (id INTEGER)",), 2)
