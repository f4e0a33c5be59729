"""What every report tells of a release, whatever was released: what holds, and what attacks achieve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from shoal.core.attack_results import Tally, Trial, attack_rows
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables, Verdict, promise_rows


@dataclass(frozen=True)
class Print:
    """The fingerprint of one file."""

    what: str
    file: str
    sha256: str

    def to_json(self) -> dict[str, Json]:
        return {"what": self.what, "file": self.file, "sha256": self.sha256}


@dataclass(frozen=True, eq=False, kw_only=True)
class ReleaseDossier(Shown):
    """What a report tells of any release; nobody is in it."""

    noun: ClassVar[str]  # the pillar

    title: str
    made: str  # the day, as 2026-01-31
    version: str
    release: str  # the name of the file
    verdict: Verdict
    trials: tuple[Trial, ...]
    prints: tuple[Print, ...]
    command: str
    method: str = ""
    settings: Mapping[str, Json] = field(default_factory=dict)
    guarantees: Mapping[str, float] = field(default_factory=dict)
    has_original: bool = False
    altered: bool = False  # the file is not the one that its manifest was written for
    notes: tuple[str, ...] = ()

    @cached_property
    def tried(self) -> tuple[Trial, ...]:
        """The attacks that were tried on the release."""
        return tuple(trial for trial in self.trials if trial.after is not None)

    @cached_property
    def tally(self) -> Tally:
        """How many kinds of attack there are, which were tried, and why the others were not."""
        return Tally.of(self.trials)

    @cached_property
    def hitting(self) -> tuple[Trial, ...]:
        """The attacks that hit somebody, but not more than is expected of a safe release."""
        found = (trial for trial in self.tried if trial.after is not None and trial.after.rate.hits)
        return tuple(trial for trial in found if trial not in self.working)

    @cached_property
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
            "method": self.method or None,
            "settings": dict(self.settings),
            **self.verdict.to_json(),
            "attacks": [trial.to_json() for trial in self.trials if not trial.unasked],
            "tally": self.tally.to_json(),
            "fingerprints": [found.to_json() for found in self.prints],
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
