"""The compiled loops that draw noise. Each has a plain-Python twin: `draw` of its law, on the same bytes.

They compare bytes and multiply whole numbers that fit, and nothing overflows. Floating point decides one coin
of the rounded normal law, where it cannot be wrong. A draw that is not decided (about once in 2^58, of the
rounded law in 2^28) is left to the twin, which starts at its first byte again and goes on with more digits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Int64 = NDArray[np.int64]
UInt64 = NDArray[np.uint64]
UInt8 = NDArray[np.uint8]

DONE, SHORT, UNDECIDED = 0, 1, 2


@compiled
def _coin(threshold: np.uint64, width: int, source: UInt8, at: int) -> tuple[int, int]:
    """1 or 0 with a probability given by its first bytes, or 2 when they all tie; and where to read on."""
    for place in range(width):
        wanted = (threshold >> np.uint64(8 * (width - 1 - place))) & np.uint64(255)
        drawn = np.uint64(source[at])
        at += 1
        if drawn != wanted:
            return (1 if drawn < wanted else 0), at
    return 2, at


@compiled
def laplace(
    out: Int64, done: int, thresholds: UInt64, width: int, source: UInt8, at: int
) -> tuple[int, int, int]:
    """Fill `out` from `done` on: how far it came, where the next byte is, and why it stopped."""
    digits = len(thresholds) - 1
    need = (digits + 1) * width + 1
    while done < len(out):
        # Whether bytes suffice is asked before any is seen: a draw cut off midway would not be fair.
        if len(source) - at < need:
            return done, at, SHORT
        start = at
        size = np.int64(0)
        for digit in range(digits):
            fell, at = _coin(thresholds[digit], width, source, at)
            if fell == 2:
                return done, start, UNDECIDED
            size |= np.int64(fell) << np.int64(digit)
        fell, at = _coin(thresholds[digits], width, source, at)
        if fell != 0:
            return done, start, UNDECIDED
        negative = source[at] & np.uint8(1)
        at += 1
        if size != 0 or negative == 0:
            out[done] = -size if negative else size
            done += 1
    return done, at, DONE


@compiled
def gaussian(
    out: Int64, done: int, coarse: UInt64, fine: UInt64, shift: int, width: int, source: UInt8, at: int
) -> tuple[int, int, int]:
    """The same for the discrete Gaussian; `shift` is at most 52, and `coarse` has under 64 entries."""
    wide = (shift + 7) // 8
    need = width + wide + len(fine) * width + 1
    mask = (np.uint64(1) << np.uint64(shift)) - np.uint64(1)
    while done < len(out):
        if len(source) - at < need:
            return done, at, SHORT
        start = at
        drawn = np.uint64(0)
        for _ in range(width):
            drawn = (drawn << np.uint64(8)) | np.uint64(source[at])
            at += 1
        k = 0
        while k < len(coarse) and drawn > coarse[k]:
            k += 1
        if k == len(coarse) or drawn == coarse[k]:
            return done, start, UNDECIDED
        j = np.uint64(0)
        for _ in range(wide):
            j = (j << np.uint64(8)) | np.uint64(source[at])
            at += 1
        j &= mask
        other = (np.uint64(k) << np.uint64(shift + 1)) + j
        high, low = _product(j, other)
        fell = 1
        digit = len(fine) - 1
        while digit >= 0 and fell == 1:
            word = low if digit < 64 else high
            if (word >> np.uint64(digit & 63)) & np.uint64(1):
                fell, at = _coin(fine[digit], width, source, at)
            digit -= 1
        if fell == 2:
            return done, start, UNDECIDED
        if fell == 0:
            continue
        negative = source[at] & np.uint8(1)
        at += 1
        size = np.int64((np.uint64(k) << np.uint64(shift)) + j)
        if size != 0 or negative == 0:
            out[done] = -size if negative else size
            done += 1
    return done, at, DONE


@compiled
def rounded_normal(
    out: Int64, done: int, coarse: UInt64, shift: int, rate: float, source: UInt8, at: int
) -> tuple[int, int, int]:
    """The same for the normal law, rounded. `rate` is 1 / 2σ²; bytes as in `RoundedNormal.draw`."""
    wide = (shift + 7) // 8
    need = 8 + wide + 4 + 8 + 1
    mask = (np.uint64(1) << np.uint64(shift)) - np.uint64(1)
    while done < len(out):
        if len(source) - at < need:
            return done, at, SHORT
        start = at
        drawn, at = _word(source, at, 8)
        k = 0
        while k < len(coarse) and drawn > coarse[k]:
            k += 1
        if k == len(coarse) or drawn == coarse[k]:
            return done, start, UNDECIDED
        j, at = _word(source, at, wide)
        j &= mask
        behind, at = _word(source, at, 4)
        word, at = _word(source, at, 8)
        negative = source[at] & np.uint8(1)
        at += 1
        first, coin = np.float64(k << shift), np.float64(word) * 2.0**-64
        y = np.float64(j) + np.float64(behind) * 2.0**-32
        chance = np.exp(-y * (2.0 * first + y) * rate)
        # What doubles may be wrong by, a hundred times over, and what the digits of y not yet drawn may do.
        blur = 2.0**-40 + chance * (2.0 * (first + y + 1.0) * rate * 2.0**-31)
        if abs(coin - chance) <= blur:
            return done, start, UNDECIDED
        if coin < chance:
            size = np.int64((np.uint64(k) << np.uint64(shift)) + j + (behind >> np.uint64(31)))
            out[done] = -size if negative else size
            done += 1
    return done, at, DONE


@compiled
def _word(source: UInt8, at: int, width: int) -> tuple[np.uint64, int]:
    """The next bytes as one number, and where to read on."""
    found = np.uint64(0)
    for _ in range(width):
        found = (found << np.uint64(8)) | np.uint64(source[at])
        at += 1
    return found, at


@compiled
def _product(left: np.uint64, right: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The product of two words as two words, high and low."""
    half, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    a, b = left >> half, left & mask
    c, d = right >> half, right & mask
    low = b * d
    middle = (low >> half) + ((a * d) & mask) + ((b * c) & mask)
    high = a * c + ((a * d) >> half) + ((b * c) >> half) + (middle >> half)
    return high, (middle << half) | (low & mask)
