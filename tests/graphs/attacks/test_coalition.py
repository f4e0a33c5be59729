"""The passive attack: people find themselves."""

from typing import Any

import pytest

import shoal
from graphs.drawn import power_law
from shoal.core.errors import BadParameter
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacks.coalition import Coalition

NETWORK = power_law(300, 1800, 4)


def test_people_who_know_each_other_find_themselves_and_friends() -> None:
    found = Coalition(size=5, trials=10).attack(Scene(NETWORK, adds=False, removes=False, seed=1))
    assert found.rate.value > 0.7 and found.details["friends_found"] > 0  # type: ignore[operator]
    assert found.findings and found.wrong is not None and found.wrong < 0.3


def test_more_people_find_themselves_more_often() -> None:
    scene = Scene(NETWORK, adds=False, removes=False, seed=2)
    sizes: Any = Coalition(size=2, trials=15, sizes=(2, 6)).attack(scene).details["by_size"]
    assert sizes["2"]["rate"] <= sizes["6"]["rate"]


def test_a_promise_about_degrees_does_not_stop_them() -> None:
    release = shoal.protect(NETWORK, k=5, labels="random", seed=1)
    found = shoal.attack(release, "coalition(size=6,trials=8)", original=NETWORK, seed=1)
    assert found.rate.hits > 0 and all("name" in told["who"] for told in found.findings)  # type: ignore[operator]


def test_coalitions_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadParameter, match="is no coalition"):
        Coalition(size=1)
    with pytest.raises(BadParameter, match="tries nothing"):
        Coalition(trials=0)
    with pytest.raises(BadParameter, match="finds nobody with so many friends"):
        Coalition(size=500).attack(Scene(NETWORK))
