"""Everything that a report tells about one release of a table: figures and words, nobody's data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables, Verdict, number, promise_rows
from shoal.core.rounding import rounded_all
from shoal.jobs.tables.attack_results import Tally, Trial, attack_rows
from shoal.jobs.tables.certainty import rows_made_up
from shoal.tables.appraisal.appraisal import Appraisal
from shoal.tables.decisions import By

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
class Print:
    """The fingerprint of one file."""

    what: str
    file: str
    sha256: str

    def to_json(self) -> dict[str, Json]:
        return {"what": self.what, "file": self.file, "sha256": self.sha256}


@dataclass(frozen=True, eq=False)
class Dossier(Shown):
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
    given_away: tuple[str, ...] = ()  # which released columns tell what another one hides, in sentences

    @property
    def by_chance(self) -> bool:
        """Whether rows were made up or changed by chance, so that what they show is nobody's for certain."""
        return bool(self.method) and rows_made_up(self.method)

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
    def tally(self) -> Tally:
        """How many kinds of attack there are, which were tried, and why the others were not."""
        return Tally.of(self.trials)

    @property
    def hitting(self) -> tuple[Trial, ...]:
        """The attacks that hit somebody, but not more than is expected of a safe release."""
        found = (trial for trial in self.tried if trial.after is not None and trial.after.rate.hits)
        return tuple(trial for trial in found if trial not in self.working)

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
            "attacks": [trial.to_json() for trial in self.trials if not trial.unasked],
            "tally": self.tally.to_json(),
            "risk": _hushed(self.risk),
            "risk_before": None if self.risk_before is None else rounded_all(_hushed(self.risk_before)),
            "losses": {name: number(value) for name, value in self.losses.items()},
            "losses_measured": self.measured,
            "fingerprints": [found.to_json() for found in self.prints],
            "given_away": list(self.given_away),
            "notes": list(self.notes),
            "command": self.command,
        }

    def to_tables(self) -> Tables:
        """The promises, and every attack before and after."""
        tried = f"{len(self.tally.tried)} of {self.tally.kinds} attacks tried"
        tables = {"promises": promise_rows(self.verdict.promises), tried: attack_rows(self.tried)}
        left = [
            [trial.attack, trial.reason] for trial in self.trials if trial.after is None and not trial.unasked
        ]
        return {**tables, "not tried": [["attack", "why"], *left]} if left else tables


def _hushed(risk: Appraisal) -> dict[str, Json]:
    """Figures without the values of sensitive columns: before suppression they tell of those left out."""
    return {name: figure for name, figure in risk.to_json().items() if name != "belief"}
