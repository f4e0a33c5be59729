"""The same question, again and again."""

from fractions import Fraction

import pytest

from queries.attacked import scene
from shoal.queries.alternatives.fresh_noise import FreshNoise
from shoal.queries.attacks.averaging import Averaging


def test_noise_goes_away_in_the_average() -> None:
    found = Averaging(8, 50).attack(scene(FreshNoise(Fraction(1, 2))))
    # The average strays by 0.1 about 0 or 1.
    assert found.rate.hits == 8 and found.details["questions"] == 400
    assert found.details["spread_of_the_average"] == pytest.approx(0.1, abs=0.05)


def test_every_time_is_worded_differently_also_where_people_have_numbers() -> None:
    heard: list[str] = []

    def answer(sql: str) -> int:
        heard.append(sql)
        return 0

    Averaging(4, 5).attack(scene(answer))
    assert len(set(heard)) == 20
    heard.clear()
    Averaging(4, 5, vary=False).attack(scene(answer))
    assert len(set(heard)) == 4


def test_a_question_that_stops_half_way_still_tells() -> None:
    left = [7]

    def answer(_: str) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise OSError("gone")
        return 1

    found = Averaging(4, 5).attack(scene(answer))
    assert found.rate.targets == 2 and "gone" in str(found.details["stopped"])
