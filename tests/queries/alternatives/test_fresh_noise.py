"""Noise without a budget."""

import numpy as np
import pytest

from queries.attacked import people
from shoal.core.errors import BadParameter
from shoal.queries.alternatives.fresh_noise import FreshNoise
from shoal.queries.endpoints.question import Question


def test_noise_is_new_each_time_and_goes_away_in_the_average() -> None:
    endpoint = FreshNoise().open(people())
    answers = np.array([endpoint.ask(Question(), None) for _ in range(300)])
    # Laplace of scale 2: deviation 2.83, of the average 0.16.
    assert abs(answers.mean() - 60) < 1 and 2.0 < answers.std() < 4.0
    endpoint.close()


def test_a_scale_of_nothing_is_refused() -> None:
    with pytest.raises(BadParameter, match="scale"):
        FreshNoise(0)  # type: ignore[arg-type]
