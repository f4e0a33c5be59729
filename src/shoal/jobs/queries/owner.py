"""What an owner does beside asking: who may ask, what is left, what was asked, is the ledger whole.

All of it works on the ledger alone, so that a running service need not be stopped for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.jobs.queries.ask import FILE, OWNER
from shoal.jobs.queries.declare import chance, epsilon_from
from shoal.jobs.queries.project import ledger_of, project_of, registered_dataset
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.accounting.cost import Cost
from shoal.queries.budget_balance import budget_state, declared_delta
from shoal.queries.client import connect
from shoal.queries.declaration.declaration import Budget
from shoal.queries.ledger.account import account
from shoal.queries.ledger.consistency import ConsistencyReport
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import open_ledger
from shoal.queries.ledger.token_holders import People
from shoal.queries.results import BudgetState

ALL = "all together"


@dataclass(frozen=True)
class Listing(Shown):
    """Things of one kind, one line each."""

    name: str
    items: tuple[Mapping[str, Json], ...]
    columns: tuple[str, ...]
    missing: Mapping[str, str] = field(default_factory=dict)  # what a null is called, by column

    def to_json(self) -> dict[str, Json]:
        """One list under its name."""
        return {self.name: [dict(item) for item in self.items]}

    def to_tables(self) -> Tables:
        """One table."""
        lines = [
            [_value_text(item.get(column), self.missing.get(column, "–")) for column in self.columns]
            for item in self.items
        ]
        return {self.name: [list(self.columns), *lines]}


@dataclass(frozen=True)
class Token:
    """Somebody's token, shown only once."""

    name: str
    role: str
    token: str

    def to_json(self) -> dict[str, Json]:
        return {"name": self.name, "role": self.role, "token": self.token}

    def to_tables(self) -> Tables:
        return {
            "told once; only its hash is kept": [
                ["name", "role", "token"],
                [self.name, self.role, self.token],
            ]
        }


@contextmanager
def ledger_at(
    config: str | Path | None, ledger: str | Path | None, adding: str | None = None
) -> Iterator[Ledger]:
    """The ledger of a project file, of a place, or the one in this folder. Looking at it makes none.

    `adding` names a data set of a project that somebody is let in to, which may be before its first start.
    """
    if config is not None and ledger is not None:
        raise BadParameter("--config names the ledger already; leave --ledger out")
    project = None if config is None else project_of(config)
    if project is not None and adding is not None and not registered_dataset(project, adding):
        project.dataset(adding)
        found = ledger_of(project)
    else:
        found = open_ledger((ledger or FILE) if project is None else project.ledger, create=False)
    try:
        yield found
    finally:
        found.close()


def each_of(config: str | Path | None, dataset: str | None) -> Budget | None:
    """What a data set of a project gives to each analyst who is given nothing else."""
    if config is None or dataset is None:
        return None
    project = project_of(config)
    declared = next((one for one in project.datasets if one.name == dataset), None)
    found = declared or registered_dataset(project, dataset)
    return None if found is None else found.each


def budgets(ledger: Ledger, dataset: str | None = None, analyst: str | None = None) -> Listing:
    """What everybody was granted, has spent and has left, and before them all together."""
    with ledger.place.reading() as hand:
        pairs = hand.rows(
            "SELECT dataset, analyst FROM accounts ORDER BY dataset, analyst"  # all together come first
        )
    chosen = [
        (name, who or None) for name, who in pairs if dataset in (None, name) and analyst in (None, who)
    ]
    if not chosen and (dataset or analyst):
        raise BadParameter(
            f"no budget of {analyst or 'anybody'} for '{dataset or 'any data set'}' in the ledger"
        )
    return _budgets([budget_state(ledger, *whose) for whose in chosen])


def budget_at(service: str, token: str, dataset: str | None) -> Listing:
    """One's own budget at a service."""
    return _budgets([connect(service, token).budget(dataset)])


def people(ledger: Ledger) -> Listing:
    """Who has a token and who had one."""
    everybody = tuple(person.to_json() for person in People(ledger).all())
    return Listing("analysts", everybody, ("name", "role", "since", "revoked"))


def add(
    ledger: Ledger,
    name: str,
    dataset: str | None,
    epsilon: Any = None,
    delta: Any = None,
    each: Budget | None = None,
) -> Token:
    """Let an analyst in, with a budget for a data set, or what it gives to `each`; the token is told once."""
    keepers = People(ledger)
    if name == OWNER:
        raise BadParameter(f"'{OWNER}' is the name of the owner; choose another name")
    if any(person.name == name for person in keepers.all()):
        raise BadParameter(
            f"there is somebody called '{name}' already; choose another name, or --renew the token"
        )
    if dataset is None and epsilon is not None:
        raise BadParameter(f"a budget for '{name}', but for which data set? Give --dataset")
    if epsilon is None and delta is not None:
        raise BadParameter("a δ without an ε; give both, or neither for what the data set gives to each")
    # What can be wrong with the budget comes before the person, and the person before the budget is given.
    limit = None if dataset is None else _limit(ledger, dataset, epsilon, delta, each)
    token = keepers.add(name)
    if dataset is not None and limit is not None:
        ledger.grant(dataset, name, limit)
    return Token(name, "analyst", token)


def renew(ledger: Ledger, name: str) -> Token:
    """Another token in the place of the one before."""
    keepers = People(ledger)
    token = keepers.renew(name)
    (role,) = [person.role for person in keepers.all() if person.name == name]
    return Token(name, role, token)


def revoke(ledger: Ledger, name: str) -> Listing:
    """Take a token back, from this moment on; what was spent stays spent."""
    People(ledger).revoke(name)
    return people(ledger)


def log(ledger: Ledger, dataset: str | None, analyst: str | None, limit: int) -> Listing:
    """What the ledger noted, the newest first."""
    return _log([entry.to_json() for entry in ledger.entries(dataset, analyst, limit)])


def log_at(service: str, token: str, dataset: str | None, limit: int) -> Listing:
    """One's own entries at a service, or everybody's for an owner."""
    return _log(connect(service, token).log(dataset, limit))


def check(ledger: Ledger) -> ConsistencyReport:
    """Whether the ledger agrees with itself from the first entry on."""
    return ledger.check()


def _limit(ledger: Ledger, dataset: str, epsilon: Any, delta: Any, each: Budget | None) -> Cost:
    with ledger.place.reading() as hand:
        known = account(hand, dataset)
    if known is None:
        raise BadParameter(f"no data set '{dataset}' in the ledger; start the service or name another")
    books = accounting_of(known.accounting)
    if epsilon is None:
        return known.each if each is None else books.limit(each)
    told = chance(delta)
    whole = declared_delta(known.each, known.accounting)
    return books.limit(Budget(epsilon_from(epsilon), whole if told is None else told))


def _budgets(states: Sequence[BudgetState]) -> Listing:
    columns = ("dataset", "analyst", "limit", "spent", "remaining", "policy", "accounting")
    return Listing("budgets", tuple(state.to_json() for state in states), columns, {"analyst": ALL})


def _log(entries: Sequence[Mapping[str, Json]]) -> Listing:
    columns = ("id", "time", "dataset", "analyst", "kind", "loss", "delta", "question")
    return Listing("entries", tuple(entries), columns)


def _value_text(value: Json, missing: str = "–") -> str:
    if isinstance(value, Mapping):
        signs = {"epsilon": "ε", "delta": "δ", "rho": "ρ", "mu": "μ"}
        return ", ".join(f"{signs.get(name, name)} {_value_text(part)}" for name, part in value.items())
    if value is None:
        return missing
    return f"{value:.6g}" if isinstance(value, float) else str(value)
