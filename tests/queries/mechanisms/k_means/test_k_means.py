"""Private k-means: the noise of the literature to the digit, and a default that finds clusters."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.queries.learner import STEPS
from shoal.queries.mechanisms.k_means.k_means import KMeans

ONE = Fraction(1)


def heaps(number: int = 3000) -> np.ndarray[Any, np.dtype[np.int64]]:
    chance = np.random.default_rng(4)
    middles = np.array([[0.2, 0.2], [0.8, 0.3], [0.5, 0.8]])
    points = middles[chance.integers(0, 3, number)] + chance.normal(0, 0.03, (number, 2))
    return np.clip(points * STEPS, 0, STEPS).astype(np.int64)


def cost(points: Any, centres: Any) -> float:
    return float(((points[:, None] / STEPS - centres[None]) ** 2).sum(axis=2).min(axis=1).mean())


def test_the_noise_of_the_thesis_has_the_scale_d_plus_1_times_n_over_epsilon() -> None:
    rounds = KMeans(Fraction(1, 2), 4, iterations=5, schedule="fixed")._rounds(3)
    assert [(noise.count, noise.total / STEPS) for noise in rounds] == [(Fraction(40), Fraction(40))] * 5


def test_a_halving_budget_spends_half_of_what_is_left_every_time() -> None:
    rounds = KMeans(ONE, 4, iterations=4, schedule="halving")._rounds(1)
    assert [noise.count for noise in rounds] == [4, 8, 16, 32]


@pytest.mark.parametrize("dimensions", [1, 2, 7])
@pytest.mark.parametrize("iterations", [1, 3])
def test_the_default_costs_exactly_its_epsilon(dimensions: int, iterations: int) -> None:
    made = KMeans(ONE, 4, iterations)
    # A point is in one cell, in one count, and half a range from the middle in every column.
    spent = 1 / made._grid
    spent += sum(
        1 / one.count + dimensions * Fraction(STEPS, 2) / one.total for one in made._rounds(dimensions)
    )
    assert spent == 1
    gaussian = KMeans(ONE, 4, iterations, delta=Fraction(1, 10**6))
    rho = 1 / (2 * gaussian._grid)
    for one in gaussian._rounds(dimensions):
        rho += 1 / (2 * one.count) + dimensions * Fraction(STEPS, 2) ** 2 / (2 * one.total)
    from shoal.core.sampling.zcdp_conversion import rho_for

    assert rho == rho_for(ONE, Fraction(1, 10**6))


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10**6)])
def test_the_default_finds_heaps_that_lie_apart(delta: Fraction) -> None:
    points = heaps()
    found = [KMeans(ONE, 3, delta=delta).release(points) for _ in range(10)]
    # With a δ the noise is larger for two columns, and sends 3 of 10 to a wrong start: 10 of 10 once in 10^5.
    costs = sorted(cost(points, one.centres) for one in found)
    assert costs[0 if delta else 5] < 0.006, "0.0018 is what the true centres cost"
    assert np.median([one.sizes.sum() for one in found]) == pytest.approx(3000, abs=800)


def test_points_beyond_the_bounds_fewer_than_k_and_none_at_all_are_no_error() -> None:
    for points in (np.array([[-5, 2**40]]), np.zeros((0, 2), np.int64), np.array([3, 4])):
        for schedule in ("refined", "fixed", "halving"):
            found = KMeans(ONE, 3, schedule=schedule).release(points)
            assert (found.centres >= 0).all() and (found.centres <= 1).all() and len(found.sizes) == 3


def test_centres_come_back_in_the_units_of_the_columns() -> None:
    made = KMeans(Fraction(100), 1)
    points = np.full((500, 2), STEPS // 2)
    told: Any = made.told(made.release(points), [0.0, -10.0], [100.0, 10.0])
    assert told["centres"] == [[pytest.approx(50, abs=2), pytest.approx(0, abs=0.4)]]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"k": 0}, "k as a whole number"),
        ({"k": 5000}, "takes k up to 1,000"),
        ({"schedule": "x"}, "there is refined"),
        ({"delta": "0.1", "schedule": "fixed"}, "only with schedule=refined"),
    ],
)
def test_parameters_out_of_range_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        KMeans(**{"epsilon": ONE, "k": 2, **values})
    with pytest.raises(BadParameter, match="1 to 1,000 columns"):
        KMeans(ONE, 2).check(1001)
    with pytest.raises(BadParameter, match="raise epsilon"):
        KMeans(Fraction(1, 2**40), 2).check(3)
