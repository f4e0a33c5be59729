"""Everything that a report tells about one release of a table: figures and words, nobody's data."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import polars as pl

from shoal.core.dossier import ReleaseDossier
from shoal.core.outcome import Json, number
from shoal.core.part_syntax import split
from shoal.core.rounded_figures import round_figures
from shoal.tables.appraisal.appraisal import Appraisal
from shoal.tables.appraisal.comparison import level_of
from shoal.tables.attacker_reasoning.manifest_clues import rows_made_up
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.column_decisions import By
from shoal.tables.discovery.discovery import look_at
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table

Role = Literal["identifier", "quasi", "sensitive", "insensitive"]
Fate = Literal["removed", "left out", "pseudonyms", "unchanged", "coarsened", "hidden", "changed", "unknown"]


@dataclass(frozen=True)
class ColumnStory:
    """What became of one column. `level` of `height` is how far up its hierarchy a quasi-identifier went."""

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


@dataclass(frozen=True, eq=False, kw_only=True)
class Dossier(ReleaseDossier):
    """What a report tells: what was released, what holds, what attacks achieve, what was lost."""

    noun: ClassVar[str] = "table"

    rows: int | None  # of the original, where it is known
    released: int
    suppressed: int | None
    columns: tuple[ColumnStory, ...]
    risk: Appraisal
    risk_before: Appraisal | None
    losses: Mapping[str, float]  # those that a reader of the release could compute, to three digits
    measured: bool  # losses are measured against the original now, else told by the manifest
    steps: tuple[str, ...] = ()
    optimal: bool | None = None
    has_population: bool = False
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

    @cached_property
    def undecided(self) -> tuple[ColumnStory, ...]:
        """Columns that went out, look risky, and had no role from anybody."""
        return tuple(column for column in self.columns if column.risky)

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal report --json` prints."""
        return {
            **super().to_json(),
            "rows": self.rows,
            "released": self.released,
            "suppressed": self.suppressed,
            "steps": list(self.steps),
            "optimal": self.optimal,
            "columns": [column.to_json() for column in self.columns],
            "risk": _hide_values(self.risk),
            "risk_before": None
            if self.risk_before is None
            else round_figures(_hide_values(self.risk_before)),
            "losses": {name: number(value) for name, value in self.losses.items()},
            "losses_measured": self.measured,
            "given_away": list(self.given_away),
        }


def _hide_values(risk: Appraisal) -> dict[str, Json]:
    """Figures without the values of sensitive columns: before suppression they tell of those left out."""
    return {name: figure for name, figure in risk.to_json().items() if name != "belief"}


SHOWN = 3  # labels of a column that serve as an example
SHARED = 2  # rows that must have a label for it to be shown: what one has is somebody's own


def stories(
    identifier: Sequence[str],
    after: Scene,
    original: pl.DataFrame | None,
    record: Mapping[str, Any],
    named: Sequence[str] = (),
) -> tuple[ColumnStory, ...]:
    """What became of every column of an original, as far as the release and its record tell.

    `named` are further columns that whoever asks for the report gives a role.
    """
    table = after.table
    levels, told = record.get("levels"), bool(record)
    identifiers = [*identifier, *(after.manifest.identifier if after.manifest else ())]
    stepped = {name for step in record.get("settings", {}).get("step", []) for name in _spoken(step)}
    found = [
        ColumnStory(
            name,
            "identifier",
            _fate_of_identifier(name, stepped, told) if name in table.columns else "removed",
        )
        for name in dict.fromkeys(identifiers)
    ]
    drawn = rows_made_up(record["method"]) if record.get("method") else False
    for name in table.columns:
        if name in identifiers:
            continue
        role: Role = (
            "quasi" if name in table.quasi else "sensitive" if name in table.sensitive else "insensitive"
        )
        own = texts(table.frame[name])
        raw = texts(original[name]) if original is not None and name in original.columns else None
        story = ColumnStory(name, role, "unknown", after=own.n_unique())
        if role == "quasi":
            story = _with_level(story, own, raw, after, (levels or {}).get(name))
            if drawn and story.fate != "hidden":
                story = replace(story, fate="changed")
        elif drawn or name in stepped or _strange(own, raw):
            story = replace(story, fate="changed")
        elif raw is not None or (told and not record.get("guarantees")):
            story = replace(story, fate="unchanged")
        found.append(story)
    return tuple(_with_decisions(found, (*identifier, *named), after))


def _with_decisions(
    found: Sequence[ColumnStory], flags: Sequence[str], after: Scene
) -> Iterator[ColumnStory]:
    """The same with who decided about each, and with the columns that were left out."""
    told = after.manifest.decisions if after.manifest else None
    for story in found:
        by: By | None = told.by.get(story.name) if told else None
        if story.name in flags:
            by = by if by not in (None, "nobody") else "flags"
        elif by is None and story.role == "insensitive":
            by = "nobody"  # no record says that anybody spoke of it
        elif by is None and after.manifest is None:
            by = "flags"
        risky = ""
        if by == "nobody" and story.name in after.table.columns:
            report = look_at(Table(after.table.frame.select(story.name)))[story.name]
            risky = "" if report.role == "insensitive" else report.reason
        yield replace(story, by=by, risky=risky)
    names = {story.name for story in found}
    for name in told.left_out if told else ():
        if name not in names:
            yield ColumnStory(name, "insensitive", "left out", by="nobody")


def _fate_of_identifier(name: str, stepped: Collection[str], told: bool) -> Fate:
    """What a column that names people and is still there holds."""
    return "pseudonyms" if name in stepped else "unchanged" if told else "unknown"


def _with_level(
    story: ColumnStory, own: pl.Series, raw: pl.Series | None, after: Scene, told: int | None
) -> ColumnStory:
    """How far up its hierarchy a quasi-identifier went, and some labels for an example."""
    hierarchy = after.table.hierarchies.get(story.name)
    height = None if hierarchy is None else hierarchy.height
    level = told if told is not None or hierarchy is None else level_of(hierarchy, own)
    fate: Fate = "unknown"
    if own.n_unique() == 1 and own[0] == "*":
        fate = "hidden"
    elif level is not None:
        fate = "coarsened" if level else "unchanged"
    elif raw is not None or after.manifest is not None:
        fate = "coarsened" if raw is None or _strange(own, raw) else "unchanged"
    often = own.alias("label").value_counts().filter(pl.col("count") >= SHARED)
    often = often.sort("count", "label", descending=[True, False])
    labels = tuple(str(label) for label in often["label"].head(SHOWN) if label is not None)
    return replace(story, fate=fate, level=level, height=height, labels=labels)


def _strange(own: pl.Series, raw: pl.Series | None) -> bool:
    """Whether a column has values that its original did not have."""
    return raw is not None and bool(set(own.unique().to_list()) - set(raw.unique().to_list()))


def _spoken(step: str) -> list[str]:
    """The columns that a step names."""
    _, given = split(step)
    return [
        name.strip('"') for key in ("column", "columns") for name in given.get(key, "").split("|") if name
    ]
