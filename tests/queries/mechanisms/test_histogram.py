"""The histogram: one scale for all buckets."""

from fractions import Fraction

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.queries.mechanisms.histogram import Histogram
from statistical.goodness import ALARM, fits, laplace_pmf


@pytest.mark.parametrize("buckets", [1, 7, 100_000])
def test_noise_does_not_grow_with_the_buckets(buckets: int) -> None:
    mechanism = Histogram(Fraction(1, 2), reach=3)
    assert mechanism.noise.scale == 6
    counts = np.arange(buckets)
    assert fits(mechanism.release(counts) - counts, laplace_pmf(Fraction(6), 200)) > ALARM
    assert mechanism.error == pytest.approx(6, rel=0.01)


def test_a_reach_is_a_whole_number() -> None:
    for bad in (0, -1, 1.5, True):
        with pytest.raises(BadParameter, match="whole number of at least 1"):
            Histogram(Fraction(1), bad)  # type: ignore[arg-type]
