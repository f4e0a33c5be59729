"""Columns that give other columns away: who knows some of them knows another.

A functional dependency that holds in all rows but a few, g3 of Kivinen & Mannila, "Approximate inference of
functional dependencies from relations", 1995. What chance alone explains is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl

from shoal.core.outcome import Json
from shoal.tables.appraisal.packed_columns import DENSE, Ints, code_values, pack_columns

TOLERATED = 0.05  # how much of the doubt about a value may remain
REPEATED = 0.1  # the share of rows whose determining values occurred before: a key determines everything
UNLIKELY = 1e-6  # what chance would do less often, over all that is tried, is not chance
SCREENS = (4_000, 64_000)  # rows that suffice to dismiss most; what is left is counted over all rows
MANY = 1_000  # values from which a sample of rows would hardly have one twice
PAIRED = 24  # columns of which pairs are tried, those with the fewest values: 276 pairs


@dataclass(frozen=True)
class Dependency:
    """Who knows the determining columns knows the determined one, in a share of the rows."""

    determining: tuple[str, ...]
    determined: str
    share: float
    mutual: bool = False  # the determined column determines the determining one as well: they are one thing

    def to_json(self) -> dict[str, Json]:
        return {
            "determining": list(self.determining),
            "determined": self.determined,
            "share": self.share,
            "mutual": self.mutual,
        }


@dataclass(frozen=True)
class _Candidate:
    """Columns that may determine another."""

    determining: tuple[str, ...]
    determined: str

    def turned(self) -> _Candidate:
        """The other way round, for a single column."""
        return _Candidate((self.determined,), self.determining[0])


@dataclass(frozen=True)
class Agreement:
    """How often rows with the same determining values were compared, and how often they differed."""

    rows: int
    compared: int
    differing: int

    @property
    def share(self) -> float:
        return 1 - self.differing / self.rows

    def may_hold(self, guess: float, slack: float = 1.0) -> bool:
        """Whether no more differ than is tolerated; what a blind guess gets right anyway does not count."""
        return self.differing <= slack * TOLERATED * (1 - guess) * self.compared

    def convinces(self, guess: float, tried: int) -> bool:
        """Whether there are enough rows to compare, and chance does not explain that they agree."""
        if self.compared < REPEATED * self.rows or not self.may_hold(guess):
            return False
        agreeing = 1 - self.differing / self.compared
        return self.compared * _divergence(agreeing, guess) >= math.log(tried / UNLIKELY)


def dependencies(frame: pl.DataFrame, columns: Sequence[str] | None = None) -> list[Dependency]:
    """What single columns and pairs of columns determine, exactly or nearly, the surest first.

    `columns` are those to look at, default: all. A missing value is a value. Left out is what says
    nothing: constants, columns in which hardly a value repeats, agreement that chance explains, and pairs of
    which one column is enough. `share` is exact. Pairs are tried of the 24 columns with the fewest values.
    """
    return dependencies_of(
        {name: code_values(frame[name]) for name in (frame.columns if columns is None else columns)}
    )


def dependencies_of(codes: Mapping[str, Ints]) -> list[Dependency]:
    """The same for columns that are numbers already, one per distinct value."""
    search = _Search(
        {name: _dense(column) for name, column in codes.items() if len(column) and np.ptp(column)}
    )
    singles = search.singles()
    pairs = search.pairs(singles)
    return sorted(singles + pairs, key=lambda one: (len(one.determining), -one.share))


def together(found: Sequence[Dependency]) -> list[tuple[str, ...]]:
    """The groups of columns that determine each other, so that each of them tells what all of them tell."""
    groups: list[list[str]] = []
    for one in found:
        if one.mutual:
            pair = [*one.determining, one.determined]
            touched = [group for group in groups if set(group) & set(pair)]
            merged = list(dict.fromkeys([*(name for group in touched for name in group), *pair]))
            groups = [group for group in groups if group not in touched] + [merged]
    return [tuple(group) for group in groups]


class _Search:
    """All columns but constants, and samples of their rows on which most candidates fall."""

    def __init__(self, codes: dict[str, Ints]) -> None:
        self.codes = codes
        self.rows = len(next(iter(codes.values()), ()))
        self.values = {name: int(column.max()) + 1 for name, column in codes.items()}
        self.guess = {name: np.bincount(column).max() / self.rows for name, column in codes.items()}
        self.known: dict[tuple[str, str], float] = {}

    def singles(self) -> list[Dependency]:
        names = list(self.codes)
        candidates = [
            _Candidate((one,), other) for one in self._repeating(names) for other in names if one != other
        ]
        found = self._sifted(candidates)
        return [
            Dependency(one.determining, one.determined, count.share, mutual=one.turned() in found)
            for one, count in found.items()
        ]

    def pairs(self, singles: Sequence[Dependency]) -> list[Dependency]:
        determined = {(one.determining[0], one.determined) for one in singles}
        doubles = {name for group in together(singles) for name in group[1:]}
        single = self._repeating([name for name in self.codes if name not in doubles])
        few = set(sorted(single, key=lambda name: self.values[name])[:PAIRED])
        names = [name for name in single if name in few]
        candidates = [
            _Candidate(pair, other)
            for pair in combinations(names, 2)
            if pair not in determined and pair[::-1] not in determined
            for other in names
            if other not in pair and not any((one, other) in determined for one in pair)
        ]
        found = self._sifted(candidates)
        return [Dependency(one.determining, one.determined, count.share) for one, count in found.items()]

    def _repeating(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if self.rows - self.values[name] >= REPEATED * self.rows]

    def _sifted(self, candidates: Sequence[_Candidate]) -> dict[_Candidate, Agreement]:
        """Those that hold over all rows. A sample dismisses only what is far from holding."""
        tried = len(candidates)
        left = list(candidates)
        for size in SCREENS:
            if size < self.rows:
                left = self._screened(left, size)
        counts = zip(left, _count_candidates(self.codes, left, self.rows), strict=True)
        return {one: count for one, count in counts if count and count.convinces(self._blind(one), tried)}

    def _screened(self, candidates: Sequence[_Candidate], size: int) -> list[_Candidate]:
        bases = [self._base(one) for one in candidates]
        worth: set[_Candidate] = set()
        for base in dict.fromkeys(bases):
            mine = [one for one, its in zip(candidates, bases, strict=True) if its == base]
            sample = _sample_rows(self.codes, size, self.codes[base] if base else None)
            counts = _count_candidates(sample, mine)
            worth |= {one for one, count in zip(mine, counts, strict=True) if self._worth(one, count)}
        return [one for one in candidates if one in worth]

    def _base(self, candidate: _Candidate) -> str | None:
        """The determining column whose values are sampled; None where rows are, as they repeat enough."""
        most = max(candidate.determining, key=lambda name: self.values[name])
        return most if self.values[most] >= MANY else None

    def _worth(self, candidate: _Candidate, count: Agreement | None) -> bool:
        if count is None:
            return True
        # A handful of differing rows says little in a sample.
        return count.differing <= 8 or count.may_hold(self.guess[candidate.determined], slack=2)

    def _blind(self, candidate: _Candidate) -> float:
        """How often a guess is right without this: from the commonest value, or from one of two columns."""
        if len(candidate.determining) == 1:
            return float(self.guess[candidate.determined])
        return max(self._alone(one, candidate.determined) for one in candidate.determining)

    def _alone(self, one: str, determined: str) -> float:
        if (one, determined) not in self.known:
            self.known[one, determined] = _count(self.codes[one], self.codes[determined]).share
        return self.known[one, determined]


def _sample_rows(codes: Mapping[str, Ints], size: int, base: Ints | None) -> dict[str, Ints]:
    """About so many rows, the same of all columns; with a base, all rows of some of its values.

    So its values repeat as often as in the whole table. All values are numbered anew, to keep tables small.
    """
    chance = np.random.default_rng(0)
    rows = len(next(iter(codes.values())))
    if base is None:
        chosen = np.sort(chance.choice(rows, size, replace=False))
    else:
        drawn = chance.random(int(base.max()) + 1) < size / rows
        chosen = np.flatnonzero(drawn[base])
    return {name: _dense(column[chosen]) for name, column in codes.items()}


def _count_candidates(
    codes: Mapping[str, Ints], candidates: Sequence[_Candidate], rows: int | None = None
) -> Iterator[Agreement | None]:
    """The counts of candidates, of which those with the same determining columns share their key.

    Told how many rows there are, it gives None where too few of them repeat to be worth counting.
    """
    last: tuple[str, ...] = ()
    key = np.empty(0, np.int64)
    for one in candidates:
        if one.determining != last:
            last, key = one.determining, _dense(pack_columns([codes[name] for name in one.determining]))
        groups = int(key.max(initial=-1)) + 1
        if rows is not None and rows - groups < REPEATED * rows:
            yield None
        else:
            yield _count(key, codes[one.determined])


def _count(key: Ints, determined: Ints) -> Agreement:
    if not len(key):
        return Agreement(0, 0, 0)
    groups, values = int(key.max()) + 1, int(determined.max()) + 1
    joint = key * values + determined
    if groups * values <= DENSE * len(key):
        commonest = np.bincount(joint, minlength=groups * values).reshape(groups, values).max(axis=1)
    else:
        joint = np.sort(joint)
        starts = np.flatnonzero(np.concatenate(([True], joint[1:] != joint[:-1])))
        sizes = np.diff(starts, append=len(joint))
        owner = joint[starts] // values
        first = np.flatnonzero(np.concatenate(([True], owner[1:] != owner[:-1])))
        commonest = np.maximum.reduceat(sizes, first)
    return Agreement(len(key), len(key) - groups, len(key) - int(commonest.sum()))


def _dense(codes: Ints) -> Ints:
    """The numbers 0, 1, 2 … for those that occur."""
    highest = int(codes.max(initial=0))
    if highest < DENSE * len(codes):
        there = np.zeros(highest + 1, np.int64)
        there[codes] = 1
        return (np.cumsum(there) - 1)[codes]
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def _divergence(share: float, guess: float) -> float:
    """Of Kullback and Leibler: n times this bounds how unlikely it is that n guesses are right so often."""
    if share <= guess:
        return 0.0
    rest = (1 - share) * math.log((1 - share) / (1 - guess)) if share < 1 else 0.0
    return share * math.log(share / guess) + rest
