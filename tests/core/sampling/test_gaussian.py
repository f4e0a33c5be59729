"""The steps of the discrete Gaussian law: exactly its probabilities, and draws that follow them."""

from fractions import Fraction

import numpy as np
import pytest
from mpmath import exp, mpf  # type: ignore[import-untyped]

from shoal.core.sampling.gaussian import DiscreteGaussian
from shoal.core.sampling.random_bytes import Source
from statistical.goodness import ALARM, fits, gaussian_pmf, real

VARIANCES = [Fraction(1, 10), Fraction(1), Fraction(7), Fraction(1000, 3)]


@pytest.mark.parametrize("variance", VARIANCES)
def test_the_steps_multiply_to_the_exact_law(variance: Fraction) -> None:
    law = DiscreteGaussian(variance)
    rate, unit = 1 / (2 * real(variance)), 1 << law.shift
    coarse = [mpf(law.upto(k).digits(200)) / 2**200 for k in range(4)]
    steps = [coarse[0], *(coarse[k] - coarse[k - 1] for k in range(1, 4))]
    seen = {}
    for k in range(4):
        for j in range(unit):
            product, kept = j * (2 * k * unit + j), mpf(1)
            for digit in range(product.bit_length()):
                if product >> digit & 1:
                    kept *= mpf(law.coin(digit).digits(200)) / 2**200
            seen[k * unit + j] = steps[k] * kept
    for size, weight in seen.items():
        assert abs(weight / seen[0] - exp(-rate * size * size)) < mpf(2) ** -150


@pytest.mark.parametrize("variance", VARIANCES)
def test_the_twin_follows_the_law(variance: Fraction) -> None:
    law, source = DiscreteGaussian(variance), Source()
    draws = np.array([law.draw(source, 1) for _ in range(10_000)])
    assert fits(draws, gaussian_pmf(variance, 120)) > ALARM


def test_scales_up_to_the_largest_fit_the_compiled_loop() -> None:
    law = DiscreteGaussian(Fraction(2**104))
    assert law.shift == 52 and len(law.coarse()) < 64 and len(law.fine()) <= 112
    assert DiscreteGaussian(Fraction(1, 10**12)).shift == 0
    assert len(DiscreteGaussian(Fraction(1, 10**12)).coarse()) == 1
