"""ε bounded from below by what was drawn on two neighbours: above the promise, the promise is broken.

One half of the draws chooses the event that tells the most, the other half counts it, so that the choice does
not flatter the bound. Counts become probabilities by Clopper and Pearson.

Jagielski, Ullman, Oprea, "Auditing differentially private machine learning", 2020; events by a cautious ratio
instead of the raw one, which misses a factor of two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from shoal.core.extras import require

Draws = NDArray[np.float64]  # a row for every draw
Event = Callable[[Draws], NDArray[np.bool_]]
Feature = Callable[[Draws], Draws]
COLUMNS = 32  # looked at one by one
DISTINCT = 4096  # combinations of columns that are outcomes of their own
UNSEEN = -1e15  # a number that was not told


def epsilon_from_below(one: Draws, other: Draws, delta: float = 0.0, confidence: float = 0.999) -> float:
    """A bound on ε that is too high with probability 1 - confidence at most. Nought tells nothing."""
    require("graphs", "an audit")
    from scipy.special import betaincinv

    one, other = _rows(one), _rows(other)
    miss = (1 - confidence) / 4  # two directions, two bounds each
    best = 0.0
    for here, there in ((one, other), (other, one)):
        event = _telling_event(here[::2], there[::2], delta)
        number, against = len(here[1::2]), len(there[1::2])
        hits, misses = int(event(here[1::2]).sum()), int(event(there[1::2]).sum())
        low = float(betaincinv(hits, number - hits + 1, miss)) if hits else 0.0
        high = float(betaincinv(misses + 1, against - misses, 1 - miss)) if misses < against else 1.0
        if low > delta:
            best = max(best, math.log((low - delta) / high))
    return best


def _rows(draws: Draws) -> Draws:
    table = np.asarray(draws, np.float64)
    table = table.reshape(len(table), -1)
    return np.where(np.isnan(table), UNSEEN, table)


def _telling_event(here: Draws, there: Draws, delta: float) -> Event:
    """The event with the best cautious ratio of all that are looked at."""
    best = -1.0
    event: Event = _never
    for feature in _features(here, there):
        ratio, found = _best_of(feature(here), feature(there), delta)
        if ratio > best:
            best, event = ratio, _then(feature, found)
    return event


def _never(draws: Draws) -> NDArray[np.bool_]:
    return np.zeros(len(draws), np.bool_)


def _then(feature: Feature, found: Event) -> Event:
    return lambda draws: found(feature(draws))


def _features(here: Draws, there: Draws) -> Iterator[Feature]:
    """One number per draw: each number, the whole outcome, a direction, and how many digits there are."""
    columns = here.shape[1]
    for index in range(min(columns, COLUMNS)):
        yield _column(index)
    if columns > 1:
        known, _ = np.unique(np.concatenate((here, there)), axis=0, return_inverse=True)
        if len(known) <= DISTINCT:
            weights = np.random.default_rng(0).normal(size=columns)  # equal rows, and no others, meet
            yield lambda draws: np.round(np.sin(draws % 1e6) @ weights, 9)
        middle, spread = here.mean(axis=0) - there.mean(axis=0), here.var(axis=0) + there.var(axis=0)
        seen = (here > UNSEEN).all(axis=0) & (there > UNSEEN).all(axis=0) & (spread > 0)
        direction = np.where(seen, middle / np.where(spread > 0, spread, 1.0), 0.0)
        yield lambda draws: np.where(seen, draws, 0.0) @ direction
    for index in range(min(columns, COLUMNS)):
        if (here[:, index] % 1 != 0).any():
            yield _digits(index)


def _column(index: int) -> Feature:
    return lambda draws: draws[:, index]


def _digits(index: int) -> Feature:
    return lambda draws: _last_digit(draws[:, index])


def _last_digit(numbers: Draws) -> Draws:
    """The place of the last binary digit: noise on 0 has finer ones than noise on 1 (Mironov 2012)."""
    mantissa, exponent = np.frexp(numbers)
    whole = (np.abs(mantissa) * 2.0**53).astype(np.int64)
    last = np.log2(np.maximum(whole & -whole, 1))
    return np.where(whole > 0, exponent - 53 + last, 2000.0)


def _best_of(here: Draws, there: Draws, delta: float) -> tuple[float, Event]:
    """The best half line, outcome or set of outcomes by the share of `here` over the share of `there`."""
    values = np.unique(np.concatenate((here, there)))
    shares = [
        np.bincount(np.searchsorted(values, side), minlength=len(values)) / len(side)
        for side in (here, there)
    ]

    def caution(p: Draws, q: Draws) -> Draws:
        low = p - delta - 5 * np.sqrt(p / len(here)) - 5 / len(here)
        high = q + 5 * np.sqrt(q / len(there)) + 10 / len(there)
        return np.where(low > 0, low / high, 0.0)

    order = np.argsort(-shares[0] / np.maximum(shares[1], 1 / len(there)), kind="stable")
    found = [
        caution(*(np.cumsum(share) for share in shares)),
        caution(*(np.cumsum(share[::-1])[::-1] for share in shares)),
        caution(*shares),
    ]
    if len(values) < len(here) // 8:  # numbers that hardly come twice would be chosen by their luck
        found.append(caution(*(np.cumsum(share[order]) for share in shares)))
    kind = int(np.argmax([ratios.max() for ratios in found]))
    place = int(found[kind].argmax())
    ratio, edge = float(found[kind][place]), values[place]
    if kind == 0:
        return ratio, lambda draws: draws <= edge
    if kind == 1:
        return ratio, lambda draws: draws >= edge
    chosen = values[place : place + 1] if kind == 2 else values[order[: place + 1]]
    return ratio, lambda draws: np.isin(draws, chosen)
