"""What aggregates are made of noisy numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.queries.answering.noise import Reals
from shoal.queries.query import Aggregate, Mix, Query


def values_of(
    query: Query, primitives: Sequence[Reals], quantiles: Sequence[Reals]
) -> dict[str, NDArray[Any]]:
    """The columns a0, a1 … of the aggregates, for one answer or for many simulated ones."""
    return {
        f"a{index}": _formula(aggregate, primitives, quantiles)
        for index, aggregate in enumerate(query.aggregates)
    }


def mixed(mix: Mix, primitives: Sequence[Reals]) -> Reals:
    """A sum of noisy numbers, each times its weight."""
    (first, weight), *rest = mix
    found: Reals = primitives[first] * weight if weight != 1 else primitives[first]
    for index, weight in rest:
        found = found + primitives[index] * weight
    return found


def _formula(aggregate: Aggregate, primitives: Sequence[Reals], quantiles: Sequence[Reals]) -> Reals:
    if aggregate.quantile is not None:
        return quantiles[aggregate.quantile]
    parts = [mixed(mix, primitives) for mix in aggregate.of]
    if aggregate.formula == "plain":
        return np.rint(parts[0]) if aggregate.whole else parts[0]
    number = np.maximum(parts[-1], 1.0)  # a noisy count may be 0 or less
    if aggregate.formula == "mean":
        return np.clip(aggregate.centre + parts[0] / number, aggregate.low, aggregate.high)
    variance = parts[1] / number - (parts[0] / number) ** 2
    if aggregate.formula.startswith("sample"):
        variance = variance * number / np.maximum(number - 1, 1.0)
    variance = np.maximum(variance, 0.0)
    found = np.sqrt(variance) if aggregate.formula.endswith("deviation") else variance
    return found if aggregate.high is None else np.minimum(found, aggregate.high)
