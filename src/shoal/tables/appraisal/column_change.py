"""How the rows of a column are spread before and after, and how large groups are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.outcome import Json, number
from shoal.tables.appraisal.comparison import generalise
from shoal.tables.appraisal.shared_level import Counts, shared_level
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import Label, texts
from shoal.tables.table import Table

MOST_VALUES = 24
SIZES = (1, 2, 3, 5, 10, 20, 50, 100)  # where buckets of class sizes begin


@dataclass(frozen=True)
class ColumnChange:
    """One column: how its rows are spread before and after, and which share of its cells was changed.

    Where both sides have the same labels (`aligned`), the original is counted under those of the release; or,
    where groups have labels of their own, both are counted on one `level` of the hierarchy, and a label that
    covers several of that level's is spread evenly over its values: a reader knows no better.
    """

    name: str
    role: str
    before: tuple[tuple[Label, int], ...]
    after: tuple[tuple[Label, int], ...]
    changed: float
    aligned: bool
    kinds_before: int
    kinds_after: int
    level: int | None = None

    def to_json(self) -> dict[str, Json]:
        return {
            "role": self.role,
            "before": [list(pair) for pair in self.before],
            "after": [list(pair) for pair in self.after],
            "changed": number(self.changed),
            "aligned": self.aligned,
            "values_before": self.kinds_before,
            "values_after": self.kinds_after,
            "level": self.level,
        }


@dataclass(frozen=True)
class GroupSizes:
    """Rows by the size of their group, and what that means for somebody who is looked up in it."""

    buckets: tuple[tuple[str, int], ...]
    groups: int
    highest: float
    average: float

    def to_json(self) -> dict[str, Json]:
        return {
            "buckets": [list(pair) for pair in self.buckets],
            "groups": self.groups,
            "risk": {"highest": number(self.highest), "average": number(self.average)},
        }


def change_of(
    original: pl.DataFrame,
    released: Table,
    column: str,
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int] | None,
) -> ColumnChange:
    """One column on both sides."""
    before, after = texts(original[column]), texts(released.frame[column])
    known = before.unique()
    same = after.is_in(known.implode(), nulls_equal=True)
    coarsened = column in released.quasi
    shared = shared_level(before, after, hierarchies[column]) if coarsened and not levels else None
    aligned = shared is not None or not coarsened or bool(levels)
    if coarsened and levels:
        before = generalise(original[column], hierarchies[column], levels.get(column, 0))
    told_after = _counts(after)
    if shared is not None:
        told_before, told_after = _most_frequent(shared.before, shared.after)
    elif aligned:
        counted = dict(_counts(before))
        labels = list(dict.fromkeys([*counted, *dict(told_after)]))
        labels.sort(key=lambda label: (-counted.get(label, 0), word_of(label)))
        late = dict(told_after)
        pairs = [(label, counted.get(label, 0), late.get(label, 0)) for label in labels[:MOST_VALUES]]
        told_before = [(label, rows) for label, rows, _ in pairs]
        told_after = [(label, rows) for label, _, rows in pairs]
    else:
        told_before = _counts(before)[:MOST_VALUES]
    return ColumnChange(
        name=column,
        role=released.role(column),
        before=tuple(told_before),
        after=tuple(told_after[:MOST_VALUES]),
        changed=1 - float(same.mean() or 0.0) if released.rows else 0.0,  # type: ignore[arg-type]
        aligned=aligned,
        kinds_before=len(known),
        kinds_after=after.n_unique(),
        level=None if shared is None else shared.level,
    )


def _most_frequent(before: Counts, after: Counts) -> tuple[Counts, Counts]:
    """The labels that most rows have, in their order."""
    most = sorted(range(len(before)), key=lambda place: -max(before[place][1], after[place][1]))
    kept = sorted(most[:MOST_VALUES])
    return [before[place] for place in kept], [after[place] for place in kept]


def _counts(column: pl.Series) -> list[tuple[Label, int]]:
    counted = (
        column.alias("value").value_counts(name="rows").sort(["rows", "value"], descending=[True, False])
    )
    return list(zip(counted["value"].to_list(), counted["rows"].to_list(), strict=True))


def sizes_of(frame: pl.DataFrame, quasi: Sequence[str]) -> GroupSizes:
    """The groups of some columns."""
    sizes = RowClasses.of(frame, quasi).sizes
    place = np.searchsorted(SIZES, sizes, side="right") - 1
    rows = (
        np.bincount(place, weights=sizes, minlength=len(SIZES)).astype(int)
        if len(sizes)
        else [0] * len(SIZES)
    )
    ends = [*(end - 1 for end in SIZES[1:]), None]
    names = [
        f"{begin}" if end == begin else f"{begin}+" if end is None else f"{begin}–{end}"
        for begin, end in zip(SIZES, ends, strict=True)
    ]
    total = int(sizes.sum())
    return GroupSizes(
        tuple((name, int(count)) for name, count in zip(names, rows, strict=True)),
        len(sizes),
        1 / int(sizes.min()) if total else 0.0,
        len(sizes) / total if total else 0.0,
    )


def word_of(label: Label) -> str:
    """A value as people read it."""
    return "(blank)" if label is None else str(label)
