"""A release beside its original: rows with what became of them, distributions, group sizes and risk.

For the owner alone. Rows of a release are shuffled and carry no number; a row is shown beside the labels that
it must have got, which follows from the original and the release by the same reasoning that an attacker uses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.tables.appraisal.column_change import ColumnChange, GroupSizes, change_of, sizes_of, word_of
from shoal.tables.appraisal.row_pairs import RowPair, pairs
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import Label
from shoal.tables.table import Table


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
        cells = [(new,) for new in pair.after or pair.before] if pair.possible is None else pair.possible
        return [
            word_of(old) if new in ((), (old,)) else f"{word_of(old)} → {in_short(new)}"
            for old, new in zip(pair.before, cells, strict=True)
        ]


def in_short(labels: Sequence[Label]) -> str:
    """What a cell may have become: two labels, or how many there are."""
    few = " or ".join(word_of(label) for label in labels)
    return few if len(labels) <= 2 else f"one of {len(labels)} labels"


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
    rows = pairs(original, released, hierarchies, levels, first, show) if paired else ()
    notes = [] if paired else ["rows were changed or drawn by chance, so none is shown beside another"]
    fates = {pair.fate for pair in rows}
    if "unknown" in fates:
        notes.append(
            "where several groups fit a row, all that it may have become is shown: the release is shuffled, "
            "and the files do not tell which it is"
        )
    if "perhaps" in fates:
        notes.append(
            f"{original.height - released.rows:,} rows were left out, and not all are known: any row whose "
            "labels are shown may be one of them"
        )
    return BeforeAfter(
        columns=tuple(original.columns),
        kept=tuple(column in released.columns for column in original.columns),
        first=first,
        rows=rows,
        changes=tuple(change_of(original, released, column, hierarchies, levels) for column in own),
        sizes_before=sizes_of(original, quasi),
        sizes_after=sizes_of(released.frame, quasi),
        rows_before=original.height,
        rows_after=released.rows,
        notes=tuple(notes),
    )
