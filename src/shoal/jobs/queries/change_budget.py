"""Another budget, by the owner's will: of a data set over all analysts, or of one of them.

It is noted in the ledger, what was spent stays spent, and a running service counts with it at once. The
folder of the service follows, so that it starts again; cut off in between, the same call repairs it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter
from shoal.jobs.queries.ask import OWNER, Replied, remote
from shoal.jobs.queries.declare import chance, epsilon_from
from shoal.jobs.queries.owner import budgets, ledger_at
from shoal.jobs.queries.project import Project, project_of, registered_dataset
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.budget_balance import declared_delta
from shoal.queries.declaration.declaration import Budget
from shoal.queries.declaration.validation import fraction_text
from shoal.queries.ledger.account import Account, account
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.token_holders import People
from shoal.queries.service.dataset_registry import Registry


def change_budget(
    config: str | Path | None,
    ledger: str | Path | None,
    dataset: str | None,
    analyst: str | None,
    epsilon: Any,
    delta: Any = None,
) -> Replied:
    """Set a budget; δ stays as it is when none is given. More is lost privacy, less refuses sooner."""
    asked, chosen = epsilon_from(epsilon, "--change-epsilon"), chance(delta, "--change-delta")
    project = None if config is None else project_of(config)
    with ledger_at(config, ledger) as books:
        name = dataset or _only(books)
        known = _known(books, name, None)
        if known is None:
            raise BadParameter(f"no data set '{name}' in the ledger; there is {', '.join(_names(books))}")
        of = known if analyst is None else _known(books, name, analyst) or known
        old = declared_delta(of.each, known.accounting)
        budget = Budget(asked, old if chosen is None else chosen)
        if analyst is None:
            notes = _change(books, name, known, budget, project)
        else:
            notes = _grant(books, name, analyst, known, budget)
        return Replied(budgets(books, name, analyst), notes)


def _change(
    ledger: Ledger, name: str, known: Account, budget: Budget, project: Project | None
) -> tuple[str, ...]:
    limit = accounting_of(known.accounting).limit(budget)
    if known.accounting != "pure" and not budget.delta:
        raise BadParameter(f"{known.accounting} accounting needs a δ above 0, such as 1e-6")
    stored = None if project is None else registered_dataset(project, name)
    if project is None and not remote(ledger.place.where):
        beside = Path(ledger.place.where).parent / "datasets" / f"{name}.json"
        if beside.exists():
            raise BadParameter(f"'{name}' is the data set of a service; name its project file with --config")
    ledger.change(name, limit, known.policy)  # type: ignore[arg-type]
    if _known(ledger, name, OWNER) is not None:  # as at every start: an owner may spend all of it
        ledger.grant(name, OWNER, limit)
    if project is None or stored is None:
        return ()
    registry = Registry(project.folder / "datasets")
    registry.add(replace(stored, budget=budget), registry.local(name))
    told = [one.budget for one in project.datasets if one.name == name]
    if told in ([], [budget]):
        return ()
    words = f"epsilon = {fraction_text(budget.epsilon)}"
    words += f", delta = {fraction_text(budget.delta)}" if budget.delta else ""
    return (f"now write {words} for '{name}' into the project file; until then no service starts with it",)


def _grant(ledger: Ledger, name: str, analyst: str, known: Account, budget: Budget) -> tuple[str, ...]:
    if _known(ledger, name, analyst) is None and analyst not in {one.name for one in People(ledger).all()}:
        raise BadParameter(
            f"nobody is called '{analyst}'; let them in with shoal query analysts --add {analyst}"
        )
    limit = accounting_of(known.accounting).limit(budget)
    ledger.grant(name, analyst, limit)
    if limit.within(known.each):
        return ()
    return (f"'{name}' has less than that for all together, and the smaller of the two decides",)


def _known(ledger: Ledger, dataset: str, analyst: str | None) -> Account | None:
    with ledger.place.reading() as hand:
        return account(hand, dataset) if analyst is None else account(hand, dataset, analyst)


def _names(ledger: Ledger) -> list[str]:
    with ledger.place.reading() as hand:
        return [
            row[0] for row in hand.rows("SELECT dataset FROM accounts WHERE analyst = '' ORDER BY dataset")
        ]


def _only(ledger: Ledger) -> str:
    names = _names(ledger)
    if len(names) != 1:
        raise BadParameter(f"which data set? Give --dataset; there is {', '.join(names) or 'none'}")
    return names[0]
