"""A cure is one when the attack fails after it."""

from dataclasses import dataclass

import numpy as np
import pytest

import shoal
from graphs.drawn import power_law
from graphs.matching.test_second_network import scene
from shoal.core.deadline import until
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacks.propagation.propagation import Propagation
from shoal.jobs.graphs.cure import drawn_places, remade, with_cure_checked

NETWORK = power_law(150, 900, 5)
RELEASE = shoal.protect(NETWORK, method="naive", seed=1)


@pytest.mark.parametrize(
    "attack",
    ["percolation(seeds=10)", "walk(k=6,d0=5,d1=9,targets=4,trials=3)", "coalition(size=4,trials=6)"],
)
def test_what_finds_people_is_tried_again_on_groups_and_finds_nearly_nobody(attack: str) -> None:
    found = shoal.attack(RELEASE, attack, original=NETWORK, seed=1)
    assert found.rate.value > 0.5
    assert found.cured is not None and "grouping with k-grouping(k=5)" in found.cured.how
    assert found.cured.rate.targets == found.rate.targets
    assert found.cured.rate.value <= 0.1, "a person is one of at least five, and nothing tells which"
    assert 0 < found.cured.lost < 1


def test_a_person_of_a_group_is_any_of_its_nodes_and_one_is_drawn() -> None:
    groups = shoal.protect(NETWORK, model="k-grouping(k=5)", method="grouping(rounds=0)", seed=1)
    one, other = drawn_places(groups, 1), drawn_places(groups, 2)
    assert one is not None and other is not None and groups.mapping is not None
    belongs = groups.mapping["label"].to_numpy()
    ends = np.repeat(np.arange(groups.graph.groups), groups.graph.sizes)  # type: ignore[union-attr]
    for places in (one, other):
        assert sorted(places.tolist()) == list(range(150))
        assert (ends[places] == belongs).all()
    assert (one != other).any()
    assert remade(groups, 1).graph.edges == NETWORK.edges


def test_an_attack_that_names_its_cure_is_tried_after_that_one() -> None:
    found = shoal.attack(RELEASE, "degree", original=NETWORK, seed=1)
    assert found.cured is not None and found.cured.rate.hits == 0 and "k-degree(k=5)" in found.cured.how


@dataclass(frozen=True)
class Unchanged(Propagation):
    """A cure that changes nothing, and takes no time."""

    def remedied(self, scene: Scene) -> tuple[Scene, str]:
        return scene, "nothing was changed"


def test_an_attack_that_runs_out_of_time_after_the_cure_proves_no_cure() -> None:
    given, attacker = scene(), Unchanged(seeds=30)
    finding = attacker.attack(given)
    assert finding.rate.hits
    with until(0.0):
        assert with_cure_checked(finding, attacker, given).cured is None
