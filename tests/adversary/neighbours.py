"""Neighbouring databases asked the same random questions: nothing but noise may differ.

    PYTHONPATH=src:tests python -W ignore -m adversary.neighbours --pairs 1000000

One person comes in many shapes,
of which the first is not to be there at all: all these databases differ in this
person alone, so that any two of them are neighbours. All must look the same,
which is checked against the first; what
is counted before the noise may lie no further from the first than the noise is made for.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from sqlglot import exp

from adversary import shops
from adversary.asking import Asker, Question
from adversary.linked import LinkedAsker
from adversary.losses import overspent
from adversary.nested import NestedAsker
from adversary.outcomes import (
    Outcome,
    asked,
    behind_noise,
    counted_of,
    exact_leaves,
    moved_leaves,
    outcome_of,
)
from adversary.shops import Linked, linked_world
from adversary.worlds import Person, World, frames, pasted, wards, world
from shoal.queries import execution
from shoal.queries import session as sessions
from shoal.queries.answering import outer_answers
from shoal.queries.answering.assemble_answer import AnswerRows
from shoal.queries.answering.earlier_values import number_of
from shoal.queries.declaration.declaration import Table
from shoal.queries.execution import PricedQuestion
from shoal.queries.ledger import open_ledger
from shoal.queries.plan_cache import PlanCache
from shoal.queries.pricing import price
from shoal.queries.query import Earlier, Plan, Prepared, Query, one_row
from shoal.queries.session import Session
from shoal.queries.sql.question_shapes import Form, form_of
from shoal.queries.stores.duckdb_keys import by_number
from shoal.queries.stores.duckdb_store import DuckStore

EPSILONS = (Fraction(1), Fraction(1, 10), Fraction(10), Fraction(1, 10**6), Fraction(3, 7))
SHAPES = 21
QUESTIONS = 60
NESTED = 4  # so many worlds have one whose questions are about relations made of relations
ANEW = 3  # shapes for which a question is planned anew, and outer intervals are simulated
QUICK = outer_answers.QUICK


class Written(exp.Select):
    """A select whose text is known: to write it anew for every shape takes longer than to run it."""

    written: str

    def sql(self, *_: Any, **__: Any) -> str:
        return self.written

    def copy(self) -> Written:
        """Itself: a store that rewrites what it is asked finds it done."""
        return self


class Plans(PlanCache):
    """A plan of every question for all analysts, once some of them had theirs made anew; nothing in a plan
    depends on rows but those of public tables, which stay as they are.
    """

    def __init__(self) -> None:
        super().__init__()
        self._all: dict[str, list[Plan]] = {}

    def plan(self, sql: str, analyst: str, dataset: Any, store: Any, make: Callable[[str], Plan]) -> Plan:
        made = self._all.setdefault(sql, [])
        if len(made) < ANEW:
            made.append(super().plan(sql, analyst, dataset, store, make))
        return made[-1]


class Watched:
    """A store whose rows change under one plan, and that remembers what it gave before the noise."""

    version = 1

    def __init__(self, store: Any) -> None:
        self.store = store
        self.dialect: str = store.dialect
        self.given: list[list[pl.DataFrame]] = []  # of each time that it was asked
        self.failed: str | None = None
        self.asking: int | None = None  # the number of the question that is asked
        self.filled: dict[int, pl.DataFrame] = {}  # by the prepared statement: of questions asked together
        self._texts: dict[tuple[int, int, int], list[exp.Select]] = {}

    def relation(self, table: Table) -> exp.Expression:
        found: exp.Expression = self.store.relation(table)
        return found

    def run(self, selects: Sequence[exp.Select], *others: Any, **named: Any) -> list[pl.DataFrame]:
        try:
            found: list[pl.DataFrame] = self.store.run(self._written(selects), *others, **named)
        except Exception as error:
            # A session may make it look like an answer; it is a slip of ours all the same.
            self.failed = f"{error.__cause__ or error}"
            raise
        self.given.append(found)
        return found

    def rows(self, prepared: Sequence[Prepared], *others: Any) -> list[tuple[int | None, ...]]:
        try:
            found: list[tuple[int | None, ...]] = self.store.rows(prepared, *others)
        except Exception as error:
            self.failed = f"{error.__cause__ or error}"
            raise
        for one, row in zip(prepared, found, strict=True):
            self.filled[id(one)] = one_row([f"x{place}" for place in range(len(row))], row)
        return found

    def _written(self, selects: Sequence[exp.Select]) -> Sequence[exp.Select]:
        if self.asking is None or self.dialect != "duckdb":
            return selects
        seen = self.asking, len(selects), len(self.given)
        known = self._texts.get(seen)
        if known is None:
            known = self._texts[seen] = []
            for select in selects:
                written, asked = Written(), by_number(select)
                written.args, written.written = asked.args, asked.sql(dialect=self.dialect)
                known.append(written)
        return known

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


@dataclass
class Found:
    """What came of many pairs."""

    pairs: int = 0
    against: int = 0  # pairs of which one is without the person
    asked: int = 0
    questions: int = 0
    refused: int = 0
    worlds: int = 0
    parts: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.pairs:,} pairs of neighbours ({self.against:,} with and without a person),"
            f" {self.asked:,} times asked, {self.questions:,} questions ({self.refused:,} refused),"
            f" {self.worlds:,} worlds, {len(self.differences)} differences"
        )


@dataclass
class Round:
    """One question, its plan and what came of it for every shape."""

    question: Question
    epsilon: Fraction
    delta: Fraction | None
    plan: Plan | None
    more: bool = False  # differs in numbers only from the one before, with which it is asked at once
    outcomes: list[Outcome] = field(default_factory=list)


def put(store: DuckStore, person: Person, target: str, rng: random.Random) -> None:
    """The person in another shape: rows in the place of the old ones, or appended, at once or one by one."""
    store.forget(None, [target])
    for name, rows in (("people", person.people), ("visits", person.visits)):
        if not rows:
            continue
        lists = [list(rows)] if rng.random() < 0.8 else [[row] for row in rows]
        for part in lists:
            frame = frames(part if name == "people" else [], part if name == "visits" else [])[name]
            (store.replace if len(lists) == 1 and rng.random() < 0.5 else store.append)(name, frame)


def filled(made: World) -> DuckStore:
    """Everybody but the one who changes."""
    store = DuckStore(made.dataset, threads=1)
    load(store, made.others)
    store.load("wards", wards())
    return store


def load(store: DuckStore, everybody: Sequence[Person]) -> None:
    """All rows anew, in this order: an engine may tell whose came first."""
    people = [row for person in everybody for row in person.people]
    visits = [row for person in everybody for row in person.visits]
    for name, frame in frames(people, visits).items():
        store.load(name, frame)


def rounds(
    rng: random.Random, made: World | Linked, session: Session, number: int, nested: bool = False
) -> list[Round]:
    """Questions, each planned once: the session keeps the plan for all shapes."""
    kind = NestedAsker if nested else LinkedAsker if isinstance(made, Linked) else Asker
    asker = kind(rng, made.dataset, made.target)
    found: list[Round] = []
    while len(found) < number:
        question = asker.question()
        form = form_of(question.sql)
        alike = [] if form is None else [_other_numbers(rng, question, form) for _ in range(2)]
        # The same text twice would be archived, or paid twice, by how it is asked.
        for place, one in enumerate({one.sql: one for one in (question, *alike)}.values()):
            try:
                plan = session._plan(one.sql)
            except Exception:
                plan = None  # whatever it is, asking tells it again
            delta = Fraction(1, 10**9) if plan is not None and plan.discovered else None
            found.append(Round(one, rng.choice(EPSILONS), delta, plan, more=place > 0))
    return found


def _other_numbers(rng: random.Random, question: Question, form: Form) -> Question:
    """A question of the same shape, whose numbers are filled in by the engine."""
    sql = form.text
    for written in form.numbers:
        number = str(rng.choice((0, 1, 2, 7, 30, 999_999_999)))
        sql = sql.replace("\0d" if "." in written else "\0i", f"{number}.5" if "." in written else number, 1)
    return Question(sql, (*question.parts, "asked together"))


@contextmanager
def opened(made: World | Linked, store: Any) -> Iterator[Session]:
    """A session with a real ledger in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="shoal-neighbours-") as folder:
        ledger = open_ledger(Path(folder) / "ledger.sqlite")
        try:
            session = Session(made.dataset, store, ledger)
            session._plans = Plans()
            yield session
        finally:
            ledger.close()


def one_world(seed: str, found: Found, shapes: int = SHAPES, questions: int = QUESTIONS) -> None:
    """A data set, a person in many shapes, and many questions about both."""
    rng = random.Random(seed)
    made = world(rng, shapes)
    store = filled(made)
    try:
        watched = Watched(store)
        with opened(made, watched) as session:
            asks = rounds(rng, made, session, questions, found.worlds % NESTED == NESTED - 1)
            first = rng.random() < 0.3
            for place, shape in enumerate(made.shapes):
                if first:
                    load(store, (shape, *made.others))
                else:
                    put(store, shape, made.target, rng)
                ask_all(session, watched, asks, f"analyst{place}", place)
    finally:
        store.close()
    found.worlds += 1
    for ask in asks:
        compared(seed, made, ask, found)


def one_shop(seed: str, found: Found, shapes: int = SHAPES, questions: int = QUESTIONS) -> None:
    """The same with tables that hang on others."""
    rng = random.Random(seed)
    made = linked_world(rng, shapes)
    store = DuckStore(made.dataset, threads=1)
    try:
        watched = Watched(store)
        with opened(made, watched) as session:
            for name, frame in shops.frames(made.others).items():
                store.load(name, frame)
            asks = rounds(rng, made, session, questions, found.worlds % NESTED == NESTED - 1)
            for place, shape in enumerate(made.shapes):
                everybody = (shape, *made.others) if rng.random() < 0.5 else (*made.others, shape)
                for name, frame in shops.frames(everybody).items():
                    store.load(name, frame)
                ask_all(session, watched, asks, f"analyst{place}", place)
    finally:
        store.close()
    found.worlds += 1
    for ask in asks:
        compared(seed, made, ask, found)


def ask_all(session: Session, watched: Watched, asks: list[Round], analyst: str, place: int) -> None:
    """The same questions in the same order by an analyst of the same budget."""
    session.grant(analyst)
    outer_answers.QUICK = QUICK if place < ANEW else 0.0
    for number, ask in enumerate(asks):
        if ask.more:
            continue  # with the one before
        together = [ask, *itertools.takewhile(lambda one: one.more, asks[number + 1 :])]
        if len(together) > 1:
            _ask_together(session, watched, together, analyst)
            continue
        if ask.plan is None and place > 1:
            continue  # refused before any row is read: seen twice, it is seen
        watched.given, watched.failed, watched.filled = [], None, {}
        watched.asking = None if ask.plan is None or place < ANEW else number
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(execution, "number_of", same_number)
            outcome = asked(session, ask.question.sql, ask.plan, ask.epsilon, ask.delta, analyst)
        filled = [[frame] for frame in watched.filled.values()]
        _noted(watched, ask, outcome, [*watched.given, *filled])


def same_number(earlier: Earlier, told: AnswerRows) -> exp.Expression:
    """What rows are compared with is noisy: here it is one number for all shapes, so that these can be."""
    number_of(earlier, told)
    if earlier.kind != "number":
        return number_of(earlier, AnswerRows((("2024-02-29",),), {}, ()))
    far = earlier.high - earlier.low > 10**9
    value = 7.5 if far else earlier.low + (earlier.high - earlier.low) * 0.37
    return number_of(earlier, AnswerRows(((value,),), {}, ()))


def _ask_together(session: Session, watched: Watched, together: list[Round], analyst: str) -> None:
    """Questions that wait at the same time, as the service asks them."""
    watched.failed, watched.filled, watched.asking = None, {}, None
    given: dict[str, list[list[pl.DataFrame]]] = {}
    prepared: dict[str, Prepared | None] = {}
    alone, all_at_once = execution.answer_alone, execution.answer_together

    def one_alone(asked: PricedQuestion, *others: Any) -> Any:
        watched.given = []
        found = alone(asked, *others)
        given[asked.sql] = watched.given
        return found

    def many(asked: Sequence[PricedQuestion], *others: Any) -> Any:
        prepared.update({one.sql: one.plan.prepared for one in asked})
        return all_at_once(asked, *others)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "answer_alone", one_alone)
        patch.setattr(sessions, "answer_together", many)
        answers = session.ask_all(
            [sessions.Question(one.question.sql, one.epsilon, one.delta, analyst) for one in together]
        )
    for one, answer in zip(together, answers, strict=True):
        kept = watched.filled.get(id(prepared.get(one.question.sql)))
        _noted(
            watched,
            one,
            outcome_of(answer, one.plan),
            given.get(one.question.sql) or ([[kept]] if kept is not None else []),
        )


def _noted(watched: Watched, ask: Round, outcome: Outcome, given: list[list[pl.DataFrame]]) -> None:
    """What came of a question, with what the engine said and counted: of the question itself at last."""
    # What failed among the numbers that are asked for first has nothing of the question itself.
    if ask.plan is not None and len(given) > len(ask.plan.earlier) and "raised" not in outcome.told:
        first = [one.plan for one in ask.plan.earlier]
        before = zip(first, given[-1 - len(first) :], strict=False)
        counted = [*(frame for plan, some in before for frame in counted_of(plan, some)), *given[-1]]
        outcome = replace(outcome, exact=exact_leaves(ask.plan, counted))
        if ask.plan.outer is None and ask.plan.leaves[0].keys:
            outcome = replace(outcome, frames=counted_of(ask.plan, given[-1]))
    if watched.failed is not None:  # what the engine said, not what was made of it
        outcome = replace(outcome, failed=watched.failed)
    ask.outcomes.append(outcome)


def compared(seed: str, made: World | Linked, ask: Round, found: Found) -> None:
    found.questions += 1
    found.asked += len(ask.outcomes)
    found.pairs += len(ask.outcomes) * (len(ask.outcomes) - 1) // 2
    found.against += len(ask.outcomes) - 1
    found.parts.update(set(ask.question.parts))
    base = ask.outcomes[0]
    if "raised" in base.told:
        found.refused += 1
        found.refusals[f"{base.told['raised']}: {base.told['text']}"] += 1
        if base.told["raised"] not in ("NotAllowed", "Spent", "BadParameter"):
            found.differences.append(_report(seed, made, ask, 0, 0, f"raised {base.told}"))
            return
    for place, outcome in enumerate(ask.outcomes[1:], 1):
        text = outcome.failed or base.failed or base.difference(outcome)
        if text is None and ask.plan is not None and base.exact is not None and outcome.exact is not None:
            text = moved_leaves(ask.plan, base.exact, outcome.exact)
            if text is None:
                priced = price(made.dataset, ask.plan, ask.epsilon, ask.delta)
                text = overspent(made.dataset, ask.plan, priced, base.exact, outcome.exact)
            text = text or _seen(ask.plan.leaves[0], base, outcome)
        if text is not None:
            found.differences.append(_report(seed, made, ask, 0, place, text))
            return


def _seen(query: Query, base: Outcome, other: Outcome) -> str | None:
    """What differs although no number is told: a key that is written otherwise, a group that is twice."""
    if not base.frames or not other.frames:
        return None
    one = behind_noise(query, base.frames, other.frames)
    two = behind_noise(query, other.frames, base.frames)
    place = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), len(one))
    return None if one == two else f"behind the noise: {one[place - 50 :][:90]} and {two[place - 50 :][:90]}"


def _report(seed: str, made: World | Linked, ask: Round, one: int, other: int, text: str) -> str:
    return (
        f"# {text}\n# seed {seed!r}, shape {other}\nsql = {ask.question.sql!r}\nepsilon = {ask.epsilon!r}\n"
        f"{pasted(made, one, other)}"
    )


def explore(
    seed: str,
    pairs: int,
    shapes: int = SHAPES,
    questions: int = QUESTIONS,
    tell: Callable[[Found], None] = lambda _: None,
    most: int = 10,
) -> Found:
    """Worlds until so many pairs are asked, or so many differences found."""
    found = Found()
    while found.pairs < pairs and len(found.differences) < most:
        one = one_shop if found.worlds % 3 == 2 else one_world
        one(f"{seed}-{found.worlds}", found, shapes, questions)
        tell(found)
    return found


def _rate(found: Found) -> str:
    """In the time of this process: other work on the machine does not count."""
    return f"{found.pairs / time.process_time():.0f} pairs per second of CPU"


def main(words: Sequence[str] | None = None) -> int:
    """The long run."""
    parser = argparse.ArgumentParser(description="Ask neighbouring databases the same questions.")
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--seed", default="neighbours")
    parser.add_argument("--shapes", type=int, default=SHAPES)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--most", type=int, default=10, help="end after so many differences")
    given = parser.parse_args(words)
    start = last = time.monotonic()

    def tell(found: Found) -> None:
        nonlocal last
        if time.monotonic() - last > 10:
            last = time.monotonic()
            sys.stderr.write(f"{last - start:6.0f} s  {found}, {_rate(found)}\n")

    found = explore(given.seed, given.pairs, given.shapes, given.questions, tell, given.most)
    for difference in found.differences:
        sys.stdout.write(f"{difference}\n\n")
    spent = time.monotonic() - start
    sys.stdout.write(f"{found}, {spent:.0f} s, {_rate(found)}, seed {given.seed!r}\n")
    for name, number in sorted(found.parts.items(), key=lambda item: -item[1]):
        sys.stdout.write(f"{number / found.questions:7.1%}  {name}\n")
    for name, number in found.refusals.most_common(15):
        sys.stdout.write(f"{number:7}  {name[:150]}\n")
    return 1 if found.differences else 0


if __name__ == "__main__":
    sys.exit(main())
