"""Targets, and what is made of guesses."""

import math

import numpy as np
import pytest

from queries.attacked import people, scene
from shoal.core.errors import BadParameter
from shoal.queries.alternatives.local_randomised_response import LocalRandomisedResponse
from shoal.queries.alternatives.plain import Plain


def test_half_of_the_targets_have_the_secret() -> None:
    here = scene(Plain())
    places = here.targets(20)
    assert here.about().truth(here.people)[places].sum() == 10 == len(places) / 2
    assert np.array_equal(places, here.targets(20))
    assert len(scene(Plain(), secret="income").targets(7)) == 7


def test_a_secret_must_divide_people() -> None:
    same = people().with_column(people().frame["ill"].replace_strict({}, default="flu"))
    with pytest.raises(BadParameter, match="everybody or nobody"):
        scene(Plain(), same).targets(10)
    with pytest.raises(BadParameter, match="--secret"):
        scene(Plain(), secret=None).about()
    with pytest.raises(BadParameter, match="yes or no"):
        scene(Plain(), secret="income").yes_or_no("it")


def test_whoever_is_not_answered_about_is_guessed_blindly_and_not_told() -> None:
    here = scene(Plain())
    places = here.targets(20)
    found = here.finding("it", places, np.full(20, np.nan), "cure")
    assert (
        found.rate.value == found.baseline == 0.5 and not found.findings and "nothing to cure" in found.cure
    )
    truths = here.about().truth(here.people)[places]
    found = here.finding("it", places, truths, "cure")
    assert found.rate.value == 1 and found.cure == "cure" and len(found.findings) == 20
    assert found.findings[0]["confidence"] == 1.0


def test_when_it_stopped_only_those_who_were_reached_are_targets() -> None:
    here = scene(Plain())
    here.talk.stopped = "gone"
    estimates = np.array([1.0, 0.0, *[np.nan] * 18])
    assert here.finding("it", here.targets(20), estimates, "cure").rate.targets == 2


def test_a_promise_says_how_often_anybody_can_be_right() -> None:
    here = scene(LocalRandomisedResponse(column="ill", value="flu"))  # ε = 1
    details = here.finding("it", here.targets(4), np.zeros(4), "cure").details
    assert details["most_that_epsilon_allows"] == pytest.approx(math.e / (1 + math.e))
