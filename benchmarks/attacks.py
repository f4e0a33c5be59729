"""Every attack of the catalog on a large release: CPU seconds against a target.

The attacker has a list of everybody, the steward the original, people who are not in it, and another release:
whatever an attack asks for. Hierarchies and manifest are known. Profiles have a release of their own, with a
row per viewer and film.
"""

from __future__ import annotations

import os
import resource
import time
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
import polars as pl

import shoal
from benchmarks import show
from benchmarks.people import QUASI, SENSITIVE, people
from shoal import catalog
from shoal.core.errors import ShoalError
from shoal.core.outcome import Finding
from shoal.engines.files import read_frame
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.hierarchy_files import read_hierarchy
from shoal.tables.manifest import Manifest
from shoal.tables.table import Table

TARGET, LINKAGE_TARGET = 30.0, 60.0  # CPU seconds for a million rows
KNOWN = tuple(column for column in QUASI if column != "salary-class")
MODELS = ("k-anonymity(k=5)", "l-diversity(l=2)")
RELEASES = {"full domain": "optimal", "local recoding": "mondrian"}
# What attacks are told here; one that is not named is told nothing.
TOLD = {
    "background": ["background(excluded=Influenza|Migraine)"],
    "linkage": ["linkage", "linkage(tolerance=age:2)"],
    "partly-known": [f"partly-known(known={SENSITIVE})"],
    "sparse-profile": ["sparse-profile(person=viewer,item=film,rating=stars,date=day,who=name)"],
}
# What diagnoses have in common, for attacks that ask.
KINDS = {
    "Heart and blood": "Hypertension Diabetes Anaemia Stroke",
    "Nerves": "Depression Migraine Epilepsy",
    "Infection": "Influenza Hepatitis HIV Tuberculosis",
    "Lungs": "Asthma Bronchitis",
    "Other": "Arthritis Gastritis Cancer",
}
PROFILES = "profiles"
VIEWERS = 1_000  # of whom the attacker knows eight films each


@dataclass(frozen=True)
class Spent:
    """What an attack took, and what it found or why it refused."""

    cpu: float
    wall: float
    outcome: Finding | str


def run(rows: int | None = None, only: str = "") -> None:
    """Print one line per attack and release; those with `only` in their name."""
    size = rows or 1_000_000
    made = {kind: partial(_scene, size, method) for kind, method in RELEASES.items()}
    scene_of = cache(lambda kind: _ratings(size) if kind == PROFILES else made[kind]())
    lines, notes = [], []
    for text in (text for name in catalog.names("attack") for text in TOLD.get(name, [name])):
        for kind in [PROFILES] if text.startswith("sparse-profile") else RELEASES:
            if only not in f"{text}, {kind}":
                continue
            spent = _spent(text, scene_of(kind))
            lines.append(_line(text, kind, spent, size))
            if isinstance(spent.outcome, str):
                notes.append(f"{text}, {kind}: {spent.outcome}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)
    show.table(
        f"Attacks on releases of {size:,} rows, {len(KNOWN)} quasi-identifiers, {' and '.join(MODELS)}",
        ["attack", "release", "CPU s", "wall s", "target", "people", "hit", "blind guess"],
        lines,
        [
            f"target: CPU seconds for a million rows; memory of all together at most {peak:.1f} GiB",
            f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
            *notes,
        ],
    )


def _scene(rows: int, method: str) -> Scene:
    """A release of people, with a tenth more of them outside it."""
    subject = people(rows + rows // 10)
    hierarchies = {column: read_hierarchy(subject.hierarchies[column]) for column in KNOWN}
    frame = read_frame(subject.table).with_row_index("name").with_columns(pl.col("name").cast(pl.String))
    original, control = frame.head(rows), frame.tail(-rows)
    release, other = (
        shoal.protect(
            original.drop("name"),
            quasi=KNOWN,
            sensitive=SENSITIVE,
            insensitive="salary-class",
            hierarchy=hierarchies,
            model=[f"k-anonymity(k={k})", MODELS[1]],
            method=method,
            suppress=0,
            seed=1,
        )
        for k in (5, 10)
    )
    common = {one: kind for kind, those in KINDS.items() for one in those.split()}
    known = {**hierarchies, SENSITIVE: Hierarchy.of_levels([list(common), list(common.values())])}
    return Scene(
        release.table.with_hierarchies(known),
        others=(other.table.with_hierarchies(known),),
        external=original.drop(SENSITIVE, "salary-class"),
        original=original,
        control=control,
        manifest=Manifest.of(release),
        seed=1,
    )


def _ratings(rows: int) -> Scene:
    """Who gave which film how many stars and when; and a list of what is known of some viewers."""
    chance = np.random.default_rng(2006)
    viewers = max(rows // 100, 10)
    films = np.minimum(chance.zipf(1.3, rows), 17_770)
    seen = pl.DataFrame(
        {
            "viewer": chance.integers(0, viewers, rows),
            "film": films,
            "stars": chance.integers(1, 6, rows),
            "day": chance.integers(0, 2_000, rows),
        }
    ).unique(["viewer", "film"], maintain_order=True)
    some = pl.Series(chance.permutation(viewers)[:VIEWERS])
    known = (
        seen.filter(pl.col("viewer").is_in(some.implode()))
        .filter(pl.int_range(pl.len()).over("viewer") < 8)
        .with_columns(name=pl.format("viewer {}", "viewer"))
    )
    return Scene(Table(seen.cast(pl.String)), external=known.cast(pl.String), seed=1)


def _spent(text: str, scene: Scene) -> Spent:
    wall, cpu = time.monotonic(), time.process_time()
    outcome: Finding | str
    try:
        attacker: Any = catalog.make("attack", text)
        outcome = attacker.attack(scene)
    except ShoalError as refused:
        outcome = str(refused)
    return Spent(time.process_time() - cpu, time.monotonic() - wall, outcome)


def _line(text: str, kind: str, spent: Spent, rows: int) -> list[str]:
    target = LINKAGE_TARGET if text.startswith("linkage") else TARGET
    met = ("met" if spent.cpu < target else "MISSED") if rows == 1_000_000 else "–"
    told = ["refused", "", ""]
    if isinstance(spent.outcome, Finding):
        rate = spent.outcome.rate
        told = [f"{rate.targets:,}", f"{rate.value:.2%}", f"{spent.outcome.baseline:.2%}"]
    return [text, kind, f"{spent.cpu:.2f}", f"{spent.wall:.2f}", f"{target:g} s, {met}", *told]
