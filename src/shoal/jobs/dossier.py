"""Everything that a report tells about one release of a table: figures and words, nobody's data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from shoal.core.outcome import Finding, Json, Rate, Tables, Verdict, number, promise_rows
from shoal.core.rounding import rounded, rounded_all
from shoal.tables.appraisal import Appraisal
from shoal.tables.decisions import By

SLIGHT = 0.05  # a guess that is right so much more often is not held against a release
BY_CHANCE = ("noisy-counts", "retention")  # methods whose rows are made up or changed: none is anybody's
Role = Literal["identifier", "quasi", "sensitive", "insensitive"]
Fate = Literal["removed", "left out", "pseudonyms", "unchanged", "coarsened", "hidden", "changed", "unknown"]


@dataclass(frozen=True)
class ColumnStory:
    """What became of one column. `level` of `height` is how far up its ladder a quasi-identifier went."""

    name: str
    role: Role
    fate: Fate
    level: int | None = None
    height: int | None = None
    after: int | None = None  # different values in the release
    labels: tuple[str, ...] = ()  # the most frequent released labels of a quasi-identifier
    by: By | None = None  # who gave it the role; None where no file tells
    risky: str = ""  # why it looks risky, where it went out and nobody had decided about it

    def to_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "role": self.role,
            "fate": self.fate,
            "level": self.level,
            "height": self.height,
            "values_after": self.after,
            "labels": list(self.labels),
            "decided": self.by,
            "risky": self.risky or None,
        }


@dataclass(frozen=True)
class Tried:
    """What an attack achieved, without whom it hit and what it learned."""

    rate: Rate
    baseline: float
    cure: str
    cured: float | None = None  # the rate after the cure, where that was tried
    allowed: float = 0.0  # the chance that the promises leave an attack of this kind
    outside: float | None = None  # the rate among people who are not in the data, where some were given
    guessing: bool = False  # it guesses about everybody, and is right of some by chance
    added: float | None = None  # the least that the release adds to that rate, by a 95 % interval
    sure: bool = False  # who is hit is known better than any blind guess knows

    @classmethod
    def of(cls, finding: Finding, allowed: float = 0.0, sure: bool = False) -> Tried:
        """The figures of a finding; the people in it stay behind."""
        cured = None if finding.cured is None else finding.cured.rate.value
        outside, added = finding.details.get("control"), finding.details.get("risk_interval")
        return cls(
            finding.rate,
            finding.baseline,
            finding.cure,
            cured,
            allowed,
            outside if isinstance(outside, float) else None,
            "risk" in finding.details,
            float(added[0]) if isinstance(added, list) else None,
            sure,
        )

    @property
    def works(self) -> bool:
        """More are hit than blind guessing hits, or than the promises allow, by more than chance explains.

        Who is sure needs only one: that a blind guess is right about many does not make it sure of anybody.
        A guess is held against people who are not in the data, too: what is right of them as often is true of
        people in general. It counts once it adds more than a little.
        """
        if self.sure:
            return self.rate.hits > 0
        least, usual = self.rate.interval[0], max(self.baseline, self.allowed)
        if not self.rate.hits or least <= usual:
            return False
        if not self.guessing:
            return True
        return (self.added if self.added is not None else (least - usual) / (1 - usual)) > SLIGHT

    def to_json(self) -> dict[str, Json]:
        return {
            "targets": self.rate.targets,
            "hits": rounded(self.rate.hits),
            "rate": rounded(self.rate.value),
            "interval": [rounded(end) for end in self.rate.interval],
            "baseline": number(rounded(self.baseline)),
            "allowed": self.allowed,
            "control": None if self.outside is None else rounded(self.outside),
            "sure": self.sure,
            "works": self.works,
            "cure": self.cure,
            "rate_after_cure": None if self.cured is None else rounded(self.cured),
        }


@dataclass(frozen=True)
class Trial:
    """One attack on the original without its identifiers, and on the release; or why it was not tried."""

    name: str
    attack: str  # as a user writes it, parameters included
    about: str  # what it does, in one sentence
    before: Tried | None = None
    after: Tried | None = None
    reason: str = ""  # why it was not tried

    def to_json(self) -> dict[str, Json]:
        return {
            "attack": self.attack,
            "before": None if self.before is None else self.before.to_json(),
            "after": None if self.after is None else self.after.to_json(),
            "not_tried": self.reason or None,
        }


@dataclass(frozen=True)
class Print:
    """The fingerprint of one file."""

    what: str
    file: str
    sha256: str

    def to_json(self) -> dict[str, Json]:
        return {"what": self.what, "file": self.file, "sha256": self.sha256}


@dataclass(frozen=True, eq=False)
class Dossier:
    """What a report tells: what was released, what holds, what attacks achieve, what was lost."""

    title: str
    made: str  # the day, as 2026-01-31
    version: str
    release: str  # the name of the file
    rows: int | None  # of the original, where it is known
    released: int
    suppressed: int | None
    columns: tuple[ColumnStory, ...]
    verdict: Verdict
    trials: tuple[Trial, ...]
    risk: Appraisal
    risk_before: Appraisal | None
    losses: Mapping[str, float]  # those that a reader of the release could compute, to three digits
    measured: bool  # losses are measured against the original now, else told by the manifest
    prints: tuple[Print, ...]
    command: str
    method: str = ""
    settings: Mapping[str, Json] = field(default_factory=dict)
    steps: tuple[str, ...] = ()
    optimal: bool | None = None
    guarantees: Mapping[str, float] = field(default_factory=dict)
    has_original: bool = False
    has_population: bool = False
    altered: bool = False  # the file is not the one that its manifest was written for
    notes: tuple[str, ...] = ()

    @property
    def by_chance(self) -> bool:
        """Whether rows were made up or changed by chance, so that what they show is nobody's for certain."""
        return self.method.split("(")[0] in BY_CHANCE

    @property
    def moved(self) -> float | None:
        """How far leaving rows out can have moved the shares of kept values; None where more was done.

        How far it did move would tell what those left out have; this follows from their number.
        """
        if self.steps or self.guarantees or self.suppressed is None or not self.rows:
            return None
        return self.suppressed / self.rows

    @property
    def undecided(self) -> tuple[ColumnStory, ...]:
        """Columns that went out, look risky, and had no role from anybody."""
        return tuple(column for column in self.columns if column.risky)

    @property
    def tried(self) -> tuple[Trial, ...]:
        """The attacks that were tried on the release."""
        return tuple(trial for trial in self.trials if trial.after is not None)

    @property
    def working(self) -> tuple[Trial, ...]:
        """The attacks that still work on the release."""
        return tuple(trial for trial in self.tried if trial.after is not None and trial.after.works)

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal report --json` prints."""
        return {
            "title": self.title,
            "made": self.made,
            "shoal": self.version,
            "release": self.release,
            "rows": self.rows,
            "released": self.released,
            "suppressed": self.suppressed,
            "method": self.method or None,
            "settings": dict(self.settings),
            "steps": list(self.steps),
            "optimal": self.optimal,
            "columns": [column.to_json() for column in self.columns],
            **self.verdict.to_json(),
            "attacks": [trial.to_json() for trial in self.trials],
            "risk": _hushed(self.risk),
            "risk_before": None if self.risk_before is None else rounded_all(_hushed(self.risk_before)),
            "losses": {name: number(value) for name, value in self.losses.items()},
            "losses_measured": self.measured,
            "fingerprints": [found.to_json() for found in self.prints],
            "notes": list(self.notes),
            "command": self.command,
        }

    def to_tables(self) -> Tables:
        """The promises, and every attack before and after."""
        rows = [["attack", "before", "after", "blind guess"]]
        for trial in self.tried:
            assert trial.after is not None
            rows.append(
                [trial.attack, _share(trial.before), _share(trial.after), f"{trial.after.baseline:.2%}"]
            )
        tables = {"promises": promise_rows(self.verdict.promises), "attacks": rows}
        left = [[trial.attack, trial.reason] for trial in self.trials if trial.after is None]
        return {**tables, "not tried": [["attack", "why"], *left]} if left else tables


def _hushed(risk: Appraisal) -> dict[str, Json]:
    """Figures without the values of sensitive columns: before suppression they tell of those left out."""
    return {name: figure for name, figure in risk.to_json().items() if name != "belief"}


def _share(tried: Tried | None) -> str:
    return "–" if tried is None else f"{tried.rate.value:.2%} ({tried.rate.hits:,} of {tried.rate.targets:,})"
