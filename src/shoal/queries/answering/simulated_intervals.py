"""Where the middle of simulated answers is no interval: outputs that fold, clamp or break off.

The truth of |x|, of a variance or of √x may lie at the end of all that is simulated around a noisy number, or
outside. So the formula is also tried at the edges of a box that holds the true numbers with 95 %: whatever it
makes of a point in there may be the truth, and of the true point it makes the truth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from shoal.queries.answering.aggregate_formulas import values_of
from shoal.queries.answering.noise import Chosen, Noisy, Reals
from shoal.queries.query import Aggregate, Query
from shoal.queries.results import Uncertainty
from shoal.queries.sql.post_processing import evaluate

POINTS = 512  # of the box that are tried, one in eight of them a corner
LEAST = 32  # of them when there are very many groups
CELLS = 2_000_000  # simulated values of one output in memory at once
MISS = 0.05
BENT = 0.01  # of the reach: so far may the inside go beyond the corners
FLAT = 0.01  # of the reach: narrower intervals are those of a formula that is clamped


def interval_or_box(
    query: Query, noisy: Noisy, node: exp.Expression, used: Sequence[Aggregate], apart: Uncertainty
) -> Uncertainty:
    """The simulated interval, or all that the box reaches, for those groups where the former may not hold."""
    steps = noisy.groups * sum(1 for _ in node.walk())
    points = max(LEAST, min(POINTS, CELLS // noisy.groups, 20 * CELLS // steps))
    corners = points // 8 + 4
    ends = [
        _ends(evaluate(node, _box(query, some, used, points, corners)), corners)
        for some in blocks(noisy, points, used)
    ]
    low, high, *outer = np.concatenate(ends, axis=1)
    width = high - low
    # Nulls compare as false: where a corner has no value, or nothing was simulated, the box counts.
    straight = np.maximum(outer[0] - low, high - outer[1]) <= BENT * width
    sound = straight & (apart.high - apart.low >= FLAT * width)
    if any(part.formula == "quantile" for part in used):
        sound = np.zeros_like(sound)  # the ends of a quantile are an interval already
    return Uncertainty(
        np.where(sound, apart.low, np.fmin(low, apart.low)),
        np.where(sound, apart.high, np.fmax(high, apart.high)),
        apart.error,
    )


def blocks(noisy: Noisy, points: int, used: Sequence[Aggregate]) -> Iterator[Noisy]:
    """The groups in parts, so that `points` values of all that is used fit into memory at once."""
    numbers = len(used) + len({index for part in used for mix in part.of for index, _ in mix})
    block = max(1, 2 * CELLS // (points * numbers))
    for start in range(0, noisy.groups, block):
        yield _part(noisy, start, start + block)


def _ends(found: Reals, corners: int) -> Reals:
    """The least and the greatest of all points, and of the corners, for every group."""
    return np.array(
        [end.reduce(part, axis=0) for part in (found, found[:corners]) for end in (np.fmin, np.fmax)]
    )


def _part(noisy: Noisy, start: int, stop: int) -> Noisy:
    """Some of the groups."""
    return replace(
        noisy,
        keys={name: values[start:stop] for name, values in noisy.keys.items()},
        primitives=tuple(values[start:stop] for values in noisy.primitives),
        quantiles=tuple(
            Chosen(*(values[start:stop] for values in (part.value, part.low, part.high, part.error)))
            for part in noisy.quantiles
        ),
        groups=min(stop, noisy.groups) - start,
    )


def _box(
    query: Query, noisy: Noisy, used: Sequence[Aggregate], points: int, corners: int
) -> Mapping[str, NDArray[Any]]:
    """The aggregates at points of the box, the corners first. Chance here hides nothing and may repeat."""
    generator = np.random.default_rng(0)
    numbers = sorted(set().union(*(part.primitives for part in used)))
    chosen = {part.quantile for part in used if part.quantile is not None}
    shape = (points, 1)
    confidence = 1 - MISS / max(1, len(numbers) + len(chosen))

    def places(bit: int) -> Reals:
        """From -1 to 1; the first ones are the ends, in every combination as long as there are few."""
        found = generator.uniform(-1, 1, shape)
        ends = np.where(np.arange(shape[0]) >> bit & 1, 1.0, -1.0)[:, None]
        outside = np.arange(shape[0])[:, None] < corners
        return np.where(outside, ends if corners >> bit > 1 else np.sign(found), found)

    primitives = list(noisy.primitives)
    for bit, index in enumerate(numbers):
        noise, grid = noisy.noises[index], float(query.primitives[index].grid)
        width, values, at = noise.interval(confidence), noisy.primitives[index], places(bit)
        moved = values + np.rint(at * width) * grid
        # A third of the points inside at the ends, and a third at nought, where formulas fold.
        kind = generator.integers(0, 3, shape)
        kind[:corners] = 0
        moved = np.where(kind == 1, values + np.sign(at) * width * grid, moved)
        primitives[index] = np.where((kind == 2) & (np.abs(values) <= width * grid), 0.0, moved)
    quantiles = [part.value for part in noisy.quantiles]
    for bit, index in enumerate(sorted(chosen), len(numbers)):
        picked = noisy.quantiles[index]
        quantiles[index] = picked.low + (places(bit) + 1) / 2 * (picked.high - picked.low)
    return {**noisy.keys, **values_of(query, primitives, quantiles)}
