"""What the rows of a release that fit a person say about one of their columns."""

from __future__ import annotations

from copy import copy

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.deadline import check_time
from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning.candidate_classes import Fits
from shoal.tables.attacker_reasoning.control_group import truth
from shoal.tables.attacker_reasoning.label_values import covered_values
from shoal.tables.attacker_reasoning.nearest_classes import likely, places
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.inference.trained_model import boosted_votes
from shoal.tables.model_inputs.text_values import texts

Floats = NDArray[np.float64]
PAIRS = 10_000_000  # classes of people looked at in one go


class Votes:
    """What a release says about one column, to somebody who knows some others: every row has a vote.

    `trained` gives the same with the votes of a model that learned from all rows.
    """

    def __init__(self, scene: Scene, column: str, known: tuple[str, ...], tolerance: float) -> None:
        self.scene, self.column, self.tolerance = scene, column, tolerance
        everybody = texts(truth(scene)[column])
        counted = everybody.alias("value").value_counts(name="rows").sort("value", nulls_last=True)
        released = texts(scene.table.frame[column])
        extra = released.unique().sort().filter(~released.unique().sort().is_in(counted["value"].implode()))
        hierarchy = scene.table.hierarchies.get(column)
        if hierarchy is not None and hierarchy.whole is not None:
            hierarchy = hierarchy.whole  # people have values, where the release has labels
        pairs = covered_values(counted["value"], released, hierarchy)
        if not tolerance and not pairs.height:
            # No guess could ever be right, and "nobody was hit" would say nothing.
            raise BadParameter(
                f"inference finds nothing in '{column}' of the release that stands for a value of the "
                f"original; give --hierarchy {column}=FILE, or a tolerance if these are numbers"
            )
        # A label that stands for nothing anybody has (noise, a made-up value) stands for itself.
        extra = extra.filter(~extra.is_in(pairs["label"].implode()))
        own = pl.concat([counted["value"], extra.drop_nulls().rename("value")])
        self.kinds = own
        self.values: list[str | None] = own.to_list()
        self.numbers = own.cast(pl.Float64, strict=False).to_numpy() if tolerance else np.empty(0)
        if tolerance and not np.isfinite(self.numbers).any():
            raise BadParameter(
                f"tolerance needs numbers, and '{column}' has {self.values[0]!r}; leave it out"
            )
        self.blind = self._blind(counted["rows"].cast(pl.Int64).to_numpy())
        self.classes = RowClasses.of(scene.table.frame, known)
        self.shares = self._shares(pairs, extra, counted)
        rows = pl.DataFrame({"class": self.classes.of_row, "label": released})
        self.votes = rows.group_by("class", "label").agg(pl.len().alias("count"))
        self._count(self.votes)

    def trained(self) -> Votes:
        """The same with what gradient boosting says of every class; refused where it cannot be trained."""
        made = copy(self)
        made._count(boosted_votes(self.classes, self.votes, self.scene.table.hierarchies, self.scene.seed))
        return made

    def _shares(self, pairs: pl.DataFrame, extra: pl.Series, counted: pl.DataFrame) -> pl.DataFrame:
        """How much of a vote for a label each value under it gets."""
        itself = pl.DataFrame(
            {"value": extra, "label": extra}, schema={"value": pl.String, "label": pl.String}
        )
        shares = (
            pl.concat([pairs, itself.drop_nulls()])
            .join(counted, on="value", how="left", nulls_equal=True)
            .with_columns(pl.col("rows").fill_null(1))
            .with_columns(share=pl.col("rows") / pl.col("rows").sum().over("label"))
        )
        return shares.with_columns(code=pl.Series(places(shares["value"], self.kinds)))

    def _count(self, votes: pl.DataFrame) -> None:
        """How much weight every value has in every class, as compressed rows."""
        found = votes.join(self.shares, on="label", nulls_equal=True).sort("class", "code", "label")
        weight = (found["count"] * found["share"]).to_numpy()
        keys, where = np.unique(
            found["class"].to_numpy().astype(np.int64) * len(self.values) + found["code"].to_numpy(),
            return_inverse=True,
        )
        # Added in one order: the last digits decide between values that are equally likely.
        self.weights = np.bincount(where, weights=weight, minlength=len(keys)).astype(np.float64)
        self.codes = keys % len(self.values)
        self.offsets = np.zeros(len(self.classes) + 1, np.int64)
        np.cumsum(np.bincount(keys // len(self.values), minlength=len(self.classes)), out=self.offsets[1:])

    def _blind(self, rows: Ints) -> float:
        """The share of people about whom the best guess without a release is right."""
        if not self.tolerance:
            return float(rows.max() / rows.sum())
        codes = np.arange(len(rows))
        _, reached = self._swept(np.zeros_like(codes), codes, rows.astype(np.float64), 1)
        return float(reached[0] / rows.sum())

    def _swept(self, group: Ints, codes: Ints, weight: Floats, groups: int) -> tuple[Floats, Floats]:
        """In each group the number that is near enough to most, and how much that is.

        Every truth accepts a stretch of guesses; the best guess lies where most of them overlap.
        """
        good = np.isfinite(self.numbers[codes])
        group, weight, own = group[good], weight[good], self.numbers[codes[good]]
        reach = np.abs(own) * self.tolerance
        end = np.repeat([False, True], len(own))
        group, place = np.tile(group, 2), np.concatenate((own - reach, own + reach))
        order = np.lexsort((end, place, group))
        group, place = group[order], place[order]
        # All that opens in a group closes in it, so that the next group begins at nothing.
        held = np.cumsum(np.concatenate((weight, -weight))[order])
        best, point = np.zeros(groups), np.full(groups, np.nan)
        top = np.lexsort((-np.arange(len(held)), held, group))
        top = top[np.append(group[top][1:] != group[top][:-1], True)] if len(top) else top
        best[group[top]] = held[top]
        # What most accept lasts until the next stretch ends; its middle is safe from rounding.
        point[group[top]] = (place[top] + place[np.minimum(top + 1, len(place) - 1)]) / 2
        return point, best

    def fitting(self, people: pl.DataFrame) -> Fits:
        """The classes that people are most likely in."""
        return likely(people, self.classes, self.scene.table.hierarchies, self.scene.readable)

    def about(self, fit: Fits) -> tuple[Floats, Floats]:
        """For every person the guess and how sure it is.

        A guess is a place among the values, -1 for none; with a tolerance it is a number, NaN for none.
        """
        # People whose only class is the same get the same guess, so that each class is looked at once.
        single = fit.number == 1
        key = len(self.classes) + np.arange(len(single))
        key[single] = fit.classes[fit.offsets[:-1][single]]
        _, first, of_entry = np.unique(key, return_index=True, return_inverse=True)
        guess, sure = np.full(len(first), np.nan if self.tolerance else -1.0), np.zeros(len(first))
        work = np.add.reduceat(np.append(np.diff(self.offsets)[fit.classes], 0), fit.offsets[:-1])
        done = np.cumsum(np.where(fit.number > 0, work, 0)[first]) // PAIRS
        for part in np.unique(done):
            check_time()
            some = np.flatnonzero(done == part)
            number = fit.number[first[some]]
            classes = fit.classes[_runs(fit.offsets[first[some]], number)]
            lengths = np.diff(self.offsets)[classes]
            group = np.repeat(np.repeat(np.arange(len(some)), number), lengths)
            at = _runs(self.offsets[classes], lengths)
            guess[some], sure[some] = self._best(group, self.codes[at], self.weights[at], len(some))
        return guess[of_entry][fit.of_person], sure[of_entry][fit.of_person]

    def _best(self, group: Ints, codes: Ints, weights: Floats, groups: int) -> tuple[Floats, Floats]:
        """For each group of weighted values the guess and its share."""
        keys, where = np.unique(group * len(self.values) + codes, return_inverse=True)
        weight = np.bincount(where, weights=weights, minlength=len(keys)).astype(np.float64)
        group, codes = keys // len(self.values), keys % len(self.values)
        total = np.bincount(group, weights=weight, minlength=groups).astype(np.float64)
        if self.tolerance:
            point, reached = self._swept(group, codes, weight, groups)
            return point, reached / np.maximum(total, 1e-300)
        # The heaviest last in its group; of equals the first in the order of values.
        order = np.lexsort((-codes, weight, group))
        best, share = np.full(groups, -1.0), np.zeros(groups)
        best[group[order]] = codes[order]
        share[group[order]] = weight[order] / total[group[order]]
        return best, share

    def right(self, guess: Floats, told: pl.Series) -> NDArray[np.bool_]:
        """Whether guesses are right."""
        if not self.tolerance:
            return np.asarray((guess >= 0) & (guess == places(texts(told), self.kinds)))
        number = texts(told).cast(pl.Float64, strict=False).to_numpy()
        return np.asarray(np.abs(guess - number) <= self.tolerance * np.abs(number))

    def word(self, guess: float) -> str | None:
        """A guess as it is told."""
        return f"{guess:.6g}" if self.tolerance else self.values[int(guess)]


def _runs(starts: Ints, lengths: Ints) -> Ints:
    """Whole numbers that run on from each start, so many each."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + lengths, lengths)
