"""No mechanism does worse than it promised, and the same test catches one that does."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from shoal import catalog
from shoal.queries.mechanisms.continual_count.continual_count import ContinualCount
from shoal.queries.mechanisms.exponential import Exponential
from shoal.queries.mechanisms.gaussian import Gaussian
from shoal.queries.mechanisms.histogram import Histogram
from shoal.queries.mechanisms.laplace import Laplace
from shoal.queries.mechanisms.noisy_max import NoisyMax
from shoal.queries.mechanisms.pan_private_density import PanPrivateDensity
from shoal.queries.mechanisms.partition_selection import Selection
from shoal.queries.mechanisms.quantile import Quantile
from shoal.queries.mechanisms.randomised_response import RandomisedResponse
from shoal.queries.mechanisms.rounded_gaussian import RoundedGaussian
from shoal.queries.mechanisms.sparse_vector import SparseVector
from statistical.audit import Draws, epsilon_from_below

ONE = Fraction(1)
Sampler = Callable[[bool, int], Draws]  # (the neighbour?, how many) → outcomes


@dataclass(frozen=True)
class Case:
    """A mechanism on two neighbours, what it promises, and the same one broken."""

    name: str
    number: int
    right: Sampler
    broken: Sampler
    epsilon: float = 1.0
    delta: float = 0.0


def codes(words: NDArray[np.int64]) -> Draws:
    """Rows of small whole numbers as one each."""
    clipped = np.clip(words, -8, 8) + 8
    return np.asarray((clipped * 17 ** np.arange(clipped.shape[1])).sum(axis=1))


def laplace(scale: Fraction) -> Sampler:
    return lambda other, number: Laplace(1 / scale).release(np.full(number, 10 + other))


def gaussian(share: Fraction) -> Sampler:
    mechanism = Gaussian.approximate(ONE, Fraction(1, 1000))
    thinner = Gaussian(mechanism.rho / share)
    return lambda other, number: thinner.release(np.full(number, int(other)))


def rounded(share: Fraction) -> Sampler:
    """Two numbers, of which somebody moves both: half of what is seen with 1.4 times the sensitivity."""
    mechanism = RoundedGaussian.approximate(ONE, Fraction(1, 1000), Fraction(3, 2))
    thinner = RoundedGaussian(mechanism.squared_mu / share, Fraction(3, 2))

    def drawn(other: bool, number: int) -> Draws:
        return np.asarray(thinner.release(np.full((number, 2), int(other))).sum(axis=1))

    return drawn


def histogram(epsilon: Fraction) -> Sampler:
    def drawn(other: bool, number: int) -> Draws:
        # Somebody with two rows, one in each of two buckets, comes to three.
        counts = np.tile(np.array([3, 0, 2]) + np.array([other, other, 0]), (number, 1))
        return codes(Histogram(epsilon, reach=2).release(counts.ravel()).reshape(counts.shape))

    return drawn


def exponential(epsilon: Fraction) -> Sampler:
    def drawn(other: bool, number: int) -> Draws:
        scores = np.array([4, 5, 2]) + (np.array([1, -1, -1]) if other else 0)
        return np.array([Exponential(epsilon).release(scores) for _ in range(number)])

    return drawn


def noisy_max(epsilon: Fraction) -> Sampler:
    def drawn(other: bool, number: int) -> Draws:
        values = np.array([1, -1, -1, -1] if other else [0, 0, 0, 0])
        return np.array([NoisyMax(epsilon).release(values) for _ in range(number)])

    return drawn


def response(truth: Fraction) -> Sampler:
    return lambda other, number: RandomisedResponse(truth).release(np.full(number, int(other)))


class Thin(SparseVector):
    """The noise of queries does not grow with the positives, as in several published variants."""

    @property
    def query_noise(self) -> Laplace:
        return Laplace(super().query_noise.epsilon * 12, super().query_noise.sensitivity)


def sparse(mechanism: SparseVector) -> Sampler:
    def drawn(other: bool, number: int) -> Draws:
        values = np.array([1, 1, -1, -1] if other else [-1, -1, 1, 1])
        told = np.full((number, 4), -1)
        for run in range(number):
            sides = mechanism.release(values)
            told[run, : len(sides)] = sides
        return codes(told)

    return drawn


def quantile(epsilon: Fraction) -> Sampler:
    def drawn(other: bool, number: int) -> Draws:
        counts = np.array([2, 1, 0, 1 + 3 * other])
        mechanism = Quantile(epsilon, reach=3)
        found = [mechanism.release(counts) for _ in range(number)]
        return codes(np.array([[one.value, one.low, one.high] for one in found]))

    return drawn


def selection(delta: Fraction) -> Sampler:
    def drawn(other: bool, number: int) -> Draws:
        # A group that only this person is in: without them it is not there to be told.
        kept = Selection(ONE, delta).kept(np.ones(number, np.int64))
        return (kept & other).astype(np.int64)

    return drawn


def continual(epsilon: Fraction, delta: Fraction = Fraction(0)) -> Sampler:
    def drawn(other: bool, number: int) -> Draws:
        counter = ContinualCount(epsilon, 3, delta, way="factorisation" if delta else "tree")
        values = np.array([int(other), 0, 0])
        return codes(np.array([counter.release(values) for _ in range(number)]))

    return drawn


def pan_private(slip: bool) -> Sampler:
    """An intruder sees the memory, and the answer later; somebody comes in between, or not at all.

    The slip adds the noise after the scaling by 4/ε, as the thesis prints it.
    """

    def drawn(other: bool, number: int) -> Draws:
        found = np.empty((number, 2), np.int64)
        for run in range(number):
            memory = PanPrivateDensity(ONE, 1).begin()
            seen = int(memory.bits[0])
            if other:
                memory.see(0)
            half = float(memory.estimator.half)
            told = 4 * (int(memory.bits[0]) - 0.5) / half + int(Laplace(ONE / 2).release(np.zeros(1, int))[0])
            found[run] = seen, round(told if slip else memory.estimate())
        return codes(found)

    return drawn


CASES = [
    Case("laplace", 400_000, laplace(ONE), laplace(Fraction(3, 4))),
    Case("gaussian", 400_000, gaussian(ONE), gaussian(Fraction(1, 3)), delta=0.001),
    Case("rounded-gaussian", 400_000, rounded(ONE), rounded(Fraction(1, 3)), delta=0.001),
    Case("histogram", 400_000, histogram(ONE), histogram(ONE * 2)),
    Case("exponential", 12_000, exponential(ONE), exponential(ONE * 4)),
    Case("noisy-max", 5_000, noisy_max(ONE), noisy_max(ONE * 6)),
    Case("randomised-response", 200_000, response(Fraction(73, 100)), response(Fraction(4, 5))),
    Case("sparse-vector", 4_000, sparse(SparseVector(ONE, positives=2)), sparse(Thin(ONE, positives=2))),
    Case("quantile", 6_000, quantile(ONE), quantile(ONE * 12)),
    Case("continual-count", 2_500, continual(ONE), continual(ONE * 6)),
    Case("pan-private-density", 2_500, pan_private(False), pan_private(True)),
    Case("selection", 200_000, selection(Fraction(1, 100)), selection(Fraction(1, 4)), delta=0.01),
]


def _numbers(told: Any) -> list[Any]:
    """What a mechanism tells, as numbers."""
    if dataclasses.is_dataclass(told):
        found = [getattr(told, field.name) for field in dataclasses.fields(told)]
        return [one for one in found if isinstance(one, int | np.ndarray)]
    return [told]


def example(part: catalog.Part, apart: int) -> Sampler:
    """Its example with ε = 1, on the pair that it names; a pair so many times as far apart is too far."""
    mechanism = dataclasses.replace(
        catalog.make("mechanism", f"{part.name}({part.cls.example})"), epsilon=ONE
    )
    here, there = (np.array(side, np.int64) for side in part.cls.audit_pair)
    if len(here) == len(there):
        sides = here, here + apart * (there - here)
    else:  # a person more, and so many more
        sides = here, np.concatenate([here, np.tile(there[len(here) :], apart)])

    def drawn(other: bool, number: int) -> Draws:
        told = [mechanism.release(sides[other]) for _ in range(number)]
        rows = [np.rint(np.concatenate([np.ravel(part) for part in _numbers(one)])) for one in told]
        padded = np.full((number, max(map(len, rows))), -1)  # some say no more after a while
        for place, row in enumerate(rows):
            padded[place, : len(row)] = row
        return padded  # a row each: numbers that are large would be one code

    return drawn


PARTS = [part for part in catalog.Catalog.whole().parts if part.kind == "mechanism" and part.noun == "query"]
# What spends ε is audited by its example; CASES are sharper, and those of another promise.
# Those that take long are drawn from less often, and must be caught by more.
LONG = {"k-means": 500, "mwem": 600, "median-mechanism": 800}
EXAMPLES = [
    Case(
        part.name,
        LONG.get(part.name, 4_000),
        example(part, 1),
        example(part, 200 if part.name in LONG else 12),
    )
    for part in PARTS
    if "epsilon" in {field.name for field in dataclasses.fields(part.cls)}
    # They see no more than one of a person, so that a pair farther apart is no farther apart.
    and part.name not in {"continual-count", "pan-private-density"}
]


@pytest.mark.slow
@pytest.mark.parametrize("case", [*CASES, *EXAMPLES], ids=lambda case: case.name)
def test_a_mechanism_never_exceeds_its_promise_and_a_broken_one_is_caught(case: Case) -> None:
    right = epsilon_from_below(case.right(False, case.number), case.right(True, case.number), case.delta)
    assert right <= case.epsilon, "the promise is broken"
    broken = epsilon_from_below(case.broken(False, case.number), case.broken(True, case.number), case.delta)
    assert broken > case.epsilon, "this test would not have noticed"


def test_every_mechanism_is_audited() -> None:
    # Those of graphs have cases of their own, in test_graph_noise.
    audited = {case.name for case in (*CASES, *EXAMPLES)}
    assert audited == {part.name for part in PARTS}, "one that spends no ε needs a case of its own"


@pytest.mark.slow
def test_the_bound_comes_close_where_there_are_draws_enough() -> None:
    found = epsilon_from_below(laplace(ONE)(False, 400_000), laplace(ONE)(True, 400_000))
    assert 0.9 < found <= 1
    same = laplace(ONE)(False, 100_000), laplace(ONE)(False, 100_000)
    assert epsilon_from_below(*same) == 0
