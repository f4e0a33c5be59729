"""Whoever waits behind a question of their own does not learn when it ended."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import psycopg
import pytest

from adversary.hospital import NAME, open_hospital
from shoal.queries.service import timing
from shoal.queries.service.settings import Settings
from shoal.queries.service.timing import leaves_after

QUIET = {"rate": 10_000, "burst": 10_000, "least_epsilon": 0}


def test_an_estimate_does_not_wait_for_questions_whose_end_it_would_tell(
    tmp_path: Path, postgres: str
) -> None:
    """All workers that one analyst may hold are busy until somebody lets go of the table."""
    with open_hospital(tmp_path, postgres, Settings(**QUIET, workers=3)) as hospital:
        question = {"dataset": NAME, "sql": "SELECT COUNT(*) FROM patients", "epsilon": "0.001"}
        hospital.at.call("POST", "/estimate", hospital.ada, question)
        with psycopg.connect(postgres) as other:
            other.execute("LOCK TABLE adversary.patients IN ACCESS EXCLUSIVE MODE")
            asked = [
                threading.Thread(
                    target=hospital.ask, args=(f"SELECT COUNT(*) FROM patients LIMIT {number}",), daemon=True
                )
                for number in (1, 2)
            ]
            for thread in asked:
                thread.start()
            time.sleep(0.5)
            estimated = hospital.at.call("POST", "/estimate", hospital.ada, question)
            assert all(thread.is_alive() for thread in asked)
        for thread in asked:
            thread.join(30)
        assert estimated.status == 200


def test_a_refusal_leaves_at_the_same_few_times_as_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: list[tuple[float, float]] = []

    def noted(seconds: float, first: float, fixed: float = 0.0) -> float:
        chosen.append((fixed, leaves_after(seconds, first, fixed)))
        return chosen[-1][1]

    monkeypatch.setattr(timing, "leaves_after", noted)
    with open_hospital(tmp_path, settings=Settings(**QUIET, answer_after=0.5)) as hospital:
        assert hospital.ask("SELECT nothing FROM patients").status == 400
        assert hospital.ask("SELECT COUNT(*) FROM patients").status == 200
    (refused, first), (answered, second) = chosen
    assert refused == answered == 0.5
    assert first % 0.5 == second % 0.5 == 0 < min(first, second)
