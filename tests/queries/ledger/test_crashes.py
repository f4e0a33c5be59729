"""kill -9 at any instant, races for the last ε, full disks: what was promised is noted, and no more."""

import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import psycopg
import pytest

from patience import LONG, all_done, line_of
from queries.ledger.books import fresh_database, opened, reserved, reserving
from queries.ledger.reserving import STEP
from shoal.core.errors import Spent
from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.entry import LARGEST
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import open_ledger


def times(count: int) -> Cost:
    return Cost(STEP.loss * count, STEP.delta * count)


def noted(ledger: Ledger) -> set[int]:
    return {entry.id for entry in ledger.entries(limit=LARGEST) if entry.kind == "reserve"}


def killed(place: str, times_: int, most: int) -> set[int]:
    """Start processes and end each with kill -9 at a random instant; what they were promised."""
    chance, promised = random.Random(), set()
    for _ in range(times_):
        process = reserving(place, 100_000, threads=2)
        # some in the middle of opening, most in the middle of reserving
        lines = b"".join(line_of(process) for _ in range(chance.choice([0, 1, 2, 5, most])))
        time.sleep(chance.random() * 0.01)
        process.kill()
        rest, _ = process.communicate(timeout=LONG)
        assert process.returncode == -9
        promised |= reserved(lines + rest)
    return promised


@pytest.mark.slow
def test_kill_9_a_hundred_times_loses_no_reservation(tmp_path: Path) -> None:
    place = str(tmp_path / "ledger.sqlite")
    limit = times(1_500)  # reached on the way, so that the last ones are killed while they are refused
    opened(place, limit).close()
    promised = killed(place, 100, most=40)
    with open_ledger(place) as ledger:
        kept = noted(ledger)
        assert promised <= kept and len(promised) > 100
        assert ledger.check().holds
        assert ledger.spent("people") == times(len(kept)) == ledger.spent("people", "ada")
        assert ledger.spent("people").within(limit)
        # the two threads of each process may have been about to hear of one entry each
        assert len(kept - promised) <= 2 * 100


@pytest.mark.slow
def test_kill_9_of_clients_of_postgresql_loses_no_reservation(durable_postgres: str) -> None:
    place = fresh_database(durable_postgres)
    opened(place, times(300)).close()
    promised = killed(place, 10, most=30)
    with open_ledger(place) as ledger:
        kept = noted(ledger)
        assert promised <= kept
        assert ledger.check().holds
        assert ledger.spent("people") == times(len(kept))
        assert ledger.spent("people").within(times(300))


def test_fifty_threads_on_the_last_epsilon_and_one_wins(place: str) -> None:
    with opened(place, STEP) as ledger:
        start, verdicts = threading.Barrier(50), []

        def ask() -> None:
            start.wait(LONG)
            try:
                ledger.reserve("people", "ada", STEP, "the last one")
                verdicts.append("won")
            except Spent:
                verdicts.append("refused")

        threads = [threading.Thread(target=ask, daemon=True) for _ in range(50)]
        for thread in threads:
            thread.start()
        all_done(threads)
        assert sorted(verdicts) == ["refused"] * 49 + ["won"]
        assert ledger.spent("people") == STEP
        assert ledger.check().holds


@pytest.mark.parametrize("allowed", [pytest.param(10_000, marks=pytest.mark.slow), 500])
def test_eight_processes_and_the_sum_is_exact(place: str, allowed: int) -> None:
    rounds = 100 if place.startswith("/") else 70
    analysts = tuple(f"analyst{number}" for number in range(8))
    opened(place, times(allowed), analysts).close()
    processes = [reserving(place, rounds, analyst=analyst) for analyst in analysts]
    promised = [reserved(process.communicate(timeout=LONG)[0]) for process in processes]
    won = min(allowed, 8 * rounds)
    with open_ledger(place) as ledger:
        assert sum(map(len, promised)) == len(set().union(*promised)) == won
        assert ledger.spent("people") == times(won)
        for analyst, ids in zip(analysts, promised, strict=True):
            assert ledger.spent("people", analyst) == times(len(ids))
        assert ledger.check().holds


def test_processes_that_make_the_ledger_at_the_same_moment(place: str) -> None:
    processes = [reserving(place, 1) for _ in range(6)]
    for process in processes:
        out, err = process.communicate(timeout=LONG)
        # nobody opened the data set, so everybody is told the same; but the ledger is one
        assert out.startswith(b"open\nfailed NotAllowed"), (out, err)
    with open_ledger(place) as ledger:
        assert [entry.kind for entry in ledger.entries()] == ["refuse"] * 6
        assert ledger.check().holds


FULL = """
import resource, sys
sys.argv[1:] = {arguments!r}
from queries.ledger import reserving
from shoal.queries.ledger import open_ledger
made = open_ledger(sys.argv[1])
size = max(256 * 1024, 0)
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
reserving.report("open")
reserving.work(made, "people", "ada", 100000)
"""


def test_a_full_disk_ends_the_answers_and_loses_nothing(tmp_path: Path) -> None:
    place = str(tmp_path / "ledger.sqlite")
    opened(place).close()
    # A limit on the size of files is what a full disk looks like to one process.
    done = _child(FULL.format(arguments=[place]))
    lines = done.stdout.decode().splitlines()
    assert lines[-1].startswith("failed Unwritten the ledger"), (lines[-3:], done.stderr)
    assert "nothing is answered" in lines[-1]
    promised = reserved(done.stdout)
    with open_ledger(place) as ledger:
        assert promised and promised <= noted(ledger)
        assert ledger.check().holds
        ledger.reserve("people", "ada", STEP, "there is room again")


READ_ONLY = """
import os, sys
from shoal.core.errors import ShoalError
from shoal.queries.ledger import open_ledger
if os.geteuid() == 0:
    os.seteuid(65534)
try:
    open_ledger({place!r})
except ShoalError as error:
    print(type(error).__name__, error)
"""


def test_a_read_only_file_is_told_in_one_sentence(tmp_path: Path) -> None:
    place = tmp_path / "ledger.sqlite"
    opened(str(place)).close()
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and "pytest" in str(folder):
            folder.chmod(0o755)  # may be entered by everybody
    for file in tmp_path.iterdir():
        file.chmod(0o444)
    tmp_path.chmod(0o555)
    done = _child(READ_ONLY.format(place=str(place)))
    assert done.stdout.startswith(b"Unwritten the ledger"), (done.stdout, done.stderr)
    assert b"read" in done.stdout and done.stdout.count(b"\n") == 1
    tmp_path.chmod(0o755)


def test_a_folder_that_may_not_be_entered_is_told_in_one_sentence(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    done = _child(READ_ONLY.format(place=str(closed / "ledger.sqlite")))
    closed.chmod(0o700)
    assert done.stdout.startswith(b"BadParameter the ledger"), (done.stdout, done.stderr)
    assert done.stdout.count(b"\n") == 1


def _child(program: str) -> "subprocess.CompletedProcess[bytes]":
    tests = str(Path(__file__).parents[2])
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        timeout=LONG,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((tests, *sys.path))},
    )


def test_a_connection_that_the_server_ends_is_made_anew(postgres: str) -> None:
    place = fresh_database(postgres)
    with opened(place) as ledger:
        ledger.reserve("people", "ada", STEP, "before")
        with psycopg.connect(place, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        failures = 0
        for _ in range(3):
            try:
                ledger.reserve("people", "ada", STEP, "after")
            except Exception as error:
                assert "nothing is answered" in str(error)
                failures += 1
        assert failures <= 1
        assert ledger.spent("people") == times(4 - failures)
        assert ledger.check().holds
