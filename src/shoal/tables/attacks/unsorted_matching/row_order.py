"""Whether the rows of two releases stand in the same order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.outcome import Json
from shoal.tables.attacker_reasoning.overlapping_labels import labels_overlap
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses, code
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table

Bools = NDArray[np.bool_]
SHUFFLES = 999
SAMPLE = 2_000  # rows that are shuffled to see what chance does
LIKELY = 0.05
DENSE = 2**26  # pairs of labels of one column that are compared; with more only equal labels meet


@dataclass(frozen=True)
class RowOrder:
    """What speaks for rows at the same place being about the same person.

    `meeting` is the share of places where all labels of both rows may be about one person, `by_chance` that
    share when rows are shuffled, and `p` how often shuffled rows agree as well, at the most. Labels that
    nobody can read count by how few pairs of them there are.
    """

    meeting: float
    by_chance: float
    p: float

    @property
    def same(self) -> bool:
        """Every place agrees, and chance does not do that."""
        return self.meeting == 1 and self.p <= LIKELY

    def to_json(self) -> dict[str, Json]:
        return {"meeting": self.meeting, "by_chance": self.by_chance, "p": self.p}


def row_order(
    first: Table, other: Table, hierarchies: Mapping[str, Hierarchy], chance: np.random.Generator
) -> RowOrder | None:
    """Compare the rows of two releases place by place; None when they cannot be in the same order.

    A file that is sorted by columns which both have agrees with another by that alone. So rows are shuffled
    only among those that its sorting leaves open. And files that stand side by side as they would if both
    were sorted tell nothing by their order, whatever it is: two releases of Shoal with one seed do.
    """
    shared = [column for column in first.columns if column in other.columns]
    if first.rows != other.rows or not shared:
        return None
    columns = [_Column.of(first, other, column, hierarchies.get(column)) for column in shared]
    agree = np.ones(first.rows, np.bool_)
    for column in columns:
        agree &= column.meets_at(column.own, column.other)
    rows = np.sort(chance.choice(first.rows, min(SAMPLE, first.rows), replace=False))
    sample = [column.only(rows) for column in columns]
    most, by_chance = 1.0, []
    for table, mine in ((first, True), (other, False)):
        blocks = sorted_blocks([table.frame[column] for column in table.columns])[rows]
        places = np.argsort(blocks + chance.random((SHUFFLES, len(rows))), axis=1)
        here, _ = _agreement(sample, np.arange(len(rows))[None, :], mine)
        shuffled, shuffled_meeting = _agreement(sample, places, mine)
        # The order as it is counts among the shuffled ones.
        p = (1 + int(np.count_nonzero(shuffled >= here[0]))) / (1 + SHUFFLES)
        if p <= most:
            most, by_chance = p, [float(shuffled_meeting.mean())]
    # Two ways were tried, and the better one was taken.
    p = 1.0 if _as_if_sorted(first.frame, other.frame) else min(1.0, 2 * most)
    return RowOrder(float(agree.mean()), by_chance[0], p)


def _as_if_sorted(first: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Whether each row has the same place in both files once they are sorted by all columns from the left."""
    (low, high), (other_low, other_high) = _places_when_sorted(first), _places_when_sorted(other)
    return bool(((low <= other_high) & (other_low <= high)).all())


def _places_when_sorted(frame: pl.DataFrame) -> tuple[Ints, Ints]:
    """The first and the last place that each row can have; rows that are alike share theirs."""
    plain = pl.DataFrame({f"{place}": column for place, column in enumerate(frame)})
    order = plain.select(pl.arg_sort_by(plain.columns, nulls_last=True)).to_series().to_numpy()
    row_classes = RowClasses.of(plain, plain.columns)
    of_row = row_classes.of_row[order]
    new = np.flatnonzero(np.append(True, of_row[1:] != of_row[:-1]))
    low = np.zeros(len(row_classes), np.int64)
    low[of_row[new]] = new
    return low[row_classes.of_row], (low + row_classes.sizes - 1)[row_classes.of_row]


def sorted_blocks(columns: Sequence[pl.Series]) -> Ints:
    """The runs of rows that the sorting of a file leaves open, numbered; one run when it is not sorted.

    A file is sorted by a column when that goes up, or down, throughout; then by another when that does so
    wherever the first stays the same, and so on.
    """
    new = np.zeros(len(columns[0]), np.bool_)
    waiting = [codes for column in columns for codes in _ranks(column)]
    done = False
    while not done:
        done = True
        for codes in waiting:
            step = np.diff(codes)
            inside = step[~new[1:]]
            if inside.any() and ((inside >= 0).all() or (inside <= 0).all()):
                new[1:] |= step != 0
                done = False
    return np.cumsum(new)


def _ranks(column: pl.Series) -> list[Ints]:
    """A column as ranks: of its texts, and of its numbers where all are numbers."""
    by_text, kinds = code(texts(column))
    numbers = kinds.str.strip_chars().cast(pl.Float64, strict=False)
    if len(kinds) < 2 or numbers.null_count():
        return [by_text]
    return [by_text, np.argsort(np.argsort(numbers.to_numpy(), kind="stable"))[by_text]]


@dataclass(frozen=True, eq=False)
class _Column:
    own: Ints
    other: Ints
    meets: Bools | None  # own label by other label; None when equal numbers meet
    readable: bool
    kinds: int  # of other

    @classmethod
    def of(cls, first: Table, other: Table, column: str, hierarchy: Hierarchy | None) -> _Column:
        mine, theirs = texts(first.frame[column]), texts(other.frame[column])
        (own, names), (others, other_names) = code(mine), code(theirs)
        asked = column in first.quasi or column in other.quasi
        if asked and len(names) * len(other_names) <= DENSE:
            meets = labels_overlap(names, other_names, hierarchy)
            return cls(own, others, meets, bool(meets.any()), len(other_names))
        every = pl.concat([names, other_names.rename(names.name)]).unique().sort()
        places = np.arange(len(every), dtype=np.int64)
        own, others = (
            values.replace_strict(every, places, return_dtype=pl.Int64).to_numpy()
            for values in (mine, theirs)
        )
        readable = len(every) < len(names) + len(other_names)
        return cls(own, others, None, readable, len(every))

    def only(self, rows: Ints) -> _Column:
        """The same for some rows."""
        return _Column(self.own[rows], self.other[rows], self.meets, self.readable, self.kinds)

    def meets_at(self, own: Ints, other: Ints) -> Bools:
        """Whether labels may be about one person; labels that nobody can read do not say no."""
        if not self.readable:
            return np.ones(np.broadcast(own, other).shape, np.bool_)
        return np.asarray(own == other if self.meets is None else self.meets[own, other])


def _agreement(columns: Sequence[_Column], places: Ints, mine: bool) -> tuple[Ints, NDArray[np.float64]]:
    """How well rows agree when one release is in each of several orders, and the share of places that do."""
    agree: Bools = np.ones(places.shape, np.bool_)
    pairs = np.zeros(len(places), np.int64)
    for column in columns:
        own = column.own[places] if mine else np.broadcast_to(column.own, places.shape)
        other = np.broadcast_to(column.other, places.shape) if mine else column.other[places]
        if column.readable:
            agree &= column.meets_at(own, other)
        else:
            keys = np.sort(own * column.kinds + other, axis=1)
            pairs += 1 + np.count_nonzero(np.diff(keys, axis=1), axis=1)
    return agree.sum(axis=1) - pairs, agree.mean(axis=1)
