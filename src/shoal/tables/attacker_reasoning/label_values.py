"""What a label may stand for, as an attacker reads it.

A hierarchy says so where it knows the label and the value. Else most labels speak for themselves: `476**`,
`[20, 30)`, `< 18`, `1975-Q2`, `{flu, cold}`, `*`; see `meanings`. What differs in spelling only is the same.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning.approximate_values import (
    near_hierarchy,
    near_members,
    otherwise_spelled,
    widen,
)
from shoal.tables.attacker_reasoning.label_syntax import (
    TEXTUAL,
    Axis,
    Meaning,
    Span,
    keys_on,
    meanings,
    text_ends,
    text_keys,
)
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import texts

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
MANY = 20_000_000  # pairs of a kind of value and a label: with more, stretches are kept as stretches
MOST = 200_000_000  # with more there is no room: about 5 GB while they are sorted


@dataclass(frozen=True, eq=False)
class Reading:
    """Which labels may stand for which values, as compressed rows.

    Values that no label tells apart are of one kind: `kind` of each value, and `offsets` and `labels` of each
    kind. So the 100,000 incomes on a list are few kinds where the release has ten ranges. Where a release has
    100,000 ranges, they are not listed but kept as stretches: kind k also has every label l with
    `low[l] <= place[k] < high[l]`.
    """

    values: pl.Series  # distinct
    names: pl.Series  # the labels, distinct
    kind: Ints
    offsets: Ints
    labels: Ints
    place: Ints
    low: Ints
    high: Ints

    @property
    def ranged(self) -> bool:
        """Whether there are stretches besides the lists."""
        return bool((self.low < self.high).any())

    @property
    def number(self) -> Ints:
        """How many labels each kind has, in its list and by stretches."""
        ends = np.zeros(len(self.place) + 2, np.int64)
        there = self.low < self.high
        np.add.at(ends, self.low[there], 1)
        np.subtract.at(ends, self.high[there], 1)
        return np.diff(self.offsets) + np.where(self.place < 0, 0, np.cumsum(ends)[self.place])


def covered_values(
    values: pl.Series, labels: pl.Series, hierarchy: Hierarchy | None, tolerance: float = 0
) -> pl.DataFrame:
    """The pairs (`value`, `label`) of which the label may stand for the value."""
    found = reading(values, labels, hierarchy, tolerance, many=2**62)
    number = found.number[found.kind]
    each = np.repeat(np.arange(len(number)), number)
    within = np.arange(len(each)) - np.repeat(np.cumsum(number) - number, number)
    label = found.labels[found.offsets[found.kind[each]] + within]
    return pl.DataFrame({"value": found.values.gather(each), "label": found.names.gather(label)})


def reading(
    values: pl.Series,
    labels: pl.Series,
    hierarchy: Hierarchy | None,
    tolerance: float = 0,
    many: int = MANY,
) -> Reading:
    """How labels of a column are read, against the values that people have in it.

    With a `tolerance` a label may also stand for a value that is near one it covers: numbers that differ by
    no more, ISO dates by no more days, other texts by no more edits.
    """
    kinds, names = (texts(column).unique().sort() for column in (values, labels))
    book = _Book(kinds, names)
    every = np.arange(len(kinds))
    star = np.flatnonzero(names.str.contains(r"^\*+$").fill_null(False).to_numpy())  # `*****` is `*` too
    book.add(every, np.zeros_like(star), np.full_like(star, len(kinds)), star)
    book.pairs += [_equal(kinds, names), otherwise_spelled(kinds, names)]
    named, known = np.zeros(len(names), bool), np.zeros(len(kinds), bool)
    if hierarchy is not None:
        named, known = _by_hierarchy(book, hierarchy)
    spoken = meanings(names)
    _by_itself(book, {place: told for place, told in spoken.items() if not named[place]}, every)
    # What a hierarchy has never heard of is read as if there were none.
    _by_itself(book, {p: told for p, told in spoken.items() if named[p]}, np.flatnonzero(~known))
    if tolerance:
        _by_itself(book, widen(kinds, names, spoken, tolerance), every)
        book.pairs.append(near_members(kinds, names, spoken, tolerance))
        if hierarchy is not None:
            book.pairs.append(near_hierarchy(kinds, names, hierarchy, tolerance))
    return book.reading(many)


def _equal(kinds: pl.Series, names: pl.Series) -> tuple[Ints, Ints]:
    left = pl.DataFrame({"text": kinds, "value": np.arange(len(kinds))})
    right = pl.DataFrame({"text": names, "label": np.arange(len(names))})
    both = left.join(right, on="text", how="inner", nulls_equal=True)
    return both["value"].to_numpy(), both["label"].to_numpy()


def _by_hierarchy(book: _Book, hierarchy: Hierarchy) -> tuple[Bools, Bools]:
    """Enter what a hierarchy says; give back which labels and which values it knows."""
    line = np.lexsort(hierarchy.codes)  # branch by branch: what a label covers lies side by side
    place = np.empty(len(line), np.int64)
    place[line] = np.arange(len(line))
    value, leaf = _equal(book.kinds, pl.Series(hierarchy.leaves, dtype=pl.String))
    known = np.zeros(len(book.kinds), bool)
    known[value] = True
    by_place = np.argsort(place[leaf])
    order, places = value[by_place], place[leaf][by_place]
    named = np.zeros(len(book.names), bool)
    for names, codes in zip(hierarchy.names, hierarchy.codes, strict=True):
        code, label = _equal(pl.Series(names, dtype=pl.String), book.names)
        named[label] = True
        along = codes[line]
        starts = np.flatnonzero(np.diff(along, prepend=-1))
        first, last = np.empty(len(names), np.int64), np.empty(len(names), np.int64)
        first[along[starts]], last[along[starts]] = starts, np.append(starts[1:], len(along))
        book.add(order, np.searchsorted(places, first[code]), np.searchsorted(places, last[code]), label)
    return named, known


def _by_itself(book: _Book, spoken: dict[int, Meaning], among: Ints) -> None:
    """Enter what labels say by themselves about some of the values."""
    if not spoken or not len(among):
        return
    among = among[book.kinds.gather(among).is_not_null().to_numpy()]
    values = book.kinds.gather(among)
    spans: dict[Axis, list[tuple[int, Span]]] = {}
    members: list[tuple[str, int]] = []
    for place, told in spoken.items():
        for span in told.spans:
            spans.setdefault(span.axis, []).append((place, span))
        members += [(member, place) for member in told.members]
    for axis, those in spans.items():
        labels = np.array([place for place, _ in those])
        order, first, last = _on_texts(axis, values, those) if axis in TEXTUAL else _on(axis, values, those)
        book.add(among[order], first, last, labels)
    if members:
        member = pl.DataFrame(members, schema={"text": pl.String, "label": pl.Int64}, orient="row")
        here = pl.DataFrame({"text": values, "value": among})
        both = here.join(member, on="text", how="inner")
        book.pairs.append((both["value"].to_numpy(), both["label"].to_numpy()))


def _on(axis: Axis, values: pl.Series, those: list[tuple[int, Span]]) -> tuple[Ints, Ints, Ints]:
    """Values in the order of an axis, and for every span where it begins and ends there."""
    keys = keys_on(axis, values)
    order = np.argsort(keys, kind="stable")[: np.count_nonzero(~np.isnan(keys))]
    line = keys[order]
    low, high = np.array([span.low for _, span in those]), np.array([span.high for _, span in those])
    above = np.array([span.above_low for _, span in those])
    below = np.array([span.below_high for _, span in those])
    first = np.where(above, np.searchsorted(line, low, "right"), np.searchsorted(line, low, "left"))
    last = np.where(below, np.searchsorted(line, high, "left"), np.searchsorted(line, high, "right"))
    return order, first, np.maximum(first, last)


def _on_texts(axis: Axis, values: pl.Series, those: list[tuple[int, Span]]) -> tuple[Ints, Ints, Ints]:
    keys = text_keys(axis, values.to_list())
    order = sorted(range(len(keys)), key=keys.__getitem__)
    line = [keys[place] for place in order]
    ends = [text_ends(span) for _, span in those]
    first = np.array([bisect_left(line, low) for low, _ in ends])
    return np.array(order, np.int64), first, np.array([bisect_right(line, high) for _, high in ends])


def _distinct(numbers: Ints) -> Ints:
    """Numbers in order, each once; NumPy's own way hashes them, which for millions takes far longer."""
    numbers.sort()
    different: Bools = np.diff(numbers, prepend=-1) != 0
    return numbers[different]


@dataclass(eq=False)
class _Book:
    """Stretches of values in some order, each with the label that covers it, and single pairs."""

    kinds: pl.Series
    names: pl.Series
    stretches: list[tuple[Ints, Ints, Ints, Ints]] = field(default_factory=list)
    pairs: list[tuple[Ints, Ints]] = field(default_factory=list)  # values and labels

    def add(self, order: Ints, first: Ints, last: Ints, labels: Ints) -> None:
        """Of values in an order, each stretch from `first` to before `last` may be called its label."""
        there = first < last
        if there.any():
            self.stretches.append((order, first[there], last[there], labels[there]))

    def reading(self, many: int) -> Reading:
        """The labels of each kind, as lists as far as there are not too `many` pairs."""
        kind, one = self._kinds()
        each = [_Kinds.of(stretch, one, len(kind)) for stretch in self.stretches]
        pairs = [kind[value] * len(self.names) + label for value, label in self.pairs]
        place, low, high = (np.full(size, -1) for size in (len(one), len(self.names), len(self.names)))
        if each and sum(map(len, pairs)) + sum(kinds.pairs for kinds in each) > many:
            most = max(each, key=lambda kinds: kinds.pairs)
            # A label may stand on a line twice, of which the longer stretch is kept as such.
            by_length = np.argsort(most.last - most.first, kind="stable")
            low[most.labels[by_length]] = most.first[by_length]
            high[most.labels[by_length]] = most.last[by_length]
            place[most.kinds] = np.arange(len(most.kinds))
            kept = (low[most.labels] == most.first) & (high[most.labels] == most.last)
            each = [kinds.only(~kept) if kinds is most else kinds for kinds in each]
        if sum(map(len, pairs)) + sum(kinds.pairs for kinds in each) > MOST:
            raise BadParameter(
                f"{len(self.names):,} labels such as {self.names[0]!r} overlap too much to tell who may be "
                f"whom: more than {MOST:,} readings; attack with fewer people or columns"
            )
        both = _distinct(np.concatenate([*pairs, *(kinds.listed(len(self.names)) for kinds in each)]))
        offsets = np.zeros(len(one) + 1, np.int64)
        np.cumsum(np.bincount(both // len(self.names), minlength=len(one)), out=offsets[1:])
        return Reading(self.kinds, self.names, kind, offsets, both % len(self.names), place, low, high)

    def _kinds(self) -> tuple[Ints, Ints]:
        """The kind of each value, and one value of each kind.

        Values on the same side of every end of every stretch are of one kind.
        """
        kind = np.zeros(len(self.kinds), np.int64)
        single = np.concatenate([value for value, _ in self.pairs])
        kind[single] = single + 1
        for order, first, last, _ in self.stretches:
            side = np.zeros(len(kind), np.int64)
            borders = _distinct(np.concatenate((first, last)))
            side[order] = 1 + np.searchsorted(borders, np.arange(len(order)), "right")
            _, kind = np.unique(kind * (len(borders) + 2) + side, return_inverse=True)
        _, one, kind = np.unique(kind, return_index=True, return_inverse=True)
        return kind, one


@dataclass(frozen=True, eq=False)
class _Kinds:
    """Stretches of kinds of values, each with its label."""

    kinds: Ints
    first: Ints
    last: Ints
    labels: Ints

    @classmethod
    def of(cls, stretch: tuple[Ints, Ints, Ints, Ints], one: Ints, values: int) -> _Kinds:
        order, first, last, labels = stretch
        spoken = np.full(values, -1, np.int64)
        spoken[one] = np.arange(len(one))  # the kind for which this value speaks
        speaks = np.flatnonzero(spoken[order] >= 0)
        ends = np.searchsorted(speaks, first), np.searchsorted(speaks, last)
        return cls(spoken[order[speaks]], *ends, labels)

    @property
    def pairs(self) -> int:
        return int((self.last - self.first).sum())

    def only(self, some: Bools) -> _Kinds:
        return _Kinds(self.kinds, self.first[some], self.last[some], self.labels[some])

    def listed(self, names: int) -> Ints:
        """Every kind with every label of a stretch over it, as one number each."""
        many = self.last - self.first
        within = np.arange(self.pairs) - np.repeat(np.cumsum(many) - many, many)
        both: Ints = self.kinds[np.repeat(self.first, many) + within] * names + np.repeat(self.labels, many)
        return both
