"""The malicious analyst listens for anything that differs when one person is in the data: status, columns,
charge, order, error texts, the digits of a sum.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from queries.clinic import PLACES, dataset, person, store, usual
from queries.questions import ANSWERED, REFUSED
from shoal.core.errors import ShoalError
from shoal.queries.ledger import passing_ledger
from shoal.queries.session import Session
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore

# Somebody in whom everything is odd: what an attacker would plant, or hope to find.
ODD_PERSON: dict[str, Any] = {
    "age": -(2**40),
    "income": float("nan"),
    "town": "'; DROP TABLE people; --",
    "weight": float("-inf"),
    "born": None,
}
ODD_VISITS: list[dict[str, Any]] = [
    {"id": 99, "ward": 2**62, "cost": float("inf"), "reason": "\\"},
    {"id": 99, "ward": None, "cost": 1e308, "reason": None},
    {"id": 99, "ward": 0, "cost": 5e-324, "reason": ""},
]
# Each would raise, overflow or divide by zero on some rows, if it reached them as it is written.
TRAPS = [
    "SELECT COUNT(*) FROM people WHERE 1 / (age - 40) > 0",
    "SELECT SUM(income / (age - 40)) FROM people",
    "SELECT COUNT(*) FROM people WHERE age % (age - 40) = 0",
    "SELECT COUNT(*) FROM people WHERE CAST(town AS INTEGER) = 5",
    "SELECT COUNT(*) FROM people WHERE CAST(town AS DOUBLE) > 5",
    "SELECT COUNT(*) FROM people WHERE SQRT(age - 60) > 1",
    "SELECT COUNT(*) FROM people WHERE LN(age - 60) > 1",
    "SELECT COUNT(*) FROM people WHERE EXP(income) > 1",
    "SELECT SUM(EXP(income / 200)) FROM people",
    "SELECT SUM(income * income * income) FROM people",
    "SELECT COUNT(*) FROM people WHERE CASE WHEN town = 'Ulm' THEN 1 / 0 ELSE 1 END = 1",
    "SELECT COUNT(*) FROM people WHERE weight * 1e300 > 0",
    "SELECT COUNT(*) FROM people WHERE SUBSTRING(town, 1, 3) LIKE '%\\'",
    "SELECT COUNT(*) FROM people WHERE born - DATE '0001-01-01' > 0",
    "SELECT SUM(CASE WHEN id = 99 THEN 9e15 ELSE 0 END) FROM people",
    "SELECT COUNT(*) FROM visits WHERE ward + 1 > 0",
    "SELECT COUNT(*) FROM people WHERE town::DATE > DATE '2000-01-01'",
    "SELECT AVG(age) / AVG(age - age) FROM people",
    "SELECT SUM(age) / (COUNT(*) - COUNT(*)) FROM people",
    "SELECT POWER(AVG(income), 200) FROM people",
]


def asked(question: str, made: Any) -> tuple[str, Any]:
    """What can be seen from outside besides the noisy numbers."""
    live = Session(dataset("1000"), made, passing_ledger())
    live.grant("owner")
    try:
        answer = live.ask(question, Fraction(1))
    except ShoalError as error:
        return type(error).__name__, (str(error), live.budget().to_json())
    public = not any("left out" in note for note in answer.notes)
    keys = [
        [cell for cell, interval in zip(*pair, strict=True) if interval is None and isinstance(cell, str)]
        for pair in zip(answer.rows, answer.interval, strict=True)
    ]
    # How many noisy numbers are above a line, or equal to one another, is noise too.
    chance = ("HAVING", "ORDER", "UNION SELECT")
    bare = any(word in question for word in chance) or not public
    return "answered", (
        answer.columns,
        answer.spent,
        answer.remaining,
        answer.notes,
        [] if bare else keys,
        live.budget().to_json(),
    )


@pytest.fixture(scope="module")
def worlds() -> list[DuckStore]:
    """Without the odd person, with, nobody else, and nobody at all."""
    usual_people = [person(n, age=20 + n) for n in range(30)]
    usual_visits: list[dict[str, Any]] = [
        {"id": n % 30, "ward": 1 + n % 2, "cost": float(n), "reason": "flu"} for n in range(40)
    ]
    return [
        store(usual_people, usual_visits, PLACES),
        store([*usual_people, person(99, **ODD_PERSON)], [*usual_visits, *ODD_VISITS], PLACES),
        store([person(99, **ODD_PERSON)], ODD_VISITS, PLACES),
        store([], [], PLACES),
    ]


@pytest.mark.parametrize("question", [*ANSWERED, *TRAPS, *REFUSED])
def test_one_odd_person_changes_nothing_that_can_be_seen(question: str, worlds: list[DuckStore]) -> None:
    seen = [asked(question, made) for made in worlds]
    assert seen[0] == seen[1] == seen[2] == seen[3]
    assert seen[0][0] in ("answered", "NotAllowed")


@pytest.mark.parametrize(
    "question", ["SELECT SUM(cost), AVG(cost), VAR_POP(cost) FROM visits", "SELECT SUM(income) FROM people"]
)
def test_the_order_of_the_rows_cannot_be_seen_in_a_sum(question: str) -> None:
    # Doubles that add up to something else in another order: 1e16 + 1 - 1e16 is 0 or 1.
    values = [1e16, 1.0, -1e16, 0.1, 1e-9, 199.99] * 8
    stays = [{"id": n, "ward": 1, "cost": value, "reason": None} for n, value in enumerate(values)]
    patients = [person(n, income=abs(value) % 997) for n, value in enumerate(values)]
    found = []
    for seed in range(4):
        random.Random(seed).shuffle(stays)
        random.Random(seed).shuffle(patients)
        made = store(patients, stays, [])
        found.append(made.run(selects(plan(question, dataset(), made)))[0].rows())
    assert all(rows == found[0] for rows in found)


def test_somebody_with_a_thousand_rows_counts_no_more_than_declared() -> None:
    heavy = [{"id": 1, "ward": n, "cost": 200.0, "reason": str(n)} for n in range(1000)]
    made = store([], heavy, [])
    query = plan("SELECT COUNT(*), SUM(cost), COUNT(DISTINCT reason) FROM visits", dataset(), made)
    numbers = dict(
        zip((part.function for part in query.columns), made.run(selects(query))[0].row(0), strict=True)
    )
    assert numbers["rows"] == numbers["distinct"] == 3
    assert numbers["sum"] == 3 * 200 * 2**22  # three costs of 200, in steps


def test_a_question_about_one_person_is_mostly_noise() -> None:
    live = Session(dataset("1000"), usual(), passing_ledger())
    live.grant("owner")
    truth = {
        answer
        for n in range(60)
        for (answer,) in live.ask(
            "SELECT COUNT(*) FROM people WHERE id = 7", Fraction(1, 10) + Fraction(n, 10**6)
        ).rows
    }
    assert len(truth) > 10  # scale 10: not a yes or no


def test_averaging_the_same_question_gives_the_same_number() -> None:
    live = Session(dataset("2"), usual(), passing_ledger())
    live.grant("owner")
    spellings = [
        "SELECT COUNT(*) FROM people",
        "select COUNT( * ) from people",
        "SELECT COUNT(*) FROM people /* 2 */",
    ]
    seen = {live.ask(text, Fraction(1)).rows for text in spellings * 20}
    assert len(seen) == 1
    assert live.budget().remaining["epsilon"] == 1
