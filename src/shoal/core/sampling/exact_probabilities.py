"""Probabilities that are no fractions, held between whole numbers: what every exact draw rests on."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

_WORD = 8  # bytes of a probability that are worked out at once


class Bounds(NamedTuple):
    """A number lies between these two, in units of 2^-bits."""

    low: int
    high: int


def exp_bounds(x: Fraction, bits: int) -> Bounds:
    """Whole numbers around exp(-x) · 2^bits, at most a few apart, for an x of 0 or more."""
    if x == 0:
        return Bounds(1 << bits, 1 << bits)
    if x > bits:  # exp(-x) < 2^-x
        return Bounds(0, 1)
    # exp(-x) is exp(-x / 2^halvings) squared so many times; each squaring doubles the error at most.
    halvings = max(0, int(x).bit_length() + 4)
    places = bits + halvings + 16
    small = x / (1 << halvings)
    y = (small.numerator << places) // small.denominator
    total, term, terms = 0, 1 << places, 0
    while term:
        total += -term if terms & 1 else term
        terms += 1
        term = (term * y // terms) >> places
    # Cutting y moves the result by less than one unit, cutting a term by less than two, leaving out the
    # rest by two.
    low, high = total - 2 * terms - 2, total + 2 * terms + 2
    for _ in range(halvings):
        low, high = (low * low) >> places, -(-(high * high) >> places)
    cut = places - bits
    return Bounds(low >> cut, min(1 << bits, -(-high >> cut)))


def log_bound(ratio: Fraction, step: Fraction) -> Fraction:
    """A multiple of a step that is at least ln(ratio), and less than two steps more; for a ratio above 1."""
    guess = (math.log(ratio.numerator) - math.log(ratio.denominator)) / float(step)
    found = max(1, math.floor(guess) - math.ceil(abs(guess) * 2**-50))
    while not _reaches(found * step, ratio):
        found += 1
    return found * step


def _reaches(x: Fraction, ratio: Fraction) -> bool:
    """Whether exp(x) is certainly at least a ratio."""
    bits = 128 + ratio.numerator.bit_length()
    return exp_bounds(x, bits).high * ratio <= 1 << bits


class Chance:
    """A probability between 0 and 1, neither included, given by bounds as tight as one likes.

    It must be no multiple of a power of two, or its digits would never be certain. exp(-x) of a fraction x
    and what is made of it are irrational, so that they are none.
    """

    def __init__(self, bounds: Callable[[int], Bounds]) -> None:
        self._bounds = bounds

    def digits(self, bits: int) -> int:
        """The probability times 2^bits, cut to a whole number; nothing of it is a guess."""
        extra = 16
        while True:
            low, high = self._bounds(bits + extra)
            # It is below 1, even when its bounds cannot tell it from 1.
            high = min(high, (1 << bits + extra) - 1)
            if low >> extra == high >> extra:
                return low >> extra
            extra *= 2

    @cached_property
    def _first(self) -> bytes:
        return self.digits(8 * _WORD).to_bytes(_WORD, "big")

    def byte(self, place: int) -> int:
        """One byte of its binary digits, counted from 0."""
        return self._first[place] if place < _WORD else self.digits(8 * (place + 1)) & 255


def exp_chance(x: Fraction) -> Chance:
    """The probability exp(-x), for an x above 0."""
    return Chance(lambda bits: exp_bounds(x, bits))


def odds_chance(x: Fraction) -> Chance:
    """The probability exp(-x) / (1 + exp(-x)), for an x above 0."""

    def bounds(bits: int) -> Bounds:
        low, high = exp_bounds(x, bits)
        one = 1 << bits
        return Bounds((low << bits) // (one + low), -(-(high << bits) // (one + high)))

    return Chance(bounds)
