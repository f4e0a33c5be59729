"""Two versions of one table: who stayed, who came, who left, and what the change tells of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.tables.attacker_reasoning.overlapping_labels import class_pairs
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.attacker_reasoning.several_releases import KindCounts, code_jointly, same_rows
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import Label, texts
from shoal.tables.table import Table

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class StayedPairs:
    """Pairs of an old and a new class that somebody may be in: where those may be who stayed.

    `rows` are the pairs of rows that may be one person, `left` the values that person may have and `only` the
    one when it is one.
    """

    old: Ints
    new: Ints
    rows: Ints
    left: Ints
    only: Ints


@dataclass(frozen=True, eq=False)
class RowChanges:
    """Rows that came, or left, in parts of the table: how many, how many values they have, and which."""

    part: Ints
    rows: Ints
    kinds: Ints
    only: Ints
    told_before: Bools  # one version by itself tells as much


@dataclass(frozen=True, eq=False)
class Step:
    """From one version of a table to the next.

    With a `key`, a column that names a row in both versions, rows are known to be the same. Without one, rows
    may be the same whose labels meet and whose other columns are equal; and what came and left is what the
    counts of a part of the table show, a part being classes that meet each other and no others.
    """

    before: Table
    after: Table
    column: str
    key: str | None = None
    readable: bool = False

    @cached_property
    def old(self) -> RowClasses:
        """The classes of the old version."""
        return RowClasses.of(self.before.frame, self.before.quasi)

    @cached_property
    def new(self) -> RowClasses:
        """The classes of the new version."""
        return RowClasses.of(self.after.frame, self.after.quasi)

    @cached_property
    def hierarchies(self) -> Mapping[str, Hierarchy]:
        """The hierarchies of both versions."""
        return {**self.after.hierarchies, **self.before.hierarchies}

    @cached_property
    def secrets(self) -> tuple[Ints, Ints, tuple[Label, ...]]:
        """The sensitive value of every row, old and new, as numbers, and what they stand for."""
        (old, new), values = code_jointly([self.before.frame[self.column], self.after.frame[self.column]])
        return old, new, values

    @cached_property
    def counted(self) -> tuple[KindCounts, KindCounts]:
        """The sensitive values of the old and of the new classes."""
        old, new, values = self.secrets
        return KindCounts.of(self.old, old, len(values)), KindCounts.of(self.new, new, len(values))

    @cached_property
    def linked(self) -> tuple[Ints, Ints]:
        """With a key: the rows of the old and the new version that have the same."""
        assert self.key is not None
        old, new = (
            pl.DataFrame({"key": texts(table.frame[self.key])}).with_row_index(name).drop_nulls()
            for table, name in ((self.before, "old"), (self.after, "new"))
        )
        both = old.join(new, on="key").sort("old", "new")
        return both["old"].to_numpy().astype(np.int64), both["new"].to_numpy().astype(np.int64)

    @cached_property
    def beside(self) -> tuple[Ints, Ints]:
        """What both versions say of every row besides quasi-identifiers, as a number."""
        strange = {*self.before.quasi, *self.after.quasi, *self.before.identifier, *self.after.identifier}
        shared = [c for c in self.before.columns if c in self.after.columns and c not in strange]
        frames = [
            table.frame.select(texts(table.frame[c]) for c in shared) for table in (self.before, self.after)
        ]
        of_row = RowClasses.of(pl.concat(frames), shared).of_row.astype(np.int64)
        return of_row[: self.before.rows], of_row[self.before.rows :]

    @cached_property
    def meeting(self) -> tuple[Ints, Ints]:
        """The pairs of an old and a new class whose labels meet; where nothing changed, each with itself."""
        if self.before.quasi == self.after.quasi and same_rows(self.before, self.after):
            return np.arange(len(self.old)), np.arange(len(self.old))
        return class_pairs(self.old, self.new, self.hierarchies, self.readable)

    @cached_property
    def stayed(self) -> StayedPairs:
        """Where people may be who are in both versions."""
        if self.key is not None:
            return self._stayed_by_key()
        old, new = self.meeting
        mine, theirs = self.beside
        kinds = int(max(mine.max(), theirs.max())) + 1
        rows, _, _ = _match_rows(
            old,
            new,
            *_rows_of(KindCounts.of(self.old, mine, kinds)),
            *_rows_of(KindCounts.of(self.new, theirs, kinds)),
        )
        first, second = self.counted
        _, left, only = _match_rows(old, new, *_rows_of(first), *_rows_of(second))
        some = left > 0
        return StayedPairs(old[some], new[some], rows[some], left[some], np.where(left == 1, only, -1)[some])

    def _stayed_by_key(self) -> StayedPairs:
        before, after = self.linked
        _, secrets, values = self.secrets
        wide = len(self.new)
        pair = self.old.of_row[before].astype(np.int64) * wide + self.new.of_row[after]
        pairs, of_row, rows = np.unique(pair, return_inverse=True, return_counts=True)
        told = np.unique(of_row * len(values) + secrets[after])
        left = np.bincount(told // len(values), minlength=len(pairs))
        only = np.full(len(pairs), -1, np.int64)
        only[told // len(values)] = told % len(values)
        only[left != 1] = -1
        return StayedPairs(pairs // wide, pairs % wide, rows.astype(np.int64), left, only)

    @cached_property
    def parts(self) -> tuple[Ints, Ints]:
        """The part of the table that each old and each new class is in."""
        old, new = self.meeting
        part = _parts(len(self.old) + len(self.new), old, new + len(self.old))
        return part[: len(self.old)], part[len(self.old) :]

    @cached_property
    def came(self) -> RowChanges:
        """Who came, by part of the table; with a key, by class."""
        return self._moved(came=True)

    @cached_property
    def gone(self) -> RowChanges:
        """Who left."""
        return self._moved(came=False)

    def _moved(self, came: bool) -> RowChanges:
        old, new, values = self.secrets
        of_class = (self.new if came else self.old).of_row.astype(np.int64)
        if self.key is not None:
            stayed = self.linked[1] if came else self.linked[0]
            gone = np.ones(len(of_class), np.bool_)
            gone[stayed] = False
            keys = (of_class * len(values) + (new if came else old))[gone]
            counts = np.ones(len(keys), np.int64)
            of_part = np.arange(int(of_class.max()) + 1)
        else:
            old_part, new_part = self.parts
            sign = 1 if came else -1
            keys = np.concatenate(
                (old_part[self.old.of_row] * len(values) + old, new_part[self.new.of_row] * len(values) + new)
            )
            counts = np.repeat(np.array([-sign, sign]), (len(old), len(new)))
            of_part = new_part if came else old_part
        told, place = np.unique(keys, return_inverse=True)
        more = np.bincount(place, counts, minlength=len(told)).astype(np.int64)
        told, more = told[more > 0], more[more > 0]
        parts, of_told = np.unique(told // len(values), return_inverse=True)
        kinds = np.bincount(of_told, minlength=len(parts))
        only = np.full(len(parts), -1, np.int64)
        only[of_told] = told % len(values)
        only[kinds != 1] = -1
        # Where every class of the part has one value, no second version is needed.
        mixed = np.zeros(int(max(of_part.max(), parts.max(initial=0))) + 1, np.bool_)
        mixed[of_part[self.counted[came].distinct > 1]] = True
        rows = np.bincount(of_told, more, minlength=len(parts)).astype(np.int64)
        return RowChanges(parts, rows, kinds, only, ~mixed[parts])

    def classes_of(self, part: int, came: bool) -> Ints:
        """The classes of a part, in the version that has the rows in question."""
        if self.key is not None:
            return np.array([part])
        return np.flatnonzero(self.parts[came] == part)

    def same_row(self, old: int, new: int) -> tuple[int, int]:
        """Of a pair of classes with one pair of rows that may be the same, these rows."""
        if self.key is not None:
            before, after = self.linked
            place = int(np.flatnonzero((self.old.of_row[before] == old) & (self.new.of_row[after] == new))[0])
            return int(before[place]), int(after[place])
        mine, theirs = self.old.rows_of(old), self.new.rows_of(new)
        before, after = self.beside
        rows, others = np.nonzero(before[mine][:, None] == after[theirs])
        return int(mine[rows[0]]), int(theirs[others[0]])


def _rows_of(counted: KindCounts) -> tuple[Ints, NDArray[np.int32], Ints]:
    return counted.offsets, counted.values, counted.counts


@compiled
def _match_rows(
    old: Ints,
    new: Ints,
    old_offsets: Ints,
    old_values: NDArray[np.int32],
    old_counts: Ints,
    new_offsets: Ints,
    new_values: NDArray[np.int32],
    new_counts: Ints,
) -> tuple[Ints, Ints, Ints]:
    """Of each pair of classes: pairs of rows with equal values, how many values they share, the last one."""
    rows = np.zeros(len(old), np.int64)
    shared = np.zeros(len(old), np.int64)
    last = np.full(len(old), -1, np.int64)
    for pair in range(len(old)):
        one, end = old_offsets[old[pair]], old_offsets[old[pair] + 1]
        two, other_end = new_offsets[new[pair]], new_offsets[new[pair] + 1]
        while one < end and two < other_end:
            if old_values[one] < new_values[two]:
                one += 1
            elif old_values[one] > new_values[two]:
                two += 1
            else:
                rows[pair] += old_counts[one] * new_counts[two]
                shared[pair] += 1
                last[pair] = old_values[one]
                one += 1
                two += 1
    return rows, shared, last


@compiled
def _parts(nodes: int, first: Ints, second: Ints) -> Ints:
    """The connected part of each node, by its lowest node."""
    above = np.arange(nodes)
    for edge in range(len(first)):
        one, two = first[edge], second[edge]
        while above[one] != one:
            above[one] = above[above[one]]
            one = above[one]
        while above[two] != two:
            above[two] = above[above[two]]
            two = above[two]
        if one < two:
            above[two] = one
        else:
            above[one] = two
    for node in range(nodes):
        above[node] = above[above[node]]
    return above
