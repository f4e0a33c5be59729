"""A release beside its original: rows with what became of them, distributions, group sizes and risk.

For the owner alone. Rows of a release are shuffled and carry no number; a row is shown beside the labels that
it must have got, which follows from the original and the release by the same reasoning that an attacker uses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.tables.appraisal.column_change import ColumnChange, GroupSizes, change_of, sizes_of, word_of
from shoal.tables.appraisal.comparison import generalise, key_columns
from shoal.tables.attacker_reasoning.candidate_classes import fits
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import Label, texts
from shoal.tables.table import Table

Fate = Literal["released", "perhaps", "suppressed", "unknown"]


@dataclass(frozen=True)
class RowPair:
    """A row of the original, and its cells in the release; `after` is None where they are not known.

    A fate is `released`, `suppressed`, `perhaps` (these labels are the only ones that fit, but it may also be
    among the rows left out) or `unknown`: several groups fit.
    """

    before: tuple[Label, ...]
    after: tuple[Label, ...] | None
    fate: Fate

    def to_json(self) -> dict[str, Json]:
        after: Json = None if self.after is None else list(self.after)
        return {"before": list(self.before), "after": after, "fate": self.fate}


@dataclass(frozen=True)
class BeforeAfter(Shown):
    """What `diff` tells."""

    columns: tuple[str, ...]  # of the original
    kept: tuple[bool, ...]  # those that the release has
    first: int
    rows: tuple[RowPair, ...]
    changes: tuple[ColumnChange, ...]
    sizes_before: GroupSizes
    sizes_after: GroupSizes
    rows_before: int
    rows_after: int
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal table diff --json` prints."""
        return {
            "columns": list(self.columns),
            "kept": list(self.kept),
            "rows_before": self.rows_before,
            "rows_after": self.rows_after,
            "first": self.first,
            "rows": [pair.to_json() for pair in self.rows],
            "changes": {change.name: change.to_json() for change in self.changes},
            "groups": {"before": self.sizes_before.to_json(), "after": self.sizes_after.to_json()},
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        told = [["row", *self.columns, "what became of it"]]
        for place, pair in enumerate(self.rows, self.first + 1):
            told.append([str(place), *self._cells(pair), pair.fate])
        changes = [["column", "role", "cells changed", "values before", "after"]]
        for one in self.changes:
            counts = [f"{one.kinds_before:,}", f"{one.kinds_after:,}"]
            changes.append([one.name, one.role, f"{one.changed:.1%}", *counts])
        sizes = [["rows in groups of", "before", "after"]]
        for (name, before), (_, after) in zip(
            self.sizes_before.buckets, self.sizes_after.buckets, strict=True
        ):
            sizes.append([name, f"{before:,}", f"{after:,}"])
        return {"rows": told, "columns": changes, "group sizes": sizes}

    def _cells(self, pair: RowPair) -> list[str]:
        after = pair.after or pair.before
        return [
            word_of(old) if new == old else f"{word_of(old)} → {word_of(new)}"
            for old, new in zip(pair.before, after, strict=True)
        ]


def before_after(
    original: pl.DataFrame,
    released: Table,
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int] | None,
    first: int,
    show: int,
    paired: bool,
) -> BeforeAfter:
    """Both tables side by side; `paired` says whether rows of the release are rows of the original."""
    own = [column for column in original.columns if column in released.columns]
    quasi = released.quasi
    notes = [] if paired else ["rows were changed or drawn by chance, so none is shown beside another"]
    return BeforeAfter(
        columns=tuple(original.columns),
        kept=tuple(column in released.columns for column in original.columns),
        first=first,
        rows=_pairs(original, released, hierarchies, levels, first, show) if paired else (),
        changes=tuple(change_of(original, released, column, hierarchies, levels) for column in own),
        sizes_before=sizes_of(original, quasi),
        sizes_after=sizes_of(released.frame, quasi),
        rows_before=original.height,
        rows_after=released.rows,
        notes=tuple(notes),
    )


def _pairs(
    original: pl.DataFrame,
    released: Table,
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int] | None,
    first: int,
    show: int,
) -> tuple[RowPair, ...]:
    part = original.slice(first, show)
    if levels:
        found = _by_levels(part, released, hierarchies, levels)
    else:
        found = _by_fit(original, released, hierarchies, first, part.height)
    return tuple(
        RowPair(tuple(before), _after(original, released, before, labels), fate)
        for before, (labels, fate) in zip(_rows(part), found, strict=True)
    )


Labels = tuple[dict[str, Label] | None, Fate]


def _by_levels(
    part: pl.DataFrame, released: Table, hierarchies: Mapping[str, Hierarchy], levels: Mapping[str, int]
) -> list[Labels]:
    """Every column is on one level, so a row's labels are known, and whether its class went out."""
    recoded = [
        generalise(part[column], hierarchies[column], levels.get(column, 0)) for column in released.quasi
    ]
    there = set(key_columns(released.frame[column] for column in released.quasi).unique().rows())
    named = [dict(zip(released.quasi, row, strict=True)) for row in key_columns(recoded).rows()]
    return [
        (labels, "released") if tuple(labels.values()) in there else (None, "suppressed") for labels in named
    ]


def _by_fit(
    original: pl.DataFrame, released: Table, hierarchies: Mapping[str, Hierarchy], first: int, show: int
) -> list[Labels]:
    """The labels of the one class that fits a row; which of several it is, nobody can tell from the files."""
    classes = RowClasses.of(released.frame, released.quasi)
    found = fits(original.select(released.quasi), classes, hierarchies, blank_is_value=True)
    whole = original.height == released.rows
    told: list[Labels] = []
    for row in range(first, first + show):
        mine = found.of(row)
        if len(mine) == 1:
            labels = dict(zip(released.quasi, classes.labels.row(int(mine[0])), strict=True))
            told.append((labels, "released" if whole else "perhaps"))
        else:
            told.append((None, "unknown" if len(mine) else "suppressed"))
    return told


def _after(
    original: pl.DataFrame, released: Table, before: Sequence[Label], labels: dict[str, Label] | None
) -> tuple[Label, ...] | None:
    if labels is None:
        return None
    return tuple(
        labels.get(column, value) if column in released.columns else None
        for column, value in zip(original.columns, before, strict=True)
    )


def _rows(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    return frame.select(texts(frame[column]) for column in frame.columns).rows()
