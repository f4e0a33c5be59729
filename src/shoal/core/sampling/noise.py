"""Noise for released numbers: OpenDP for a few, compiled exact draws for many. There is no seed.

Both draw from the same law, exactly; a service, which has loaded the compiled loops, uses these for all.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.core.sampling.gaussian import DiscreteGaussian
from shoal.core.sampling.laplace import DiscreteLaplace
from shoal.core.sampling.random_bytes import Source
from shoal.core.sampling.rounded_normal import RoundedNormal

LEAST = Fraction(1, 64)  # the least variance of rounded noise: less would hardly differ, and take long
LARGEST = 2**52  # the scale, or σ, beyond which noise is refused
FEW_ROUNDED = 100  # the same for rounded noise, which is drawn here
FEW = 1000  # below it a call of OpenDP takes a few milliseconds and needs nothing compiled
_MOST = 2**62
_compiled = threading.Event()
_MOST_BYTES = 2**25
Fill = Callable[[NDArray[np.int64], int, Source], tuple[int, int, int]]


def laplace_noise(scale: Fraction, number: int) -> NDArray[np.int64]:
    """Independent draws with P(x) ∝ exp(-|x| / scale).

    OpenDP takes a scale as a double; it is rounded up, so that there is never less noise than asked for. For
    many draws the same double is taken: how many groups there are may be secret, and must not change the law.
    """
    check_scale(scale)
    _check_number(number)
    if number < FEW and not _compiled.is_set():
        return laplace_few(scale, number)
    return laplace_many(Fraction(upward(scale)), number)


def gaussian_noise(variance: Fraction, number: int) -> NDArray[np.int64]:
    """Independent draws with P(x) ∝ exp(-x² / 2σ²), σ² being the variance parameter; σ is rounded up."""
    check_variance(variance)
    _check_number(number)
    if number < FEW and not _compiled.is_set():
        return gaussian_few(variance, number)
    return gaussian_many(Fraction(upward_root(variance)) ** 2, number)


def rounded_normal_noise(variance: Fraction, number: int) -> NDArray[np.int64]:
    """Independent draws of N(0, σ²), rounded to whole numbers."""
    check_variance(variance)
    _check_number(number)
    law = _rounded_normal(max(variance, LEAST))
    if number < FEW_ROUNDED and not _compiled.is_set():
        source = Source()
        return np.array([max(-_MOST, min(_MOST, law.draw(source))) for _ in range(number)], np.int64)
    return rounded_normal_many(law, number, Source())


def rounded_normal_many(law: RoundedNormal, number: int, source: Source) -> NDArray[np.int64]:
    """Draws from the compiled loop."""
    from shoal.core.sampling import noise_kernels as kernels

    coarse, rate = law.steps.coarse(), float(law.steps.rate)

    def fill(out: NDArray[np.int64], done: int, source: Source) -> tuple[int, int, int]:
        return kernels.rounded_normal(out, done, coarse, law.shift, rate, source.bytes, source.position)

    return fill_with_noise(fill, law.draw, number, source, 64)


def warm() -> None:
    """Compile what many draws need, or load it: the first question with many groups must not show.

    From now on a few come the same way: the law is the same, and a call of OpenDP takes as long as a hundred.
    """
    laplace_noise(Fraction(1), FEW)
    gaussian_noise(Fraction(1), FEW)
    rounded_normal_noise(Fraction(1), FEW)
    _compiled.set()


def laplace_few(scale: Fraction, number: int) -> NDArray[np.int64]:
    """Draws from OpenDP."""
    return np.array(_opendp_laplace(upward(scale))([0] * number), np.int64)


def gaussian_few(variance: Fraction, number: int) -> NDArray[np.int64]:
    """Draws from OpenDP."""
    return np.array(_opendp_gaussian(upward_root(variance))([0] * number), np.int64)


def laplace_many(scale: Fraction, number: int) -> NDArray[np.int64]:
    """Draws from the compiled loop, for scales up to 2^52; exactly the scale asked for."""
    from shoal.core.sampling import noise_kernels as kernels

    law = _laplace(scale)
    thresholds = law.thresholds()

    def fill(out: NDArray[np.int64], done: int, source: Source) -> tuple[int, int, int]:
        return kernels.laplace(out, done, thresholds, 8, source.bytes, source.position)

    return fill_with_noise(fill, law.draw, number, Source(), 2 * len(thresholds) + 16)


def gaussian_many(variance: Fraction, number: int) -> NDArray[np.int64]:
    """Draws from the compiled loop, for σ up to 2^52; exactly the variance asked for."""
    from shoal.core.sampling import noise_kernels as kernels

    law = _gaussian(variance)
    coarse, fine, shift = law.coarse(), law.fine(), law.shift

    def fill(out: NDArray[np.int64], done: int, source: Source) -> tuple[int, int, int]:
        return kernels.gaussian(out, done, coarse, fine, shift, 8, source.bytes, source.position)

    return fill_with_noise(fill, law.draw, number, Source(), len(fine) + 32)


def fill_with_noise(
    fill: Fill, draw: Callable[[Source], int], number: int, source: Source, each: int
) -> NDArray[np.int64]:
    """Numbers from a compiled loop, with new bytes when it runs short and its twin where it cannot decide.

    `each` is about how many bytes a number takes.
    """
    from shoal.core.sampling import noise_kernels as kernels

    out, done, state = np.empty(number, np.int64), 0, kernels.SHORT
    while state != kernels.DONE:
        if state == kernels.SHORT:
            source.refill(min(_MOST_BYTES, (number - done) * each + 4096))
        done, source.position, state = fill(out, done, source)
        if state == kernels.UNDECIDED:
            # The same bytes once more, by the same rules, and then as many more as it takes.
            out[done] = max(-_MOST, min(_MOST, draw(source)))
            done += 1
    return out


def upward(value: Fraction) -> float:
    """The smallest double that is not below a fraction."""
    near = float(value)
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)


def upward_root(value: Fraction) -> float:
    """A double that is not below the square root of a fraction, and at most a hair above."""
    near = math.sqrt(float(value))
    while Fraction(near) ** 2 < value:
        near = math.nextafter(near, math.inf)
    return near


@lru_cache(maxsize=256)
def _opendp_laplace(scale: float) -> Any:
    require("queries", "noise for differential privacy")
    # Not its prelude: that loads scikit-learn where there is one, which takes three seconds.
    from opendp.domains import atom_domain, vector_domain
    from opendp.measurements import make_laplace
    from opendp.metrics import l1_distance
    from opendp.mod import enable_features

    enable_features("contrib")
    return make_laplace(vector_domain(atom_domain(T="i64")), l1_distance(T="i64"), scale=scale)


@lru_cache(maxsize=256)
def _opendp_gaussian(scale: float) -> Any:
    require("queries", "noise for differential privacy")
    from opendp.domains import atom_domain, vector_domain
    from opendp.measurements import make_gaussian
    from opendp.metrics import l2_distance
    from opendp.mod import enable_features

    enable_features("contrib")
    return make_gaussian(vector_domain(atom_domain(T="i64")), l2_distance(T="f64"), scale=scale)


@lru_cache(maxsize=256)
def _laplace(scale: Fraction) -> DiscreteLaplace:
    return DiscreteLaplace(scale)


@lru_cache(maxsize=256)
def _gaussian(variance: Fraction) -> DiscreteGaussian:
    return DiscreteGaussian(variance)


@lru_cache(maxsize=256)
def _rounded_normal(variance: Fraction) -> RoundedNormal:
    return RoundedNormal(variance)


def check_scale(scale: Fraction) -> None:
    """Refuse a scale that no noise can have."""
    _check(scale, LARGEST, "scale")


def check_variance(variance: Fraction) -> None:
    """Refuse a variance that no noise can have."""
    _check(variance, LARGEST**2, "variance")


def _check(size: Fraction, largest: int, what: str) -> None:
    if size <= 0:
        raise BadParameter(f"a noise {what} of {_number_text(size)} hides nobody; it must be above 0")
    if size > largest:
        raise BadParameter(
            f"a noise {what} of {_number_text(size)} is beyond {_number_text(Fraction(largest))}; raise "
            "epsilon, or tighten the bounds"
        )


def _check_number(number: int) -> None:
    if number < 0:
        raise BadParameter(f"cannot draw {number} numbers; ask for 0 or more")


def _number_text(value: Fraction) -> str:
    return f"{float(value):g}" if value < 10**300 else "more than 1e300"
