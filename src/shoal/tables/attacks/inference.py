"""Inference: how well a release lets one guess a column of people from their other columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Need
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.tables.adversary.control import (
    NO_CONTROL,
    Contrast,
    in_both,
    outsiders,
    require,
    sampled,
    truth,
)
from shoal.tables.adversary.labels import covered
from shoal.tables.adversary.nearest import likely, places
from shoal.tables.adversary.row_classes import Ints, RowClasses
from shoal.tables.adversary.scene import Scene
from shoal.tables.values import texts

Floats = NDArray[np.float64]
PAIRS = 10_000_000  # classes of people looked at in one go


@dataclass(frozen=True)
class Inference:
    """Guesses one column of people from their other columns, by the released rows that fit them.

    The guess is the most frequent value of the rows that fit what is known of a person (the
    quasi-identifiers, unless `known` names others), or of the nearest rows if none fits. A coarse label
    counts for the values under it, in proportion to how common they are, so that a suppressed column tells no
    more than a blind guess. With a `tolerance` the column holds numbers, a guess is right when it is off by
    no more than that share of the truth, and it is the number that is right about most of the rows. The same
    is done with the control group: what is true of everybody is found out about them as well.

    Article 29 Working Party, "Opinion 05/2014 on anonymisation techniques", 2014; Giomi et al., "A unified
    framework for quantifying privacy risk in synthetic data", 2023.
    """

    name: ClassVar[str] = "inference"
    needs: ClassVar[tuple[Need, ...]] = ("original",)

    column: str | None = None
    known: tuple[str, ...] = ()
    tolerance: float = 0.0
    attempts: int = 2000

    def __post_init__(self) -> None:
        if self.column is not None and self.column in self.known:
            raise BadParameter(f"inference knows '{self.column}' already; leave it out of known")
        if not 0 <= self.tolerance < 1:
            raise BadParameter(f"tolerance is a share of the truth from 0 to below 1, not {self.tolerance}")
        if self.attempts < 1:
            raise BadParameter(f"attempts is how many people to try, from 1 on, not {self.attempts}")

    def attack(self, scene: Scene) -> Finding:
        column, known = self._columns(scene)
        original = truth(scene)
        control = outsiders(scene, (column, *known), self.name)
        guesses = _Guesses(scene, column, known, self.tolerance)
        people = sampled(original, self.attempts, scene.seed)
        guess, sure = guesses.about(people)
        right = guesses.right(guess, people[column])
        theirs = None
        if control is not None:
            others = sampled(control, self.attempts, scene.seed)
            hits = guesses.right(guesses.about(others)[0], others[column])
            theirs = Rate(int(hits.sum()), others.height)
        contrast = Contrast(Rate(int(right.sum()), people.height), theirs)
        hit = np.flatnonzero(right)
        told: list[dict[str, Json]] = [
            {
                "who": {name: texts(people[name])[person] for name in known},
                "learned": {column: guesses.word(float(guess[person]))},
                "confidence": min(1.0, float(sure[person])),
            }
            for person in hit[: scene.shown or len(hit)].tolist()
        ]
        return Finding(
            attack=self.name,
            rate=contrast.attacked,
            baseline=guesses.blind,
            findings=tuple(told),
            cure=self._cure(contrast, guesses.blind, column),
            details={**contrast.to_json(), "column": column, "known": list(known)},
        )

    def remedied(self, scene: Scene) -> tuple[Scene | None, str]:
        """The release without the classes in which one value of the column has more than half of the rows."""
        column, known = self._columns(scene)
        classes = RowClasses.of(scene.table.frame, known)
        pairs = RowClasses.of(scene.table.frame, (*known, column))
        most = np.zeros(len(classes), np.int64)
        np.maximum.at(most, classes.of_row, pairs.sizes[pairs.of_row])
        keep = np.flatnonzero((2 * most <= classes.sizes)[classes.of_row])
        lost = scene.table.rows - len(keep)
        if not lost or not len(keep):
            return None, ""
        how = f"without the {lost:,} rows of classes in which more than half have one {column}"
        return replace(scene, table=scene.table.with_frame(scene.table.frame[keep])), how

    def _columns(self, scene: Scene) -> tuple[str, tuple[str, ...]]:
        column = scene.sensitive_column(None, self.name) if self.column is None else self.column
        require(column, scene.table.frame, "the release", self.name)
        require(column, truth(scene), "the original", self.name)
        if column in self.known:
            raise BadParameter(f"inference knows '{column}' already; leave it out of known")
        quasi = tuple(name for name in scene.table.quasi if name != column and name in truth(scene).columns)
        return column, in_both(scene, self.known or quasi, self.name, (column,))

    def _cure(self, contrast: Contrast, blind: float, column: str) -> str:
        tail = NO_CONTROL if contrast.control is None else ""
        if contrast.attacked.value <= blind:
            return f"nothing to cure: '{column}' is guessed no better than blindly{tail}"
        if contrast.risk is not None and contrast.interval is not None and not contrast.interval[0]:
            return (
                f"nothing that the release adds: '{column}' is guessed as well of people who are not in it; "
                "what remains is true of people in general"
            )
        return (
            f"t-closeness or l-diversity of '{column}', over all columns that an attacker may know, keeps "
            f"the rows that fit a person from agreeing on it{tail}"
        )


class _Guesses:
    """What a release says about one column, to somebody who knows some others."""

    def __init__(self, scene: Scene, column: str, known: tuple[str, ...], tolerance: float) -> None:
        self.scene, self.column, self.tolerance = scene, column, tolerance
        everybody = texts(truth(scene)[column])
        counted = everybody.alias("value").value_counts(name="rows").sort("value", nulls_last=True)
        released = texts(scene.table.frame[column])
        extra = released.unique().sort().filter(~released.unique().sort().is_in(counted["value"].implode()))
        ladder = scene.table.hierarchies.get(column)
        if ladder is not None and ladder.whole is not None:
            ladder = ladder.whole  # people have values, where the release has labels
        pairs = covered(counted["value"], released, ladder)
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
        self._count(released, pairs, extra, counted)

    def _count(
        self, released: pl.Series, pairs: pl.DataFrame, extra: pl.Series, counted: pl.DataFrame
    ) -> None:
        """How much weight every value has in every class, as compressed rows."""
        itself = pl.DataFrame(
            {"value": extra, "label": extra}, schema={"value": pl.String, "label": pl.String}
        )
        shares = (
            pl.concat([pairs, itself.drop_nulls()])
            .join(counted, on="value", how="left", nulls_equal=True)
            .with_columns(pl.col("rows").fill_null(1))
            .with_columns(share=pl.col("rows") / pl.col("rows").sum().over("label"))
        )
        shares = shares.with_columns(code=pl.Series(places(shares["value"], self.kinds)))
        found = (
            pl.DataFrame({"class": self.classes.of_row, "label": released})
            .group_by("class", "label")
            .agg(pl.len().alias("count"))
            .join(shares, on="label", nulls_equal=True)
            .group_by("class", "code")
            .agg((pl.col("count") * pl.col("share")).sum().alias("weight"))
            .sort("class", "code")
        )
        self.offsets = np.zeros(len(self.classes) + 1, np.int64)
        np.cumsum(np.bincount(found["class"].to_numpy(), minlength=len(self.classes)), out=self.offsets[1:])
        self.codes, self.weights = found["code"].to_numpy(), found["weight"].to_numpy()

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

    def about(self, people: pl.DataFrame) -> tuple[Floats, Floats]:
        """For every person the guess and how sure it is.

        A guess is a place among the values, -1 for none; with a tolerance it is a number, NaN for none.
        """
        fit = likely(people, self.classes, self.scene.table.hierarchies, self.scene.readable)
        # People whose only class is the same get the same guess, so that each class is looked at once.
        single = fit.number == 1
        key = len(self.classes) + np.arange(len(single))
        key[single] = fit.classes[fit.offsets[:-1][single]]
        _, first, of_entry = np.unique(key, return_index=True, return_inverse=True)
        guess, sure = np.full(len(first), np.nan if self.tolerance else -1.0), np.zeros(len(first))
        work = np.add.reduceat(np.append(np.diff(self.offsets)[fit.classes], 0), fit.offsets[:-1])
        done = np.cumsum(np.where(fit.number > 0, work, 0)[first]) // PAIRS
        for part in np.unique(done):
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
