"""Whoever waits behind a question of their own does not learn when it ended."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from adversary.hospital import NAME, Hospital, open_hospital
from queries.service.houses import Got
from shoal.queries.service import analyst_routes
from shoal.queries.service.analyst_routes import leaves_after
from shoal.queries.service.settings import Settings

QUIET = {"rate": 10_000, "burst": 10_000, "least_epsilon": 0, "blur": 0}
COUNT = "SELECT COUNT(*) FROM patients"
WAIT = 60.0
AFTER = 6.0  # seconds after which answers leave: long enough to look around before


@contextmanager
def locked(postgres: str) -> Iterator[None]:
    """Questions about patients run in the engine until this ends."""
    with psycopg.connect(postgres) as other:
        other.execute("LOCK TABLE adversary.patients IN ACCESS EXCLUSIVE MODE")
        yield


class Asked(threading.Thread):
    """A question on its way."""

    def __init__(self, hospital: Hospital, sql: str) -> None:
        super().__init__()
        self._hospital, self._sql = hospital, sql
        self.got: Got | None = None
        self.start()

    def run(self) -> None:
        self.got = self._hospital.ask(self._sql, "0.001")

    def answer(self) -> Got:
        self.join(WAIT)
        assert self.got is not None
        return self.got


def paid(hospital: Hospital) -> int:
    """How many questions have begun, as everybody sees in their own log."""
    log = hospital.at.call("GET", f"/log?dataset={NAME}", hospital.ada).json["entries"]
    return sum(entry["kind"] == "reserve" for entry in log)


def begun(hospital: Hospital, number: int) -> None:
    until = time.monotonic() + WAIT
    while paid(hospital) < number and time.monotonic() < until:
        time.sleep(0.02)
    assert paid(hospital) == number


def test_an_estimate_does_not_wait_for_questions_whose_end_it_would_tell(
    tmp_path: Path, postgres: str
) -> None:
    """All workers that one analyst may hold are busy until somebody lets go of the table."""
    with open_hospital(tmp_path, postgres, Settings(**QUIET, workers=3)) as hospital:
        question = {"dataset": NAME, "sql": COUNT, "epsilon": "0.001"}
        hospital.at.call("POST", "/estimate", hospital.ada, question)
        with locked(postgres):
            asked = [Asked(hospital, f"{COUNT} LIMIT {number}") for number in (1, 2)]
            time.sleep(0.5)
            estimated = hospital.at.call("POST", "/estimate", hospital.ada, question)
            assert all(thread.is_alive() for thread in asked)
        assert {thread.answer().status for thread in asked} == {200}
        assert estimated.status == 200


def test_a_refusal_leaves_at_the_same_few_times_as_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: list[tuple[float, float]] = []

    def noted(seconds: float, first: float, fixed: float = 0.0) -> float:
        chosen.append((fixed, leaves_after(seconds, first, fixed)))
        return chosen[-1][1]

    monkeypatch.setattr(analyst_routes, "leaves_after", noted)
    with open_hospital(tmp_path, settings=Settings(**QUIET, answer_after=0.5)) as hospital:
        assert hospital.ask("SELECT nothing FROM patients").status == 400
        assert hospital.ask("SELECT COUNT(*) FROM patients").status == 200
    (refused, first), (answered, second) = chosen
    assert refused == answered == 0.5
    assert first % 0.5 == second % 0.5 == 0 < min(first, second)


def test_the_next_in_line_begins_when_the_answer_leaves_and_not_when_the_engine_is_done(
    tmp_path: Path, postgres: str
) -> None:
    """Else one's own log and budget tell to the millisecond when a question ended, whatever the buckets."""
    settings = Settings(**QUIET, workers=2, answer_after=AFTER)
    with open_hospital(tmp_path, postgres, settings) as hospital:
        hospital.at.call("POST", "/estimate", hospital.ada, {"dataset": NAME, "sql": COUNT, "epsilon": "1"})
        with locked(postgres):
            first = Asked(hospital, f"{COUNT} LIMIT 1")
            begun(hospital, 1)
            second = Asked(hospital, f"{COUNT} LIMIT 2")
            time.sleep(0.3)
        time.sleep(1.5)  # the engine has been done with the first for long
        seen, first_left = paid(hospital), not first.is_alive()
        assert first.answer().status == second.answer().status == 200
        assert seen == 1 or first_left


def test_the_archive_does_not_tell_that_a_question_has_ended_before_its_answer_leaves(
    tmp_path: Path,
) -> None:
    settings = Settings(**QUIET, workers=3, answer_after=AFTER)
    with open_hospital(tmp_path, settings=settings) as hospital:
        first = Asked(hospital, COUNT)
        begun(hospital, 1)
        time.sleep(1.5)  # the engine has been done with it for long
        first_left = not first.is_alive()
        second = Asked(hospital, COUNT)
        told, again = first.answer(), second.answer()
        assert (told.status, again.status) == (200, 200)
        assert first_left or (again.json["archived"], again.json["spent"]["epsilon"]) == (False, 0.001)
        third = hospital.ask(COUNT, "0.001")
        assert third.json["archived"]
        assert third.json["rows"] == told.json["rows"]


def test_whoever_waits_in_line_when_their_token_is_taken_back_is_not_answered(
    tmp_path: Path, postgres: str
) -> None:
    """An analyst who is found out has questions in line; the owner's word counts for these, too."""
    with open_hospital(tmp_path, postgres, Settings(**QUIET, workers=2)) as hospital:
        hospital.at.call("POST", "/estimate", hospital.ada, {"dataset": NAME, "sql": COUNT, "epsilon": "1"})
        with locked(postgres):
            first = Asked(hospital, f"{COUNT} LIMIT 1")
            begun(hospital, 1)
            rest = [Asked(hospital, f"{COUNT} LIMIT {number}") for number in (2, 3, 4)]
            hospital.at.until_in_line(hospital.service.add("olga", "owner"), 4)
            hospital.service.revoke("ada")
        assert first.answer().status == 200  # it was paid for before
        assert {thread.answer().status for thread in rest} == {400}
        entries = hospital.service.ledger.entries(NAME, "ada")
        assert [entry.kind for entry in entries].count("reserve") == 1
