"""Whether anybody fits the filter of one side of a join does not decide how much is read of the other side.

It did in DuckDB: a hash join whose built side is empty ends after the first rows of the other one, and a
filter that no row can pass by the largest value of a column ends the question before it begins. With 15
million visits one patient decided between 8 and 55 milliseconds of work.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from adversary.test_joins_read_both_sides import plans, rows_of, steps
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.ledger.open_ledger import passing_ledger
from shoal.queries.session import Session
from shoal.queries.sql.engine_selects import selects
from shoal.queries.stores.duckdb_store import DuckStore

PATIENTS, VISITS = 1_000, 300_000
OLD = "SELECT pid FROM patients WHERE age > 100"
# Of each question what it counts if patient 3, who has 300 visits, is the only one who is old; if nobody is.
QUESTIONS = (
    ("SELECT COUNT(*) FROM patients p JOIN visits v ON p.pid = v.pid WHERE p.age > 100", 300, 0),
    (f"SELECT COUNT(*) FROM ({OLD}) AS s JOIN visits v ON s.pid = v.pid", 300, 0),
    (f"SELECT COUNT(*) FROM visits v JOIN ({OLD}) AS s ON s.pid = v.pid", 300, 0),
    (f"SELECT COUNT(*) FROM visits v WHERE v.pid IN ({OLD})", 300, 0),
    (f"SELECT COUNT(*) FROM visits v WHERE v.pid NOT IN ({OLD})", VISITS - 300, VISITS),
    (f"SELECT COUNT(*) FROM visits v WHERE EXISTS ({OLD} AND patients.pid = v.pid)", 300, 0),
    (f"SELECT COUNT(*) FROM ({OLD}) AS s LEFT JOIN visits v ON s.pid = v.pid", 300, 0),
    (f"SELECT COUNT(*) FROM visits v LEFT JOIN ({OLD}) AS s ON s.pid = v.pid", VISITS, VISITS),
    (f"SELECT COUNT(s.pid) FROM visits v LEFT JOIN ({OLD}) AS s ON s.pid = v.pid", 300, 0),
    (f"SELECT COUNT(*) FROM patients p LEFT JOIN ({OLD}) AS s ON s.pid = p.pid"
     " JOIN visits v ON v.pid = p.pid WHERE s.pid IS NOT NULL", 300, 0),
    ("SELECT COUNT(*) FROM patients p JOIN patients q ON p.pid = q.pid AND q.age > 100"
     " JOIN visits v ON v.pid = p.pid", 300, 0),
    ("SELECT COUNT(*) FROM patients p LEFT JOIN patients q ON p.pid = q.pid AND q.age > 100"
     " JOIN visits v ON v.pid = p.pid WHERE q.pid IS NULL", VISITS - 300, VISITS),
    ("SELECT COUNT(*) FROM patients p LEFT JOIN visits v ON p.pid = v.pid AND p.age > 100",
     PATIENTS + 299, PATIENTS),
    (f"SELECT COUNT(*) FROM ({OLD} AND pid < 0) AS s LEFT JOIN visits v ON s.pid = v.pid", 0, 0),
)  # fmt: skip


def _session(oldest: int) -> Session:
    columns = Column("pid", "integer"), Column("age", "integer", 0, 120)
    patients, visits = Table("patients", columns, "pid"), Table("visits", columns[:1], "pid", rows=VISITS)
    dataset = Dataset("clinic", (patients, visits), Budget(Fraction(10)))
    store = DuckStore(dataset, threads=1)
    ages = np.full(PATIENTS, 40)
    ages[3] = oldest
    store.load("patients", pl.DataFrame({"pid": np.arange(PATIENTS), "age": ages}))
    store.load("visits", pl.DataFrame({"pid": np.arange(VISITS) % PATIENTS}))
    made = Session(dataset, store, passing_ledger())
    made.grant("owner")
    return made


@pytest.fixture(scope="module")
def sessions() -> tuple[Session, Session]:
    """Nobody is old, and one patient is."""
    return _session(40), _session(110)


def _rows_read(session: Session, question: str) -> int:
    done = [step for plan in plans(session, question) for step in steps(plan)]
    return max(rows_of(step) for step in done)


@pytest.mark.parametrize("question", [question for question, *_ in QUESTIONS])
def test_an_empty_side_ends_no_join(question: str, sessions: tuple[Session, Session]) -> None:
    nobody, somebody = (_rows_read(session, question) for session in sessions)
    assert min(nobody, somebody) >= VISITS, (nobody, somebody)
    assert abs(nobody - somebody) < VISITS // 2, (nobody, somebody)


@pytest.mark.parametrize(("question", "somebody", "nobody"), QUESTIONS)
def test_the_row_in_which_all_is_missing_is_never_counted(
    question: str, somebody: int, nobody: int, sessions: tuple[Session, Session]
) -> None:
    found = []
    for session in sessions:
        (counts,) = session.store.run(selects(session._plan(question).leaves[0]))
        (row,) = counts.rows()
        found.append(row[0])
    assert found == [nobody, somebody]


@pytest.mark.parametrize("question", [question for question, *_ in QUESTIONS])
def test_every_side_of_every_join_has_a_row_more(question: str, sessions: tuple[Session, Session]) -> None:
    """With an empty table the engine would still save the work of looking anybody up."""
    (select,) = selects(sessions[0]._plan(question).leaves[0])
    text = select.sql(dialect="duckdb")
    assert text.count("UNION ALL SELECT NULL") == 2 * text.count("FULL JOIN") - _chained(question)
    assert " INNER JOIN " not in text
    assert " LEFT JOIN " not in text


def _chained(question: str) -> int:
    """In a chain of joins a side that is a join has its rows already."""
    return 1 if question.count("JOIN") == 2 else 0
