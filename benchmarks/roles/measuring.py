"""Suggested roles beside the labels: precision and recall per role, and which mistakes hurt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import get_args

from benchmarks.roles.labelled import PARTS, Labelled, labelled
from benchmarks.show import table
from shoal.tables.column_decisions import Role
from shoal.tables.discovery.discovery import inspect
from shoal.tables.table import Table

HIDDEN = "xq"
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True)
class Verdict:
    """One column: what experts say, what was suggested, and why."""

    table: str
    column: str
    roles: tuple[Role, ...]
    suggested: Role
    reason: str
    understood: bool = True

    @property
    def right(self) -> bool:
        return self.suggested in self.roles

    @property
    def counted(self) -> Role:
        """The role that is counted as true: the suggested one where experts may agree with it."""
        return self.suggested if self.right else self.roles[0]

    @property
    def hurts(self) -> bool:
        """Whether people lose by it: something about them goes out unprotected because it was misjudged."""
        if self.right:
            return False
        return self.suggested == "insensitive" or (
            self.suggested == "sensitive" and self.roles[0] in ("identifier", "quasi")
        )


def judge(tables: Sequence[Labelled]) -> list[Verdict]:
    """Every column of some tables beside its label."""
    return [
        Verdict(one.name, column, one.labels[column].roles, report.role, report.reason, report.understood)
        for one in tables
        for column, report in inspect(Table(one.frame)).columns.items()
    ]


def precision(verdicts: Sequence[Verdict], role: Role) -> float:
    """The share of what was called this role that is."""
    called = [verdict.right for verdict in verdicts if verdict.suggested == role]
    return sum(called) / len(called) if called else 1.0


def recall(verdicts: Sequence[Verdict], role: Role) -> float:
    """The share of what is this role that was called so."""
    those = [verdict.right for verdict in verdicts if verdict.counted == role]
    return sum(those) / len(those) if those else 1.0


def judge_hidden(tables: Sequence[Labelled]) -> list[Verdict]:
    """The same with one column at a time under a name that says nothing, as an unknown word does."""
    return [
        replace(verdict, column=column, roles=one.labels[column].roles)
        for one in tables
        for column in one.frame.columns
        for verdict in judge([_renamed(one, column)])
        if verdict.column == HIDDEN
    ]


def _renamed(one: Labelled, column: str) -> Labelled:
    labels = {HIDDEN if name == column else name: label for name, label in one.labels.items()}
    return Labelled(one.name, one.frame.rename({column: HIDDEN}), labels)


def run(only: str) -> None:
    """Print both parts and the held-out one with hidden names, or those whose name holds `only`.

    `mistakes` lists those of the development part; those of the held-out part are nobody's business.
    """
    listed = only == "mistakes"
    for part in PARTS:
        if listed or only in part:
            _print(f"{part} part", judge(labelled(part)), listed and part == "development")
    if not listed and only in "hidden names":
        _print("held-out part, hidden names", judge_hidden(labelled("held-out")), listed=False)


def _print(part: str, verdicts: Sequence[Verdict], listed: bool) -> None:
    tables = len({verdict.table for verdict in verdicts})
    right = sum(verdict.right for verdict in verdicts)
    hurting = sum(verdict.hurts for verdict in verdicts)
    going = sum(verdict.hurts and verdict.understood for verdict in verdicts)
    held = sum(not verdict.understood for verdict in verdicts)
    pairs = Counter((verdict.counted, verdict.suggested) for verdict in verdicts)
    rows = [
        [
            role,
            f"{precision(verdicts, role):.1%}",
            f"{recall(verdicts, role):.1%}",
            *(str(pairs[role, suggested]) for suggested in ROLES),
        ]
        for role in ROLES
    ]
    table(
        f"Suggested roles, {part}: {len(verdicts)} columns of {tables} tables",
        ["role", "precision", "recall", *(f"called {role}" for role in ROLES)],
        rows,
        [
            f"{right} of {len(verdicts)} right ({right / len(verdicts):.1%}); where experts differ, each is",
            f"{hurting} mistakes would let something out unprotected ({hurting / len(verdicts):.1%})",
            f"{going} do by --yes ({going / len(verdicts):.1%}), which leaves {held} columns out as unknown",
        ],
    )
    if listed:
        wrong = [verdict for verdict in verdicts if not verdict.right]
        rows = [
            [f"{one.table}: {one.column}", one.roles[0], one.suggested, one.reason]
            for one in sorted(wrong, key=lambda one: not one.hurts)
        ]
        table("Mistakes, those that hurt first", ["column", "is", "called", "because"], rows)
