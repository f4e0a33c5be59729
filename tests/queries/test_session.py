"""Reserve, then answer: what is charged, what is refused, what comes from the archive."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from queries.clinic import PEOPLE, PLACES, dataset, people, person, store, usual, visits, wards
from queries.questions import ANSWERED
from shoal.core.errors import BadParameter, NotAllowed, Spent, Unanswered
from shoal.queries.answering.noise import add_noise
from shoal.queries.declaration.declaration import Accounting, Policy
from shoal.queries.execution import FAILED
from shoal.queries.ledger import open_ledger
from shoal.queries.query import Query
from shoal.queries.results import Answer
from shoal.queries.session import Session
from shoal.queries.sql.joins import FACTS
from shoal.queries.stores.duckdb_store import DuckStore

ONE, HALF = Fraction(1), Fraction(1, 2)


def session(
    folder: Path, epsilon: str = "1000", accounting: Accounting = "approximate", policy: Policy = "refuse"
) -> Session:
    folder.mkdir(exist_ok=True)
    of = dataset(epsilon, accounting=accounting, policy=policy)
    made = Session(of, usual(of), open_ledger(str(folder / "ledger.sqlite")))
    made.grant("owner")
    return made


@pytest.mark.parametrize("accounting", ["approximate", "zcdp", "pld"])
def test_every_kind_of_question_is_answered(tmp_path: Path, accounting: Accounting) -> None:
    live = session(tmp_path, "100000", accounting)
    for question in ANSWERED:
        answer = live.ask(question, Fraction(5))
        assert len(answer.columns) == len(set(answer.columns))
        for row, intervals in zip(answer.rows, answer.interval, strict=True):
            assert len(row) == len(intervals) == len(answer.columns)
        json.dumps(answer.to_json(), allow_nan=False)
        assert Answer.from_json(json.loads(json.dumps(answer.to_json()))).rows == answer.rows


def test_with_a_huge_epsilon_the_answer_is_the_truth(tmp_path: Path) -> None:
    live = session(tmp_path, "5000")
    answer = live.ask("SELECT sex, COUNT(*), SUM(age), AVG(income) FROM people GROUP BY sex", Fraction(1000))
    assert [row[:2] for row in answer.rows] == [("F", 20), ("M", 20), (None, 0)]
    assert [row[2] for row in answer.rows] == pytest.approx([780, 800, 0], abs=12)
    assert answer.rows[0][3] == pytest.approx(190, abs=3)
    spread = live.ask(
        "SELECT VAR_POP(age), STDDEV(income), MEDIAN(age), MAX(age) FROM people", Fraction(1000)
    )
    assert spread.rows[0][0] == pytest.approx(133.25, rel=0.3)
    assert spread.rows[0][1] == pytest.approx(116.9, rel=0.2)
    assert spread.rows[0][2] in (38, 39, 40, 41)


def test_cost_is_charged_before_and_never_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live = session(tmp_path, "2")
    live.trusted = True  # the owner at home, who is told that it failed, though not why

    def broken(*_: Any) -> None:
        raise RuntimeError("disk of row 17 is broken")

    with monkeypatch.context() as patch:
        patch.setattr(live.store, "run", broken)
        with pytest.raises(Unanswered) as failure:
            live.ask("SELECT COUNT(*) FROM people", ONE)
    assert str(failure.value) == FAILED
    assert failure.value.__cause__ is None
    assert live.ask("SELECT COUNT(*) FROM people", ONE).remaining["epsilon"] == 0
    with pytest.raises(Spent):
        live.ask("SELECT COUNT(age) FROM people", HALF)


@pytest.mark.parametrize("question", ANSWERED)
def test_a_question_that_fails_is_answered_as_if_there_were_no_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    whole, failing, empty = session(tmp_path / "1"), session(tmp_path / "2"), session(tmp_path / "3")
    assert isinstance(empty.store, DuckStore)
    empty.store.load("people", people([]))
    empty.store.load("visits", visits([]))
    run = failing.store.run

    def breaking(selects: Any, *within: Any) -> Any:
        if within != (FACTS,):  # what is asked once the cost is spent; public facts are asked before
            raise RuntimeError("disk of row 17 is broken")
        return run(selects, *within)

    monkeypatch.setattr(failing.store, "run", breaking)
    answer, seen = whole.ask(question, ONE), failing.ask(question, ONE)
    assert isinstance(seen.trouble, RuntimeError) and answer.trouble is None
    for other in (seen, empty.ask(question, ONE)):
        assert other.columns == answer.columns
        assert (other.spent, other.remaining, other.notes) == (answer.spent, answer.remaining, answer.notes)
        assert set(other.to_json()) == set(answer.to_json())
        assert "trouble" not in str(other.to_json()) + repr(other)
    again = failing.ask(question, ONE)
    assert again.archived and again.rows == seen.rows


def test_a_refused_question_costs_nothing(tmp_path: Path) -> None:
    live = session(tmp_path, "1")
    for question, error in (("SELECT * FROM people", NotAllowed), ("DROP TABLE people", NotAllowed)):
        with pytest.raises(error):
            live.ask(question, HALF)
    for epsilon in (Fraction(0), Fraction(-1), Fraction(1, 10**30)):
        with pytest.raises(BadParameter):
            live.ask("SELECT COUNT(*) FROM people", epsilon)
    assert live.budget().remaining["epsilon"] == 1


def test_the_same_question_again_costs_nothing_and_says_the_same(tmp_path: Path) -> None:
    live = session(tmp_path, "1")
    first = live.ask("SELECT COUNT(*) FROM people", HALF)
    again = live.ask("select  count(*) from people -- please", HALF)
    assert again.archived and not first.archived
    assert (again.rows, again.interval) == (first.rows, first.interval)
    assert again.spent["epsilon"] == 0
    assert again.remaining["epsilon"] == first.remaining["epsilon"] == 0.5


def test_after_the_rows_changed_the_same_question_is_a_new_one(tmp_path: Path) -> None:
    live = session(tmp_path, "10000")
    first = live.ask("SELECT COUNT(*) FROM people", Fraction(1000))
    live.store.append("people", people([person(900)]))  # type: ignore[attr-defined]
    again = live.ask("SELECT COUNT(*) FROM people", Fraction(1000))
    assert not again.archived
    assert (first.rows, again.rows) == (((40,),), ((41,),))


def test_another_analyst_does_not_get_the_answer_for_nothing(tmp_path: Path) -> None:
    live = session(tmp_path, "1")
    live.grant("anna")
    live.ask("SELECT COUNT(*) FROM people", HALF)
    other = live.ask("SELECT COUNT(*) FROM people", HALF, analyst="anna")
    assert not other.archived
    with pytest.raises(Spent):  # the data set's budget is one for all
        live.ask("SELECT COUNT(*) FROM visits", Fraction(1, 100))


def test_a_budget_that_only_warns_says_so(tmp_path: Path) -> None:
    live = session(tmp_path, "1", policy="warn")
    live.ask("SELECT COUNT(*) FROM people", ONE)
    assert any("overdrawn" in note for note in live.ask("SELECT COUNT(*) FROM visits", ONE).notes)


def test_groups_found_in_the_data_cost_a_delta_and_are_refused_without(tmp_path: Path) -> None:
    question = "SELECT town, COUNT(*) FROM people GROUP BY town"
    answer = session(tmp_path / "a", "1000").ask(question, Fraction(100))
    assert [row[0] for row in answer.rows] == ["Bonn", "Ulm"]
    assert answer.spent["delta"] == pytest.approx(1e-6)
    with pytest.raises(NotAllowed, match="δ"):
        session(tmp_path / "b", "1000", accounting="pure").ask(question, ONE)


@pytest.mark.parametrize(
    ("sql", "epsilon", "delta"),
    [
        ("SELECT town, COUNT(*) FROM people GROUP BY town", "1", "0"),
        ("SELECT town, MEDIAN(age) FROM people GROUP BY town", "1e-20", "1e-9"),
        ("SELECT MEDIAN(age) FROM people", "1e-20", None),
        ("SELECT MEDIAN(age) FROM people", "1e-12", None),
        ("SELECT COUNT(*) FROM people", "1e-30", None),
    ],
)
def test_noise_that_cannot_be_made_is_refused_before_anything_is_spent(
    tmp_path: Path, sql: str, epsilon: str, delta: str | None
) -> None:
    live = session(tmp_path)
    before = len(live.ledger.entries())
    for call in (live.ask, live.estimate):
        with pytest.raises(BadParameter):
            call(sql, Fraction(epsilon), None if delta is None else Fraction(delta))
    assert len(live.ledger.entries()) == before


def test_an_empty_group_looks_like_any_other(tmp_path: Path) -> None:
    of = dataset()
    live = Session(of, store([], [], [], of), open_ledger(str(tmp_path / "ledger.sqlite")))
    live.grant("owner")
    answer = live.ask("SELECT sex, COUNT(*), AVG(income), MEDIAN(age) FROM people GROUP BY sex", ONE)
    assert [row[0] for row in answer.rows] == ["F", "M", None]
    assert all(cell is not None for row in answer.rows for cell in row[1:])
    assert live.ask("SELECT town, COUNT(*) FROM people GROUP BY town", ONE).rows == ()


def test_an_estimate_spends_nothing_and_tells_the_error(tmp_path: Path) -> None:
    live = session(tmp_path, "1")
    estimate = live.estimate("SELECT COUNT(*) AS n, AVG(age) AS mean FROM people", HALF)
    assert estimate.cost["epsilon"] == 0.5
    # Three shared numbers at ε = 1/2: the mean size of the sum of three Laplace variables is 15/8 of a scale.
    assert estimate.error["n"] == pytest.approx(15 / 8 / 0.5, rel=0.02)
    # Of 1,000 rows: the difference of two numbers, of mean size 3/2, times half of 120 years.
    assert estimate.error["mean"] == pytest.approx(60 * 1.5 / 0.5 / 1000, rel=0.1)
    assert any("1,000 rows" in note for note in estimate.notes)
    assert live.budget().remaining["epsilon"] == 1


def test_a_question_that_became_two_numbers_shares_its_cost_among_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one ward for each, rows are people, and both are one number; a second ward makes two of them."""
    live = session(tmp_path)
    assert isinstance(live.store, DuckStore)
    live.store.load("wards", wards(PLACES[:2]))
    run = live.store.run
    grown: list[int] = []

    def growing(asked: Any, *within: Any) -> Any:
        if len(asked) > 1 and not grown:
            grown.append(1)
            live.store.append("wards", wards(PLACES[2:]))  # type: ignore[attr-defined]
        return run(asked, *within)

    seen = []
    monkeypatch.setattr(live.store, "run", growing)

    def watched(query: Query, frames: Any, shares: Any) -> Any:
        seen.append((query.parts, shares.parts))
        return add_noise(query, frames, shares)

    monkeypatch.setattr("shoal.queries.execution.add_noise", watched)
    live.ask("SELECT COUNT(*), COUNT(DISTINCT id) FROM people p JOIN wards w ON p.age - 19 = w.ward", ONE)
    assert seen == [(2, 2)]


def test_a_question_is_new_when_its_tables_are_declared_anew(tmp_path: Path) -> None:
    question = "SELECT sex, COUNT(*) FROM people GROUP BY sex"
    live = session(tmp_path)
    assert len(live.ask(question, ONE).rows) == 3
    told = replace(PEOPLE, columns=tuple(replace(column, missing=False) for column in PEOPLE.columns))
    anew = replace(live.dataset, tables=(told, *live.dataset.tables[1:]))
    later = Session(anew, live.store, live.ledger)
    assert later.store.version == live.store.version
    assert len(later.ask(question, ONE).rows) == 2


def test_whole_keys_beyond_all_doubles_are_shown_to_the_last_digit(tmp_path: Path) -> None:
    live = session(tmp_path, "100000")
    assert isinstance(live.store, DuckStore)
    stays = [
        {"id": number, "ward": 2**62 + number % 2, "cost": 1.0, "reason": None} for number in range(20_000)
    ]
    live.store.load("visits", visits(stays))
    answer = live.ask("SELECT ward, COUNT(*) FROM visits GROUP BY ward", Fraction(10))
    assert [row[0] for row in answer.rows] == [2**62, 2**62 + 1]
    assert Answer.from_json(json.loads(json.dumps(answer.to_json()))).rows == answer.rows
