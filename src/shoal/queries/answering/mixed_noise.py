"""How far off a sum of noisy numbers is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from shoal.queries.answering.group_thresholds import Noise
from shoal.queries.query import Mix, Query

DRAWS = 100_000  # of which 5 % lie outside, give or take a seventieth of them


@dataclass(frozen=True)
class MixedNoise:
    """The expected size of the noise, and a width that it exceeds one time in twenty."""

    error: float
    width: float


def mixed_noise(query: Query, noises: Sequence[Noise], mix: Mix) -> MixedNoise:
    """The noise in a sum of primitives: by its formula where there is one number, else simulated once."""
    parts = tuple((noises[index], weight * float(query.primitives[index].grid)) for index, weight in mix)
    if len(parts) == 1:
        noise, weight = parts[0]
        return MixedNoise(noise.error * abs(weight), noise.interval() * abs(weight))
    return _simulated(parts)


@lru_cache(maxsize=256)
def _simulated(parts: tuple[tuple[Noise, float], ...]) -> MixedNoise:
    generator = np.random.default_rng(0)  # nothing secret goes in
    total = np.zeros(DRAWS)
    for noise, weight in parts:
        total += weight * noise.draws(DRAWS, generator)
    sizes = np.abs(total)
    return MixedNoise(float(sizes.mean()), float(np.quantile(sizes, 0.95)))
