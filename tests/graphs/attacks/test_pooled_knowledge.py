"""Several people who pool what they know of themselves."""

import polars as pl
import pytest

from graphs.drawn import power_law
from shoal.core.errors import BadParameter
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacks.pooled_knowledge import PooledKnowledge
from shoal.graphs.graph import Graph

NAMES = ["Alice", "Bob", "Cathy", "Dan", "Ed", "Fay", "Gus"]
MAIL = Graph.of_edges(
    7,
    [0, 0, 0, 2, 2, 2, 2, 1, 4, 4, 1],
    [1, 2, 4, 1, 3, 5, 6, 4, 3, 6, 5],
    labels=pl.Series(NAMES),
)
NETWORK = power_law(300, 1200, 4)


def test_one_alone_finds_few_friends_and_more_find_more() -> None:
    rates = [
        PooledKnowledge(size=size, trials=60).attack(Scene(NETWORK, seed=1)).rate.value for size in (1, 4)
    ]
    assert rates[0] < rates[1]


def test_whoever_is_not_found_learns_nothing() -> None:
    finding = PooledKnowledge(("Dan",)).attack(Scene(MAIL))
    assert finding.details["members_found"] == 0 and finding.rate.hits == 0 and finding.rate.targets == 2
    assert finding.cure.startswith("nothing to cure")


def test_people_who_are_not_there_and_circles_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadParameter, match=r"names 'Zoe', whom the network does not have; .*Alice"):
        PooledKnowledge(("Zoe",)).attack(Scene(MAIL))
    with pytest.raises(BadParameter, match=r"size=40\) finds nobody"):
        PooledKnowledge(size=40).attack(Scene(MAIL))
    for wrong in ({"size": 0}, {"trials": 0}, {"slack": -1}):
        with pytest.raises(BadParameter, match="at least"):
            PooledKnowledge(**wrong)  # type: ignore[arg-type]
