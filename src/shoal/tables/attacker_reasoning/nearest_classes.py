"""Which classes of a release a person is most likely in, when none fits them exactly."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.cache import remembered
from shoal.core.compiled import compiled
from shoal.core.deadline import check_time
from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning.candidate_classes import Fits, fits
from shoal.tables.attacker_reasoning.label_syntax import Axis, in_days, in_numbers, keys_on, meanings
from shoal.tables.attacker_reasoning.label_values import covered_values
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import texts

Floats = NDArray[np.float64]
# Equally near classes that are looked at for one person, and cells of distances held at a time.
TIES, CELLS = 256, 4_000_000


@remembered
def likely(
    people: pl.DataFrame,
    release: RowClasses,
    hierarchies: Mapping[str, Hierarchy],
    readable: bool = False,
) -> Fits:
    """The classes that fit a person; for whom none does, those that are nearest.

    Columns count alike: 0 where the label may stand for the value, for numbers and dates how far the value
    is from it as a share of the column's range, else 1 (Gower 1971). What is as far as can be is not near.
    """
    columns = [_Column(people[name], release.labels[name], hierarchies.get(name)) for name in release.columns]
    for column in columns:
        if not readable and not column.pairs.height and not column.measured:
            raise BadParameter(
                f"nothing in '{column.name}' of the people fits the release, which has "
                f"{column.kinds[0]!r}; give the hierarchy it was made with as --hierarchy {column.name}=FILE"
            )
    found = fits(people, release, hierarchies, readable=True, blank_is_value=True)
    lone = np.flatnonzero(found.number[found.of_person] == 0)
    if not len(lone):
        return found
    own = RowClasses.of(people[lone], release.columns)
    who, near = _nearest(own.labels, columns)
    old = len(found.number)
    of_person = found.of_person.copy()
    of_person[lone] = old + own.of_row
    more = np.bincount(who, minlength=len(own))
    offsets = np.concatenate((found.offsets, found.offsets[-1] + np.cumsum(more)))
    return Fits(of_person, offsets, np.concatenate((found.classes, near)).astype(np.int32), found.sizes)


class _Column:
    """One column of the classes: its labels, where each class has which, and how far values are from them."""

    def __init__(self, values: pl.Series, labels: pl.Series, hierarchy: Hierarchy | None) -> None:
        self.name = labels.name
        self.kinds = texts(labels).unique(maintain_order=True)
        self.codes = places(texts(labels), self.kinds)
        own = texts(values).unique()
        self.pairs = covered_values(own, self.kinds, hierarchy)
        self.axis: Axis = "day" if np.isfinite(keys_on("day", own)).any() else "number"
        self.low, self.high = ends(self.kinds, self.axis)
        there = keys_on(self.axis, own)
        every = np.concatenate((self.low, self.high, there))
        every = every[np.isfinite(every)]
        self.measured = bool((self.low <= self.high).any() and np.isfinite(there).any())
        self.span = float(every.max() - every.min()) or 1.0 if len(every) else 1.0

    def costs(self, values: pl.Series) -> NDArray[np.float32]:
        """How far each value is from each label, from 0 to 1."""
        own = keys_on(self.axis, values)
        gap = np.maximum(np.maximum(self.low - own[:, None], own[:, None] - self.high), 0) / self.span
        found = np.where(np.isnan(gap), 1.0, np.minimum(gap, 1.0)).astype(np.float32)
        here = pl.DataFrame({"value": values, "row": np.arange(len(values))})
        label = pl.DataFrame({"label": self.kinds, "column": np.arange(len(self.kinds))})
        hit = self.pairs.join(here, on="value", nulls_equal=True).join(label, on="label", nulls_equal=True)
        found[hit["row"].to_numpy(), hit["column"].to_numpy()] = 0
        return found


def places(column: pl.Series, kinds: pl.Series) -> NDArray[np.int32]:
    """For each value its place among the kinds, -1 if it is none of them."""
    numbers = pl.DataFrame({"kind": kinds, "place": np.arange(len(kinds), dtype=np.int32)})
    found = pl.DataFrame({"kind": column}).join(
        numbers, on="kind", how="left", nulls_equal=True, maintain_order="left"
    )
    return found["place"].fill_null(-1).to_numpy().astype(np.int32)


def ends(labels: pl.Series, axis: Axis) -> tuple[Floats, Floats]:
    """From where to where labels reach on an axis of numbers or days; NaN for what has no place on it."""
    low = keys_on(axis, labels).copy()
    high = low.copy()
    for place, told in meanings(labels).items():
        found = [in_days(span) if axis == "day" else in_numbers(span) for span in told.spans]
        spans = [span for span in found if span is not None]
        if spans:
            low[place] = min(span.low for span in spans)
            high[place] = max(span.high for span in spans)
    return low, high


def _nearest(people: pl.DataFrame, columns: list[_Column]) -> tuple[Ints, Ints]:
    """The nearest classes of people as pairs (place of the person, class)."""
    starts = np.cumsum([0, *(len(column.kinds) for column in columns)])
    codes = np.stack(
        [column.codes + start for column, start in zip(columns, starts[:-1], strict=True)], axis=1
    ).astype(np.int32)
    step = max(1, CELLS // int(starts[-1]))
    who: list[Ints] = [np.empty(0, np.int64)]
    which: list[Ints] = [np.empty(0, np.int64)]
    for first in range(0, people.height, step):
        check_time()
        some = people[first : first + step]
        costs = np.concatenate([column.costs(some[column.name]) for column in columns], axis=1)
        persons, classes = nearest_classes(costs, codes, TIES)
        who.append(persons + first)
        which.append(classes)
    return np.concatenate(who), np.concatenate(which)


@compiled
def nearest_classes(costs: NDArray[np.float32], codes: NDArray[np.int32], ties: int) -> tuple[Ints, Ints]:
    """For each row of costs the classes whose costs add up to the least, at most so many, evenly spread.

    `codes[class, column]` is where the cost of a class's label stands in a row of costs.
    """
    who, which = [np.int64(0) for _ in range(0)], [np.int64(0) for _ in range(0)]
    classes, columns = codes.shape
    for person in range(costs.shape[0]):
        best, count = np.float32(columns), 0
        for number in range(classes):
            total = np.float32(0)
            for column in range(columns):
                total += costs[person, codes[number, column]]
                if total > best:
                    break
            if total < best:
                best, count = total, 1
            elif total == best:
                count += 1
        if best >= columns:
            continue
        stride, seen = (count + ties - 1) // ties, 0
        for number in range(classes):
            total = np.float32(0)
            for column in range(columns):
                total += costs[person, codes[number, column]]
                if total > best:
                    break
            if total == best:
                if seen % stride == 0:
                    who.append(np.int64(person))
                    which.append(np.int64(number))
                seen += 1
    return np.array(who, dtype=np.int64), np.array(which, dtype=np.int64)
