"""Which classes of a release a person may be in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.cache import remembered
from shoal.core.deadline import check_time
from shoal.core.errors import BadParameter
from shoal.tables.appraisal.packed_columns import pack_columns
from shoal.tables.attacker_reasoning.label_matching_kernels import descend, set_bits
from shoal.tables.attacker_reasoning.label_values import Reading, reading
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses, code
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import texts

MOST = 200_000_000  # classes that may be theirs, over all entries: about 4 GB while they are sorted
DENSE = 2**29  # bits that say which kind of value has which label, per column


@dataclass(frozen=True, eq=False)
class Fits:
    """For everyone on a list, the classes of a release that may be theirs, as compressed rows.

    People whom the release does not tell apart share an entry: `of_person` is the entry of each, `offsets`
    and `classes` hold the classes of each entry, in order. `sizes` are the rows of each class.
    """

    of_person: NDArray[np.int32]
    offsets: Ints
    classes: NDArray[np.int32]
    sizes: Ints

    @property
    def number(self) -> Ints:
        """How many classes may be theirs, for each entry."""
        return np.diff(self.offsets)

    def of(self, person: int) -> NDArray[np.int32]:
        """The classes that may be one person's."""
        entry = self.of_person[person]
        return self.classes[self.offsets[entry] : self.offsets[entry + 1]]

    @cached_property
    def rows(self) -> Ints:
        """How many released rows may be theirs, for each entry."""
        upto = np.zeros(len(self.classes) + 1, np.int64)
        np.cumsum(self.sizes[self.classes], out=upto[1:])
        return upto[self.offsets[1:]] - upto[self.offsets[:-1]]

    @cached_property
    def only(self) -> Ints:
        """The class that must be theirs because no other fits, for each entry; -1 where none is such."""
        only = np.full(len(self.offsets) - 1, -1, np.int64)
        one = self.number == 1
        only[one] = self.classes[self.offsets[:-1][one]]
        return only

    def people_of_classes(self, among: NDArray[np.bool_] | None = None) -> Ints:
        """How many people on the list may be in each class; only some of them, if it is said which."""
        counted = self.of_person if among is None else self.of_person[among]
        people = np.bincount(counted, minlength=len(self.offsets) - 1)
        found = np.bincount(self.classes, np.repeat(people, self.number), minlength=len(self.sizes))
        return found.astype(np.int64)


@remembered
def fits(
    people: pl.DataFrame,
    release: RowClasses,
    hierarchies: Mapping[str, Hierarchy],
    readable: bool = False,
    tolerance: Mapping[str, float] | None = None,
    blank_is_value: bool = False,
) -> Fits:
    """The classes whose every label may stand for what a person has, by the columns of the classes.

    A blank on the list is something that the attacker does not know, so it fits every label: whoever has a
    blank may be in more classes, and nothing is said about them for certain that is not. Where the list is
    the data itself and a blank a value like any other, say `blank_is_value`: it then fits a blank and `*`.
    A blank in the release is always a value: somebody known to have another one is not in that row.

    A column of which nothing fits anybody is refused, because "nobody was hit" would then say nothing;
    unless the labels are known to be `readable`. `tolerance` is how far values may be off, by column.
    """
    columns = [
        _Column.of(
            people[column], release.labels[column], hierarchies.get(column), (tolerance or {}).get(column, 0)
        )
        for column in release.columns
    ]
    for column, seen in zip(release.columns, columns, strict=True):
        check_time()
        if not readable and seen.strange(blank_is_value):
            _refuse(column, release)
    columns = [seen if blank_is_value else seen.blanks_unknown() for seen in columns]
    columns = [columns[place] for place in _order(columns, people.height, len(release))]
    keys = pack_columns([seen.kind for seen in columns])
    for seen in columns:
        keys[seen.lost[seen.kind]] = -1  # who fits nowhere needs no way down
    _, one, of_person = np.unique(keys, return_index=True, return_inverse=True)
    entries = np.column_stack([seen.kind[one] for seen in columns]).astype(np.int32)
    offsets, classes = _descend_trie(entries, columns, len(release))
    return Fits(of_person.astype(np.int32), offsets, classes, release.sizes)


@dataclass(frozen=True, eq=False)
class _Column:
    """A column of the list and of the release: the kind of each person, the label of each class."""

    read: Reading
    kind: Ints
    label: Ints
    blank: NDArray[np.bool_]
    lists: tuple[Ints, Ints]  # of each kind, where its labels begin, and the labels

    @classmethod
    def of(
        cls, values: pl.Series, labels: pl.Series, hierarchy: Hierarchy | None, tolerance: float
    ) -> _Column:
        (codes, kinds), (label, names) = code(texts(values)), code(labels)
        read = reading(kinds, names, hierarchy, tolerance)
        blank = kinds.is_null().to_numpy()[codes]
        return cls(read, read.kind[codes], label, blank, (read.offsets, read.labels))

    @property
    def kinds(self) -> int:
        return len(self.lists[0]) - 1

    @property
    def lost(self) -> NDArray[np.bool_]:
        """Per kind, whether no label at all may stand for it."""
        number = self.read.number
        none: NDArray[np.bool_] = np.append(number, [1] * (self.kinds - len(number))) == 0
        return none

    def strange(self, blank_is_value: bool) -> bool:
        """Nobody's value fits, as if the labels were in another language."""
        told = np.ones(len(self.kind), np.bool_) if blank_is_value else ~self.blank
        return bool(told.any()) and bool(self.lost[self.kind[told]].all())

    def blanks_unknown(self) -> _Column:
        """The same with one more kind, of all labels, for people of whom the value is not known."""
        if not self.blank.any():
            return self
        offsets, labels = self.lists
        every = np.arange(len(self.read.names))
        lists = np.append(offsets, offsets[-1] + len(every)), np.concatenate((labels, every))
        return replace(self, kind=np.where(self.blank, self.kinds, self.kind), lists=lists)

    @cached_property
    def places(self) -> Ints:
        """Where each kind stands among the stretches that labels are; as long as its offsets are."""
        place = self.read.place
        return np.append(place, [-1] * (self.kinds + 1 - len(place)))

    def share(self) -> float:
        """The share of the classes that anybody fits on average, as far as this column tells."""
        people = np.bincount(self.kind, minlength=self.kinds)
        offsets, labels = self.lists
        each = np.bincount(labels, np.repeat(people, np.diff(offsets)), len(self.read.names)).astype(
            np.float64
        )
        if self.read.ranged:
            there = self.places[:-1] >= 0
            upto = np.zeros(int(there.sum()) + 1)
            np.cumsum(people[there][np.argsort(self.places[:-1][there])], out=upto[1:])
            each += upto[np.maximum(self.read.high, 0)] - upto[np.maximum(self.read.low, 0)]
        return float(each @ np.bincount(self.label, minlength=len(each))) / max(
            len(self.kind) * len(self.label), 1
        )

    def dense(self) -> NDArray[np.uint8]:
        """A bit for every kind and label; none when there would be too many."""
        offsets, labels = self.lists
        names = len(self.read.names)
        if self.read.ranged or self.kinds * names > DENSE:
            return np.zeros(0, np.uint8)
        return set_bits(offsets, labels, names)


def _order(columns: Sequence[_Column], people: int, classes: int) -> list[int]:
    """The order of columns in which the way down the trie costs least, as if they knew nothing of each other.

    A step costs a look at every beginning of a class for every beginning of a person that still fits.
    """
    shares = [seen.share() for seen in columns]
    kinds, names = [seen.kinds for seen in columns], [len(seen.read.names) for seen in columns]
    order: list[int] = []
    while len(order) < len(columns):
        open_share = prod(shares[place] for place in order)

        def cost(place: int, open_share: float = open_share) -> tuple[float, float]:
            some = [*order, place]
            looks = min(people, prod(kinds[c] for c in some)) * min(classes, prod(names[c] for c in some))
            # What comes after is cheaper the more this column tells apart.
            return float(looks) * open_share * (1 + len(columns) * shares[place]), shares[place]

        order.append(min((c for c in range(len(columns)) if c not in order), key=cost))
    return order


def _descend_trie(
    entries: NDArray[np.int32], columns: Sequence[_Column], classes: int
) -> tuple[Ints, NDArray[np.int32]]:
    """The classes of every entry, found down the trie of their labels."""
    order = np.lexsort([seen.label for seen in reversed(columns)])
    new = np.zeros(classes, np.bool_)
    new[:1] = True
    # Of every node its label and the ends of the label's stretch, depth by depth, the root first.
    nodes_told = [[np.zeros(1, np.int64)] for _ in range(3)]
    children, starts = [np.ones(1, np.int64)], np.zeros(1, np.int64)
    depths = [0, 1]
    for seen in columns:
        check_time()
        label = seen.label[order]
        new[1:] |= label[1:] != label[:-1]
        nodes = np.flatnonzero(new)
        if len(depths) > 2:
            children.append(depths[-1] + np.searchsorted(nodes, starts))
        starts = nodes
        told = label[nodes]
        for those, what in zip(nodes_told, (told, seen.read.low[told], seen.read.high[told]), strict=True):
            those.append(what)
        depths.append(depths[-1] + len(nodes))
    children.append(np.full(1, depths[-1]))
    if len(columns) == 0:
        raise BadParameter("a person cannot be looked for by no column at all; name one with --quasi")
    packed = [seen.dense() for seen in columns]
    places = np.cumsum([0, *(len(bits) for bits in packed)])[:-1]
    labels, lows, highs = (np.concatenate(those).astype(np.int32) for those in nodes_told)
    bases = np.cumsum([0, *(len(seen.lists[1]) for seen in columns)])[:-1]
    ends, found = descend(
        entries,
        np.concatenate([seen.lists[0] + base for seen, base in zip(columns, bases, strict=True)]),
        np.cumsum([0, *(len(seen.lists[0]) for seen in columns)])[:-1],
        np.concatenate([seen.lists[1] for seen in columns]).astype(np.int32),
        np.concatenate(packed),
        np.array([8 * place if len(bits) else -1 for place, bits in zip(places, packed, strict=True)]),
        np.array([len(seen.read.names) for seen in columns]),
        np.concatenate([seen.places for seen in columns]).astype(np.int32),
        labels,
        lows,
        highs,
        np.concatenate(children).astype(np.int64),
        np.array(depths),
        MOST,
    )
    if ends[-1] < 0:
        raise BadParameter(
            f"{len(entries):,} different people may be in more than {MOST:,} classes together; attack with "
            "fewer people at a time, or with a list that has fewer blanks"
        )
    keys = np.repeat(np.arange(len(entries)), np.diff(ends)) * classes + order[found]
    keys.sort()
    keys %= classes
    return ends, keys.astype(np.int32)


def _refuse(column: str, release: RowClasses) -> None:
    label = texts(release.labels[column])[0]
    raise BadParameter(
        f"nothing in '{column}' of the list fits the release, which has {label!r}; give the hierarchy it was "
        f"made with as --hierarchy {column}=FILE, or leave the column out of --quasi"
    )
