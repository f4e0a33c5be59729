"""Profiles of many items: what is known of some people against the released items of everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning.label_syntax import keys_on
from shoal.tables.attacker_reasoning.nearest_classes import ends, places
from shoal.tables.attacker_reasoning.row_classes import Ints
from shoal.tables.model_inputs.text_values import texts

Floats = NDArray[np.float64]
CELLS = 8_000_000  # scores, or known items against released ones, held at a time
LEARNED = 5  # items told of a person who was found
TARGET, PERSON, ITEM = "target", "person", "item"


@dataclass(frozen=True, eq=False)
class Scores:
    """For every target the released person they are taken for."""

    best: Ints
    strength: Floats  # how far the best stands out from the second best, in standard deviations
    claimed: NDArray[np.bool_]
    sure: Floats
    without: NDArray[np.bool_]  # whether somebody would be claimed all the same if the best were not there


@dataclass(frozen=True, eq=False)
class Profiles:
    """Known and released items by whole numbers: of targets, of persons, of items."""

    persons: pl.Series
    targets: pl.Series
    items: pl.Series
    released: pl.DataFrame  # person, item, and perhaps rating and date as numbers
    known: pl.DataFrame  # target, item, and perhaps rating and date as numbers
    holders: Ints  # people who have each item

    @classmethod
    def of(
        cls,
        release: pl.DataFrame,
        known: pl.DataFrame,
        person: str,
        item: str,
        who: str,
        rating: str | None = None,
        date: str | None = None,
    ) -> Profiles:
        """Read a release and a list, of which every row is about one person and one item."""
        for name in (person, item, rating, date):
            if name is not None and name not in release.columns:
                raise BadParameter(f"no column '{name}' in the release; it has {', '.join(release.columns)}")
        if item not in known.columns:
            raise BadParameter(f"no column '{item}' in the list; it has {', '.join(known.columns)}")
        if not known.height:
            raise BadParameter("the list is empty; give a row for every person and item that is known")
        persons, items = texts(release[person]).unique().sort(), texts(release[item]).unique().sort()
        targets = texts(known[who]).unique(maintain_order=True)
        own = _code_columns(release, {PERSON: (person, persons), ITEM: (item, items)}, rating, date)
        theirs = _code_columns(known, {TARGET: (who, targets), ITEM: (item, items)}, rating, date)
        theirs = theirs.with_columns(texts(known[item]).alias("name"))
        theirs = theirs.unique(subset=[TARGET, "name"], keep="first", maintain_order=True).drop("name")
        pairs = own.select(PERSON, ITEM).unique()
        holders = np.bincount(pairs[ITEM].to_numpy(), minlength=len(items))
        return cls(persons, targets, items, own, theirs, holders)

    def standing_out(self, rho0: float, d0: float, eccentricity: float) -> Scores:
        """The best by the weighted score, claimed if it stands out from the second best."""
        # An item of one person alone would weigh infinitely; it weighs as much as one of two.
        weight = 1 / np.log(np.maximum(self.holders, 2))
        rating = (-(pl.col("rating") - pl.col("rating_right")).abs() / rho0).exp()
        date = (-(pl.col("date") - pl.col("date_right")).abs() / d0).exp()
        likeness = self._likeness(rating, date, lambda one, other: one + other)
        scores = self._nothing()
        for first, table in self._tables(weight, likeness):
            here = slice(first, first + len(table))
            best, top, strength = _stand_out(table)
            scores.best[here], scores.strength[here] = best, strength
            scores.claimed[here] = strength >= eccentricity
            for row in np.flatnonzero(strength >= eccentricity).tolist():
                # The paper's distribution over candidates: in proportion to exp(score / spread).
                odds = np.exp((table[row] - top[row]) / table[row].std()).sum()
                scores.sure[first + row] = 1 / odds
            if table.shape[1] > 1:
                table[np.arange(len(table)), best] = table[:, 0]
                scores.without[here] = _stand_out(table[:, 1:])[2] >= eccentricity
        return scores

    def agreeing(self, rating_tolerance: float, date_tolerance: float, wrong: int) -> Scores:
        """The only person who agrees with all known items but for so many; claimed if there is one."""
        rating = ((pl.col("rating") - pl.col("rating_right")).abs() <= rating_tolerance).cast(pl.Float64)
        date = ((pl.col("date") - pl.col("date_right")).abs() <= date_tolerance).cast(pl.Float64)
        likeness = self._likeness(rating, date, lambda one, other: one * other)
        asked = np.bincount(self.known[TARGET].to_numpy(), minlength=len(self.targets)) - wrong
        scores = self._nothing()
        for first, table in self._tables(np.ones(len(self.items)), likeness):
            here = slice(first, first + len(table))
            # Somebody who agrees with nothing is no candidate, however much may be wrong.
            candidates = table >= np.maximum(asked[here], 1)[:, None]
            scores.best[here] = table.argmax(axis=1)
            scores.claimed[here] = candidates.sum(axis=1) == 1
            scores.sure[here] = scores.claimed[here]
            scores.without[here] = candidates.sum(axis=1) == 2
        return scores

    def unknown(self, target: int, person: int) -> list[str | None]:
        """Some items of a released person that were not known of the target."""
        own = self.released.filter(pl.col(PERSON) == person)[ITEM].unique().sort()
        known = self.known.filter(pl.col(TARGET) == target)[ITEM]
        found: list[str | None] = self.items.gather(
            own.filter(~own.is_in(known.implode()))[:LEARNED]
        ).to_list()
        return found

    def _nothing(self) -> Scores:
        number = len(self.targets)
        no = np.zeros(number, np.bool_)
        return Scores(np.zeros(number, np.int64), np.zeros(number), no, np.zeros(number), no.copy())

    def _likeness(
        self, rating: pl.Expr, date: pl.Expr, both: Callable[[pl.Expr, pl.Expr], pl.Expr]
    ) -> pl.Expr:
        """How alike a known and a released item are; by the item alone where no more is known."""
        terms = [
            term
            for name, term in (("rating", rating), ("date", date))
            if name in self.known.columns and name in self.released.columns
        ]
        if not terms:
            return pl.lit(1.0)
        if len(terms) == 1:
            # Unknown on the list counts by the item alone, missing in the release counts nothing.
            name = "rating" if "rating" in self.known.columns else "date"
            return pl.when(pl.col(f"{name}_right").is_null()).then(1.0).otherwise(terms[0].fill_null(0.0))
        unknown = [pl.col(f"{name}_right").is_null() for name in ("rating", "date")]
        return (
            pl.when(unknown[0] & unknown[1])
            .then(1.0)
            .when(unknown[0])
            .then(terms[1].fill_null(0.0))
            .when(unknown[1])
            .then(terms[0].fill_null(0.0))
            .otherwise(both(terms[0].fill_null(0.0), terms[1].fill_null(0.0)))
        )

    def _tables(self, weight: Floats, likeness: pl.Expr) -> Iterator[tuple[int, Floats]]:
        """The scores of all persons, for some targets at a time: the first of them, and a row for each."""
        persons = len(self.persons)
        known = self.known.filter(pl.col(ITEM) >= 0).sort(TARGET)
        known = known.rename({name: f"{name}_right" for name in ("rating", "date") if name in known.columns})
        rows = np.bincount(self.released[ITEM].to_numpy(), minlength=len(self.items))
        work: Floats = np.bincount(
            known[TARGET].to_numpy(), rows[known[ITEM].to_numpy()], len(self.targets)
        ).astype(np.float64)
        starts = _stretches(work, persons)
        twice = int(self.holders.sum()) < self.released.height
        for first, end in pairwise(starts):
            some = known.filter(pl.col(TARGET).is_between(first, end - 1))
            pairs = self.released.join(some, on=ITEM).select(PERSON, TARGET, ITEM, likeness.alias("score"))
            if twice:
                # One who has an item twice is judged by the row that is most alike.
                pairs = pairs.group_by(PERSON, TARGET, ITEM).agg(pl.col("score").max())
            cells = (pairs[TARGET].to_numpy() - first) * persons + pairs[PERSON].to_numpy()
            scores = pairs["score"].to_numpy() * weight[pairs[ITEM].to_numpy()]
            table = np.bincount(cells, scores, (end - first) * persons).astype(np.float64)
            yield first, table.reshape(end - first, persons)


def _stand_out(table: Floats) -> tuple[Ints, Floats, Floats]:
    """In each row the best, its score, and how far that is above the second best, in standard deviations."""
    best, rows = table.argmax(axis=1), np.arange(len(table))
    top, spread = table[rows, best].copy(), table.std(axis=1)
    table[rows, best] = -np.inf
    second = table.max(axis=1) if table.shape[1] > 1 else np.zeros(len(table))
    table[rows, best] = top
    # A spread of rounding errors is none.
    apart = spread > 1e-9 * np.maximum(top, 1)
    return best, top, np.where(apart, (top - second) / np.where(apart, spread, 1), 0.0)


def _stretches(work: Floats, persons: int) -> list[int]:
    """Where to cut the targets so that no stretch is too much work at a time."""
    done = np.cumsum(np.maximum(work, persons)) // CELLS
    return [*np.flatnonzero(np.diff(done, prepend=-1)).tolist(), len(work)]


def _code_columns(
    frame: pl.DataFrame, keys: dict[str, tuple[str, pl.Series]], rating: str | None, date: str | None
) -> pl.DataFrame:
    """The columns as numbers; a rating or date that is not there is left out."""
    found = pl.DataFrame(
        {name: places(texts(frame[column]), kinds).astype(np.int64) for name, (column, kinds) in keys.items()}
    )
    for name, column in (("rating", rating), ("date", date)):
        if column is not None and column in frame.columns:
            read = _numbers(frame[column]) if name == "rating" else _days(frame[column])
            if read.null_count() == len(read) and frame[column].null_count() < len(read):
                what = "numbers" if name == "rating" else "dates as in 2006-03-01 or numbers of days"
                value = frame[column].drop_nulls()[0]
                raise BadParameter(f"the {name}s in '{column}' must be {what}, not {str(value)!r}")
            found = found.with_columns(read.alias(name))
    return found


def _numbers(column: pl.Series) -> pl.Series:
    return pl.Series(keys_on("number", texts(column))).fill_nan(None)


def _days(column: pl.Series) -> pl.Series:
    """Dates as numbers of days: the middle of a month or a year for one, a number as it is."""
    kinds = texts(column).unique()
    low, high = ends(kinds, "day")
    middle = np.where(np.isfinite(low) & np.isfinite(high), low + (high - low) / 2, np.nan)
    days = np.where(np.isnan(middle), keys_on("number", kinds), middle)
    return pl.Series(days[places(texts(column), kinds)]).fill_nan(None)
