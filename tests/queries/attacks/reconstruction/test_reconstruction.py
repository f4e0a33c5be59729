"""Overly accurate answers to too many questions."""

from fractions import Fraction

import pytest

from queries.attacked import people, scene
from shoal.core.errors import BadParameter
from shoal.queries.alternatives.fresh_noise import FreshNoise
from shoal.queries.alternatives.minimum_size import MinimumSize
from shoal.queries.alternatives.plain import Plain
from shoal.queries.attacks.reconstruction.reconstruction import Reconstruction


@pytest.mark.parametrize("decoder", ["linear-programme", "least-squares"])
def test_exact_answers_give_everybody_away(decoder: str) -> None:
    found = Reconstruction(24, 3, decoder).attack(scene(Plain()))  # type: ignore[arg-type]
    assert found.rate.hits == found.rate.targets == 24 and found.details["questions"] == 72
    assert found.details["average_error_of_the_answers"] == 0


def test_noise_far_below_the_root_of_the_people_stops_nothing() -> None:
    found = Reconstruction(30, 6).attack(scene(FreshNoise(Fraction(1, 2))))
    assert found.rate.value > 0.9
    assert found.details["average_error_of_the_answers"] == pytest.approx(0.5, abs=0.2)


def test_where_some_are_refused_the_others_are_enough() -> None:
    found = Reconstruction(20, 6).attack(scene(MinimumSize(4)))
    assert found.details["refused"] > 0 and found.rate.value > 0.9  # type: ignore[operator]


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(BadParameter, match="linear-programme and least-squares"):
        Reconstruction(decoder="guess")  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="yes or no"):
        Reconstruction().attack(scene(Plain(), people(), secret="income"))
