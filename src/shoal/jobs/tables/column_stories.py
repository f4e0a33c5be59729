"""What became of the columns of a table on their way into a release."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from shoal.core.spelling import split
from shoal.jobs.tables.certainty import rows_made_up
from shoal.jobs.tables.dossier import ColumnStory, Fate, Role
from shoal.tables.appraisal.comparison import level_of
from shoal.tables.decisions import By
from shoal.tables.discovery.discovery import look_at
from shoal.tables.reading.scene import Scene
from shoal.tables.seen.values import texts
from shoal.tables.table import Table

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
        ColumnStory(name, "identifier", _kept(name, stepped, told) if name in table.columns else "removed")
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
            story = _climbed(story, own, raw, after, (levels or {}).get(name))
            if drawn and story.fate != "hidden":
                story = replace(story, fate="changed")
        elif drawn or name in stepped or _strange(own, raw):
            story = replace(story, fate="changed")
        elif raw is not None or (told and not record.get("guarantees")):
            story = replace(story, fate="unchanged")
        found.append(story)
    return tuple(_decided(found, (*identifier, *named), after))


def _decided(found: Sequence[ColumnStory], flags: Sequence[str], after: Scene) -> Iterator[ColumnStory]:
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


def _kept(name: str, stepped: Collection[str], told: bool) -> Fate:
    """What a column that names people and is still there holds."""
    return "pseudonyms" if name in stepped else "unchanged" if told else "unknown"


def _climbed(
    story: ColumnStory, own: pl.Series, raw: pl.Series | None, after: Scene, told: int | None
) -> ColumnStory:
    """How far up its ladder a quasi-identifier went, and some labels for an example."""
    ladder = after.table.hierarchies.get(story.name)
    height = None if ladder is None else ladder.height
    level = told if told is not None or ladder is None else level_of(ladder, own)
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
