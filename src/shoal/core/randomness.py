"""Randomness. Methods and attacks take a replayable generator; what privacy rests on takes no seed at all.

Noise on numbers is OpenDP's; coins and choices are drawn here from the operating system.
"""

import os

import numpy as np
from numpy.typing import NDArray


def generator(seed: int | None) -> np.random.Generator:
    """A replayable generator for a seed; without one, seeded by the operating system."""
    return np.random.default_rng(seed)


def coins(number: int, probability: float) -> NDArray[np.bool_]:
    """Coins for privacy, from the operating system and with no seed: each falls on True with a probability.

    The probability is cut to a multiple of 2^-53: a coin compares whole numbers, and nothing is rounded.
    """
    draws = np.frombuffer(os.urandom(8 * number), np.uint64) >> np.uint64(11)
    return np.asarray(draws < np.uint64(int(probability * 2**53)))


def picks(number: int, below: int) -> NDArray[np.int64]:
    """Whole numbers from 0 to below - 1 for privacy, each as likely as the others."""
    # Draws that would favour the low numbers are thrown away.
    fair = 2**63 - 2**63 % below
    found = np.empty(0, np.int64)
    while len(found) < number:
        draws = np.frombuffer(os.urandom(8 * (number - len(found))), np.uint64)
        draws = (draws >> np.uint64(1)).astype(np.int64)
        found = np.concatenate((found, draws[draws < fair] % below))
    return found


def random_order(number: int) -> NDArray[np.int64]:
    """An order for rows that tells nothing of the one before, from the operating system."""
    draws = np.frombuffer(os.urandom(8 * number), np.uint64)
    return np.argsort(draws, kind="stable")
