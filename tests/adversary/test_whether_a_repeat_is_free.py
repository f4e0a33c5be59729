"""A repeated question is free if an answer to it had left when it came in, and for no other reason.

Not because the engine was done with one, was cut off in it or failed, nor because somebody hung up.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import psycopg
import pytest

from adversary.hospital import NAME, frames, in_postgres, open_hospital
from adversary.test_waiting_behind_a_question import COUNT, QUIET, WAIT, Asked, begun, locked, paid
from patience import end, until
from queries.service.houses import Address, Got
from queries.service.test_run import free_port, wait_for
from shoal.queries.service.settings import Settings

AFTER = 3.0  # seconds after which answers leave
SLOW = Settings(**QUIET, workers=7, answer_after=AFTER)  # four at a time for one person
SERVICE = """
import json, pathlib, sys
folder, port, address, token, path, after = sys.argv[1:]
sys.path[:0] = json.loads(path)
from fractions import Fraction
from adversary.hospital import NAME, dataset, frames
from shoal.queries.service import run
from shoal.queries.service.service import Service
from shoal.queries.service.settings import Settings
from shoal.queries.stores.postgres_store import PostgresStore
service = Service(folder, None, Settings(answer_after=float(after), deadline=600.0, blur=0))
if address:
    service.declare(dataset(), store=PostgresStore(dataset(), address, schema="adversary"))
else:
    service.declare(dataset(), frames())
if not pathlib.Path(token).exists():
    pathlib.Path(token).write_text(service.add("ada", "analyst", NAME, Fraction(5)))
run.serve(service, port=int(port))
"""
ENGINES = pytest.mark.parametrize("engine", ["duckdb", "postgres"])


@pytest.fixture
def still(postgres: str) -> Iterator[str]:
    """A server in which nothing happens by itself: whatever ends there makes other rows of all of them."""
    with psycopg.connect(postgres, autocommit=True) as own:
        own.execute("ALTER SYSTEM SET autovacuum = off")
        own.execute("SELECT pg_reload_conf()")
        yield postgres
        own.execute("ALTER SYSTEM RESET autovacuum")
        own.execute("SELECT pg_reload_conf()")


@pytest.fixture
def place(engine: str, request: pytest.FixtureRequest) -> str | None:
    return request.getfixturevalue("still") if engine == "postgres" else None


def charged(got: Got) -> bool:
    assert got.status == 200, got.body
    told = got.json
    assert told["archived"] == (told["spent"]["epsilon"] == 0)
    return not told["archived"]


def sent(at: Address, token: str, sql: str = COUNT) -> http.client.HTTPConnection:
    """A question on its way; whoever closes this has hung up."""
    connection = http.client.HTTPConnection("127.0.0.1", at.port, timeout=WAIT)
    body = json.dumps({"dataset": NAME, "sql": sql, "epsilon": "0.001"}).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection.request("POST", "/query", body, headers)
    return connection


@ENGINES
def test_two_at_once_are_both_paid_for_and_the_next_is_free(tmp_path: Path, place: str | None) -> None:
    with open_hospital(tmp_path, place, SLOW) as hospital:
        both = [Asked(hospital, COUNT) for _ in range(2)]
        assert [charged(one.answer()) for one in both] == [True, True]
        assert not charged(hospital.ask(COUNT, "0.001"))
        assert paid(hospital) == 2


@pytest.mark.parametrize("runs", [True, False])
def test_whether_the_engine_still_works_on_another_one_decides_nothing(
    tmp_path: Path, still: str, runs: bool
) -> None:
    """One has left, a second is on its way: a third was free while the engine worked on the second only."""
    with open_hospital(tmp_path, still, SLOW) as hospital:
        hospital.at.call("POST", "/estimate", hospital.ada, {"dataset": NAME, "sql": COUNT, "epsilon": "1"})
        first = Asked(hospital, COUNT)
        begun(hospital, 1)
        time.sleep(AFTER / 2)
        with locked(still) if runs else nullcontext():
            second = Asked(hospital, COUNT)
            begun(hospital, 2)
            assert charged(first.answer())
            assert second.is_alive()
            third = hospital.ask(COUNT, "0.001")
        assert charged(second.answer())
        assert not charged(third)


def test_what_came_in_before_an_answer_left_is_paid_for_whenever_its_turn_is(
    tmp_path: Path, still: str
) -> None:
    """Its turn comes when the answer before it leaves: which of the two was looked at first decided."""
    settings = Settings(**QUIET, workers=1, answer_after=AFTER)
    with open_hospital(tmp_path, still, settings) as hospital:
        first = Asked(hospital, COUNT)
        begun(hospital, 1)
        rest = [Asked(hospital, COUNT) for _ in range(2)]
        assert [charged(one.answer()) for one in (first, *rest)] == [True, True, True]
        assert not charged(hospital.ask(COUNT, "0.001"))


@ENGINES
def test_one_that_failed_in_the_engine_is_as_free_as_one_that_did_not(
    tmp_path: Path, place: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_hospital(tmp_path, place, Settings(**QUIET)) as hospital:
        store = hospital.service._sessions[NAME].store
        for name in ("run", "rows"):
            monkeypatch.setattr(store, name, _fails)
        first = hospital.ask(COUNT, "0.001")
        monkeypatch.undo()
        again = hospital.ask(COUNT, "0.001")
        assert (charged(first), charged(again)) == (True, False)
        assert first.json["rows"] == again.json["rows"]
        assert any(line.get("trouble") for line in hospital.log())


def _fails(*_: Any, **__: Any) -> Any:
    raise RuntimeError("broken")


def test_one_that_was_cut_at_its_deadline_is_as_free_as_one_that_was_not(tmp_path: Path, still: str) -> None:
    with open_hospital(tmp_path, still, Settings(**QUIET, deadline=2.0)) as hospital:
        hospital.at.call("POST", "/estimate", hospital.ada, {"dataset": NAME, "sql": COUNT, "epsilon": "1"})
        with locked(still):  # whose end would make other rows of these
            first = hospital.ask(COUNT, "0.001")
            again = hospital.ask(COUNT, "0.001")
        assert (charged(first), charged(again)) == (True, False)
        assert first.json["rows"] == again.json["rows"]


@ENGINES
def test_an_answer_leaves_at_its_time_whoever_is_there_to_hear_it(tmp_path: Path, place: str | None) -> None:
    with open_hospital(tmp_path, place, SLOW) as hospital:
        with_nobody = sent(hospital.at, hospital.ada)
        begun(hospital, 1)
        with_nobody.close()
        before = Asked(hospital, COUNT)
        begun(hospital, 2)
        assert charged(before.answer())
        time.sleep(1)  # both left within a second of each other, or the second one later
        assert not charged(hospital.ask(COUNT, "0.001"))
        assert paid(hospital) == 2


def test_whoever_hangs_up_in_line_pays_as_whoever_stays(tmp_path: Path, still: str) -> None:
    """What was dropped cost nothing, so that the cost told whether a worker had been free by then."""
    settings = Settings(**QUIET, workers=1)
    with open_hospital(tmp_path, still, settings) as hospital:
        hospital.at.call("POST", "/estimate", hospital.ada, {"dataset": NAME, "sql": COUNT, "epsilon": "1"})
        with locked(still):
            first = Asked(hospital, f"{COUNT} LIMIT 1")
            begun(hospital, 1)
            gone = sent(hospital.at, hospital.ada, f"{COUNT} LIMIT 2")
            hospital.at.until_in_line(hospital.service.add("olga", "owner"), 2)
            gone.close()
            time.sleep(0.5)
        assert charged(first.answer())
        begun(hospital, 2)


@pytest.mark.slow
@ENGINES
def test_what_was_killed_before_it_left_is_paid_for_anew(tmp_path: Path, place: str | None) -> None:
    if place is not None:
        in_postgres(place, frames()).close()
    at = Address(free_port())
    with _running(tmp_path, at, place, 600.0) as ada:
        waits = sent(at, ada)
        until(lambda: _reserved(at, ada) == 1, "the question to begin")
        time.sleep(2)  # the engine has been done with it for long; it would leave in ten minutes
    waits.close()
    with _running(tmp_path, at, place, 0.5):
        assert [charged(at.ask(ada, COUNT, "0.001", NAME)) for _ in range(2)] == [True, False]
        time.sleep(1)  # the archive is written a moment after
    with _running(tmp_path, at, place, 0.5):
        assert not charged(at.ask(ada, COUNT, "0.001", NAME))


def _reserved(at: Address, token: str) -> int:
    log = at.call("GET", f"/log?dataset={NAME}", token).json["entries"]
    return sum(entry["kind"] == "reserve" for entry in log)


@contextmanager
def _running(folder: Path, at: Address, place: str | None, after: float) -> Iterator[str]:
    """The service in a process of its own, in the same folder every time, killed at the end; ada's token."""
    token = folder / "token"
    given = [str(folder / "house"), str(at.port), place or "", str(token), json.dumps(sys.path), str(after)]
    process = subprocess.Popen([sys.executable, "-c", SERVICE, *given], stderr=subprocess.PIPE)
    try:
        wait_for(process, at)
        yield token.read_text()
    finally:
        end(process)
