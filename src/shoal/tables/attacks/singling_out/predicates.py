"""Descriptions of people, such as `zip is 476** and income at least 90000`, and whom they describe."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.deadline import check_time
from shoal.tables.attacker_reasoning.label_syntax import keys_on
from shoal.tables.attacker_reasoning.label_values import covered_values
from shoal.tables.attacker_reasoning.nearest_classes import places
from shoal.tables.attacker_reasoning.row_classes import Ints
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import Label, texts

Sign = Literal["is", "at least", "at most"]
Floats = NDArray[np.float64]
SLICES = 64  # values whose rows are taken one by one; beyond, all rows are gone through


@dataclass(frozen=True)
class Condition:
    """What a description says about one column."""

    column: str
    label: Label
    sign: Sign = "is"

    def text(self) -> Label:
        """The condition in words."""
        return self.label if self.sign == "is" else f"{self.sign} {self.label}"


Predicate = tuple[Condition, ...]


class Ground:
    """Rows of people, sorted by every column so that descriptions are looked up and not searched for."""

    def __init__(self, frame: pl.DataFrame, columns: Sequence[str]) -> None:
        self.rows = frame.height
        self.columns = {column: _Sorted(texts(frame[column])) for column in columns}

    def described(
        self, predicates: Sequence[Predicate], hierarchies: Mapping[str, Hierarchy] | None
    ) -> tuple[Ints, Ints]:
        """For each description how many rows it describes, and the first of them (-1 for none).

        Labels are read through the hierarchies; without any (None), as the very words that the rows have.
        """
        meant = self._meant({one for predicate in predicates for one in predicate}, hierarchies)
        held = {one: self.columns[one.column].held(values) for one, values in meant.items()}
        counts, first = np.zeros(len(predicates), np.int64), np.full(len(predicates), -1, np.int64)
        for place, predicate in enumerate(predicates):
            check_time()
            narrowest_first = sorted(predicate, key=held.__getitem__)
            rows = self._rows([(self.columns[one.column], meant[one]) for one in narrowest_first])
            counts[place] = len(rows)
            if len(rows):
                first[place] = rows[0]
        return counts, first

    def _rows(self, conditions: list[tuple[_Sorted, Ints]]) -> Ints:
        """The rows that meet all conditions: those of the first, and of these what meets the others."""
        column, values = conditions[0]
        rows = column.rows_of(values)
        for column, values in conditions[1:]:
            if not len(rows):
                break
            if len(values) < len(column.kinds):
                rows = rows[_among(column.codes[rows], values)]
        return rows

    def _meant(
        self, conditions: Iterable[Condition], hierarchies: Mapping[str, Hierarchy] | None
    ) -> dict[Condition, Ints]:
        """For each condition the values that meet it, in order."""
        found: dict[Condition, Ints] = {}
        by_column: dict[str, list[Condition]] = {}
        for one in conditions:
            by_column.setdefault(one.column, []).append(one)
        for name, those in by_column.items():
            column = self.columns[name]
            labels = pl.Series(sorted({one.label for one in those}, key=str), dtype=pl.String)
            if hierarchies is None:
                pairs = pl.DataFrame({"value": labels, "label": labels})
            else:
                pairs = covered_values(column.kinds, labels, hierarchies.get(name))
            value = places(pairs["value"], column.kinds).astype(np.int64)
            label = places(pairs["label"], labels)
            label, value = label[value >= 0], value[value >= 0]
            order = np.lexsort((value, label))
            cuts = np.searchsorted(label[order], np.arange(len(labels) + 1))
            at = {text: number for number, text in enumerate(labels.to_list())}
            for one in those:
                if one.sign == "is":
                    found[one] = value[order[cuts[at[one.label]] : cuts[at[one.label] + 1]]]
                else:
                    end = float(one.label or "nan")
                    beyond = column.numbers >= end if one.sign == "at least" else column.numbers <= end
                    found[one] = np.flatnonzero(beyond)
        return found


class _Sorted:
    """One column: its values in order, and the rows of each."""

    def __init__(self, column: pl.Series) -> None:
        self.kinds = column.unique().sort()
        self.codes = places(column, self.kinds)
        self.order = np.argsort(self.codes, kind="stable")
        self.counts = np.bincount(self.codes, minlength=len(self.kinds))
        self.starts = np.concatenate(([0], np.cumsum(self.counts)))
        self.numbers = keys_on("number", self.kinds)

    def held(self, values: Ints) -> int:
        """How many rows have one of the values."""
        return int(self.counts[values].sum())

    def rows_of(self, values: Ints) -> Ints:
        """The rows that have one of the values, in order."""
        if len(values) == 1:
            return self.order[self.starts[values[0]] : self.starts[values[0] + 1]]
        if len(values) > SLICES:
            mask = np.zeros(len(self.kinds), np.bool_)
            mask[values] = True
            return np.flatnonzero(mask[self.codes])
        pieces = [self.order[self.starts[value] : self.starts[value + 1]] for value in values.tolist()]
        return np.sort(np.concatenate([np.empty(0, np.int64), *pieces]))


def _among(codes: NDArray[np.int32], values: Ints) -> NDArray[np.bool_]:
    if not len(values):
        return np.zeros(len(codes), np.bool_)
    if len(values) == 1:
        return np.asarray(codes == values[0])
    at = np.minimum(np.searchsorted(values, codes), len(values) - 1)
    return np.asarray(values[at] == codes)


def best_blind(people: int) -> float:
    """How often the best description made without any data describes exactly one of so many people.

    One that fits a share w of everybody does so with probability n w (1 - w)^(n - 1), most at w = 1 / n:
    about 37 % (Cohen, Nissim 2020).
    """
    return (1 - 1 / people) ** (people - 1)


def alone_among(counts: Ints, people: int, size: int) -> float:
    """How many of the descriptions describe exactly one of `size` people drawn from all, on average.

    `counts` are how many of all `people` each describes.
    """
    kinds, times = np.unique(counts, return_counts=True)
    total = 0.0
    for count, many in zip(kinds.tolist(), times.tolist(), strict=True):
        if count and people - count >= size - 1:
            ways = _ways(people - count, size - 1) - _ways(people, size)
            total += many * count * math.exp(ways)
    return total


def alone_elsewhere(counts: Ints, people: int, size: int) -> float:
    """The same for groups larger than all the people there are.

    How often a description fits is taken to be spread evenly from 0 to some share, and that share is fitted
    to how many describe one of fewer people (Giomi et al. 2023).
    """
    if size <= people:
        return alone_among(counts, people, size)
    sizes = np.unique(np.linspace(max(1, people // 10), people, 10).astype(np.int64))
    seen = np.array([alone_among(counts, people, int(part)) for part in sizes])
    if not seen.any():
        return 0.0
    shares = np.geomspace(1e-3 / size, 1, 2000)
    model = np.stack([_spread(int(part), shares) for part in sizes], axis=1)
    norm = (model @ seen) / np.square(model).sum(axis=1)
    misfit = np.square(norm[:, None] * model - seen).sum(axis=1)
    best = int(misfit.argmin())
    return float(min(norm[best] * _spread(size, shares)[best], len(counts)))


def _spread(size: int, shares: Floats) -> Floats:
    """The chance of describing one of so many, over shares from 0 to each of these."""
    if size == 1:
        return shares**2 / 2
    return np.asarray((1 - (size * shares + 1) * (1 - shares) ** size) / (size + 1))


def _ways(many: int, taken: int) -> float:
    return math.lgamma(many + 1) - math.lgamma(taken + 1) - math.lgamma(many - taken + 1)
