"""Scores of membership against plain twins."""

import numpy as np
import polars as pl

from shoal.queries.attacks.membership.scores import Coded, closeness, inner_product, log_density

FRAME = pl.DataFrame({"age": [10.0, 20.0, 40.0], "sex": ["F", "M", None]})


def coded(*frames: pl.DataFrame) -> list[Coded]:
    return Coded.several(frames, ["age"], ["sex"])


def test_the_closest_row_counts_numbers_by_their_spread_and_others_by_whether_they_differ() -> None:
    people = pl.DataFrame({"age": [10.0, 30.0], "sex": ["F", "F"]})
    targets, rows = coded(people, FRAME)
    spread = FRAME["age"].to_numpy().std()
    assert np.allclose(closeness(targets, rows), [0.0, -20 / spread])


def test_a_density_is_higher_where_rows_are() -> None:
    people = pl.DataFrame({"age": [10.0, 30.0, 500.0], "sex": ["F", "F", "M"]})
    targets, rows = coded(people, FRAME)
    near, between, far = log_density(targets, rows)
    assert near > between >= far == np.log(0.1 / 3)
    width = 0.05 * 3 ** (-1 / 5) * FRAME["age"].to_numpy().std()
    gaps = np.abs(FRAME["age"].to_numpy() - 10) / width
    kernel = np.exp(-(gaps**2) / 2) * np.where([False, True, True], 0.01 / 0.99, 1)
    twin = np.log((kernel.sum() + 0.1) / 3)
    assert np.isclose(near, twin)


def test_the_inner_product_of_the_paper() -> None:
    # Homer: |y - p| - |y - q| and this score order people alike for one attribute.
    people = np.array([[1.0, 0.0], [0.0, 1.0]])
    scores = inner_product(people, np.array([0.6, 0.4]), np.array([0.5, 0.5]), 10**9)
    assert np.allclose(scores, [4 * (0.5 * 0.1 + 0.5 * 0.1), -0.4])
