"""The digits of the discrete Laplace law: exactly its probabilities, and draws that follow them."""

from fractions import Fraction

import numpy as np
import pytest
from mpmath import exp, mpf  # type: ignore[import-untyped]

from core.sampling.tapes import Tape
from shoal.core.sampling.laplace import DiscreteLaplace
from shoal.core.sampling.random_bytes import Source
from statistical.goodness import ALARM, fits, laplace_pmf, real

SCALES = [Fraction(1, 10), Fraction(1), Fraction(37, 3)]


@pytest.mark.parametrize("scale", SCALES)
def test_the_digits_multiply_to_the_exact_law(scale: Fraction) -> None:
    law = DiscreteLaplace(scale)
    ratio = exp(-1 / real(scale))
    chances = [mpf(chance.digits(160)) / 2**160 for chance in law.chances]
    for size in range(1 << min(law.digits, 7)):
        product = 1 - chances[-1]
        for digit, chance in enumerate(chances[:-1]):
            product *= chance if size >> digit & 1 else 1 - chance
        assert abs(product / ((1 - ratio) * ratio**size) - 1) < 1e-9 * 2**-60


@pytest.mark.parametrize("scale", SCALES)
def test_the_twin_follows_the_law(scale: Fraction) -> None:
    law, source = DiscreteLaplace(scale), Source()
    draws = np.array([law.draw(source) for _ in range(20_000)])
    assert fits(draws, laplace_pmf(scale, 300)) > ALARM


def test_what_lies_beyond_the_digits_is_drawn_too() -> None:
    law = DiscreteLaplace(Fraction(1, 10))
    assert law.digits == 3  # 2^3 is more than 45 / 10
    *_, beyond = law.chances
    tape = Tape(0)
    digits = list((beyond.digits(160) - 1).to_bytes(20, "big"))  # just below, so that it falls on True
    tape.bytes = np.array([255, 255, 255, *digits, 255, 0], np.uint8)
    assert law.draw(tape) == 8  # no digit, once beyond, then not, and plus
    assert tape.position == len(tape.bytes)


def test_scales_up_to_the_largest_have_tables_of_words() -> None:
    law = DiscreteLaplace(Fraction(2**52))
    assert law.thresholds().dtype == np.uint64 and len(law.thresholds()) == 59
    assert law.thresholds()[-1] < 2**10 and law.thresholds(1).max() < 128
