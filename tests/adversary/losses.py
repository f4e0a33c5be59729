"""The privacy that a question really takes from two databases, worked out from all noise that it gets.

What was counted of both is known before the noise, and so are the noise and the choices that are made: how
far the one answer tells them apart follows exactly, or for choices to a bound that some data reach. That must
be no more than what the question was charged, in the books of the data set.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adversary.outcomes import Exact
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.noise import noises_of
from shoal.queries.declaration.declaration import Dataset
from shoal.queries.mechanisms.gaussian import Gaussian
from shoal.queries.mechanisms.laplace import Laplace
from shoal.queries.mechanisms.quantile import Quantile as Mechanism
from shoal.queries.mechanisms.rounded_gaussian import RoundedGaussian
from shoal.queries.pricing import Price
from shoal.queries.query import Plan, Query

ROUNDING = 1 + 1e-9
PLACES = 3  # values for which the window around them is looked at
FEW = 40  # groups of which quantiles are looked at
Groups = Mapping[tuple[Any, ...], int]


def overspent(
    dataset: Dataset, plan: Plan, price: Price, one: Sequence[Exact], other: Sequence[Exact]
) -> str | None:
    """Whether two databases are told apart by more than what was charged."""
    books = accounting_of(dataset.accounting)
    parts = zip(plan.every, price.shares, one, other, strict=True)
    real = math.fsum(_leaf(dataset.accounting, *part) for part in parts)
    charged = float(price.cost.exact[0])
    # A cost is rounded up to its step, and what is left of it in doubles is nothing.
    if real <= charged * ROUNDING + 1e-12:
        return None
    return f"a loss of {real!r} was charged {charged!r} ({books.name})"


def _leaf(accounting: str, query: Query, shares: Shares, one: Exact, other: Exact) -> float:
    told = _told(query, one, other)
    found = []
    for index, noise in enumerate(noises_of(query, shares)):
        name = f"primitive {index}"
        apart = _apart(told, one[name], other[name])
        found.append(_of_noise(accounting, noise, apart))
    if query.people is not None:
        noise = shares.noise(query.groups, query.groups)
        found.append(_of_noise(accounting, noise, _apart(told, one["people"], other["people"])))
    for index, quantile in enumerate(query.quantiles):
        first, second = one[f"quantile {index}"], other[f"quantile {index}"]
        moved = {group[:-1] for group in {*first, *second} if first.get(group, 0) != second.get(group, 0)}
        groups = sorted((moved if told is None else moved & told), key=repr)[:FEW]
        mechanism = shares.quantile(quantile)
        for group in groups:
            before, after = (_steps(counts, group, quantile.steps) for counts in (first, second))
            found.append(_of_choices(accounting, mechanism, before, after))
    return math.fsum(found)


def _told(query: Query, one: Exact, other: Exact) -> set[tuple[Any, ...]] | None:
    """The groups that both have, where groups are found: that others are named is what δ is for."""
    if not query.discovered:
        return None
    name = "people" if query.people is not None else "primitive 0"
    return {*one[name]} & {*other[name]}


def _apart(told: set[tuple[Any, ...]] | None, one: Groups, other: Groups) -> list[int]:
    groups = {*one, *other} if told is None else told
    return [abs(one.get(group, 0) - other.get(group, 0)) for group in groups]


def _of_noise(accounting: str, noise: Laplace | Gaussian | RoundedGaussian, apart: Sequence[int]) -> float:
    if isinstance(noise, Laplace):
        assert accounting in ("pure", "approximate")
        return sum(apart) / float(noise.scale)
    squares = float(sum(far**2 for far in apart)) / float(noise.variance)
    assert isinstance(noise, Gaussian) == accounting.startswith("zcdp")
    return squares / 2 if isinstance(noise, Gaussian) else squares


def _of_choices(
    accounting: str, mechanism: Mechanism, one: NDArray[np.int64], other: NDArray[np.int64]
) -> float:
    """A value, and then the window around it: of both the worst."""
    shift = mechanism._inside(one.size)
    value = _of_choice(
        accounting, mechanism._rate, mechanism.scores(one, shift), mechanism.scores(other, shift)
    )
    windows = [0.0]
    for place in {0, one.size - 1, *np.flatnonzero(one != other).tolist()[:PLACES]}:
        widths = mechanism.widths(one.size, place)
        scores = (mechanism.width_scores(counts, place, widths) for counts in (one, other))
        windows.append(_of_choice(accounting, mechanism._width_rate, *scores))
    return value + max(windows)


def _of_choice(accounting: str, rate: Any, one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    moved = (other.astype(float) - one.astype(float)) * float(rate)
    if accounting in ("pure", "approximate"):
        return 2 * float(np.abs(moved).max())  # what permute and flip is proved for
    wide = float(moved.max() - moved.min())  # by so much logarithms of the probabilities are apart
    if accounting.startswith("zcdp"):
        return wide**2 / 8
    return float((2 * NormalDist().inv_cdf(1 / (1 + math.exp(-wide / 2)))) ** 2) if wide < 60 else 2 * wide


def _steps(counts: Groups, group: tuple[Any, ...], steps: int) -> NDArray[np.int64]:
    found = np.zeros(steps, np.int64)
    for key, rows in counts.items():
        if key[:-1] == group:
            found[min(max(key[-1], 0), steps - 1)] += rows
    return found
