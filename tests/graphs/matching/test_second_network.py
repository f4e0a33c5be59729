from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from graphs.matching.networks import circles
from shoal.core.errors import BadParameter
from shoal.graphs.attacker_reasoning.scene import Scene, Seeds
from shoal.graphs.matching.second_network import SecondNetwork, check_confidence


def scene() -> Scene:
    """A release under new numbers, its original, and who is who."""
    original = circles(300)
    places = np.random.default_rng(1).permutation(300)
    release = original.moved(places)
    truth = pl.DataFrame({"original": np.arange(300).astype(str), "label": places.astype(str)})
    return Scene(release, original=original, truth=truth, seed=1)


def test_without_a_second_network_one_is_drawn_from_the_original() -> None:
    second = SecondNetwork.of(scene(), "percolation", 10, "known", 0.6)
    assert second.people.edges == pytest.approx(0.6 * second.release.edges, rel=0.1)
    assert second.drawn == 0.6
    assert (second.seeds >= 0).sum() == 10
    assert second.places is not None and second.fixed
    assert (second.seeds[second.seeds >= 0] == second.places[second.seeds >= 0]).all()


def test_people_of_a_file_of_seeds_are_those_who_are_known() -> None:
    given = replace(scene(), auxiliary=circles(300), seeds=Seeds(np.array([3, 5]), np.array([7, 9])))
    second = SecondNetwork.of(given, "percolation", 10, "known", 0.6)
    assert np.flatnonzero(second.seeds >= 0).tolist() == [3, 5]
    assert second.seeds[[3, 5]].tolist() == [7, 9]
    assert not second.asked[[3, 5]].any()


def test_the_truth_never_helps_somebody_who_begins_by_structure() -> None:
    told, silent = scene(), replace(scene(), truth=None)
    one, other = (SecondNetwork.of(each, "profiles", 0, "profiles", 0.9) for each in (told, silent))
    assert one.seeds.tolist() == other.seeds.tolist()


@pytest.mark.parametrize(
    ("given", "seeds", "says"),
    [
        (
            replace(scene(), original=None, truth=None),
            10,
            "give one with --auxiliary FILE, or --original FILE",
        ),
        (scene(), 301, "seeds=301"),
        (scene(), 0, "from 1 to so many"),
    ],
)
def test_what_cannot_be_is_refused(given: Scene, seeds: int, says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        SecondNetwork.of(given, "percolation", seeds, "known", 0.8)


@pytest.mark.parametrize("sure", [0.5, 1.0, float("nan")])
def test_confidence_is_a_probability_that_decides(sure: float) -> None:
    with pytest.raises(BadParameter, match=r"above 0\.5 and below 1"):
        check_confidence("percolation", sure)
