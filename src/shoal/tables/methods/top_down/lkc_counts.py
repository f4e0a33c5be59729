"""LKC-privacy while a table is specialised: only what a specialisation can break is counted.

A specialisation changes the labels of the rows under one value of one column. Every combination that it
makes holds one of the new labels, so only those rows are looked at, with every choice of L − 1 other columns.
The choices are walked depth first, so that what two choices share is grouped once; a column that still has a
single label is never chosen; and the first combination that fails ends the walk.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.text_values import Label

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

# Shares in decimals, as the user wrote them: 0.3 × 10 rows must be 3.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Records:
    """Rows alike in all quasi-identifiers and one sensitive column: whose, with which value, how many.

    Listed values are numbered from 0; all others share the number `listed`. Those of a tuple lie together.
    """

    offsets: Int64
    tuple_of: Int32
    value: Int32
    weight: Int32
    listed: int

    @classmethod
    def of(cls, sizes: Int64, counts: ValueCounts, values: Sequence[Label]) -> Records:
        """The records of one sensitive column; no value listed means all of them."""
        wanted = set(values or counts.domain.values)
        listed = [place for place, value in enumerate(counts.domain.values) if value in wanted]
        number = np.full(len(counts.domain.values), len(listed), np.int32)
        number[listed] = np.arange(len(listed))
        tuple_of = np.repeat(np.arange(len(sizes), dtype=np.int32), np.diff(counts.offsets))
        return cls(
            counts.offsets, tuple_of, number[counts.values], counts.counts.astype(np.int32), len(listed)
        )

    def under(self, members: Int32) -> tuple[Int32, Int32, Int32]:
        """The records of some tuples."""
        if len(members) == len(self.offsets) - 1:
            return self.tuple_of, self.value, self.weight
        widths = np.diff(self.offsets)[members]
        ends = np.cumsum(widths)
        entries = np.repeat(self.offsets[members] - ends + widths, widths) + np.arange(ends[-1])
        return self.tuple_of[entries], self.value[entries], self.weight[entries]


@dataclass(frozen=True, eq=False)
class Combinations:
    """Whether every combination of up to L labels matches K rows and gives no listed value away above C."""

    L: int
    K: int
    C: float
    records: Sequence[Records]

    @classmethod
    def of(
        cls, L: int, K: int, C: float, values: Sequence[Label], sizes: Int64, about: Sequence[ValueCounts]
    ) -> Combinations:
        """What to watch: per sensitive column the listed values, or all when none is."""
        return cls(L, K, C, [Records.of(sizes, counts, values) for counts in about])

    def visits(self, members: int, others: int) -> int:
        """How many tuples a question looks at, at most."""
        return members * math.comb(others, min(self.L - 1, others)) * len(self.records)

    def keeps(self, members: Int32, proposed: Int32, labels: Int32, widths: Int64, others: Int64) -> bool:
        """Whether the promise holds when `members` get the labels `proposed`.

        `labels[column]` are those of the other columns, numbered below `widths[column]`; `others` are the
        columns that have more than one. Without the members, the promise is taken to hold already.
        """
        width, depth = int(proposed.max()) + 1, min(self.L - 1, len(others))
        return all(
            _keeps(
                *records.under(members), proposed, width, labels, widths, others, depth,
                self.K, self.C * (1 + ROUNDING), records.listed + 1,
            )
            for records in self.records
        )  # fmt: skip


@compiled
def _keeps(
    tuple_of: Int32,
    value: Int32,
    weight: Int32,
    proposed: Int32,
    width: int,
    labels: Int32,
    widths: Int64,
    others: Int64,
    depth: int,
    least: int,
    share: float,
    domain: int,
) -> bool:
    """Walk every choice of `depth` columns after the proposed labels; False at the first that fails."""
    many, most = len(tuple_of), width
    for column in others:
        most = max(most, widths[column])
    # Per level of the walk its records in order of their groups: whose, which value, how many.
    records = np.empty((depth + 2, 3, many), np.int32)
    starts = np.empty((depth + 2, many + 1), np.int64)
    found = np.zeros(depth + 2, np.int64)
    picked = np.zeros(depth + 2, np.int64)
    tally, held = np.zeros(most, np.int64), np.zeros(most * domain, np.int64)
    highest, touched = np.zeros(most, np.int64), np.empty(most, np.int32)
    records[0, 0], records[0, 1], records[0, 2] = tuple_of, value, weight
    starts[0, 0], starts[0, 1], found[0] = 0, many, 1
    level = 1
    while level >= 1:
        # Level 1 takes the proposed labels, level 2 the first column chosen, and so on.
        if level == 1:
            if picked[1]:
                return True
            label, wide = proposed, width
        else:
            if picked[level] >= len(others) - (depth + 1 - level):  # too few columns are left
                level -= 1
                picked[level] += 1
                continue
            column = others[picked[level]]
            label, wide = labels[column], widths[column]
        found[level] = _refine(
            records[level - 1], starts[level - 1], found[level - 1], label, wide, domain, least, share,
            tally, held, highest, touched, records[level], starts[level], level <= depth,
        )  # fmt: skip
        if found[level] < 0:
            return False
        if level > depth:
            picked[level] += 1
        else:
            picked[level + 1] = picked[level] + 1 if level > 1 else 0
            level += 1
    return True


@compiled
def _refine(
    records: Int32,
    starts: Int64,
    groups: int,
    label: Int32,
    width: int,
    domain: int,
    least: int,
    share: float,
    tally: Int64,
    held: Int64,
    highest: Int64,
    touched: Int32,
    out_records: Int32,
    out_starts: Int64,
    keep: bool,
) -> int:
    """Split every group by one more label: how many groups there are then, or -1 if one of them fails.

    Their records are written out in order when asked for. `tally`, `held` and `highest` are all 0 before, and
    after unless a group fails.
    """
    tuple_of, value, weight = records[0], records[1], records[2]
    found = 0
    for group in range(groups):
        begin, end = starts[group], starts[group + 1]
        seen = 0
        if width * domain <= end - begin:
            # A large group: count first, look at every label after.
            for place in range(begin, end):
                held[label[tuple_of[place]] * domain + value[place]] += weight[place]
            for here in range(width):
                for cell in range(here * domain, (here + 1) * domain):
                    tally[here] += held[cell]
                    if cell < (here + 1) * domain - 1:  # the last cell is of values that nobody listed
                        highest[here] = max(highest[here], held[cell])
                    held[cell] = 0
                if tally[here]:
                    touched[seen] = here
                    seen += 1
        else:
            for place in range(begin, end):
                here = label[tuple_of[place]]
                if tally[here] == 0:
                    touched[seen] = here
                    seen += 1
                tally[here] += weight[place]
                if value[place] < domain - 1:
                    cell = here * domain + value[place]
                    held[cell] += weight[place]
                    highest[here] = max(highest[here], held[cell])
            for place in range(begin, end):
                held[label[tuple_of[place]] * domain + value[place]] = 0
        for place in range(seen):
            here = touched[place]
            if tally[here] < least or highest[here] > share * tally[here]:
                return -1
        if keep:
            _scatter(records, begin, end, label, tally, touched[:seen], out_records, out_starts[found:])
        found += seen
        for place in range(seen):
            tally[touched[place]] = 0
            highest[touched[place]] = 0
    return found


@compiled
def _scatter(
    records: Int32,
    begin: int,
    end: int,
    label: Int32,
    cursor: Int64,
    touched: Int32,
    out_records: Int32,
    out_starts: Int64,
) -> None:
    """The records of one group in order of their labels; `cursor` is scratch for the caller to clear."""
    for here in touched:
        cursor[here] = 0
    for place in range(begin, end):
        cursor[label[records[0, place]]] += 1
    start = begin
    for place in range(len(touched)):
        many = cursor[touched[place]]
        out_starts[place] = cursor[touched[place]] = start
        start += many
    out_starts[len(touched)] = end
    for place in range(begin, end):
        here = label[records[0, place]]
        for part in range(3):
            out_records[part, cursor[here]] = records[part, place]
        cursor[here] += 1
