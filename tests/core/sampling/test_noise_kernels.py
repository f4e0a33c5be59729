"""The compiled loops give what their twins give from the same bytes, also where tables cannot decide."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.sampling.tapes import Tape
from shoal.core.sampling import noise_kernels as kernels
from shoal.core.sampling.gaussian import DiscreteGaussian
from shoal.core.sampling.laplace import DiscreteLaplace
from shoal.core.sampling.noise import fill_with_noise
from shoal.core.sampling.random_bytes import Source
from statistical.goodness import ALARM, fits, gaussian_pmf, laplace_pmf

SIZES = [Fraction(1, 10), Fraction(1), Fraction(37, 3), Fraction(2**40) * 10, Fraction(2**52)]


def by_laplace(scale: Fraction, width: int, number: int, source: Source, each: int) -> NDArray[np.int64]:
    law = DiscreteLaplace(scale)

    def fill(out: Any, done: int, tape: Source) -> tuple[int, int, int]:
        return kernels.laplace(out, done, law.thresholds(width), width, tape.bytes, tape.position)

    return fill_with_noise(fill, law.draw, number, source, each)


def by_gaussian(variance: Fraction, width: int, number: int, source: Source, each: int) -> NDArray[np.int64]:
    law = DiscreteGaussian(variance)

    def fill(out: Any, done: int, tape: Source) -> tuple[int, int, int]:
        tables = law.coarse(width), law.fine(width), law.shift, width
        return kernels.gaussian(out, done, *tables, tape.bytes, tape.position)

    return fill_with_noise(fill, lambda tape: law.draw(tape, width), number, source, each)


def repeated(draw: Callable[[Source], int], number: int) -> list[int]:
    tape = Tape(7)
    tape.refill(10**6)
    return [draw(tape) for _ in range(number)]


@pytest.mark.parametrize("width", [1, 2, 8])
@pytest.mark.parametrize("size", SIZES)
def test_loop_and_twin_agree_byte_by_byte(size: Fraction, width: int) -> None:
    # With tables of one byte a coin in 256 is left to the twin: the way there and back is walked often.
    tape = Tape(7)
    tape.fresh = lambda _, made=tape.fresh: made(10**6)  # type: ignore[method-assign,misc]
    found = by_laplace(size, width, 300, tape, 1)
    assert found.tolist() == repeated(DiscreteLaplace(size).draw, 300)
    tape = Tape(7)
    tape.fresh = lambda _, made=tape.fresh: made(10**6)  # type: ignore[method-assign,misc]
    found = by_gaussian(size**2, width, 300, tape, 1)
    law = DiscreteGaussian(size**2)
    assert found.tolist() == repeated(lambda source: law.draw(source, width), 300)


@pytest.mark.parametrize("width", [1, 8])
def test_running_short_of_bytes_favours_nobody(width: int) -> None:
    # Few bytes at a time: thousands of refills, each at a moment that long draws bring about more often.
    class Sips(Source):
        def refill(self, number: int) -> None:
            super().refill(600)

    draws = by_laplace(Fraction(3), width, 60_000, Sips(), 1)
    assert fits(draws, laplace_pmf(Fraction(3), 200)) > ALARM
    draws = by_gaussian(Fraction(40), width, 60_000, Sips(), 1)
    assert fits(draws, gaussian_pmf(Fraction(40), 60)) > ALARM


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_products_of_words_lose_nothing(left: int, right: int) -> None:
    high, low = kernels._product(np.uint64(left), np.uint64(right))
    assert int(high) << 64 | int(low) == left * right
