"""How often the commonest value of a group is the wrong guess: an objective for who predicts a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.core.contract import Mask
from shoal.core.errors import BadParameter
from shoal.tables.appraisal.recoding import Ints
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.appraisal.task_objective import Int32, Stretches, Task, TaskLoss, TaskRows
from shoal.tables.measures.class_entropy import class_counts
from shoal.tables.model_inputs.text_values import texts

MOST_VALUES = 200


@dataclass(frozen=True)
class Classifier(TaskLoss):
    """The share of rows that are left out, or whose value of `column` is not the commonest of their group.

    Choose it as objective when people will predict that column from the quasi-identifiers. The column goes
    out as it is: it is sensitive or insensitive. A sensitive one needs a promise of its own, such as
    l-diversity: groups in which all have one value are what this objective looks for.

    Iyengar, "Transforming data to satisfy privacy constraints", 2002 (CM).
    """

    name: ClassVar[str] = "classifier"
    example: ClassVar[str] = "column=ill"

    column: str

    def measure(self, pair: SideBySide) -> float:
        pair = replace(pair, class_column=self.column)
        wrong = class_counts(pair.released, pair.quasi, pair.classed).outvoted + pair.suppressed
        return wrong / (pair.released.height + pair.suppressed)

    def columns(self) -> tuple[str, ...]:
        return (self.column,)

    def of_table(self, rows: TaskRows) -> Task:
        if self.column not in rows.unchanged:
            coarse = self.column in rows.columns
            why = "is a quasi-identifier, which a release coarsens" if coarse else "does not go out"
            can = ", ".join(rows.unchanged) or "there is none; give one with --sensitive or --insensitive"
            raise BadParameter(f"{self.name} predicts a column that goes out; '{self.column}' {why} ({can})")
        values = texts(rows.frame[self.column])
        if values.n_unique() > MOST_VALUES:
            raise BadParameter(
                f"{self.name} predicts a column of at most {MOST_VALUES} values, and '{self.column}' has "
                f"{values.n_unique():,}"
            )
        codes = values.rank("dense").fill_null(0).to_numpy().astype(np.int64)
        width = int(codes.max()) + 1
        pairs, place = np.unique(rows.of_row * np.int64(width) + codes, return_inverse=True)
        counts = np.bincount(place.reshape(-1), rows.weights).astype(np.int64)
        return _Guesses(pairs // width, pairs % width, counts, width, rows.rows)


class _Guesses(Task):
    """Which values occur with each combination of quasi-identifiers, and how often."""

    name = Classifier.name

    def __init__(self, combination: Ints, value: Ints, counts: Ints, width: int, rows: int) -> None:
        self._combination, self._value, self._counts = combination, value, counts
        self._width, self._rows = width, rows

    def at_levels(self, levels: Sequence[int], group: Int32, kept: Mask) -> float:
        return self._wrong(group, kept)

    def of_stretches(self, columns: Sequence[Stretches], group: Int32, kept: Mask) -> float:
        return self._wrong(group, kept)

    def above(self, group: Int32) -> float:
        # The commonest value of a union is at most as common as those of its parts are together, and a row
        # that is left out counts fully.
        return self._wrong(group, np.ones(len(group), np.bool_))

    def when_doomed(self, doomed: float) -> float:
        return doomed / self._rows

    def _wrong(self, group: Int32, kept: Mask) -> float:
        """All rows but those that have the commonest value of their group, and go out."""
        keys = group[self._combination] * np.int64(self._width) + self._value
        counts = self._counts * kept[self._combination]
        table = np.bincount(keys, counts, (int(group.max()) + 1) * self._width).reshape(-1, self._width)
        return float(self._rows - table.max(axis=1).sum()) / self._rows
