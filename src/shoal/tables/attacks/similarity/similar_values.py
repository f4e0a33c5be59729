"""When different sensitive values are alike: under one node of a taxonomy, or within a narrow range."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Protocol

import numpy as np

from shoal.core.contract import Mask
from shoal.core.deadline import check_time
from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning.row_classes import Ints
from shoal.tables.attacker_reasoning.targets import ROUNDING, Floats, Lesson, at_least, best_slots
from shoal.tables.hierarchies import TOP, Hierarchy
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.sensitive_domains import ISO_DATE, Domain
from shoal.tables.model_inputs.text_values import Label

SHARE, TAIL = 0.25, 0.05


class Likeness(Protocol):
    """A way in which values of a column are alike."""

    def lesson(self, pool: ValueCounts, confidence: float) -> Lesson:
        """The kinds of people of whose candidate rows so large a share is alike, and what that says."""

    def blind(self) -> float:
        """The largest share of the whole table that is alike without being all of it."""


@dataclass(frozen=True, eq=False)
class OneNode:
    """Values are alike under a node of a taxonomy, up to some level of it.

    A node that covers the whole table says nothing about anybody and does not count. Of several the lowest
    is told.
    """

    domain: Domain
    taxonomy: Hierarchy
    highest: int
    leaves: Ints  # where the taxonomy has each value of the domain

    @classmethod
    def of(cls, domain: Domain, taxonomy: Hierarchy, level: int | None) -> OneNode:
        hierarchy = taxonomy.with_missing_value() if None in domain.values else taxonomy
        lost = hierarchy.missing(domain.values)
        if lost:
            raise BadParameter(f"the hierarchy of '{domain.column}' misses {lost[0]!r}; add a line for it")
        if level is not None and level >= hierarchy.height:
            raise BadParameter(
                f"the hierarchy of '{domain.column}' has the levels 0 to {hierarchy.height - 1} below "
                f"the root, not {level}"
            )
        leaves = np.array([hierarchy.position(value) for value in domain.values], np.int64)
        return cls(domain, hierarchy, hierarchy.height - 1 if level is None else level, leaves)

    def lesson(self, pool: ValueCounts, confidence: float) -> Lesson:
        kinds = len(pool.offsets) - 1
        hit, sure = np.zeros(kinds, np.bool_), np.zeros(kinds)
        node, where = np.zeros(kinds, np.int64), np.zeros(kinds, np.int64)
        for level in range(self.highest + 1):
            check_time()
            own, shares = self._fullest(pool, level)
            new = ~hit & at_least(shares, confidence)
            sure[new], node[new], where[new] = shares[new], own[new], level
            hit |= new
        names = [sorted(labels, key=_label_key) for labels in self.taxonomy.names]
        return Lesson(
            self.domain.column,
            hit,
            sure,
            lambda kind: names[where[kind]][node[kind]],
            lambda kind: {"level": int(where[kind])},
        )

    def apart(self, pool: ValueCounts, confidence: float) -> float:
        """How far any class that is hit is at least from the whole table, by the steps of the taxonomy.

        What a class has in a node above the node's share of the table must be moved out of it: past a node
        one level up or higher, which is that part of the height away.
        """
        least = np.full(len(pool.offsets) - 1, -1.0)
        hit = self.lesson(pool, confidence).hit
        for level in range(self.highest + 1):
            check_time()
            node, shares = self._fullest(pool, level)
            work = (shares - self._shares(level)[node]) * (level + 1) / self.taxonomy.height
            least = np.where(shares > 0, np.maximum(least, work), least)
        return float(least[hit].min(initial=1.0))

    def _fullest(self, pool: ValueCounts, level: int) -> tuple[Ints, Floats]:
        """Per kind, the node of a level that has most of its rows and says something, and their share."""
        kinds, width = len(pool.offsets) - 1, len(self.taxonomy.names[level])
        of_slot = np.repeat(np.arange(kinds), np.diff(pool.offsets))
        keys, of_key = np.unique(of_slot * width + self._nodes(level)[pool.values], return_inverse=True)
        mass = np.bincount(of_key, pool.counts, len(keys))
        shares = np.where(self._tells(level)[keys % width], mass / pool.sizes[keys // width], 0.0)
        best = best_slots(shares, np.searchsorted(keys, np.arange(kinds + 1) * width))
        return (keys % width)[best], shares[best]

    def blind(self) -> float:
        best = 0.0
        for level in range(self.highest + 1):
            check_time()
            best = max(best, float((self._shares(level) * self._tells(level)).max(initial=0.0)))
        return best

    def _nodes(self, level: int) -> Ints:
        """The node of each value of the domain on a level, numbered by name: ties break alike."""
        labels = self.taxonomy.names[level]
        rank = {label: place for place, label in enumerate(sorted(labels, key=_label_key))}
        places = np.array([rank[label] for label in labels], np.int64)
        return np.asarray(places[self.taxonomy.codes[level][self.leaves]])

    def _tells(self, level: int) -> Mask:
        """Per node of a level, whether it says something: neither the root nor all of the table."""
        labels = sorted(self.taxonomy.names[level], key=_label_key)
        below_root = np.array([label != TOP for label in labels], np.bool_)
        return np.asarray(below_root & (self._shares(level) < 1))

    def _shares(self, level: int) -> Floats:
        width = len(self.taxonomy.names[level])
        totals = np.bincount(self._nodes(level), self.domain.totals, width)
        return np.asarray(totals / self.domain.totals.sum())


@dataclass(frozen=True, eq=False)
class NarrowRange:
    """Numbers (or days) are alike within a range of some width."""

    domain: Domain
    width: float  # in the unit of the column
    numbers: Floats  # of each value; nothing is like a missing value but another
    dates: bool

    @classmethod
    def of(cls, domain: Domain, width: float | None) -> NarrowRange | None:
        """Ranges of a width; None for a column of other things than numbers.

        If no width is given, a quarter of what the table's numbers span without the lowest and the highest
        twentieth: a few millionaires must not make everybody else's pay look alike.
        """
        found = [_number(value) for value in domain.values]
        known = np.array([number for number in found if number is not None])
        if not len(known) or not np.isfinite(known).all():
            return None
        dates = any(value is not None and bool(ISO_DATE.fullmatch(value)) for value in domain.values)
        if dates and not all(value is None or ISO_DATE.fullmatch(value) for value in domain.values):
            return None
        numbers = np.array([np.nan if number is None else number for number in found])
        if width is None:
            running = np.cumsum(domain.totals[: len(known)])  # numbers come in order, a missing value last
            low, high = np.searchsorted(running, running[-1] * np.array([TAIL, 1 - TAIL]))
            width = SHARE * float(known[high] - known[low])
        return cls(domain, width, numbers, dates)

    @property
    def whole(self) -> bool:
        """Every value is a number, so that models about numbers can speak of the column."""
        return not self.dates and not bool(np.isnan(self.numbers).any())

    def ranges(self, pool: ValueCounts) -> Floats:
        """Largest minus smallest number of each kind."""
        own, starts = self.numbers[pool.values], pool.offsets[:-1]
        return np.asarray(np.maximum.reduceat(own, starts) - np.minimum.reduceat(own, starts))

    def lesson(self, pool: ValueCounts, confidence: float) -> Lesson:
        kinds, values = len(pool.offsets) - 1, len(self.numbers)
        of_slot = np.repeat(np.arange(kinds), np.diff(pool.offsets))
        limits = self._limits()
        keys = of_slot * (values + 1) + pool.values
        ends = np.searchsorted(keys, of_slot * (values + 1) + limits[pool.values])
        running = np.concatenate(([0], np.cumsum(pool.counts)))
        shares = (running[ends] - running[:-1]) / pool.sizes[of_slot]
        if np.count_nonzero(self.domain.totals) < 2:
            shares = np.zeros(len(shares))  # one value in the whole table: a class tells nothing more
        first = best_slots(shares, pool.offsets)
        last = ends[first] - 1

        def label_of(kind: int) -> Label:
            low, high = (self.domain.values[pool.values[end[kind]]] for end in (first, last))
            return low if low == high else f"{low} – {high}"

        return Lesson(self.domain.column, at_least(shares[first], confidence), shares[first], label_of)

    def blind(self) -> float:
        running = np.concatenate(([0], np.cumsum(self.domain.totals)))
        if np.count_nonzero(self.domain.totals) < 2:
            return 0.0
        masses = running[self._limits()] - running[:-1]
        return float(masses.max() / running[-1])

    def _limits(self) -> Ints:
        """For each value the place behind the last one that is within the width above it."""
        known = int((~np.isnan(self.numbers)).sum())  # numbers come first, in order; a missing value is last
        low = self.numbers[:known]
        # 0.1 + 0.2 comes out above 0.3: what is within the width in decimals is within it.
        slack = ROUNDING * float(np.abs(low).max(initial=0.0) + self.width)
        limits = np.searchsorted(low, low + self.width + slack, "right")
        return np.concatenate((limits, np.arange(known + 1, len(self.numbers) + 1))).astype(np.int64)


def _label_key(label: Label) -> tuple[bool, str]:
    return label is None, label or ""


def _number(value: Label) -> float | None:
    """A number or a day as a number; not a number for anything else, None for the missing value."""
    if value is None:
        return None
    try:
        return float(date.fromisoformat(value).toordinal()) if ISO_DATE.fullmatch(value) else float(value)
    except ValueError:
        return float("nan")
