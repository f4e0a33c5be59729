"""The demo: a hospital table is attacked with a voter list, protected, attacked again, then asked live.

The hospital is made up, so the truth is known: a patient counts as re-identified only when the name that the
voter list gives is the right one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from shoal import api, api_attack
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Tables, Verdict, number, promise_rows
from shoal.demo.all_attacks import attack_tables, in_short
from shoal.demo.files import files_in
from shoal.demo.hospital import DIAGNOSES, LINKS, OCCUPATIONS, patients, voters
from shoal.demo.live_queries import LiveQueries, play, write_database
from shoal.demo.social_network import SocialNetwork, play_network
from shoal.demo.truth import SHARED, count_guessed, count_identified
from shoal.engines.files import write_frame
from shoal.jobs.config import save
from shoal.jobs.tables.requests import ProtectTable
from shoal.tables.appraisal.appraisal import Appraisal
from shoal.tables.appraisal.dossier import Dossier
from shoal.tables.hierarchies import from_nested, hierarchy_of, write_hierarchy
from shoal.tables.release import TableRelease

Say = Callable[[str], None]

IDENTIFIER = ("patient_id", "name")
QUASI = ("birth_date", "zip", "sex", "occupation")
SENSITIVE = ("diagnosis", "income")
RULES = {"birth_date": "date()", "zip": "mask()", "sex": "flat()"}
MODELS = (
    "k-anonymity(k=5)",
    "l-diversity(l=3,column=diagnosis)",
    "t-closeness(t=0.3,distance=ordered,column=income)",
)
SUPPRESS = 0.05
SEED = 2025
FEWEST = 5  # patients: fewer cannot look like four others
OUTSIDE = 2_000  # patients of another hospital: what can be found out about them is not the release's fault
BAR = 40


@dataclass(frozen=True)
class Side:
    """What an attacker with the voter list gets out of one version of the table."""

    finding: Finding
    identified: int  # patients whom the list names rightly
    guessed: int  # patients on the list whose diagnosis the best guess hits
    risk: Appraisal

    def to_json(self) -> dict[str, Json]:
        return {
            "matches": self.finding.rate.hits,
            "identified": self.identified,
            "diagnoses_guessed": self.guessed,
            "smallest_class": self.risk.smallest_class,
            "prosecutor": self.risk.prosecutor.to_json(),
        }


@dataclass(frozen=True, eq=False)
class Story:
    """What `shoal demo` tells: before, after, what it cost, and what to try next."""

    rows: int
    on_list: int  # patients whom the voter list has
    blind: float  # how often the most common diagnosis of all is right
    before: Side
    after: Side
    release: TableRelease
    verdict: Verdict
    dossier: Dossier  # every attack that applies, before and after, and what stops those that succeed
    hierarchies: Mapping[str, tuple[str, ...]]  # per column one value on every level
    folder: str
    files: Mapping[str, tuple[str, str]]  # per file what it is and what to try with it
    queries: LiveQueries  # noisy, so no two stories tell the same here
    network: SocialNetwork

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal demo --json` prints."""
        return {
            "rows": self.rows,
            "on_list": self.on_list,
            "blind_guess": self.blind,
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "released": self.release.released,
            "suppressed": self.release.suppressed,
            "optimal": self.release.optimal,
            "levels": dict(self.release.levels or {}),
            "losses": {name: number(value) for name, value in self.release.losses.items()},
            "verified": self.verdict.holds,
            "models": [promise.to_json() for promise in self.verdict.promises],
            "attacks": {
                trial.attack: {"hits": trial.after.rate.hits, "works": trial.after.works}
                for trial in self.dossier.tried
                if trial.after is not None
            },
            "tally": self.dossier.tally.to_json(),
            "folder": self.folder,
            "files": list(self.files),
            "queries": self.queries.to_json(),
            "network": self.network.to_json(),
        }

    def to_tables(self) -> Tables:
        """Before and after, the promises, the price, the files."""
        return {
            "patients whom the voter list names": self._bars(),
            "before and after": self._sides(),
            "promises, checked from release.csv alone": promise_rows(self.verdict.promises),
            **attack_tables(self.dossier),
            "what it cost": self._price(),
            **self.queries.to_tables(),
            **self.network.to_tables(),
            f"files in {self.folder}, and what to try next (after . .venv/bin/activate)": [
                ["file", "what it is", "try"],
                *([name, what, command] for name, (what, command) in self.files.items()),
            ],
        }

    def _bars(self) -> list[list[str]]:
        rows = [["table", "", "re-identified"]]
        for name, side in (("names removed", self.before), ("protected by Shoal", self.after)):
            filled = -(-BAR * side.identified // self.rows)  # one person is already one block
            bar = "█" * filled + "░" * (BAR - filled)
            rows.append(
                [name, bar, f"{side.identified:,} of {self.rows:,} ({side.identified / self.rows:.0%})"]
            )
        return rows

    def _sides(self) -> list[list[str]]:
        def row(what: str, tell: Callable[[Side], str]) -> list[str]:
            return [what, tell(self.before), tell(self.after)]

        return [
            ["what an attacker with the voter list gets", "names removed", "protected"],
            row("patients named rightly", lambda side: f"{side.identified:,}"),
            row("names given, right or wrong", lambda side: f"{side.finding.rate.hits:,}"),
            row(
                f"diagnoses guessed right (blind: {self.blind:.0%})",
                lambda side: f"{side.guessed / self.on_list:.0%}" if self.on_list else "–",
            ),
            row("smallest class", lambda side: f"{side.risk.smallest_class:,}"),
            row("prosecutor risk, highest", lambda side: f"{side.risk.prosecutor.highest:.1%}"),
            row("prosecutor risk, average", lambda side: f"{side.risk.prosecutor.average:.1%}"),
        ]

    def _price(self) -> list[list[str]]:
        levels = self.release.levels or {}
        rows = [["figure", "value"]]
        for column, hierarchy in self.hierarchies.items():
            level = levels[column]
            kept = f"{hierarchy[0]} → {hierarchy[level]}" if level else "unchanged"
            rows.append([column, f"{kept} (level {level} of {len(hierarchy) - 1})"])
        share = self.release.suppressed / self.release.rows
        rows.append(["rows left out", f"{self.release.suppressed:,} of {self.release.rows:,} ({share:.1%})"])
        rows.append(["loss, from 0 to 1", f"{self.release.losses['loss']:.3f}"])
        rows.append(["precision, from 1 to 0", f"{self.release.losses['precision']:.3f}"])
        return rows


def tell(folder: str, rows: int, say: Say) -> Story:
    """Play the whole story in a folder; the same rows give the same story, but for the last act's noise."""
    from shoal.demo.picture import draw
    from shoal.report import write_report

    place = Path(os.path.relpath(folder))  # so that the project file can move with its folder
    if rows < FEWEST:
        raise BadParameter(f"the demo protects at least {FEWEST} patients, not {rows:,}; 20,000 are usual")
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadParameter(f"cannot make the folder '{folder}': {error.strerror}; choose another") from error
    say(f"Making up {rows:,} patients and the voter list of their region.")
    whole = patients(rows)
    people = voters(whole, others=rows * 3 // 2)
    settings = _write(place, whole, people)

    say("Attacking the table with the names removed: who on the voter list fits one row only?")
    raw = whole.drop(IDENTIFIER)
    found = api_attack.attack(raw, "linkage", external=people, quasi=SHARED)
    listed = whole.join(people, on=LINKS, how="semi")
    before = Side(
        found, count_identified(whole, people), count_guessed(whole, listed), api.measure(raw, quasi=QUASI)
    )

    say(f"Protecting it: {', '.join(MODELS)}.")
    release = api.protect(settings.pop("file"), **settings)
    verdict = api.verify(settings["output"])

    say("Attacking the release with the same list; the attacker knows how it was coarsened.")
    levels = dict(release.levels or {})
    both = pl.concat([whole.select(SHARED), people.select(SHARED)])
    known = {column: hierarchy_of(RULES[column], both[column], column) for column in SHARED}
    hierarchies = {**release.known_here().hierarchies, **known}

    def coarse(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.with_columns(
            pl.col(column).replace(
                {leaf: hierarchies[column].label(leaf, level) for leaf in hierarchies[column].leaves}
            )
            for column, level in levels.items()
            if level and column in frame.columns
        )

    # The released rows with their true names, which only the demo can know.
    true = coarse(whole).join(release.table.frame, on=QUASI, how="semi")
    after = Side(
        api_attack.attack(settings["output"], "linkage", external=people, hierarchy=known),
        count_identified(true, coarse(people)),
        count_guessed(true, coarse(listed)),
        api.measure(settings["output"]),
    )

    say("Drawing the picture.")
    draw(place / "before-after", rows, before.identified, after.identified, after.risk.smallest_class)

    say("Writing the report for the data-protection officer: all attacks, before and after.")
    dossier = write_report(
        settings["output"],
        output=str(place / "report.html"),
        pdf=str(place / "report.pdf"),
        title="Hospital patients, protected for research",
        original=str(place / "patients.csv"),
        external=str(place / "voters.csv"),
        control=str(place / "control.csv"),
        hierarchy=settings["hierarchy"],
    )
    say(in_short(dossier))
    return Story(
        rows=rows,
        on_list=listed.height,
        blind=max(whole.group_by("diagnosis").len()["len"]) / rows,
        before=before,
        after=after,
        release=release,
        verdict=verdict,
        dossier=dossier,
        hierarchies={
            column: tuple(
                str(hierarchy.label(release.known_here().hierarchies[column].leaves[0], level))
                for level in range(hierarchy.height + 1)
            )
            for column, hierarchy in release.known_here().hierarchies.items()
            if column in QUASI
        },
        folder=folder,
        files=files_in(Path(folder), SHARED),
        queries=play(place / "database.toml", whole, say),
        network=play_network(place, say),
    )


def _write(place: Path, whole: pl.DataFrame, people: pl.DataFrame) -> dict[str, Any]:
    """The tables, the taxonomies and the project file; gives the settings of `shoal table protect`."""
    write_frame(whole, place / "patients.csv")
    write_frame(whole.drop(IDENTIFIER), place / "names-removed.csv")
    write_frame(people, place / "voters.csv")
    write_frame(patients(OUTSIDE, SEED + 1), place / "control.csv")
    write_database(place / "database.toml")
    for name, tree in (("occupation", OCCUPATIONS), ("diagnosis", DIAGNOSES)):
        write_hierarchy(from_nested(tree), place / f"{name}.csv")
    settings: dict[str, Any] = {
        "file": str(place / "patients.csv"),
        "output": str(place / "release.csv"),
        "identifier": IDENTIFIER,
        "quasi": QUASI,
        "sensitive": SENSITIVE,
        "model": MODELS,
        "method": "optimal",
        "suppress": SUPPRESS,
        "seed": SEED,
        "hierarchy": {**RULES, **{name: str(place / f"{name}.csv") for name in ("occupation", "diagnosis")}},
    }
    save(place / "shoal.toml", ProtectTable, settings)
    return settings
