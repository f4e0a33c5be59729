"""The picture of an ε: figure 5.2 among it."""

import math
from itertools import pairwise

import pytest

from shoal.core.chart_style import svg_of
from shoal.jobs.queries.epsilon import epsilon_query
from shoal.jobs.queries.question_requests import EpsilonQuery
from shoal.queries.epsilon_chart import apart, curve, epsilon_picture


@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
def test_densities_of_neighbouring_answers_are_densities_and_within_the_promise(accounting: str) -> None:
    choice = epsilon_query(EpsilonQuery(sensitivity=2, epsilon="0.5", accounting=accounting))
    here, there = curve(choice, 0.0), curve(choice, apart(choice))
    assert apart(choice) == 2 and [x for x, _ in here] == [x for x, _ in there]
    area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(here))
    assert 0.97 < area < 1.001
    worst = max(abs(math.log(one / other)) for (_, one), (_, other) in zip(here, there, strict=True))
    assert worst <= math.log(choice.chosen.odds.factor) + 1e-9
    assert accounting == "zcdp" or worst == pytest.approx(0.5)


def test_the_picture_says_in_words_what_it_shows() -> None:
    choice = epsilon_query(EpsilonQuery(sensitivity=1, within=50))
    told = svg_of(epsilon_picture(choice))
    assert "is at most 51.5" in told and "without you" in told
