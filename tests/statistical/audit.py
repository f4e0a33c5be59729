"""ε bounded from below by what a mechanism does: no more than it promised, or it is broken."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

MISS = 1e-9  # how often one bound is wrong

Draws = NDArray[np.int64]


def epsilon_from_below(one: Draws, other: Draws, delta: float = 0.0) -> float:
    """A bound on ε from outcomes (coded as whole numbers) on two neighbours, wrong about once in 10^8.

    One half of the draws chooses the event that tells the most, the other half counts it. Events are half
    lines, single outcomes, and all outcomes that one input gives far more often.
    """
    best = 0.0
    for here, there in ((one, other), (other, one)):
        event = _chosen(here[::2], there[::2], delta)
        hits, misses = int(event(here[1::2]).sum()), int(event(there[1::2]).sum())
        number, against = len(here[1::2]), len(there[1::2])
        low = beta.ppf(MISS, hits, number - hits + 1) if hits else 0.0
        high = beta.ppf(1 - MISS, misses + 1, against - misses) if misses < against else 1.0
        if low > delta:
            best = max(best, math.log((low - delta) / high))
    return best


def _chosen(here: Draws, there: Draws, delta: float) -> Callable[[Draws], NDArray[np.bool_]]:
    """The event with the best cautious ratio."""
    values = np.unique(np.concatenate((here, there)))
    mine = np.searchsorted(values, here)
    theirs = np.searchsorted(values, there)
    counts = [np.bincount(codes, minlength=len(values)).astype(float) for codes in (mine, theirs)]
    shares = [count / count.sum() for count in counts]

    def caution(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
        low = p - delta - 5 * np.sqrt(p / len(here)) - 5 / len(here)
        high = q + 5 * np.sqrt(q / len(there)) + 10 / len(there)
        return np.where(low > 0, low / high, 0.0)

    upto = [np.cumsum(share) for share in shares]
    onward = [np.cumsum(share[::-1])[::-1] for share in shares]
    order = np.argsort(-shares[0] / np.maximum(shares[1], 1 / len(there)), kind="stable")
    ranked = [np.cumsum(share[order]) for share in shares]
    found = [caution(*pair) for pair in (upto, onward, shares, ranked)]
    kind = int(np.argmax([ratios.max() for ratios in found]))
    place = int(found[kind].argmax())
    chosen = [values[: place + 1], values[place:], values[place : place + 1], values[order[: place + 1]]][
        kind
    ]
    if kind == 0:
        return lambda draws: draws <= chosen[-1]
    if kind == 1:
        return lambda draws: draws >= chosen[0]
    return lambda draws: np.isin(draws, chosen)
