"""Questions that are answered together: each as if it were alone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from queries.clinic import dataset, usual
from shoal.core.errors import BadParameter, NotAllowed, Spent, Unanswered
from shoal.queries.declaration.declaration import Budget
from shoal.queries.departures import Departures
from shoal.queries.execution import TOGETHER
from shoal.queries.ledger import open_ledger
from shoal.queries.results import Answer
from shoal.queries.session import Question, Session

LOUD = Fraction(1000)  # noise of nothing


def open_session(
    folder: Path, people: Sequence[str] = ("ada", "bob"), departures: Departures | None = None
) -> Session:
    of = dataset("1000000", accounting="pure")
    live = Session(of, usual(of), open_ledger(str(folder / "ledger.sqlite")), departures=departures)
    for name in people:
        live.grant(name)
        live.ask("SELECT COUNT(*) FROM people WHERE age > 1", LOUD, analyst=name)  # its shape is known now
    return live


def over(age: int, analyst: str, epsilon: Fraction = LOUD) -> Question:
    return Question(f"SELECT COUNT(*) FROM people WHERE age > {age}", epsilon, analyst=analyst)


def first(answer: Answer | Exception) -> object:
    assert isinstance(answer, Answer), answer
    return answer.rows[0][0]


def test_each_gets_the_answer_to_their_own_question(tmp_path: Path) -> None:
    live = open_session(tmp_path)
    ages = [20, 75, 40, 20, 33, 119, 25, 60, 21, 50, 45]
    assert len(ages) > TOGETHER
    asked = [over(age, ("ada", "bob")[age % 2]) for age in ages]
    told = live.ask_all(asked)
    exact = [live.store.run([_count(live, age)])[0].item() for age in ages]
    assert [first(answer) for answer in told] == exact
    assert [answer.query for answer in told if isinstance(answer, Answer)] == [
        f"SELECT COUNT(*) FROM people WHERE age > {age}" for age in ages
    ]
    # What each has left is what each has spent, whoever else asked meanwhile.
    assert live.ledger.spent("clinic", "ada").exact[0] == 1000 * (1 + sum(age % 2 == 0 for age in ages))
    assert live.ledger.spent("clinic", "bob").exact[0] == 1000 * (1 + sum(age % 2 for age in ages))


def test_one_statement_counts_for_all_and_each_is_noted_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = open_session(tmp_path)
    rows, seen = live.store.rows, []

    def watched(prepared: Any, within: float | None = None) -> Any:
        seen.append((len(prepared), [entry.question for entry in live.ledger.entries(limit=len(prepared))]))
        return rows(prepared, within)

    monkeypatch.setattr(live.store, "rows", watched)
    live.ask_all([over(30 + place, "ada") for place in range(5)])
    ((number, noted),) = seen
    assert number == 5
    assert set(noted) == {f"SELECT COUNT(*) FROM people WHERE age > {30 + place}" for place in range(5)}


def test_a_refusal_is_for_whoever_earned_it(tmp_path: Path) -> None:
    live = open_session(tmp_path)
    live.grant("bob", Budget(Fraction(1500)))
    told = live.ask_all(
        [
            over(30, "ada"),
            over(31, "eve"),  # has no budget
            over(32, "bob", Fraction(900)),  # more than there is
            over(33, "bob", Fraction(0)),
            Question("SELECT id FROM people", LOUD, analyst="ada"),
            Question("SELECT sex, COUNT(*) FROM people GROUP BY sex", LOUD, analyst="ada"),
            over(34, "bob", Fraction(400)),
        ]
    )
    kinds = [type(answer) for answer in told]
    assert kinds == [Answer, NotAllowed, Spent, BadParameter, NotAllowed, Answer, Answer]
    assert live.ledger.check().holds


def test_if_they_cannot_be_counted_together_each_is_counted_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = open_session(tmp_path)
    rows = live.store.rows

    def only_one(prepared: Any, within: float | None = None) -> Any:
        if len(prepared) > 1:
            raise Unanswered("not together")
        return rows(prepared, within)

    exact = live.store.run([_count(live, 30)])[0].item()
    monkeypatch.setattr(live.store, "rows", only_one)
    assert [first(answer) for answer in live.ask_all([over(30, "ada"), over(30, "bob")])] == [exact, exact]

    def none(*_: Any) -> Any:
        raise RuntimeError("broken")

    monkeypatch.setattr(live.store, "rows", none)
    told = live.ask_all([over(31, "ada"), over(31, "bob")])
    assert [first(answer) for answer in told] == [0, 0]  # as if there were no rows
    assert all(isinstance(answer, Answer) and answer.trouble is not None for answer in told)


def test_answers_on_their_way_are_paid_for_twice_and_later_ones_are_not(tmp_path: Path) -> None:
    live = open_session(tmp_path)
    told = live.ask_all([over(30, "ada"), over(30, "ada")], unseen=True)
    assert all(isinstance(answer, Answer) and not answer.archived for answer in told)
    for answer in told:
        assert isinstance(answer, Answer) and answer.leaves is not None
        answer.leaves()
    again, other = live.ask_all([over(30, "ada"), over(30, "bob")])
    assert isinstance(again, Answer) and again.archived
    assert isinstance(other, Answer) and not other.archived  # another analyst's is no knowledge of theirs


@pytest.mark.parametrize("done", [True, False])
def test_another_one_on_its_way_does_not_keep_what_has_left_from_being_given_again(
    tmp_path: Path, done: bool
) -> None:
    """It did once the engine was done with it, so that the cost of a third told whether it was."""
    live = open_session(tmp_path)
    (told,) = live.ask_all([over(30, "ada")], unseen=True)
    if done:
        live.ask_all([over(30, "ada")], unseen=True)  # ready, and its time has not come
    assert isinstance(told, Answer) and told.leaves is not None
    told.leaves()
    (again,) = live.ask_all([over(30, "ada")], unseen=True)
    assert isinstance(again, Answer) and again.archived and again.rows == told.rows


def test_whoever_came_before_an_answer_left_pays_whenever_they_are_looked_at(tmp_path: Path) -> None:
    known = Departures()
    live = open_session(tmp_path, departures=known)
    (told,) = live.ask_all([over(30, "ada")], unseen=True)
    assert isinstance(told, Answer) and told.leaves is not None
    with known.arrival() as before:
        told.leaves()
        with known.arrival() as after:
            asked = [replace(over(30, "ada"), arrival=arrival) for arrival in (after, before, after)]
            found = [answer for one in asked for answer in live.ask_all([one], unseen=True)]
    assert [isinstance(one, Answer) and one.archived for one in found] == [True, False, True]


def test_an_answer_that_did_not_leave_is_not_there_after_a_kill(tmp_path: Path) -> None:
    """That a question is free after the service was killed told that it had ended before its time."""
    live = open_session(tmp_path)
    (answer,) = live.ask_all([over(30, "ada")], unseen=True)
    live.ledger._archive.flush()  # what lies on disk when the process ends
    killed = Session(live.dataset, live.store, open_ledger(str(tmp_path / "ledger.sqlite")))
    again = killed.ask_all([over(30, "ada")], unseen=True)[0]
    assert isinstance(again, Answer) and not again.archived
    assert isinstance(answer, Answer) and answer.leaves is not None
    answer.leaves()
    live.ledger._archive.flush()
    (kept,) = Session(live.dataset, live.store, open_ledger(str(tmp_path / "ledger.sqlite"))).ask_all(
        [over(30, "ada")]
    )
    assert isinstance(kept, Answer) and kept.archived and kept.rows == answer.rows


def test_only_own_questions_make_a_shape_known(tmp_path: Path) -> None:
    live = open_session(tmp_path)
    live.grant("eve")
    question = "SELECT COUNT(*) FROM people WHERE age > 77"
    assert live.known_shape(question, "ada")
    assert not live.known_shape(question, "eve")
    assert not live.known_shape("SELECT COUNT(*) FROM people WHERE age > 7 OR age < 3", "ada")


def _count(live: Session, age: int) -> Any:
    from shoal.queries.sql.engine_selects import selects
    from shoal.queries.sql.questions import plan_question

    plan = plan_question(f"SELECT COUNT(*) FROM people WHERE age > {age}", live.dataset, live.store)
    return selects(plan.leaves[0])[0]


def test_a_long_question_of_another_leaves_a_short_one_its_time_and_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One analyst had long ones counted with everybody's, and all were answered as if there were no rows."""
    live = open_session(tmp_path)
    rows = live.store.rows

    def slow(prepared: Sequence[Any], within: float | None = None) -> Any:
        if any(one.values == (1,) for one in prepared):  # goes on until it is ended
            time.sleep(within or 0)
        if not within or any(one.values == (1,) for one in prepared):
            raise Unanswered("out of time")
        return rows(prepared, None)

    monkeypatch.setattr(live.store, "rows", slow)
    short = live.store.run([_count(live, 20)])[0].item()
    mine, yours = live.ask_all([over(1, "ada", Fraction(2)), over(20, "bob")], within=1.0)
    assert isinstance(mine, Answer) and mine.trouble is not None
    assert isinstance(yours, Answer) and yours.trouble is None and first(yours) == short


def test_an_error_of_one_is_nobody_elses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live = open_session(tmp_path)
    priced = live._priced

    def broken(question: Question) -> Any:
        if question.analyst == "ada":
            raise ZeroDivisionError
        return priced(question)

    monkeypatch.setattr(live, "_priced", broken)
    mine, yours = live.ask_all([over(30, "ada"), over(20, "bob")])
    assert isinstance(mine, ZeroDivisionError) and isinstance(yours, Answer)
