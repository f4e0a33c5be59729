"""Outer queries, grouping sets and sub-queries over aggregates tell what plain SQL tells, at a great ε."""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

from queries import clinic
from queries.clinic import dataset
from shoal.core.errors import NotAllowed
from shoal.queries.ledger import open_ledger
from shoal.queries.results import Answer
from shoal.queries.session import Session
from shoal.queries.sql.questions import plan_question

PATIENTS = [
    clinic.person(
        number,
        sex="FM"[number % 2],
        age=20 + number % 17,
        income=10.0 * number,
        town=("Ulm", "Bonn", "Trier")[number % 3],
        smokes=number % 4 == 0,
    )
    for number in range(60)
]
STAYS = [
    {"id": number % 25, "ward": 1 + number % 3, "cost": float(number), "reason": "rq"[number % 2]}
    for number in range(60)
]
STORE = clinic.store(PATIENTS, STAYS, clinic.PLACES, dataset("1000000"))
PLAIN = {
    "people": clinic.people(PATIENTS),
    "visits": clinic.visits(STAYS),
    "wards": clinic.wards(clinic.PLACES),
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    ledger = open_ledger(tmp_path_factory.mktemp("ledger") / "ledger.sqlite")
    made = Session(dataset("1000000"), STORE, ledger, trusted=True)
    made.grant("owner")
    yield made
    ledger.close()


def ask(session: Session, question: str, epsilon: int = 1_000) -> Answer:
    return session.ask(question, Fraction(epsilon), Fraction(1, 10**6))


def plainly(question: str) -> list[tuple[object, ...]]:
    """What DuckDB answers to the question as it is written."""
    with duckdb.connect() as plain:
        for name, frame in PLAIN.items():
            plain.register(name, frame)
        return plain.execute(question).fetchall()


def alike(rows: Sequence[Sequence[object]]) -> list[list[object]]:
    """Rows in an order of their own, with broken numbers nearly the same."""

    def cell(value: object) -> object:
        return pytest.approx(float(value), rel=0.1, abs=0.1) if isinstance(value, float | Decimal) else value

    ordered = sorted(
        rows, key=lambda row: repr([None if isinstance(one, float | Decimal) else one for one in row])
    )
    return [[cell(value) for value in row] for row in ordered]


# Groups of nobody are told where all are listed, so each of these leaves them out.
SAME = [
    "SELECT sex, COUNT(*) * 100.0 / SUM(COUNT(*)) OVER () AS share FROM people WHERE sex IS NOT NULL GROUP BY sex",
    "SELECT town, COUNT(*) AS n, RANK() OVER (ORDER BY SUM(income) DESC) AS place FROM people GROUP BY town",
    "SELECT town, SUM(COUNT(*)) OVER (ORDER BY town) AS so_far FROM people GROUP BY town ORDER BY town",
    "SELECT town, COUNT(*) - LAG(COUNT(*)) OVER (ORDER BY town) AS step FROM people GROUP BY town",
    "SELECT town, COUNT(*) AS n FROM people GROUP BY town QUALIFY ROW_NUMBER() OVER (ORDER BY SUM(income) DESC) = 1",
    "SELECT town, ROW_NUMBER() OVER w AS r FROM people GROUP BY town WINDOW w AS (ORDER BY town)",
    "SELECT (SELECT COUNT(*) FROM people WHERE age > 30) * 1.0 / (SELECT COUNT(*) FROM people) AS share",
    "SELECT town, COUNT(*) * 1.0 / (SELECT COUNT(*) FROM people) AS share FROM people GROUP BY town",
    "SELECT 'women' AS who, COUNT(*) AS n FROM people WHERE sex = 'F' UNION ALL SELECT 'all', COUNT(*) FROM people",
    "SELECT COUNT(*) AS n FROM people UNION SELECT COUNT(*) FROM visits ORDER BY n DESC",
    "SELECT town FROM people WHERE age > 25 GROUP BY town INTERSECT SELECT town FROM people WHERE age < 30 GROUP BY town",
    "(SELECT COUNT(*) FROM people) EXCEPT (SELECT COUNT(*) + 1 FROM people)",
    "WITH t AS (SELECT town, COUNT(*) AS n FROM people GROUP BY town) SELECT * FROM t ORDER BY n DESC, town",
    "WITH t AS (SELECT town, COUNT(*) AS n FROM people GROUP BY town), s AS (SELECT SUM(n) AS total FROM t) SELECT t.town, t.n / s.total AS share FROM t, s",
    "WITH a AS (SELECT town, COUNT(*) AS n FROM people GROUP BY town), b AS (SELECT town, SUM(income) AS s FROM people GROUP BY town) SELECT a.town, s / n AS mean FROM a JOIN b ON a.town = b.town",
    "WITH a AS (SELECT town, COUNT(*) AS n FROM people GROUP BY town), b AS (SELECT town, SUM(income) AS s FROM people GROUP BY town) SELECT town, s FROM a NATURAL JOIN b WHERE n > 3",
    "WITH a AS (SELECT * FROM people WHERE age > 25), b AS (SELECT town, AVG(age) AS m FROM a GROUP BY town) SELECT MAX(m) FROM b",
    "SELECT t.town, t.n FROM (SELECT town, COUNT(*) AS n FROM people GROUP BY town) t WHERE t.n > 10 ORDER BY 2",
    "SELECT COUNT(*), MAX(n), MIN(n), AVG(n) FROM (SELECT town, COUNT(*) AS n FROM people GROUP BY town) AS t",
    "SELECT sex, SUM(n) FROM (SELECT sex, town, COUNT(*) AS n FROM people WHERE sex IS NOT NULL GROUP BY sex, town) t GROUP BY sex HAVING SUM(n) > 1",
    "SELECT w.name, t.n FROM (SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward) t JOIN wards w ON w.ward = t.ward",
    "SELECT UPPER(town) AS t, LENGTH(town) AS l, COUNT(*) || ' people' AS n FROM people GROUP BY town",
    "SELECT IF(COUNT(*) > 10, 'many', 'few') AS how FROM people",
    "SELECT ROUND(AVG(age)::DECIMAL(10, 2), 1) AS a FROM people",
    "SELECT CASE WHEN COUNT(*) > 10 THEN 'many' ELSE 'few' END AS how, COALESCE(SUM(age), 0) AS s FROM people",
    "SELECT DISTINCT COUNT(*) AS n FROM people WHERE town <> 'Trier' GROUP BY town",
    "SELECT COUNT(*) FROM (SELECT DISTINCT town FROM people) t",
    "SELECT town, reason, COUNT(*) AS n FROM people JOIN visits USING (id) GROUP BY ROLLUP (town, reason)",
    "SELECT town, reason, COUNT(*) AS n, GROUPING(reason) AS g FROM people JOIN visits USING (id) GROUP BY CUBE (town, reason)",
    "SELECT town, reason, SUM(cost) AS c FROM people JOIN visits USING (id) GROUP BY GROUPING SETS ((town), (reason), ())",
    "SELECT town, reason, COUNT(*) AS n FROM people JOIN visits USING (id) GROUP BY town, ROLLUP (reason) ORDER BY n DESC, town, reason LIMIT 4",
    "SELECT x.n, COUNT(*) FROM (SELECT id, COUNT(*) AS n FROM visits GROUP BY id) x WHERE n > 1 GROUP BY x.n HAVING COUNT(*) > 0",
    "SELECT town, n FROM (SELECT town, COUNT(*) AS n FROM people GROUP BY town) t WHERE n = (SELECT MAX(n) FROM (SELECT town, COUNT(*) AS n FROM people GROUP BY town) u)",
    "SELECT town, MEDIAN(m) AS mid FROM (SELECT town, sex, MAX(age) AS m FROM people WHERE sex IS NOT NULL GROUP BY town, sex) t GROUP BY town HAVING COUNT(*) > 5",
    "SELECT SQRT(COUNT(*) - 1000) AS r, LN(0 * COUNT(*)) AS l, 1 / NULLIF(COUNT(*) - COUNT(*), 0) AS d FROM people HAVING SQRT(COUNT(*)) > 1",
    "WITH big AS (SELECT town FROM people GROUP BY town HAVING COUNT(*) > 5) SELECT COUNT(*) FROM big",
    "SELECT AVG(total) FROM (SELECT id, SUM(cost) AS total FROM visits GROUP BY id) t",
]  # fmt: skip
NULLS = {"SELECT SQRT(COUNT(*) - 1000)": [(None, None, None)]}  # plain SQL raises


@pytest.mark.parametrize("question", SAME)
def test_it_tells_what_plain_sql_tells(question: str, session: Session) -> None:
    wanted = next((rows for start, rows in NULLS.items() if question.startswith(start)), None)
    answer = ask(session, question)
    found = [
        list(row)
        for row in sorted(
            answer.rows, key=lambda row: repr([None if isinstance(one, float) else one for one in row])
        )
    ]
    assert found == alike(plainly(question) if wanted is None else wanted)
    assert answer.spent["epsilon"] == 1_000


def test_the_order_is_that_of_the_question(session: Session) -> None:
    question = "SELECT town, COUNT(*) AS n, RANK() OVER (ORDER BY SUM(income)) AS r FROM people GROUP BY town ORDER BY r DESC"
    assert list(ask(session, question).rows) == plainly(question)


def test_a_leaf_that_is_named_twice_is_asked_once() -> None:
    plan = plan_question(
        "WITH t AS (SELECT town, COUNT(*) AS n FROM people GROUP BY town) "
        "SELECT a.n / b.n FROM t AS a JOIN t AS b ON a.town = b.town",
        dataset(),
        STORE,
    )
    assert len(plan.leaves) == 1
    written = "SELECT (SELECT COUNT(*) FROM people) / (SELECT COUNT(*) FROM people)"
    assert len(plan_question(written, dataset(), STORE).leaves) == 1


def test_a_name_that_is_not_used_costs_nothing() -> None:
    text = "WITH a AS (SELECT COUNT(*) AS n FROM people), b AS (SELECT COUNT(*) AS n FROM visits) SELECT n + 1 FROM a"
    plan = plan_question(text, dataset(), STORE)
    assert len(plan.leaves) == 1


def test_names_that_hide_others_are_not_taken_for_them() -> None:
    text = (
        "WITH t AS (SELECT * FROM people WHERE age > 30) SELECT (SELECT COUNT(*) FROM t), "
        "(WITH t AS (SELECT * FROM people WHERE age > 40) SELECT COUNT(*) FROM t)"
    )
    assert len(plan_question(text, dataset(), STORE).leaves) == 2


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("SELECT id, COUNT(*) OVER () FROM people", "stands for many rows"),
        ("SELECT id, COUNT(*), RANK() OVER (ORDER BY COUNT(*)) FROM visits GROUP BY id", "is the unit"),
        ("SELECT * FROM (SELECT id, COUNT(*) AS n FROM visits GROUP BY id) t", "many rows"),
        ("SELECT id FROM people UNION SELECT id FROM visits", "many rows"),
        ("SELECT COUNT(*) FROM (SELECT id FROM people UNION ALL SELECT id FROM visits) t", "below each other"),
        ("SELECT COUNT(*) FROM people p JOIN (SELECT town, COUNT(*) AS n FROM people GROUP BY town) t ON p.town = t.town", "beside"),
        ("SELECT COUNT(*) FROM people WHERE income > (SELECT income FROM people)", "several numbers"),
        ("SELECT COUNT(*) FROM wards", "public"),
        ("SELECT name, COUNT(*) OVER () FROM wards", "public"),
        ("SELECT RANDOM() * n FROM (SELECT COUNT(*) AS n FROM people) t", "cannot be used"),
        ("SELECT n, NOW() FROM (SELECT COUNT(*) AS n FROM people) t", "cannot be used"),
        ("SELECT n, GETENV('HOME') FROM (SELECT COUNT(*) AS n FROM people) t", "cannot be used"),
        ("SELECT t.n, r.* FROM (SELECT COUNT(*) AS n FROM people) t, READ_CSV('/etc/passwd') r", "no table"),
        ("SELECT t.n FROM (SELECT COUNT(*) AS n FROM people) t, duckdb_settings s", "no table"),
        ("SELECT t.n FROM (SELECT COUNT(*) AS n FROM people) t, information_schema.tables s", "no table"),
        ("SELECT t.n, [1, 2] FROM (SELECT COUNT(*) AS n FROM people) t", "cannot be used"),
        ("SELECT t.m FROM (SELECT COUNT(*) AS n FROM people) t", "not understood"),
        ("SELECT sex, COUNT(*) FROM people GROUP BY sex HAVING sex", "."),
        ("SELECT t.n FROM (SELECT town, COUNT(*) AS n FROM people GROUP BY town) t WHERE t.town", "not understood"),
        ("SELECT (SELECT COUNT(*) FROM people GROUP BY town) AS n", "not understood"),
        ("WITH RECURSIVE t AS (SELECT COUNT(*) AS n FROM people) SELECT n FROM t", "RECURSIVE"),
        ("SELECT town, COUNT(*) FROM people GROUP BY CUBE (town, sex, age, smokes, born, income)", "grouping sets"),
    ],
)  # fmt: skip
def test_what_is_no_post_processing_is_refused_before_anything_is_spent(
    question: str, why: str, session: Session
) -> None:
    before = session.budget().spent
    with pytest.raises(NotAllowed, match=why):
        ask(session, question)
    assert session.budget().spent == before


def test_a_sub_query_per_person_stays_private_rows() -> None:
    plan = plan_question(
        "SELECT AVG(n) FROM (SELECT id, COUNT(*) AS n FROM visits GROUP BY id) t", dataset(), STORE
    )
    assert plan.outer is None
    both = plan_question(
        "SELECT MAX(m) FROM (SELECT town, AVG(n) AS m FROM people JOIN (SELECT id, COUNT(*) AS n FROM visits GROUP BY id) t USING (id) GROUP BY town) u",
        dataset(),
        STORE,
    )
    assert both.outer is not None
    assert len(both.leaves) == 1


def test_columns_of_a_leaf_keep_their_error_and_interval(session: Session) -> None:
    plain = session.ask("SELECT sex, COUNT(*) AS n, AVG(age) AS m FROM people GROUP BY sex", Fraction(3))
    outer = session.ask(
        "WITH t AS (SELECT sex, COUNT(*) AS n, AVG(age) AS m FROM people GROUP BY sex) SELECT * FROM t",
        Fraction(3),
    )
    assert outer.columns == plain.columns
    assert outer.error["n"] == plain.error["n"]
    assert outer.error["sex"] is None
    for row, cells in zip(outer.rows, outer.interval, strict=True):
        assert cells[0] is None
        assert cells[1] is not None
        assert isinstance(row[1], int)
        assert cells[1][0] <= row[1] <= cells[1][1]
        assert cells[2] is not None


def test_what_is_made_of_noisy_numbers_has_a_simulated_interval(session: Session) -> None:
    answer = session.ask(
        "SELECT sex, COUNT(*) * 100.0 / SUM(COUNT(*)) OVER () AS share FROM people WHERE sex IS NOT NULL GROUP BY sex",
        Fraction(1),
    )
    for row, cells in zip(answer.rows, answer.interval, strict=True):
        assert cells[1] is not None
        assert isinstance(row[1], float)
        assert cells[1][0] <= row[1] <= cells[1][1]
    assert answer.error["share"]


def test_the_error_is_expected_before_asking(session: Session) -> None:
    text = "SELECT town, n, n / 2 AS half FROM (SELECT town, COUNT(*) AS n FROM people GROUP BY town) t"
    expected = session.estimate(text, Fraction(2), Fraction(1, 10**6))
    assert expected.columns == ("town", "n", "half")
    assert expected.error["n"] == session.ask(text, Fraction(2), Fraction(1, 10**6)).error["n"]
    assert expected.error["town"] is None


def test_a_failure_of_the_outer_query_is_an_answer_with_a_note(session: Session) -> None:
    text = "SELECT n * 9000000000000000000 AS x FROM (SELECT COUNT(*) AS n FROM people) t"
    answer = session.ask(text, Fraction(1))
    assert answer.columns == ("x",)
    assert answer.rows == ()
    assert "failed" in answer.notes[0]


def test_what_is_asked_again_is_told_again(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path / "ledger.sqlite")
    live = Session(dataset(), STORE, ledger)
    live.grant("ann")
    text = "SELECT COUNT(*) AS n FROM people UNION ALL SELECT COUNT(*) FROM visits"
    first = live.ask(text, Fraction(1), analyst="ann")
    again = live.ask(text, Fraction(1), analyst="ann")
    assert again.archived
    assert again.rows == first.rows
    ledger.close()


@pytest.mark.parametrize(
    "question",
    [
        "SELECT SUM(age > 30) AS n, SUM(smokes) AS m FROM people",
        "SELECT COUNT(*) FROM people WHERE age % 2",
        "SELECT COUNT(*) FILTER (WHERE age % 2) FROM people WHERE smokes OR age - 20",
        "SELECT COUNT(*) FROM people WHERE (sex, smokes) IN (('F', TRUE), ('M', FALSE)) OR age = ANY (ARRAY[21, 22])",
        "SELECT COUNT(*) FROM people WHERE DAYNAME(born) = 'Saturday' AND born < CURRENT_DATE",
        "SELECT COUNT(*) FROM (SELECT id, MIN(born) AS first, MAX(born) AS last FROM people GROUP BY id) t "
        "WHERE first = last AND MONTHNAME(first) = 'May'",
    ],
)
def test_what_analysts_write_besides_is_what_plain_sql_says(session: Session, question: str) -> None:
    assert ask(session, question).rows == tuple(map(tuple, plainly(question)))
