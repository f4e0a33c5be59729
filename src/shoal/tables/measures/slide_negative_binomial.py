"""Population uniques by a negative binomial distribution that starts at one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Measure
from shoal.tables.appraisal.population_uniques import Guess, Sample, UniquesEstimate, bisect, estimate_uniques

SCANNED = np.linspace(-40.0, 25.0, 1301)  # log-odds of β between which a solution is looked for


@dataclass(frozen=True)
class SlideNegativeBinomial(Measure[Sample, UniquesEstimate]):
    """Estimated people who are alone in the population, whose class sizes less one are taken to be negative
    binomial.

    The number of classes in the population is Haas and Stokes' estimate; the two parameters are those under
    which classes of one and of two rows are expected as often in the sample as it has them. Good for large
    samples.

    Chen & Keller-McNulty, "Estimation of identification disclosure risk in microdata", 1998.
    """

    name: ClassVar[str] = "slide-negative-binomial"

    def measure(self, sample: Sample) -> UniquesEstimate:
        return estimate_uniques(sample, _uniques)


@dataclass(frozen=True)
class Slide:
    """Class sizes: one, and a negative binomial number more, of shape α and success β."""

    alpha: float
    beta: float

    def shown(self, times: int, fraction: float) -> float:
        """The probability that a class shows one row, or two, when this fraction of the people is drawn."""
        missed = (1 - self.beta) * (1 - fraction)
        rest = 1 - missed
        none_of_the_others = math.exp(self.alpha * (math.log(self.beta) - math.log(rest)))
        if times == 1:
            return fraction * none_of_the_others * (1 + self.alpha * missed / rest)
        pairs = self.alpha * (1 - self.beta) * (2 - (1 - self.alpha) * missed) / rest**2
        return fraction**2 / 2 * none_of_the_others * pairs

    @property
    def alone(self) -> float:
        """The share of classes with one member."""
        return math.exp(self.alpha * math.log(self.beta))

    @property
    def mean(self) -> float:
        """The average size of a class."""
        return 1 + self.alpha * (1 - self.beta) / self.beta


def classes_in_population(sample: Sample) -> float:
    """How many classes the population has: the third of Shlosser's kind in Haas & Stokes, "Estimating the
    number of classes in a finite population", 1998.
    """
    q, sizes, classes = sample.fraction, sample.sizes.astype(np.float64), sample.classes
    missed = (1 - q) ** sizes * classes
    first = (sizes * q**2 * (1 - q**2) ** (sizes - 1) * classes).sum()
    second = (((1 - q**2) ** sizes - (1 - q) ** sizes) * classes).sum()
    third = (sizes * q * (1 - q) ** (sizes - 1) * classes).sum()
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # what comes of it is refused later
        return float(sample.number + sample.uniques * first / second * (missed.sum() / third) ** 2)


def fit(sample: Sample, classes: float) -> Slide | None:
    """The distribution that expects the sample's classes of one and of two rows; None when there is none."""

    def short(log_odds: float) -> float:
        """How many more uniques than the sample has a distribution expects, if it expects its pairs."""
        return classes * _with_pairs(sample, log_odds).shown(1, sample.fraction) - sample.uniques

    values = np.array([short(at) for at in SCANNED])
    signs = np.flatnonzero((values[1:] > 0) != (values[:-1] > 0))
    found = [_with_pairs(sample, bisect(short, SCANNED[at], SCANNED[at + 1])) for at in signs]
    # Of several, the one that makes the population as large as it is.
    wanted = math.log(sample.population / classes)
    return min(found, key=lambda slide: abs(math.log(slide.mean) - wanted), default=None)


def _with_pairs(sample: Sample, log_odds: float) -> Slide:
    """For one β the α under which pairs and uniques are in the sample's proportion: a quadratic equation."""
    beta = 1 / (1 + math.exp(-log_odds))
    short = 1 / (1 + math.exp(log_odds))  # 1 − β without losing its digits near 1
    q = sample.fraction
    missed = short * (1 - q)
    rest = 1 - missed
    ratio = 2 * sample.with_size(2) / sample.uniques / q
    a, b, c = short * missed, short * (2 - missed) - ratio * rest * missed, -ratio * rest**2
    # b may be large and positive, where the usual form would lose all digits.
    root = math.sqrt(b * b - 4 * a * c)
    alpha = -2 * c / (b + root) if b > 0 else (root - b) / (2 * a)
    return Slide(alpha, beta)


def _uniques(sample: Sample) -> Guess:
    if not sample.with_size(2):
        return Guess(None, "no class of the release has two rows, so there is nothing to fit the spread to")
    classes = classes_in_population(sample)
    if not math.isfinite(classes) or not 0 < classes <= sample.population:
        return Guess(None, f"the population would have {classes:,.6g} classes, which cannot be")
    slide = fit(sample, classes)
    if slide is None:
        return Guess(None, "no slide negative binomial has as many uniques and pairs as the release")
    return Guess(classes * slide.alone)
