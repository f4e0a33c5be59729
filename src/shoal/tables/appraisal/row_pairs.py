"""Rows of an original beside what became of them, as far as original and release tell.

Rows of a release are shuffled and carry no number. A row's labels follow from the level of each column, where
every column has one; else from what fits: the labels that may stand for its values, in released rows that
have all its other values. Where several groups have such rows, the files do not tell which it got.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from shoal.core.outcome import Json
from shoal.tables.appraisal.comparison import generalise, key_columns
from shoal.tables.attacker_reasoning.candidate_classes import fits
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import Label, texts
from shoal.tables.table import Table

Fate = Literal["released", "perhaps", "suppressed", "unknown"]
Labels = Mapping[str, Label]


@dataclass(frozen=True)
class RowPair:
    """A row of the original, and its cells in the release; `after` is None where they are not known.

    A fate is `released`, `suppressed`, `perhaps` (these labels are the only ones that fit, but it may also be
    among the rows left out) or `unknown`: several groups fit. Then `possible` has for each cell what it may
    have become; nothing for a column that is not released.
    """

    before: tuple[Label, ...]
    after: tuple[Label, ...] | None
    fate: Fate
    possible: tuple[tuple[Label, ...], ...] | None = None

    def to_json(self) -> dict[str, Json]:
        after: Json = None if self.after is None else list(self.after)
        possible: Json = None if self.possible is None else [list(cell) for cell in self.possible]
        return {"before": list(self.before), "after": after, "fate": self.fate, "possible": possible}


def pairs(
    original: pl.DataFrame,
    released: Table,
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int] | None,
    first: int,
    show: int,
) -> tuple[RowPair, ...]:
    """Some rows of the original with what became of them."""
    part = original.slice(first, show)
    if levels:
        found = _by_levels(part, released, hierarchies, levels)
    else:
        found = _by_fit(original, released, hierarchies, first, part.height)
    return tuple(
        _pair(original, released, tuple(before), candidates, fate)
        for before, (candidates, fate) in zip(_rows(part), found, strict=True)
    )


Found = tuple[Sequence[Labels], Fate]  # the labels that a row may have: one, several, or none known


def _by_levels(
    part: pl.DataFrame, released: Table, hierarchies: Mapping[str, Hierarchy], levels: Mapping[str, int]
) -> list[Found]:
    """Every column is on one level, so a row's labels are known, and whether its class went out."""
    recoded = [
        generalise(part[column], hierarchies[column], levels.get(column, 0)) for column in released.quasi
    ]
    there = set(key_columns(released.frame[column] for column in released.quasi).unique().rows())
    named = [dict(zip(released.quasi, row, strict=True)) for row in key_columns(recoded).rows()]
    return [
        ([labels], "released") if tuple(labels.values()) in there else ([], "suppressed") for labels in named
    ]


def _by_fit(
    original: pl.DataFrame, released: Table, hierarchies: Mapping[str, Hierarchy], first: int, show: int
) -> list[Found]:
    """The labels that fit a row in released rows that are like it in all columns that nobody changed."""
    columns = [*released.quasi, *_unchanged(original, released)]
    classes = RowClasses.of(released.frame, columns)
    found = fits(original.select(columns), classes, hierarchies, blank_is_value=True)
    # As many rows fit nowhere as were left out: so it was those, and all others went out.
    whole = int(np.count_nonzero(found.number[found.of_person] == 0)) == original.height - released.rows
    told: list[Found] = []
    for row in range(first, first + show):
        labels = classes.labels[found.of(row)].select(released.quasi).unique(maintain_order=True)
        fate: Fate = "suppressed" if not len(labels) else "unknown" if len(labels) > 1 else "perhaps"
        told.append((labels.to_dicts(), "released" if whole and fate == "perhaps" else fate))
    return told


def _unchanged(original: pl.DataFrame, released: Table) -> list[str]:
    """Columns beside the quasi-identifiers that have none but values of the original."""
    others = [name for name in released.columns if name in original.columns and name not in released.quasi]
    known = {name: texts(original[name]).unique() for name in others}
    return [
        name
        for name in others
        if texts(released.frame[name]).unique().is_in(known[name].implode(), nulls_equal=True).all()
    ]


def _pair(
    original: pl.DataFrame,
    released: Table,
    before: tuple[Label, ...],
    candidates: Sequence[Labels],
    fate: Fate,
) -> RowPair:
    if not candidates:
        return RowPair(before, None, fate)
    cells = tuple(
        tuple(dict.fromkeys(labels.get(column, value) for labels in candidates))
        if column in released.columns
        else ()
        for column, value in zip(original.columns, before, strict=True)
    )
    if len(candidates) > 1:
        return RowPair(before, None, fate, cells)
    return RowPair(before, tuple(cell[0] if cell else None for cell in cells), fate)


def _rows(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    return frame.select(texts(frame[column]) for column in frame.columns).rows()
