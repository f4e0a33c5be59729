"""The impossibility proof, played."""

from fractions import Fraction

import pytest

from queries.attacked import people, scene
from shoal.core.errors import BadParameter
from shoal.queries.alternatives.fresh_noise import FreshNoise
from shoal.queries.alternatives.plain import Plain
from shoal.queries.alternatives.private import Private
from shoal.queries.attacks.auxiliary_information.auxiliary_information import AuxiliaryInformation

SOME = people(400)


def test_with_access_the_secret_is_read_and_without_it_is_not() -> None:
    found = AuxiliaryInformation(40, 24).attack(scene(Plain(), SOME))
    assert found.rate.hits == 40 and found.findings[0]["learned"] in (
        {"ill": "flu"},
        {"ill": "cold"},
        {"ill": "gout"},
    )
    assert found.baseline < 0.65  # three illnesses: a guess is right about a third of the time
    assert found.details["bits_of_entropy"] > found.details["bits_needed"]  # type: ignore[operator]


def test_that_a_person_is_in_the_data_makes_no_difference() -> None:
    found = AuxiliaryInformation(40, 24).attack(scene(Plain(), SOME))
    assert found.details["not_in_the_data"] == 1.0
    assert found.remedy is None and found.cure.startswith("none")


def test_a_fuzzy_extractor_bears_noise_below_its_tolerance() -> None:
    noisy = scene(FreshNoise(Fraction(1, 2)), SOME)
    assert AuxiliaryInformation(40, 12, tolerance=8).attack(noisy).rate.value == 1
    exact_only = AuxiliaryInformation(40, 12).attack(scene(FreshNoise(Fraction(2)), SOME))
    assert exact_only.rate.value <= 0.7


def test_answers_with_a_small_budget_are_of_no_use_for_it() -> None:
    found = AuxiliaryInformation(40, 24).attack(scene(Private(Fraction(1)), SOME))
    assert found.rate.value < 0.65


def test_without_answers_or_without_anything_to_count_it_fails() -> None:
    assert AuxiliaryInformation(9, 4).attack(scene(lambda _: None, SOME)).rate.value < 0.99
    with pytest.raises(BadParameter, match="nothing to count"):
        AuxiliaryInformation().attack(scene(Plain(), SOME, known=("nothing",)))
