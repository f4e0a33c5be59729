"""Every attack against every protection of one network: what each achieves, or why there is no figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from shoal.core.notebook import Shown
from shoal.core.outcome import Finding, Json, Rate, Rows, Tables, number

State = Literal["tried", "does not apply", "out of time", "failed"]
_DASH = "–"


@dataclass(frozen=True)
class MatrixAttack:
    """A column: an attack as a user writes it, what it does, and what its rate is a share of."""

    attack: str
    about: str
    counts: str

    def to_json(self) -> dict[str, Json]:
        return {"attack": self.attack, "about": self.about, "counts": self.counts}


@dataclass(frozen=True)
class Protection:
    """A row: how a release was made, and what that changed; or why there is none."""

    protection: str  # as a user writes it: the method, and then the promises
    method: str
    models: tuple[str, ...] = ()
    added: int | None = None
    removed: int | None = None
    seconds: float = 0.0
    reason: str = ""  # why there is no release
    late: bool = False  # because the time was over

    @property
    def method_and_models(self) -> tuple[str, ...]:
        """The lines of its label: how, and what is promised."""
        models = " ".join(self.models)
        return (self.protection.removesuffix(models).strip(), *([models] if models else []))

    def changes(self, edges: int) -> tuple[str, str]:
        """The edges added and removed, as shares of those that there were; dashes where none are the same."""
        found = [None if one is None else one / max(edges, 1) for one in (self.added, self.removed)]
        more, less = (_DASH if one is None else f"{digits(one)} %" for one in found)
        return (more if more == _DASH else f"+ {more}", less if less == _DASH else f"\u2212 {less}")

    def to_json(self) -> dict[str, Json]:
        return {
            "protection": self.protection,
            "method": self.method,
            "models": list(self.models),
            "added": self.added,
            "removed": self.removed,
            "seconds": self.seconds,
            "reason": self.reason or None,
        }


@dataclass(frozen=True)
class MatrixCell:
    """What one attack achieves against one protection, without whom it hit."""

    attack: str
    protection: str
    state: State
    rate: Rate | None = None
    baseline: float | None = None
    wrong: float | None = None
    reason: str = ""
    seconds: float = 0.0

    @classmethod
    def of(cls, attack: str, protection: str, finding: Finding, seconds: float) -> MatrixCell:
        """The figures of a finding; the people in it stay behind."""
        return cls(
            attack, protection, "tried", finding.rate, finding.baseline, finding.wrong, seconds=seconds
        )

    def to_json(self) -> dict[str, Json]:
        rate = self.rate
        return {
            "attack": self.attack,
            "protection": self.protection,
            "state": self.state,
            "targets": None if rate is None else rate.targets,
            "hits": None if rate is None else rate.hits,
            "rate": None if rate is None else rate.value,
            "interval": None if rate is None else list(rate.interval),
            "wrong": number(self.wrong),
            "baseline": number(self.baseline),
            "reason": self.reason or None,
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class AttackMatrix(Shown):
    """What `graph attack matrix` returns."""

    nodes: int
    edges: int
    attacks: tuple[MatrixAttack, ...]
    protections: tuple[Protection, ...]
    cells: tuple[MatrixCell, ...]
    overlap: float
    seed: int | None = None
    seconds: float = 0.0
    notes: tuple[str, ...] = ()

    @cached_property
    def _by_place(self) -> Mapping[tuple[str, str], MatrixCell]:
        return {(cell.protection, cell.attack): cell for cell in self.cells}

    def cell(self, protection: str, attack: str) -> MatrixCell:
        """The cell of a row and a column, by their spellings."""
        return self._by_place[protection, attack]

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal graph attack matrix --json` prints."""
        return {
            "nodes": self.nodes,
            "edges": self.edges,
            "attacks": [attack.to_json() for attack in self.attacks],
            "protections": [protection.to_json() for protection in self.protections],
            "cells": [cell.to_json() for cell in self.cells],
            "overlap": self.overlap,
            "seed": self.seed,
            "seconds": self.seconds,
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        """The matrix in short, every cell in full, and why some have no figure."""
        tables = {
            "share found / share taken for somebody else": self._short(),
            "every cell": self._full(),
        }
        reasons = self.reasons()
        if reasons:
            told = [["protection", "attack", "why there is no figure"]]
            for why, cells in reasons.items():
                rows = list(dict.fromkeys(cell.protection for cell in cells))
                for row in rows:
                    here = [cell.attack for cell in cells if cell.protection == row]
                    every = len(here) == len(self.attacks) and len(here) > 1
                    told.append([row, "every attack" if every else ", ".join(here), why])
            tables["no figure"] = told
        return tables

    def reasons(self) -> dict[str, list[MatrixCell]]:
        """The cells without a figure, by why."""
        found: dict[str, list[MatrixCell]] = {}
        for cell in self.cells:
            if cell.rate is None:
                found.setdefault(cell.reason, []).append(cell)
        return found

    def to_chart(self) -> dict[str, Any]:
        """The matrix as a picture: a Vega-Lite document."""
        from shoal.graphs.appraisal.attack_matrix_chart import picture

        return picture(self)

    def baselines(self, attack: str) -> str:
        """What a blind guess hits, over all protections."""
        found = [cell.baseline for cell in self.cells if cell.attack == attack and cell.baseline is not None]
        ends = list(dict.fromkeys(map(digits, (min(found), max(found))))) if found else []
        return f" {_DASH} ".join(ends) + " %" if ends else _DASH

    def _short(self) -> Rows:
        rows = [["protection", *(attack.attack for attack in self.attacks), "edges changed"]]
        rows.append(["of all", *(attack.counts for attack in self.attacks), "edges"])
        for protection in self.protections:
            cells = [self.cell(protection.protection, attack.attack) for attack in self.attacks]
            rows.append([protection.protection, *map(short, cells), " ".join(protection.changes(self.edges))])
        return [*rows, ["a blind guess", *(self.baselines(attack.attack) for attack in self.attacks), ""]]

    def _full(self) -> Rows:
        rows = [["protection", "attack", "of", "rate", "95 % interval", "wrong", "blind guess", "s"]]
        for protection in self.protections:
            for attack in self.attacks:
                cell = self.cell(protection.protection, attack.attack)
                if cell.rate is None or cell.baseline is None:
                    continue
                low, high = cell.rate.interval
                rows.append(
                    [
                        protection.protection,
                        attack.attack,
                        f"{cell.rate.targets:,} {attack.counts}",
                        f"{cell.rate.value:.2%}",
                        f"{low:.2%} {_DASH} {high:.2%}",
                        _DASH if cell.wrong is None else f"{cell.wrong:.2%}",
                        f"{cell.baseline:.2%}",
                        f"{cell.seconds:.1f}",
                    ]
                )
        return rows


def short(cell: MatrixCell) -> str:
    """A cell in a few signs: `81 / 0.1 %`, or in a word why there is nothing."""
    if cell.rate is None:
        return {"does not apply": _DASH, "out of time": "no time"}.get(cell.state, "failed")
    told = digits(cell.rate.value)
    return f"{told} %" if cell.wrong is None else f"{told} / {digits(cell.wrong)} %"


def digits(share: float) -> str:
    """Per cent as a reader wants it: whole ones, but one more digit near either end, and no false zero."""
    hundred = 100 * share
    if 0 < hundred < 0.05:
        return "<0.1"
    if hundred >= 100.05:
        return f"{hundred:,.0f}"
    whole = 9.95 <= hundred < 99.95 or hundred in (0.0, 100.0)
    return f"{hundred:.0f}" if whole else f"{hundred:.1f}"
