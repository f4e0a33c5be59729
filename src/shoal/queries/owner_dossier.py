"""What an owner's report tells of the ledger, the declaration and an audit. No row, no answer is in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.queries.auditing.audit import Audit
from shoal.queries.ledger.consistency import ConsistencyReport
from shoal.queries.results import BudgetState


@dataclass(frozen=True)
class Asked:
    """One question that was paid for, however often."""

    dataset: str
    analyst: str
    question: str
    times: int
    loss: float  # of all of them: ε, or ρ under zCDP, as the ledger adds up
    last: str


@dataclass(frozen=True)
class Tried:
    """What an attack got, in numbers: nobody is named."""

    attack: str
    against: str
    targets: int
    hits: int
    interval: tuple[float, float]
    baseline: float  # what a blind guess hits
    after_cure: str

    @property
    def works(self) -> bool:
        """Whether it does better than a blind guess, beyond chance."""
        return self.interval[0] > self.baseline


@dataclass(frozen=True)
class OwnerDossier(Shown):
    """Who spent what on what, whether the ledger is whole, and what an audit finds."""

    title: str
    made: str
    version: str
    ledger: ConsistencyReport
    budgets: tuple[BudgetState, ...]  # all together first, of every data set
    asked: tuple[Asked, ...]  # the dearest first
    left_out: int  # questions beyond those that are shown
    declared: Mapping[str, Mapping[str, Any]]  # by data set; empty without a project file
    audits: tuple[Audit, ...]
    tried: tuple[Tried, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the ledger agrees with itself and no audit found a breach."""
        return self.ledger.holds and all(audit.passed for audit in self.audits)

    @property
    def overdrawn(self) -> tuple[BudgetState, ...]:
        """Who spent more than was granted."""
        return tuple(
            one
            for one in self.budgets
            if one.spent.get("epsilon", 0.0) > one.limit.get("epsilon", 0.0) + 1e-9
        )

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal query report --json` prints."""
        return {
            "title": self.title,
            "made": self.made,
            "holds": self.holds,
            "ledger": self.ledger.to_json(),
            "budgets": [one.to_json() for one in self.budgets],
            "questions": [dict(vars(one)) for one in self.asked],
            "left_out": self.left_out,
            "declared": {name: dict(told) for name, told in self.declared.items()},
            "audits": [one.to_json() for one in self.audits],
            "attacks": [{**vars(one), "interval": list(one.interval)} for one in self.tried],
        }

    def to_tables(self) -> Tables:
        spent = [
            [one.dataset, one.analyst or "all together", figures(one.spent), figures(one.limit)]
            for one in self.budgets
        ]
        return {
            "spent": [["data set", "who", "spent", "granted"], *spent],
            "checks": [
                ["what", "found"],
                ["ledger", "whole" if self.ledger.holds else "; ".join(self.ledger.complaints)],
                *([one.audited, f"ε {one.claimed:g}, at least {one.lower_bound:.3f}"] for one in self.audits),
            ],
        }


def figures(told: Mapping[str, float]) -> str:
    """A cost as people read it: ε 0.5, δ 1e-06."""
    signs = {"epsilon": "ε", "delta": "δ", "rho": "ρ"}
    return ", ".join(f"{signs.get(name, name)} {value:.4g}" for name, value in told.items())
