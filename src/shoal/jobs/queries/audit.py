"""Audits: of a mechanism of the catalog, of a question to data, or of any function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from sqlglot import exp

from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.core.part_syntax import spell, split
from shoal.jobs.queries.ask import BudgetLedger
from shoal.jobs.queries.declare import Given, chance, declare, epsilon_from
from shoal.jobs.queries.question_requests import AuditQuery
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.answering.budget_split import divide
from shoal.queries.auditing.audit import Audit, audit_sides
from shoal.queries.auditing.mechanism_draws import function_side, mechanism_side
from shoal.queries.auditing.question_draws import QuestionDraws
from shoal.queries.declaration.declaration import Dataset
from shoal.queries.ledger.open_ledger import passing_ledger
from shoal.queries.pricing import SHARE
from shoal.queries.sql.questions import plan_question
from shoal.queries.stores.duckdb_store import DuckStore

DELTA = Fraction(1, 1000)  # at which a promise with a δ is held to it, where none is given
PEOPLE = 12  # tried one after the other, to find who moves a question the most


def audit_query(job: AuditQuery) -> Audit:
    """The ε that the subject costs at least, beside the one that it claims."""
    epsilon, delta = epsilon_from(job.epsilon), chance(job.delta)
    if not isinstance(job.subject, str) and callable(job.subject):
        return _of_function(job, epsilon, delta)
    if isinstance(job.subject, str) and " " in job.subject.strip() and "(" not in job.subject.split()[0]:
        return _of_question(job, epsilon, delta)
    if job.data:
        raise BadParameter(f"'{job.subject}' is no question; data go with SQL such as SELECT COUNT(*) FROM t")
    return _of_mechanism(job, epsilon, delta)


def _of_mechanism(job: AuditQuery, epsilon: Fraction, delta: Fraction | None) -> Audit:
    """On the pair of inputs that the mechanism names as the farthest apart."""
    made = catalog.part_of("mechanism", _filled(job.subject), "query").costing(epsilon, delta or DELTA)
    allowed = 0.0 if made.pure else float(delta or DELTA)
    here, there = made.audit_pair
    return audit_sides(
        mechanism_side(made, here),
        mechanism_side(made, there),
        audited=job.subject if isinstance(job.subject, str) else spell(made),
        claimed=float(epsilon),
        delta=allowed,
        neighbours=f"{list(here)} against {list(there)}",
        **_effort(job),
    )


def _filled(given: Any) -> Any:
    """A spelling with the parameters of the example where it leaves some open."""
    if not isinstance(given, str):
        return given
    name, said = split(given)
    if name not in catalog.names("mechanism"):
        return given
    example = split(f"{name}({catalog.find('mechanism', name).example})")[1]
    return f"{name}({','.join(f'{key}={value}' for key, value in {**example, **said}.items())})"


def _of_function(job: AuditQuery, epsilon: Fraction, delta: Fraction | None) -> Audit:
    """A function of one input that answers with noise, on two inputs that differ by one person."""
    if not isinstance(job.neighbours, Sequence) or len(job.neighbours) != 2:
        raise BadParameter("a function is audited on two inputs; give neighbours=(with, without)")
    here, there = job.neighbours
    function: Callable[[Any], Any] = job.subject
    return audit_sides(
        function_side(function, here),
        function_side(function, there),
        audited="a function",
        claimed=float(epsilon),
        delta=float(delta or 0),
        neighbours="as given",
        **_effort(job),
    )


def _of_question(job: AuditQuery, epsilon: Fraction, delta: Fraction | None) -> Audit:
    """A question to data with and without one person: the one who is named, or whoever moves it the most."""
    given = Given(**job.given)
    declared = declare(given)
    books = BudgetLedger.new(given.accounting, epsilon, delta, passing_ledger())
    books.ledger.close()
    dataset = declared.dataset(books.budget, books.accounting)
    whole = declared.store(dataset)
    try:
        plan = plan_question(job.subject, dataset, whole)
        if plan.earlier:
            raise BadParameter(
                "what a question counts that compares rows with a noisy number is another thing for every "
                "draw; audit the question of the number, and the other one with a number that is written down"
            )
        small = Fraction(0)
        if plan.discovered:
            small = delta if delta is not None else dataset.budget.delta / SHARE
        shares = divide(dataset.accounting, epsilon, small, plan.leaves)
        mine = QuestionDraws.of(plan, shares, whole)
        tried = {}
        for who in _candidates(job, dataset, whole):
            rest = declared.store(dataset)
            try:
                rest.forget(None, [who])
                tried[who] = QuestionDraws.of(plan, shares, rest)
            finally:
                rest.close()
    finally:
        whole.close()
    moved = {who: sum(part.found / part.declared for part in mine.reach([one]) if part.declared)
             for who, one in tried.items()}  # fmt: skip
    farthest = max(moved, key=lambda who: moved[who])
    claimed, allowed = float(epsilon), float(small)
    kept = accounting_of(dataset.accounting)
    if kept.squared:  # a question costs its square, which is an ε at a δ
        allowed = float((delta or DELTA) + small)
        claimed = float(kept.claim(epsilon, delta or DELTA))
    return audit_sides(
        mine,
        tried[farthest],
        audited=plan.text,
        claimed=claimed,
        delta=allowed,
        neighbours=f"with and without one person, of {len(tried):,} tried the one who moves it the most"
        if job.without is None
        else "with and without the person named",
        reach=mine.reach(list(tried.values())),
        **_effort(job),
    )


def _candidates(job: AuditQuery, dataset: Dataset, store: DuckStore) -> list[str | int]:
    """Whom to leave out in turn: who is named, or those with the most rows and some others."""
    table = next(one for one in dataset.tables if one.unit is not None and one.link is None)
    unit = exp.column(table.column(table.unit or "").name, quoted=True)
    counted = exp.select(unit.as_("who"), exp.Count(this=exp.Star()).as_("n")).from_(store.relation(table))
    people = store.run([counted.group_by(unit)])[0].sort("n", "who", descending=[True, False])["who"]
    if people.is_empty():
        raise BadParameter("the data have no rows, so nobody can be left out; audit with rows")
    if job.without is not None:
        if job.without not in map(str, people.to_list()):
            raise BadParameter(
                f"nobody is called '{job.without}' in '{table.unit}'; name somebody who has rows"
            )
        return [job.without]
    spread = people.gather_every(max(1, people.len() // PEOPLE))
    return list(dict.fromkeys([*people.head(PEOPLE // 2).to_list(), *spread.to_list()]))[:PEOPLE]


def _effort(job: AuditQuery) -> dict[str, Any]:
    return {"samples": job.samples, "confidence": job.confidence, "time_limit": job.time_limit}
