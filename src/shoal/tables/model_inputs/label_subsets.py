"""Which rows share some labels, whatever their other labels are: for models of partial knowledge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes, ValueCounts

Ints = NDArray[np.int64]

# Up to so many slots per key, counting into a table of slots beats sorting.
SLOTS_PER_KEY = 16
PAIR_CHUNK = 16_384


@dataclass(frozen=True, eq=False)
class Groups:
    """Classes put together: the number of each class's group, and how many groups there are."""

    of_class: Ints
    count: int

    def sizes(self, classes: Classes) -> Ints:
        """Rows of each group."""
        found = np.bincount(self.of_class, weights=classes.sizes, minlength=self.count)
        return found.astype(np.int64)

    def pairs(self, counts: ValueCounts, where: NDArray[np.bool_] | None = None) -> tuple[Ints, Ints]:
        """Group and rows of every (group, value) that occurs; `where` picks the counts to look at."""
        owner = np.repeat(self.of_class, np.diff(counts.offsets))
        value, rows = counts.values, counts.counts
        if where is not None and not where.all():
            owner, value, rows = owner[where], value[where], rows[where]
        width = len(counts.domain.values)
        keys = renumber_keys(owner * width + value, self.count * width)
        found = np.bincount(keys.of_class, weights=rows, minlength=keys.count).astype(np.int64)
        group = np.empty(keys.count, np.int64)
        group[keys.of_class] = owner
        return group, found


def renumber_keys(keys: Ints, reach: int) -> Groups:
    """Keys below `reach` as numbers without gaps."""
    if reach <= SLOTS_PER_KEY * len(keys):
        used = np.zeros(reach, np.bool_)
        used[keys] = True
        number = np.cumsum(used) - 1
        return Groups(number[keys], int(number[-1]) + 1 if reach else 0)
    kinds, place = np.unique(keys, return_inverse=True)
    return Groups(place.astype(np.int64), len(kinds))


def group_by_labels(classes: Classes, columns: Sequence[str], model: str) -> Groups:
    """Classes that share their labels in some columns."""
    known = tuple(classes.labels)
    for column in columns:
        if column not in known:
            raise BadParameter(
                f"{model} names '{column}', which is not a quasi-identifier "
                f"(there is {', '.join(known) or 'none'})"
            )
    groups = Groups(np.zeros(len(classes), np.int64), 1)
    for column in columns:
        groups = _cut(groups, _column(classes, column))
    return groups


def linked_counts(classes: Classes, columns: Sequence[str], model: str) -> ValueCounts:
    """The counts of sensitive columns: of one, or of several counted together."""
    for column in columns:
        classes.about(column, model)
    return classes.jointly(columns) if len(columns) > 1 else classes.sensitive[columns[0]]


def combinations(classes: Classes, width: int) -> Iterator[Groups]:
    """For every choice of so many quasi-identifiers, the classes that share their labels in those."""
    columns = [_column(classes, column) for column in classes.labels]
    # Columns with few labels first: what they have in common is worked out once for all that come after.
    columns.sort(key=lambda column: column.count)
    yield from _extend(Groups(np.zeros(len(classes), np.int64), 1), columns, min(width, len(columns)))


def pair_rows(classes: Classes, weights: Ints) -> NDArray[np.float64]:
    """For every two labels of the table how many rows have both; `weights` are the rows of each class.

    One matrix product for all pairs of columns: with hundreds of columns that beats a pass per pair by far.
    """
    columns = [_column(classes, column) for column in classes.labels]
    begins = np.cumsum([0] + [column.count for column in columns])
    # Sums of whole numbers are exact in single precision up to 2²⁴.
    exact = np.float32 if int(weights.sum()) < 1 << 24 else np.float64
    found = np.zeros((int(begins[-1]), int(begins[-1])))
    picked = np.flatnonzero(weights)
    for first in range(0, len(picked), PAIR_CHUNK):
        part = picked[first : first + PAIR_CHUNK]
        present = np.zeros((len(part), len(found)), exact)
        for begin, column in zip(begins[:-1], columns, strict=True):
            present[np.arange(len(part)), begin + column.of_class[part]] = 1
        found += present.T @ (present * weights[part, None].astype(exact))
    return found


def labels_in_all(classes: Classes) -> int:
    """How many labels all quasi-identifiers have together."""
    return sum(_column(classes, column).count for column in classes.labels)


def _extend(groups: Groups, columns: Sequence[Groups], width: int) -> Iterator[Groups]:
    if width == 0:
        yield groups
        return
    for place in range(len(columns) - width + 1):
        yield from _extend(_cut(groups, columns[place]), columns[place + 1 :], width - 1)


def _cut(groups: Groups, column: Groups) -> Groups:
    if column.count == 1:
        return groups
    return renumber_keys(groups.of_class * column.count + column.of_class, groups.count * column.count)


def _column(classes: Classes, column: str) -> Groups:
    labels = classes.labels[column].astype(np.int64)
    return renumber_keys(labels, int(labels.max(initial=-1)) + 1)
