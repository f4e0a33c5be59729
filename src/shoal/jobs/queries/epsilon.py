"""Choosing ε: from an error that one can live with to the ε that buys it, or what an ε means."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import cache, partial
from typing import cast

from shoal.core.errors import BadParameter
from shoal.engines.atomic_write import check_place
from shoal.jobs.chart_files import check_form, draw
from shoal.jobs.queries.ask import UNKEPT, Database, connect, open_from_flags
from shoal.jobs.queries.declare import chance, epsilon_from, figure, pairs_of
from shoal.jobs.queries.question_requests import AskQuery, EpsilonQuery
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.answering.budget_split import Shares
from shoal.queries.declaration.declaration import Accounting
from shoal.queries.epsilon_choice import LADDER, EpsilonChoice, Odds, Point, smallest_epsilon
from shoal.queries.results import CostEstimate

NO_QUESTION = 'the question is empty; ask for something, as in "SELECT COUNT(*) FROM visits"'
Errors = tuple[float, float | None]  # on average, and half the width of a 95 % interval


def epsilon_query(job: EpsilonQuery) -> EpsilonChoice:
    """What was found out about ε; drawn, too, if asked for. Nothing is spent, no row is read."""
    if job.chart is not None:
        check_form(job.chart)
        sources = [*pairs_of("data", job.data).values(), *pairs_of("public", job.public).values()]
        check_place(job.chart, [*sources, job.ledger, job.config])
    given = None if job.epsilon is None else epsilon_from(job.epsilon)
    found = _of_number(job, given) if job.question is None else _of_question(job, given)
    if job.chart is not None:
        draw(found.to_chart(), job.chart)
    return found


def _of_number(job: EpsilonQuery, given: Fraction | None) -> EpsilonChoice:
    """One number that a person moves by the sensitivity."""
    reach = figure(job.sensitivity, "--sensitivity")
    if reach <= 0:
        raise BadParameter(f"--sensitivity {float(reach):g} is out of range; a count has 1")
    accounting = job.accounting or "approximate"
    accounting_of(accounting)

    def errors(epsilon: Fraction) -> Errors:
        noise = Shares(cast(Accounting, accounting), epsilon, Fraction(0), 1).noise(reach)
        return noise.error, noise.interval()

    about = f"one number that a person moves by at most {float(reach):g}"
    return _choice(job, given, errors, about, accounting, sensitivity=float(reach))


def _of_question(job: EpsilonQuery, given: Fraction | None) -> EpsilonChoice:
    """A question to declared data, by what an estimate says."""
    assert job.question is not None
    if not job.question.strip():
        raise BadParameter(NO_QUESTION)
    if job.service is not None:
        client = connect(job.service, job.token or "")
        name = job.dataset or client.only_dataset()
        asked = partial(client.estimate, job.question, delta=chance(job.delta), dataset=name)
        return _by_estimates(job, given, asked, client.budget(name).accounting)
    with _opened(job) as database:
        estimate = partial(database.estimate, job.question, delta=job.delta)
        return _by_estimates(job, given, estimate, database.budget().accounting, database.notes)


def _by_estimates(
    job: EpsilonQuery,
    given: Fraction | None,
    estimate: Callable[[Fraction], CostEstimate],
    accounting: str,
    remarks: tuple[str, ...] = (),
) -> EpsilonChoice:
    estimate = cache(estimate)  # one may be a call over the network
    first = estimate(given or Fraction(1))
    column = _column(job, first.error)

    def errors(epsilon: Fraction) -> Errors:
        told = estimate(epsilon)
        error = told.error[column]
        assert error is not None
        return error, told.interval.get(column)

    notes = [note for note in (*remarks, *first.notes) if not note.startswith(UNKEPT)]
    if first.cost.get("delta"):
        notes.append(
            f"with a probability of δ = {first.cost['delta']:g} a group may show because of one person; "
            "the odds say nothing about that"
        )
    return _choice(job, given, errors, job.question or "", accounting, column, notes=tuple(notes))


def _choice(
    job: EpsilonQuery,
    given: Fraction | None,
    errors: Callable[[Fraction], Errors],
    about: str,
    accounting: str,
    column: str | None = None,
    sensitivity: float | None = None,
    notes: tuple[str, ...] = (),
) -> EpsilonChoice:
    squared = accounting_of(accounting).squared

    def point(epsilon: Fraction) -> Point:
        return Point(epsilon, *errors(epsilon), Odds.of(epsilon, job.belief, squared))

    wanted = None if given is not None else ("within" if job.error is None else "error")
    if wanted == "within" and errors(Fraction(1))[1] is None:
        raise BadParameter(
            f"how widely '{column}' spreads depends on the rows; give --error, for its size on average"
        )
    limit = job.within if job.error is None else job.error

    def size(epsilon: Fraction) -> float:
        try:
            error, width = errors(epsilon)
        except BadParameter:  # noise of that scale cannot be made
            return math.inf
        return error if wanted == "error" or width is None else width

    epsilon = smallest_epsilon(size, limit) if given is None and limit is not None else given
    assert epsilon is not None
    ladder = [one for one in sorted({*LADDER, epsilon}) if one == epsilon or math.isfinite(size(one))]
    if epsilon > 1:
        notes += (f"ε = {float(epsilon):g} is a weak promise; for a question, 0.1 to 1 is usual",)
    notes += ("each further answer about the same people adds its ε to this one",) * (not squared)
    return EpsilonChoice(
        about,
        column,
        point(epsilon),
        None if wanted is None or limit is None else (wanted, limit),
        tuple(map(point, ladder)),
        accounting,
        sensitivity,
        notes,
    )


def _column(job: EpsilonQuery, errors: Mapping[str, float | None]) -> str:
    """The column that is named, or else the one that is farthest off."""
    known = {name: error for name, error in errors.items() if error is not None}
    if job.column is not None and job.column not in known:
        raise BadParameter(
            f"no error of '{job.column}' is known before asking; there is {', '.join(known) or 'none'}"
        )
    if not known:
        raise BadParameter("no error of this question is known before asking; ask for a count or a sum")
    return job.column if job.column is not None else max(known, key=lambda name: known[name] or 0.0)


@contextmanager
def _opened(job: EpsilonQuery) -> Iterator[Database]:
    if job.config is not None:
        from shoal.jobs.queries.project import open_project

        database: Database = open_project(job.config, job.dataset)
    else:
        asked = AskQuery(sql=job.question or "", epsilon=1, **job.given, ledger=job.ledger, estimate=True)
        database = open_from_flags(asked, Fraction(1), None)
    with database:
        yield database
