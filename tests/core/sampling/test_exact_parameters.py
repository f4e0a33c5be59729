"""Numbers as they were written, and one sentence for what is out of range."""

from fractions import Fraction

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.core.sampling.exact_parameters import exact, fraction_text, probability
from shoal.queries.mechanisms.gaussian import Gaussian
from shoal.queries.mechanisms.histogram import Histogram
from shoal.queries.mechanisms.laplace import Laplace
from shoal.queries.mechanisms.noisy_max import NoisyMax
from shoal.queries.mechanisms.partition_selection import Selection
from shoal.queries.mechanisms.quantile import Quantile
from shoal.queries.mechanisms.sparse_vector import SparseVector


@pytest.mark.parametrize("given", [0.1, "0.1", "1/10", " 1e-1 ", Fraction(1, 10), np.float64(0.1)])
def test_a_number_is_what_was_written(given: Fraction) -> None:
    assert exact(given, "x") == Fraction(1, 10)
    assert Laplace(given).epsilon == Fraction(1, 10) and Laplace(given) == Laplace(Fraction(1, 10))


@pytest.mark.parametrize("bad", ["", "one", "nan", "inf", "1/0", float("nan"), float("inf"), None])
def test_what_is_no_number_is_refused(bad: Fraction) -> None:
    with pytest.raises(BadParameter, match=r"laplace\(epsilon=…\): '.*' is not a number; write 0\.5 or 1/2"):
        Laplace(bad)


@pytest.mark.parametrize("bad", ["0", "-1", "1e300", "1e-300", "-1e400"])
def test_what_is_out_of_range_is_refused(bad: Fraction) -> None:
    with pytest.raises(BadParameter, match="epsilon"):
        Laplace(bad)
    with pytest.raises(BadParameter, match="sensitivity"):
        Laplace(Fraction(1), bad)


def test_a_probability_lies_between() -> None:
    assert probability("1e-6", "delta") == Fraction(1, 10**6)
    for bad in ("0", "1", "-0.1", "2"):
        with pytest.raises(BadParameter, match="between 0 and 1"):
            probability(bad, "delta")
    assert fraction_text(Fraction(1, 4)) == "0.25" and fraction_text(Fraction(10**400)) == "about 10^400"


def test_noise_that_cannot_be_drawn_is_refused_before_anything_is_spent() -> None:
    tiny = Fraction(1, 2**60)
    for made in (Laplace, NoisyMax, Histogram, SparseVector, Quantile):
        with pytest.raises(BadParameter, match="raise"):
            made(tiny)
    with pytest.raises(BadParameter, match="raise"):
        Selection(tiny, Fraction(1, 2))
    with pytest.raises(BadParameter, match="raise"):
        Gaussian(tiny, Fraction(2**40))
