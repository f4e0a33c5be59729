"""Bytes are handed out once, and coins are fair to the last digit."""

import os
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from core.sampling.tapes import Tape
from shoal.core.sampling.exact_probabilities import exp_chance
from shoal.core.sampling.random_bytes import Source, flips


def test_no_byte_is_handed_out_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[bytes] = []

    def recorded(number: int) -> bytes:
        given.append(bytes((len(given) + i) % 256 for i in range(number)))
        return given[-1]

    monkeypatch.setattr(os, "urandom", recorded)
    source = Source()
    read = bytes(source.byte() for _ in range(9000))
    assert read == b"".join(given)[:9000] and len(given) == 3
    source.refill(10)
    assert source.number(2) == int.from_bytes(given[3][:2], "big")


def test_a_coin_goes_on_until_its_digits_differ() -> None:
    chance = exp_chance(Fraction(1, 3))
    digits = [chance.byte(place) for place in range(12)]
    for end, falls in ((digits[11] - 1, True), (digits[11] + 1, False)):
        tape = Tape(0)
        tape.bytes = np.array([*digits[:11], end], np.uint8)
        assert tape.coin(chance) is falls and tape.position == 12


def test_flips_have_their_probability() -> None:
    for probability in (Fraction(3, 4), Fraction(1, 3), Fraction(2**70 // 5, 2**70)):
        number = 20_000
        heads = int(flips(probability, number).sum())
        assert 1e-8 < binom.cdf(heads, number, float(probability)) < 1 - 1e-8
    assert flips(Fraction(1, 2), 0).shape == (0,)
