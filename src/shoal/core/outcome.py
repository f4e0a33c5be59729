"""What the verbs return. Every outcome knows how to become JSON and text tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Protocol, Self, TypeVar, runtime_checkable

from shoal.core.notebook import Shown

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]
Rows = list[list[str]]
Tables = dict[str, Rows]


def number(value: float | None) -> float | None:
    """A figure as JSON can carry it: what is unknown or unbounded is null."""
    return None if value is None or not math.isfinite(value) else value


@runtime_checkable
class Outcome(Protocol):
    """What a verb returned."""

    def to_json(self) -> dict[str, Json]:
        """The outcome as one JSON document."""

    def to_tables(self) -> Tables:
        """The outcome as text tables by title, each a header row and then the rest."""


@dataclass(frozen=True)
class Promise:
    """A model, what the subject offers of it, and whether that is enough; None when nobody can tell."""

    name: str
    level: float | None
    holds: bool | None
    model: str = ""  # as a user writes it, parameters included

    def to_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "level": number(self.level),
            "holds": self.holds,
            "model": self.model or self.name,
        }


Seen = TypeVar("Seen", covariant=True)


class Release(Protocol[Seen]):
    """A protected subject and what was promised about it."""

    def seen(self) -> Seen:
        """The released subject as models look at it, grouped anew with nothing of the search."""

    def promised(self, promises: tuple[Promise, ...]) -> Self:
        """The same release with the outcome of its check."""


@dataclass(frozen=True)
class Verdict(Shown):
    """Whether a release keeps its promises, checked from its files alone."""

    promises: tuple[Promise, ...]
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Every promise that can be checked holds, and there is one."""
        checked = [promise.holds for promise in self.promises if promise.holds is not None]
        return bool(checked) and all(checked)

    def to_json(self) -> dict[str, Json]:
        return {
            "holds": self.holds,
            "models": [promise.to_json() for promise in self.promises],
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        return {"promises": promise_rows(self.promises)}


def promise_rows(promises: Sequence[Promise]) -> Rows:
    """Promises as a text table."""
    rows = [["model", "offers", "holds"]]
    for promise in promises:
        level = "–" if number(promise.level) is None else f"{promise.level:.6g}"
        answer = {True: "yes", False: "NO", None: "cannot tell"}[promise.holds]
        rows.append([promise.model or promise.name, level, answer])
    return rows


_SURE = 1.959963984540054  # 95 % of a normal law lie within so many deviations


@dataclass(frozen=True)
class Rate:
    """A share with its 95 % interval (Wilson 1927).

    Where the best of several is told, the interval allows for the choice: each is held to a stricter level,
    so that all of them together err in 5 % of the cases at most (Bonferroni).
    """

    hits: int
    targets: int
    chosen_from: int = 1

    @property
    def value(self) -> float:
        return self.hits / self.targets if self.targets else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        if not self.targets:
            return (0.0, 1.0)
        z, n, p = _SURE, self.targets, self.value
        if self.chosen_from > 1:
            z = NormalDist().inv_cdf(1 - 0.025 / self.chosen_from)
        centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        # At the ends the interval closes on the end itself; rounding must not push it past.
        low = 0.0 if self.hits == 0 else max(0.0, centre - half)
        high = 1.0 if self.hits == self.targets else min(1.0, centre + half)
        return (low, high)


SHOWN = 20  # of the people hit, how many a finding tells of unless somebody asks for more


@dataclass(frozen=True)
class Cured:
    """What the same attack achieved after its cure: the proof that the cure is one."""

    how: str  # what was done, in words
    rate: Rate
    lost: float  # share of the rows that it cost, or of the edges that it changed
    of: str = "rows it cost"

    def to_json(self) -> dict[str, Json]:
        return {
            "how": self.how,
            "targets": self.rate.targets,
            "hits": self.rate.hits,
            "rate": self.rate.value,
            "interval": list(self.rate.interval),
            "lost": self.lost,
        }


@dataclass(frozen=True)
class Finding(Shown):
    """What an attack achieved: who was hit, what was learned, and what would stop it.

    `findings` tell of people: `who` and `learned` (columns and values) and `confidence` from 0 to 1.
    `details` are figures that only this attack has. `remedy` is the cure as a model of the catalog, as in
    `l-diversity(l=2,column=ill)`, where there is one.
    """

    attack: str
    rate: Rate
    baseline: float
    findings: tuple[Mapping[str, Json], ...]
    cure: str
    remedy: str | None = None
    details: Mapping[str, Json] = field(default_factory=dict)
    cured: Cured | None = None
    wrong: float | None = None  # share of the targets taken for somebody else, where people are matched

    def __repr__(self) -> str:
        # Findings name people: they are told where somebody asks for them, and not by a slip.
        return f"Finding({self.attack}: {self.rate.hits:,} of {self.rate.targets:,} hit)"

    def to_json(self) -> dict[str, Json]:
        return {
            "attack": self.attack,
            "targets": self.rate.targets,
            "hits": self.rate.hits,
            "rate": self.rate.value,
            "interval": list(self.rate.interval),
            "baseline": self.baseline,
            "findings": [dict(finding) for finding in self.findings],
            "cure": self.cure,
            "details": dict(self.details),
            "cured": None if self.cured is None else self.cured.to_json(),
            **({} if self.wrong is None else {"wrong": self.wrong}),
        }

    def to_tables(self) -> Tables:
        low, high = self.rate.interval
        summary = [
            ["attack", "targets", "hits", "rate", "95 % interval", "blind guess"],
            [
                self.attack,
                f"{self.rate.targets:,}",
                f"{self.rate.hits:,}",
                f"{self.rate.value:.2%}",
                f"{low:.2%} – {high:.2%}",
                f"{self.baseline:.2%}",
            ],
        ]
        if self.wrong is not None:
            for row, cell in zip(summary, ("wrong", f"{self.wrong:.2%}"), strict=True):
                row.append(cell)
        tables = {"attack": summary}
        if self.details:
            figures = [[name.replace("_", " "), _figure(value)] for name, value in self.details.items()]
            tables["details"] = [["figure", "value"], *figures]
        if self.cured is not None:
            tables["after the cure"] = [
                ["what was done", "hits", "rate", self.cured.of],
                [
                    self.cured.how,
                    f"{self.cured.rate.hits:,}",
                    f"{self.cured.rate.value:.2%}",
                    f"{self.cured.lost:.2%}",
                ],
            ]
        if self.findings:
            told = [["who", "what was learned", "how sure"]]
            for finding in self.findings:
                told.append([_whom(finding), _short(finding.get("learned")), _sure(finding)])
            tables["some of the people hit"] = told
        return tables


def _whom(finding: Mapping[str, Json]) -> str:
    people = finding.get("people")  # a class is told as one, with everybody in it
    who = _short(finding.get("who"))
    return f"{who} ({people:,} people)" if isinstance(people, int) and people > 1 else who


def _short(values: Json) -> str:
    return (
        ", ".join(map(_value_text, values.values())) if isinstance(values, Mapping) else _value_text(values)
    )


def _value_text(value: Json) -> str:
    """A value that somebody has, or several of which one is theirs."""
    if isinstance(value, list | tuple):
        return " or ".join(map(_value_text, value))
    return "missing" if value is None else str(value)


def _figure(value: Json) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_figure(inner)}" for name, inner in value.items())
    return value if isinstance(value, str) else ", ".join(_figure(inner) for inner in value)


def _sure(finding: Mapping[str, Json]) -> str:
    confidence = finding.get("confidence")
    return f"{confidence:.0%}" if isinstance(confidence, int | float) else "–"
