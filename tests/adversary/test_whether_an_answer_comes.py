"""Whether an answer comes tells nothing about a row: nothing fails for some rows only, and what fails
looks like an answer.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import psycopg
import pytest

from adversary.hospital import NAME, Hospital, open_hospital, outside, pid
from shoal.queries.ledger.token_holders import Person
from shoal.queries.service.settings import Settings

HOLDS = "pid = '{pid}' AND hiv = 'yes'"
# Each is harmless unless the predicate holds, for one patient and one secret.
ORACLES = [
    f"SELECT {aggregate} AS a FROM patients"
    for extreme in ("5e-324", "1e-300", "-5e-324", "0.0", "9e15")
    for aggregate in (
        f"SUM(CASE WHEN {HOLDS} THEN {extreme} ELSE 1e12 END)",
        f"AVG(CASE WHEN {HOLDS} THEN {extreme} ELSE 1e12 END)",
        f"MEDIAN(CASE WHEN {HOLDS} THEN {extreme} ELSE 1e12 END)",
        f"MAX(CASE WHEN {HOLDS} THEN {extreme} ELSE 1e12 END)",
        f"VAR_POP(CASE WHEN {HOLDS} THEN {extreme} ELSE 1e12 END)",
    )
]
ORACLES += [
    f"SELECT SUM(1 / CASE WHEN {HOLDS} THEN 0 ELSE 1 END) AS a FROM patients",
    f"SELECT SUM(LEAST(CASE WHEN {HOLDS} THEN 5e-324 ELSE 1e12 END, 1e12) * 1e-3) AS a FROM patients",
    f"SELECT COUNT(*) FROM patients WHERE CAST(CASE WHEN {HOLDS} THEN 'x' ELSE '1' END AS BIGINT) > 0",
    f"SELECT COUNT(*) FROM patients WHERE CAST(CASE WHEN {HOLDS} THEN '2024-13-45' ELSE '2024-01-01' END"
    " AS DATE) > DATE '2000-01-01'",
    f"SELECT SUM(s) FROM (SELECT pid, SUM(CASE WHEN {HOLDS} THEN 5e-324 ELSE 1e12 END) AS s FROM patients"
    " GROUP BY pid) AS q",
    f"SELECT COUNT(*) FROM patients p JOIN codes c ON c.code = CASE WHEN p.{HOLDS} THEN 'a' ELSE 'z' END",
]


@pytest.fixture(scope="module", params=["duckdb", "postgresql"])
def hospital(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hospital]:
    address = request.getfixturevalue("postgres") if request.param == "postgresql" else None
    with open_hospital(tmp_path_factory.mktemp(request.param), address) as made:
        yield made


@pytest.mark.parametrize("oracle", ORACLES)
def test_an_error_is_no_oracle_for_one_patient_s_secret(oracle: str, hospital: Hospital) -> None:
    ill, well = (hospital.ask(oracle.replace("{pid}", pid(number))) for number in (3, 4))
    assert outside(ill) == outside(well)
    assert all(line["trouble"] is None for line in hospital.log())


def test_what_fails_looks_like_an_answer_and_only_the_owner_is_told(tmp_path: Path, postgres: str) -> None:
    """Somebody locks the table; the question is ended at its deadline, in the server too."""
    settings = Settings(rate=10_000, burst=10_000, first_bucket=0.001, least_epsilon=0, deadline=1.0)
    question = "SELECT hiv, COUNT(*) AS n, AVG(age) AS mean FROM patients GROUP BY hiv"
    with open_hospital(tmp_path, postgres, settings) as hospital:
        answered = hospital.ask(question, "0.5")
        with psycopg.connect(postgres) as other:
            other.execute("LOCK TABLE adversary.patients IN ACCESS EXCLUSIVE MODE")
            failed, again = (hospital.ask(f"{question} LIMIT 3", "0.5") for _ in range(2))
            waiting = other.execute(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            ).fetchone()
        assert waiting == (0,)
        assert outside(failed) == outside(answered)
        assert failed.json["remaining"]["epsilon"] == 4.0
        first, second, _ = hospital.log()[-3:]
        assert first["trouble"] is None and second["trouble"] is not None
        assert second["status"] == 200 and second["error"] is None
        assert again.json["archived"] and again.json["rows"] == failed.json["rows"]
        assert b"trouble" not in failed.body + again.body


def test_a_join_that_explodes_for_one_patient_is_refused_for_all(tmp_path: Path) -> None:
    """On DuckDB with little memory: before, one patient with a million pairs, and an answer or none."""
    with open_hospital(tmp_path, alike=20_000) as hospital:
        question = (
            "SELECT COUNT(DISTINCT CAST(p.age AS VARCHAR) || c.chapter) FROM patients p"
            f" JOIN codes c ON c.code = CASE WHEN p.{HOLDS} THEN 'a' ELSE 'z' END"
        )
        ill, well = (hospital.ask(question.replace("{pid}", pid(number))) for number in (3, 4))
        assert outside(ill) == outside(well)
        assert ill.status == 400 and "20,000 rows" in ill.json["detail"]


def test_a_question_is_interrupted_in_duckdb_and_still_answered(tmp_path: Path) -> None:
    """A deadline that nothing can meet; the thread is free again afterwards."""
    settings = Settings(rate=10_000, burst=10_000, first_bucket=0.001, least_epsilon=0, deadline=1e-9)
    with open_hospital(tmp_path, settings=settings) as hospital:
        answers = [hospital.ask(f"SELECT COUNT(*) FROM patients WHERE age > {n}", "0.01") for n in range(20)]
        assert {answer.status for answer in answers} == {200}
        assert all(outside(answer) == outside(answers[0]) for answer in answers)


def test_all_that_runs_can_be_ended_at_once(tmp_path: Path, postgres: str) -> None:
    with open_hospital(tmp_path, postgres) as hospital:
        session = hospital.service._sessions[NAME]
        person = Person("ada", "analyst")
        raised: list[str] = []

        def ask() -> None:
            try:
                hospital.service.ask(person, NAME, "SELECT COUNT(*) FROM patients", Fraction(1, 100))
            except Exception as error:
                raised.append(type(error).__name__)

        with psycopg.connect(postgres) as other:
            other.execute("LOCK TABLE adversary.patients IN ACCESS EXCLUSIVE MODE")
            thread = threading.Thread(target=ask, daemon=True)
            thread.start()
            thread.join(0.5)
            session.cancel()
            thread.join(30)
            assert not thread.is_alive()
        assert raised == ["Unanswered"]
