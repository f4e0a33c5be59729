"""Population uniques by Pitman's process."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Measure
from shoal.tables.appraisal.population_uniques import (
    Floats,
    Guess,
    Ints,
    Sample,
    UniquesEstimate,
    bisect,
    estimate_uniques,
)

STEEPEST = 1 - 1e-9  # α stays below 1, where everyone would be alone
SUMMED = 24  # terms of a harmonic sum that are added one by one; the rest follows from its expansion


@dataclass(frozen=True)
class Pitman(Measure[Sample, UniquesEstimate]):
    """Estimated people who are alone in the population, which is taken to be drawn from Pitman's process.

    Every further person opens a class of their own with a probability that falls as a power of the people
    before them. Both parameters (0 ≤ α < 1, θ > −α) are those under which the sample is most likely; with
    α = 0 it is Ewens' process. Good for small samples, up to a tenth of the population.

    Hoshino, "Applying Pitman's sampling formula to microdata disclosure risk assessment", 2001.
    """

    name: ClassVar[str] = "pitman"

    def measure(self, sample: Sample) -> UniquesEstimate:
        return estimate_uniques(sample, _uniques)


@dataclass(frozen=True)
class Process:
    """Pitman's process: α is how fast new classes keep coming, θ how many there are to begin with."""

    alpha: float
    theta: float

    def uniques(self, people: int) -> float:
        """The expected number of people who are alone among so many."""
        # N · Γ(θ+α+N−1) Γ(θ+1) / (Γ(θ+α) Γ(θ+N)), exact where the literature has N^α Γ(θ+1)/Γ(θ+α)
        at = math.lgamma
        theta, alpha = self.theta, self.alpha
        logs = at(theta + alpha + people - 1) - at(theta + people) + at(theta + 1) - at(theta + alpha)
        return people * math.exp(logs)


def most_likely(sample: Sample) -> Process | None:
    """The process under which the sample is most likely; None when no process is best."""
    if sample.number < 2 or sample.number == sample.rows:
        return None

    def slope(alpha: float) -> float:
        """How much more likely the sample gets with α, with the best θ for each."""
        return _slope(sample, alpha, _best_theta(sample, alpha))

    if slope(0.0) <= 0:
        return Process(0.0, _best_theta(sample, 0.0))
    alpha = bisect(slope, 0.0, STEEPEST)
    return Process(alpha, _best_theta(sample, alpha))


def _uniques(sample: Sample) -> Guess:
    found = most_likely(sample)
    if found is None:
        return Guess(None, "every row is alone in the release, so there is nothing to fit the process to")
    # There are fewer small classes than in any such process, as when a few categories are all there are.
    edge = "at the edge of the model (α = 0), rather too high" if found.alpha == 0 else ""
    return Guess(found.uniques(sample.population), edge)


def _best_theta(sample: Sample, alpha: float) -> float:
    """Where Σ 1/(θ+iα) over new classes meets Σ 1/(θ+i) over new rows."""

    def slope(log: float) -> float:
        theta = math.exp(log) - alpha
        return _openings(sample, alpha, theta) - _harmonic(theta, sample.rows - 1)

    high = 5.0
    while slope(high) > 0:  # falls below at last, because there are fewer classes than rows
        high += 5.0
    return math.exp(bisect(slope, -30.0, high)) - alpha


def _openings(sample: Sample, alpha: float, theta: float) -> float:
    """Σ 1/(θ+iα) for i from 1 to one less than the classes."""
    steps = sample.number - 1
    return steps / theta if alpha == 0 else _harmonic(theta / alpha, steps) / alpha


def _slope(sample: Sample, alpha: float, theta: float) -> float:
    """The derivative of the log-likelihood by α."""
    steps = sample.number - 1
    if alpha < 1e-12:
        opened = steps * (steps + 1) / 2 / theta
    else:
        opened = (steps - theta * _openings(sample, alpha, theta)) / alpha
    grown = _harmonics(-alpha, sample.sizes - 1)
    return opened - float((sample.classes * grown).sum())


def _harmonic(start: float, terms: int) -> float:
    return float(_harmonics(start, np.array([terms]))[0])


def _harmonics(start: float, terms: Ints) -> Floats:
    """Σ 1/(start+i) for i from 1 to each number of terms."""
    first = np.cumsum(1 / (start + np.arange(1, SUMMED + 1)))
    sums = np.concatenate(([0.0], first))[np.minimum(terms, SUMMED)]
    # ψ(z+½) ≈ log z + 1/24z² − 7/960z⁴ + 31/8064z⁶: exact to the last digits from here on
    low, high = start + SUMMED + 0.5, start + np.maximum(terms, SUMMED) + 0.5
    rest = np.log1p((high - low) / low)
    for power, factor in ((-2.0, 1 / 24), (-4.0, -7 / 960), (-6.0, 31 / 8064)):
        rest += factor * (high**power - low**power)
    return np.asarray(sums + rest)
