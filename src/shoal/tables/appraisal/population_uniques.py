"""A release as a sample of a larger population, and what an estimate of its uniqueness says."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json, number

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sample:
    """How many classes of each size a release has, and how many people it was drawn from.

    The estimators assume that everyone was equally likely to get into the release.
    """

    sizes: Ints  # the class sizes that occur, ascending
    classes: Ints  # how many classes have each
    population: int

    def __post_init__(self) -> None:
        if self.population < self.rows:
            raise BadParameter(
                f"a population of {self.population:,} cannot hold the {self.rows:,} rows of the table; "
                "give the number of people it was drawn from"
            )

    @classmethod
    def of(cls, released: Ints, population: int) -> Sample:
        """From the size of every class."""
        sizes, classes = np.unique(released, return_counts=True)
        return cls(sizes.astype(np.int64), classes.astype(np.int64), population)

    @property
    def rows(self) -> int:
        return int((self.sizes * self.classes).sum())

    @property
    def fraction(self) -> float:
        """The share of the population that is in the release."""
        return self.rows / self.population

    @property
    def number(self) -> int:
        """How many classes there are."""
        return int(self.classes.sum())

    def with_size(self, size: int) -> int:
        """How many classes have so many rows."""
        return int(self.classes[self.sizes == size].sum())

    @property
    def uniques(self) -> int:
        """Rows that are alone in their class."""
        return self.with_size(1)


@dataclass(frozen=True)
class UniquesEstimate:
    """How many people are alone in the population, and how many rows of the release are theirs.

    Unknown is None, and `reason` says why; else it says how the figure came about, if that needs saying.
    """

    uniques: float | None
    rows: float | None
    share: float | None
    reason: str = ""

    def to_json(self) -> dict[str, Json]:
        return {
            "population_uniques": number(self.uniques),
            "rows": number(self.rows),
            "share": number(self.share),
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Guess:
    """The uniques that a model of the population expects, or None and the reason why it has no answer."""

    uniques: float | None
    reason: str = ""


def without_model(sample: Sample) -> UniquesEstimate | None:
    """The answer where no model is needed for it."""
    if sample.population == sample.rows:
        alone = float(sample.uniques)
        return UniquesEstimate(alone, alone, alone / sample.rows, "the release is the whole population")
    if not sample.uniques:
        # How many of the others are alone cannot be told, but that no released row is can.
        return UniquesEstimate(None, 0.0, 0.0, "no row is alone in the release, so none is in the population")
    return None


def estimate_uniques(sample: Sample, model: Callable[[Sample], Guess]) -> UniquesEstimate:
    """What is known of a sample, else what a model says; a figure that cannot be is no figure."""
    settled = without_model(sample)
    if settled is not None:
        return settled
    guess = model(sample)
    found = guess.uniques
    if found is None:
        return UniquesEstimate(None, None, None, guess.reason)
    if not math.isfinite(found) or not 0 <= found <= sample.population * (1 + 1e-6):
        return UniquesEstimate(None, None, None, f"the model does not fit: it finds {found:,.6g} uniques")
    # A released row of theirs is alone in the release as well.
    rows = min(found * sample.fraction, float(sample.uniques))
    return UniquesEstimate(min(found, float(sample.population)), rows, rows / sample.rows, guess.reason)


def bisect(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that has different signs at two places passes zero between them."""
    rising = function(high) > 0
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if (function(middle) > 0) == rising else (middle, high)
    return (low + high) / 2
