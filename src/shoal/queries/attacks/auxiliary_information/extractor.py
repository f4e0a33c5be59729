"""A strong extractor by Toeplitz hashing, a one-time pad, and a sketch that bears small errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint8]
Integers = NDArray[np.int64]
WIDTH = 40  # bits of one answer


def bits_of(answers: Integers, width: int = WIDTH) -> Bits:
    """Whole numbers as one row of bits, each of the same width."""
    places = np.arange(width)
    return ((answers[:, None] >> places) & 1).astype(np.uint8).reshape(-1)


def number_of(bits: Bits) -> int:
    """The whole number that bits stand for."""
    return int(sum(int(bit) << place for place, bit in enumerate(bits)))


def extract(source: Bits, seed: Bits, length: int) -> Bits:
    """Bits that are nearly uniform, also for whoever knows the seed: a Toeplitz matrix times the source.

    The matrix has one bit of the seed per diagonal. Two sources collide for one seed in 2^length, which is
    all that the leftover hash lemma asks for (Impagliazzo, Levin, Luby 1989; Mansour, Nisan, Tiwari 1993).
    """
    if len(seed) != len(source) + length - 1:
        raise ValueError(f"a seed of {len(source) + length - 1} bits is needed, not {len(seed)}")
    windows = np.lib.stride_tricks.sliding_window_view(seed, len(source))[:length]
    found: Bits = (windows.astype(np.int64) @ source[::-1].astype(np.int64) & 1).astype(np.uint8)
    return found


def sketch(answers: Integers, tolerance: int) -> Integers:
    """How far each answer lies from the middle of its cell: public, and useless without the cell.

    Dodis, Ostrovsky, Reyzin, Smith, "Fuzzy extractors", 2008: the code offset, for whole numbers.
    """
    cell = 2 * tolerance + 1
    return np.asarray(answers - np.floor_divide(answers + tolerance, cell) * cell)


def mend(answers: Integers, offsets: Integers, tolerance: int) -> Integers:
    """The answers that were sketched, if none is off by more than the tolerance."""
    cell = 2 * tolerance + 1
    return np.asarray(np.floor_divide(answers - offsets + tolerance, cell) * cell + offsets)
