"""How fast large numbers of friends become rare."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Measure
from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.graphs.graph import Graph, Int64

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PowerLawFit:
    """The exponent, from which degree on it holds, how many people have at least that, and how well it fits.

    `distance` is the largest gap between the two cumulative distributions (Kolmogorov–Smirnov). The exponent
    is None where the degrees do not determine one.
    """

    exponent: float | None
    x_min: int
    nodes: int
    distance: float | None

    def to_json(self) -> dict[str, Json]:
        return {
            "exponent": self.exponent,
            "x_min": self.x_min,
            "nodes": self.nodes,
            "distance": self.distance,
        }


@dataclass(frozen=True)
class PowerLaw(Measure[Graph, PowerLawFit]):
    """The exponent of the power law that fits the degrees from x_min on best.

    Maximum likelihood for whole numbers, with the Hurwitz zeta function. With x_min = 0 the start is chosen
    where the fit is closest (smallest Kolmogorov–Smirnov distance). Nothing is said where fewer than two
    people reach x_min or all of them have the same degree. A fit is no proof that degrees follow a power law.

    Clauset, Shalizi, Newman, "Power-law distributions in empirical data", 2009.
    """

    name: ClassVar[str] = "power-law"

    x_min: int = 3

    def __post_init__(self) -> None:
        if self.x_min < 0:
            raise BadParameter(f"x_min={self.x_min} is below 0; take 1 or more, or 0 to have it estimated")

    def measure(self, graph: Graph) -> PowerLawFit:
        """The fit to the degrees of a graph."""
        degrees = graph.undirected().degrees
        counted = np.bincount(degrees) if len(degrees) else np.zeros(0, np.int64)
        values = np.flatnonzero(counted)
        values = values[values > 0]
        counts = counted[values]
        if self.x_min:
            return _fit(values, counts, self.x_min)
        fits = [_fit(values, counts, int(start)) for start in values[:-1]]
        found = [fit for fit in fits if fit.distance is not None]
        return min(found, key=lambda fit: fit.distance or 0.0, default=PowerLawFit(None, 0, 0, None))


def _fit(values: Int64, counts: Int64, x_min: int) -> PowerLawFit:
    tail = values >= x_min
    values, counts = values[tail], counts[tail]
    nodes = int(counts.sum())
    if len(values) < 2:
        return PowerLawFit(None, x_min, nodes, None)
    # Logarithms relative to x_min stay small, so nothing is lost by rounding.
    mean = float((counts * np.log(values / x_min)).sum() / nodes)
    exponent = _likeliest(mean, x_min)
    return PowerLawFit(exponent, x_min, nodes, _distance(values, counts, exponent, x_min))


def _likeliest(mean: float, x_min: int) -> float:
    """The exponent that makes a mean logarithm likeliest; the likelihood has one peak."""
    from scipy.optimize import minimize_scalar

    def loss(exponent: float) -> float:
        return exponent * mean + _log_zeta(exponent, x_min)

    # The exponent of the continuous law is near; the peak lies between points that are both worse.
    guess = 1 + 1 / mean
    low, high = 1 + (guess - 1) / 2, 1 + (guess - 1) * 2
    while loss(low) <= loss(guess):
        low, guess, high = 1 + (low - 1) / 2, low, guess
    while loss(high) <= loss(guess):
        low, guess, high = guess, high, 1 + (high - 1) * 2
    return float(minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-10}).x)


def _log_zeta(exponent: float, start: int) -> float:
    """The logarithm of Σ (x / start)^-exponent over all whole x from start on."""
    from scipy.special import zeta

    if exponent * math.log(start) < 600:
        return math.log(float(zeta(exponent, start))) + exponent * math.log(start)
    # There zeta is below what a float holds. The terms fall fast enough to be added one by one.
    terms = np.arange(start, start + 60 * (1 + start / exponent) * 2)
    return math.log(float(np.exp(-exponent * np.log(terms / start)).sum()))


def _distance(values: Int64, counts: Int64, exponent: float, x_min: int) -> float:
    """The largest gap between observed and fitted shares of people below a degree, at every degree."""
    nodes = counts.sum()
    below = np.concatenate(([0], np.cumsum(counts)[:-1])) / nodes
    upto = np.cumsum(counts) / nodes
    return float(
        max(
            np.abs(below - _below(values, exponent, x_min)).max(),
            np.abs(upto - _below(values + 1, exponent, x_min)).max(),
        )
    )


def _below(values: Int64, exponent: float, x_min: int) -> Floats:
    """The fitted share of people with a lower degree."""
    whole = _log_zeta(exponent, x_min)
    logs = np.array([_log_zeta(exponent, int(value)) for value in values])
    return np.asarray(-np.expm1(logs - exponent * np.log(values / x_min) - whole), np.float64)
