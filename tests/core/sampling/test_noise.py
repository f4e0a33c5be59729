"""Noise for few and for many: the exact law, OpenDP's law, and limits."""

import math
import os
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import kstest

from shoal.core.errors import BadParameter
from shoal.core.sampling import noise
from statistical.goodness import ALARM, fits, gaussian_pmf, laplace_pmf, same

SCALES = [Fraction(1, 10), Fraction(1), Fraction(37, 3)]


@pytest.mark.parametrize("scale", SCALES)
def test_many_and_few_follow_the_exact_laws_and_each_other(scale: Fraction) -> None:
    law = laplace_pmf(scale, 300)
    many, few = noise.laplace_noise(scale, 400_000), noise.laplace_few(scale, 30_000)
    assert fits(many, law) > ALARM and fits(few, law) > ALARM and same(many, few) > ALARM
    law = gaussian_pmf(scale**2, 120)
    many, few = noise.gaussian_noise(scale**2, 400_000), noise.gaussian_few(scale**2, 30_000)
    assert fits(many, law) > ALARM and fits(few, law) > ALARM and same(many, few) > ALARM


@pytest.mark.parametrize("scale", [Fraction(2**40) * 10, Fraction(2**40, 3), Fraction(2**52)])
def test_huge_scales_follow_the_laws_too(scale: Fraction) -> None:
    # So wide that the discrete law and the continuous one cannot be told apart.
    many, few = noise.laplace_noise(scale, 200_000), noise.laplace_few(scale, 20_000)
    assert kstest(many / float(scale), "laplace").pvalue > ALARM and same(many, few) > ALARM
    many, few = noise.gaussian_noise(scale**2, 200_000), noise.gaussian_few(scale**2, 20_000)
    assert kstest(many / float(scale), "norm").pvalue > ALARM and same(many, few) > ALARM
    # The last digits are fair.
    assert abs(int((many & 1).sum()) - 100_000) < 6 * math.sqrt(50_000)


def test_digits_that_look_alike_are_not_reused() -> None:
    draws = noise.laplace_noise(Fraction(2**50), 100_000)
    assert len(np.unique(draws)) == len(draws)
    again = noise.laplace_noise(Fraction(2**50), 100_000)
    assert not len(np.intersect1d(draws, again))


def test_a_forked_child_draws_for_itself() -> None:
    noise.laplace_many(Fraction(2**50), 5)
    here, there = os.pipe()
    child = os.fork()
    if not child:
        os.write(there, noise.laplace_many(Fraction(2**50), 5).tobytes())
        os._exit(0)
    own = noise.laplace_many(Fraction(2**50), 5)
    assert not np.isin(np.frombuffer(os.read(here, 40), np.int64), own).any()
    os.waitpid(child, 0)


@pytest.mark.parametrize("number", [0, 1, noise.FEW - 1, noise.FEW, noise.FEW + 1])
def test_as_many_as_asked_for(number: int) -> None:
    assert noise.laplace_noise(Fraction(1), number).shape == (number,)
    assert noise.gaussian_noise(Fraction(1), number).shape == (number,)


@pytest.mark.parametrize("number", [1, 2000])
def test_scales_out_of_range_are_refused(number: int) -> None:
    with pytest.raises(BadParameter, match=r"noise scale of 4\.5036e\+15 is beyond 4\.5036e\+15"):
        noise.laplace_noise(Fraction(2**52 + 1), number)
    with pytest.raises(BadParameter, match="beyond"):
        noise.gaussian_noise(Fraction(10**400), number)
    for bad in (Fraction(0), Fraction(-1)):
        with pytest.raises(BadParameter, match="hides nobody"):
            noise.laplace_noise(bad, number)
    with pytest.raises(BadParameter, match="cannot draw -1"):
        noise.laplace_noise(Fraction(1), -1)
    assert noise.laplace_noise(Fraction(2**52), number).shape == (number,)
    assert noise.gaussian_noise(Fraction(2**104), number).shape == (number,)
    assert not noise.laplace_noise(Fraction(1, 10**9), number).any()
    assert not noise.gaussian_noise(Fraction(1, 10**9), number).any()


def test_doubles_are_rounded_up() -> None:
    for value in (Fraction(1, 3), Fraction(1, 10), Fraction(10, 3), Fraction(2**60 + 1, 3)):
        assert value <= Fraction(noise.upward(value)) < value * (1 + Fraction(1, 2**51))
        root = Fraction(noise.upward_root(value)) ** 2
        assert value <= root < value * (1 + Fraction(1, 2**50))
    assert noise.upward(Fraction(1, 4)) == 0.25 and noise.upward_root(Fraction(9)) == 3


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(10, 3), Fraction(2**40, 7)])
def test_the_law_is_the_same_for_few_and_for_many(scale: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    """One group more can be one person more: a scale that is a hair other would tell neighbours apart."""
    asked: list[Fraction | float] = []

    def law(wanted: Fraction | float) -> object:
        asked.append(wanted)
        raise StopIteration

    for name in ("_laplace", "_opendp_laplace", "_gaussian", "_opendp_gaussian"):
        monkeypatch.setattr(noise, name, law)
    for number in (noise.FEW - 1, noise.FEW):
        with pytest.raises(StopIteration):
            noise.laplace_noise(scale, number)
        with pytest.raises(StopIteration):
            noise.gaussian_noise(scale, number)
    few_scale, few_root, many_scale, many_variance = (Fraction(one) for one in asked)
    assert few_scale == many_scale >= scale
    assert few_root**2 == many_variance >= scale
