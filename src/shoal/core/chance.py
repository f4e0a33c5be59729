"""Randomness. Methods and attacks take a replayable generator; privacy noise never comes from here."""

import numpy as np


def generator(seed: int | None) -> np.random.Generator:
    """A replayable generator for a seed; without one, seeded by the operating system."""
    return np.random.default_rng(seed)
