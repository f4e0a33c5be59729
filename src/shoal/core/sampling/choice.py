"""One of many candidates, each with exactly its probability.

A random number between 0 and the sum of all weights falls into the stretch of one candidate. Doubles say
where, with a margin that covers every rounding; where the margin touches the end of a stretch, whole
numbers with more and more digits decide.
"""

from __future__ import annotations

import os
import secrets
from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.sampling.exact_probabilities import Bounds, exp_bounds

_STEEP = Fraction(2**60)  # a step of the score weighs nothing at such a rate, in doubles
_WORD = 64
_CLOSE = 2.0**-39  # what doubles may be wrong by, many times over


def exact_choice(scores: NDArray[np.int64], rate: Fraction) -> int:
    """The index i with P(i) ∝ exp(-rate · scores[i]): whole scores, small is good; a rate of 0 or more."""
    check(len(scores), rate)
    # The difference of two 64-bit numbers fits 64 bits without a sign.
    above = scores.astype(np.uint64) - scores.min().astype(np.uint64)
    powers = above.astype(np.float64) * float(min(rate, _STEEP))
    weights = np.exp(-powers)

    def exact(bits: int) -> list[Bounds]:
        known = {score: exp_bounds(rate * score, bits) for score in set(above.tolist())}
        return [known[score] for score in above.tolist()]

    return choose(weights, exact)


def exact_flip(scores: NDArray[np.int64], rate: Fraction) -> int:
    """One of the candidates whose coin, of P = exp(-rate · how far it is behind the best), falls on heads.

    Going through the candidates in random order until the first heads (permute and flip) gives the same law,
    since each coin is thrown once at most: so all are thrown, and one of those on heads is taken.
    """
    check(len(scores), rate)
    above = scores.astype(np.uint64) - scores.min().astype(np.uint64)
    chances = np.exp(-above.astype(np.float64) * float(min(rate, _STEEP)))
    words = np.frombuffer(os.urandom(_WORD // 8 * len(scores)), np.uint64)
    apart = chances - words.astype(np.float64) * 2.0**-_WORD
    heads = (apart > 0) | (above == 0)
    for place in np.flatnonzero((np.abs(apart) <= _CLOSE) & (above > 0)).tolist():
        heads[place] = _heads(int(words[place]), rate * int(above[place]))
    standing = np.flatnonzero(heads)
    return int(standing[secrets.randbelow(len(standing))])


def _heads(random: int, power: Fraction) -> bool:
    """Whether a number between 0 and 1, of which a word is known, is less than exp(-power)."""
    bits = _WORD
    while True:
        low, high = exp_bounds(power, bits + 16)
        if (random + 1) << 16 <= low:
            return True
        if random << 16 >= high:
            return False
        random, bits = random << _WORD | int.from_bytes(os.urandom(_WORD // 8), "big"), bits + _WORD


def choose(weights: NDArray[np.float64], exact: Callable[[int], Sequence[Bounds]]) -> int:
    """A candidate by its weight, given in doubles and, when asked for, between whole numbers · 2^-bits.

    A double weight may be off by 2^-40 of itself or by 10^-280, and the largest is 1 or more. (The exponent
    of a weight above 10^-320 is under 740 and off by 2^-52 of itself at most; exp and the formulas for sums
    add a few units in the last place.)
    """
    random, drawn = int.from_bytes(os.urandom(_WORD // 8), "big"), _WORD
    ends = np.cumsum(weights)
    # Adding n numbers one by one is off by n · 2^-53 of the sum; the random number is known to 2^-53 or so.
    margin = ends[-1] * (2.0**-39 + len(ends) * 2.0**-51)
    at = random * 2.0**-_WORD * ends[-1]
    first = int(np.searchsorted(ends, at - margin, side="right"))
    last = int(np.searchsorted(ends, at + margin, side="right"))
    if first == last < len(ends):
        return first
    return _decide(random, drawn, exact)


def _decide(random: int, drawn: int, exact: Callable[[int], Sequence[Bounds]]) -> int:
    """The same, with as many digits as it takes."""
    bits = 2 * _WORD
    while True:
        more = bits - drawn
        random, drawn = random << more | int.from_bytes(os.urandom(more // 8), "big"), bits
        weights = exact(bits)
        low = list(accumulate(weight.low for weight in weights))
        high = list(accumulate(weight.high for weight in weights))
        # The point lies between random and random + 1 (in 2^-bits) times a sum between low and high.
        least, most = random * low[-1] >> bits, ((random + 1) * high[-1] >> bits) + 1
        # Certain, when it is past every end that the one before may have, and short of every end of its own.
        place = bisect_right(low, most)
        if place < len(low) and (place == 0 or least >= high[place - 1]):
            return place
        bits *= 2


def check(number: int, rate: Fraction) -> None:
    """At least one candidate, and a rate that makes sense."""
    if not number:
        raise BadParameter("there is nothing to choose from; give at least one candidate")
    if rate < 0:
        raise BadParameter(f"a rate of {float(rate):g} prefers the worst; give 0 or more")
