"""Whether one person is on one side of a join does not decide how much is read of the other side.

It did: DuckDB reads less of one side when there are few rows on the other, and PostgreSQL nothing when there
are none. Of one patient's secret the clock told 8 milliseconds or a second, and 90 milliseconds or seven.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from adversary.hospital import PATIENTS, dataset, frames, in_postgres, pid
from shoal.queries.ledger.open_ledger import passing_ledger
from shoal.queries.session import Session
from shoal.queries.sql.engine_selects import selects
from shoal.queries.stores.duckdb_keys import by_number
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.postgres_store import PostgresStore

ILL, WELL = pid(3), pid(4)
ONE = "SELECT pid FROM patients WHERE pid = '{pid}' AND hiv = 'yes'"
QUESTIONS = (
    f"SELECT COUNT(*) FROM visits v JOIN ({ONE}) s ON v.pid = s.pid",
    f"SELECT COUNT(*) FROM ({ONE}) s JOIN visits v ON v.pid = s.pid AND v.ward > 2",
    f"SELECT COUNT(*) FROM ({ONE}) s LEFT JOIN visits v ON v.pid = s.pid",
    f"SELECT COUNT(*) FROM visits v LEFT JOIN ({ONE}) s ON v.pid = s.pid",
    f"SELECT COUNT(*) FROM visits v WHERE v.pid IN ({ONE})",
    f"SELECT COUNT(*) FROM visits v WHERE v.pid NOT IN ({ONE})",
    f"SELECT AVG(n) FROM ({ONE}) s JOIN (SELECT pid, COUNT(*) AS n FROM visits GROUP BY pid) v USING (pid)",
    f"SELECT COUNT(*) FROM ({ONE}) s JOIN visits v ON v.pid = s.pid JOIN patients p ON p.pid = v.pid",
    "SELECT COUNT(*) FROM patients p JOIN visits v ON p.pid = v.pid WHERE p.pid = '{pid}' AND p.hiv = 'yes'",
    f"SELECT COUNT(*) FROM ({ONE}) s JOIN codes c ON c.code = LEFT(s.pid, 1)",
    f"SELECT COUNT(*) FROM ({ONE}) s JOIN codes c ON c.code = 'b'",
    f"SELECT COUNT(*) FROM ({ONE}) s LEFT JOIN codes c ON c.code = 'b' AND c.chapter = s.pid",
    f"SELECT COUNT(*) FROM ({ONE}) s LEFT JOIN codes c ON c.code = 'b' AND c.chapter > s.pid",
    f"SELECT p.hiv, MEDIAN(LEAST(GREATEST(v.ward, 0), 9)) FROM ({ONE}) s JOIN patients p ON p.pid = s.pid"
    " JOIN visits v ON v.pid = p.pid GROUP BY p.hiv",
)  # fmt: skip


@pytest.fixture(scope="module", params=["duckdb", "postgresql"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    store: DuckStore | PostgresStore
    if request.param == "postgresql":
        store = in_postgres(request.getfixturevalue("postgres"), frames())
    else:
        store = DuckStore(dataset(), threads=1)
        for name, frame in frames().items():
            store.load(name, frame)
    made = Session(dataset(), store, passing_ledger())
    made.grant("owner")
    yield made
    store.close()


def plans(session: Session, sql: str) -> list[Any]:
    """What the engine did for every SELECT of a question."""
    made = selects(session._plan(sql).leaves[0])
    if session.store.dialect == "duckdb":
        made = [by_number(select) for select in made]  # as the store asks
    texts = [select.sql(dialect=session.store.dialect) for select in made]
    engine = session.store._engine  # type: ignore[attr-defined]
    if session.store.dialect == "postgres":
        with engine.snapshot() as snapshot:
            asked = [f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {text}" for text in texts]
            return [snapshot.rows(text.replace("%", "%%"))[0][0][0]["Plan"] for text in asked]
    cursor = engine._root.cursor()
    return [json.loads(cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {text}").fetchall()[0][1])
            for text in texts]  # fmt: skip


def steps(plan: Any) -> Iterator[dict[str, Any]]:
    """Every step of a plan."""
    yield plan
    for part in plan.get("Plans") or plan.get("operator") or plan.get("children") or ():
        yield from steps(part)


def rows_of(step: dict[str, Any]) -> int:
    """How many rows came out of a step of DuckDB."""
    return int(step.get("intermediate_rows", 0))


@pytest.mark.parametrize("question", QUESTIONS)
def test_both_sides_are_read_whoever_is_on_one_of_them(question: str, session: Session) -> None:
    work = []
    for person in (ILL, WELL):
        done = [step for plan in plans(session, question.replace("{pid}", person)) for step in steps(plan)]
        if session.store.dialect == "postgres":
            assert all(step["Actual Loops"] == 1 for step in done), "never executed"
            work.append([sum(step["Actual Rows"] for step in done)])
        else:
            work.append([rows_of(step) for step in done])
    assert all(map(any, work)), "the plan tells no rows"
    apart = [abs(one - other) for one, other in zip(*work, strict=True)]
    assert max(apart) < PATIENTS // 2, work  # the rows of one person, at every step


def test_rows_without_a_partner_are_not_paired_with_all_of_a_public_table(session: Session) -> None:
    """They were, when what is equal to something written decides: visits of all others times all codes."""
    question = f"SELECT COUNT(*) FROM ({ONE}) s JOIN visits v ON v.pid = s.pid JOIN codes c ON c.code = 'b'"
    (plan,) = plans(session, question.replace("{pid}", ILL))
    postgres = session.store.dialect == "postgres"
    rows = [step["Actual Rows"] if postgres else rows_of(step) for step in steps(plan)]
    there = sum(frame.height for frame in frames().values())
    assert 0 < max(rows) <= there + len(frames()), (rows, there)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_answer_is_the_same_as_in_the_other_engine(
    question: str, session: Session, request: pytest.FixtureRequest
) -> None:
    """Noise of a huge ε is none; both engines are held to one list."""
    for person in (ILL, WELL):
        found = session.store.run(selects(session._plan(question.replace("{pid}", person)).leaves[0]))[0]
        known = request.config.stash.setdefault(_SEEN, {})
        assert (
            known.setdefault((question, person), found.sort(found.columns).rows())
            == found.sort(found.columns).rows()
        )


_SEEN = pytest.StashKey[dict[tuple[str, str], Any]]()
