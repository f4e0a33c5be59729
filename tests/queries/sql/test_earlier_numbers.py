"""A sub-query that stands for one number is answered with noise first, and both are paid together."""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

from queries import clinic
from queries.clinic import dataset
from shoal.core.errors import NotAllowed
from shoal.queries.ledger import open_ledger
from shoal.queries.session import Session
from shoal.queries.sql.questions import plan_question

PATIENTS = [
    clinic.person(number, sex="FM"[number % 2], age=20 + number % 17, income=10.0 * number + 3)
    for number in range(60)
]
STAYS = [
    {"id": number % 25, "ward": 1 + number % 3, "cost": float(number), "reason": "rq"[number % 2]}
    for number in range(60)
]
STORE = clinic.store(PATIENTS, STAYS, clinic.PLACES, dataset("1000000"))
PLAIN = {"people": clinic.people(PATIENTS), "visits": clinic.visits(STAYS)}
ANSWERED = [
    "SELECT COUNT(*) FROM people WHERE income > (SELECT AVG(income) FROM people)",
    "SELECT sex, COUNT(*) FROM people WHERE age < 1.1 * (SELECT AVG(age) FROM people) AND sex IN ('F', 'M') GROUP BY sex",
    "SELECT COUNT(*) FROM people WHERE income > (SELECT STDDEV_POP(income) + AVG(income) FROM people)",
    "SELECT COUNT_IF(income > (SELECT AVG(income) FROM people)) AS n FROM people",
    "SELECT SUM(CASE WHEN income > (SELECT AVG(income) FROM people) THEN 1 ELSE 0 END) FROM people",
    "WITH m AS (SELECT AVG(income) AS a FROM people) SELECT COUNT(*) FROM people, m WHERE income > m.a",
    "WITH m AS (SELECT AVG(income) AS a FROM people) SELECT COUNT(*) FROM people WHERE income > (SELECT a FROM m)",
    "SELECT COUNT(*) FROM people p CROSS JOIN (SELECT AVG(age) AS a FROM people) m WHERE p.age > a",
    "SELECT COUNT(*) FROM people WHERE id IN (SELECT id FROM visits WHERE cost > (SELECT AVG(cost) FROM visits))",
    "SELECT COUNT(*) FROM people WHERE income > (SELECT AVG(income) FROM people WHERE age > "
    "(SELECT AVG(age) FROM people))",
    "SELECT COUNT(*) FROM people WHERE income > (SELECT MAX(m) FROM (SELECT sex, AVG(income) AS m FROM people "
    "WHERE sex IN ('F', 'M') AND age > 20 GROUP BY sex) AS t)",
    "SELECT COUNT(*) FROM people UNION ALL SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)",
]
REFUSED = {
    "SELECT COUNT(*) FROM people WHERE income > (SELECT COUNT(*) FROM people GROUP BY sex)": "several numbers",
    "SELECT COUNT(*) FROM people WHERE income > (SELECT income FROM people)": "several numbers",
    "SELECT COUNT(*) FROM people WHERE income > (SELECT SUM(age), SUM(income) FROM people)": "2 columns",
    "SELECT COUNT(*) FROM people p WHERE p.age > (SELECT AVG(age) FROM people q WHERE q.sex = p.sex)": "keep the unit",
    "SELECT COUNT(*) FROM people p WHERE (SELECT COUNT(*) FROM visits v WHERE v.id > p.id) > 2": "JOIN",
    "WITH g AS (SELECT sex, AVG(age) AS a FROM people GROUP BY sex) SELECT COUNT(*) FROM people, g "
    "WHERE age > g.a": "beside a sub-query",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    ledger = open_ledger(tmp_path_factory.mktemp("ledger") / "ledger.sqlite")
    made = Session(dataset("1000000"), STORE, ledger, trusted=True)
    made.grant("owner")
    yield made
    ledger.close()


@pytest.mark.parametrize("question", ANSWERED)
def test_at_a_great_epsilon_the_answer_is_that_of_plain_sql(session: Session, question: str) -> None:
    found = session.ask(question, Fraction(1_000))
    with duckdb.connect() as connection:
        for name, frame in PLAIN.items():
            connection.register(name, frame.to_arrow())
        assert sorted(map(tuple, found.rows)) == sorted(connection.execute(question).fetchall())
    assert any("noisy number" in note for note in found.notes)


@pytest.mark.parametrize("question", REFUSED)
def test_what_is_more_than_one_number_or_speaks_of_the_row_is_refused(question: str) -> None:
    with pytest.raises(NotAllowed, match=REFUSED[question]):
        plan_question(question, dataset(), STORE)


def test_the_number_and_the_rows_behind_it_share_one_price(session: Session) -> None:
    before = session.ledger.spent("clinic", "owner").exact[0]
    session.ask("SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)", Fraction(3))
    assert session.ledger.spent("clinic", "owner").exact[0] - before == 3
    plan = session._plan("SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)")
    assert plan.parts == len(plan.every) == 2 and len(plan.leaves) == 1


def test_the_same_number_is_asked_for_once() -> None:
    text = (
        "SELECT COUNT(*) FROM people WHERE age BETWEEN (SELECT AVG(age) FROM people) - 3 "
        "AND (SELECT AVG(age) FROM people) + 3"
    )
    plan = plan_question(text, dataset(), STORE)
    assert len(plan.earlier) == 1
    assert plan.text == text  # the archive tells questions apart by what was written


def test_what_is_planned_does_not_depend_on_the_number() -> None:
    """Reach, price and columns are those of a number that is written down."""
    one = plan_question("SELECT COUNT(*) FROM visits WHERE cost > 10", dataset(), STORE).leaves[0]
    two = plan_question(
        "SELECT COUNT(*) FROM visits WHERE cost > (SELECT AVG(cost) FROM visits)", dataset(), STORE
    ).leaves[0]
    assert (one.primitives, one.rows, one.groups) == (two.primitives, two.rows, two.groups)


def test_a_number_keeps_the_bounds_of_what_it_is_about() -> None:
    text = "SELECT COUNT(*) FROM people WHERE income > (SELECT {} FROM people)"
    bounds = {}
    for what in ("AVG(income)", "STDDEV(income)", "MEDIAN(age)", "COUNT(*)", "2 * AVG(age)"):
        (one,) = plan_question(text.format(what), dataset(), STORE).earlier
        bounds[what] = (one.low, one.high)
    assert bounds["AVG(income)"] == (0, 1000) and bounds["STDDEV(income)"] == (0, 500)
    assert bounds["MEDIAN(age)"] == (0, 120)
    assert bounds["COUNT(*)"] == bounds["2 * AVG(age)"] == (-1e12, 1e12)


def test_an_owner_who_fails_in_between_has_spent_and_an_analyst_gets_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = open_ledger(tmp_path / "ledger.sqlite")
    session = Session(dataset("100"), STORE, ledger)
    session.grant("ada")
    run, asked = STORE.run, []

    def fails(selects: list[object], *others: object) -> object:
        asked.append(selects)
        if len(asked) == 2:
            raise RuntimeError("the second part")
        return run(selects, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(STORE, "run", fails)
    text = "SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)"
    answer = session.ask(text, Fraction(1), analyst="ada")
    assert len(asked) == 2 and answer.trouble is not None and len(answer.rows) == 1
    assert session.ledger.spent("clinic", "ada").exact[0] == 1
    ledger.close()
