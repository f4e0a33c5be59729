from __future__ import annotations

from dataclasses import replace

import pytest

from graphs.attacks.test_degree_profiles import release_of
from graphs.matching.networks import circles
from graphs.matching.test_profile_seeds import with_hubs
from graphs.matching.test_second_network import scene
from shoal.core.errors import BadParameter
from shoal.graphs.attacks.propagation.propagation import Propagation


def test_a_few_people_name_most_of_the_others() -> None:
    finding = Propagation(seeds=30).attack(scene())
    assert finding.rate.value > 0.6
    assert finding.wrong is not None and finding.wrong < 0.1


def test_a_directed_network_is_read_in_both_directions() -> None:
    finding = Propagation(seeds=30).attack(release_of(circles(300, directed=True)))
    assert finding.rate.value > 0.6


@pytest.mark.parametrize("seeds_by", ["profiles", "cosines", "cliques"])
def test_an_attacker_who_knows_nobody_begins_by_structure(seeds_by: str) -> None:
    finding = Propagation(seeds_by=seeds_by, overlap=0.95).attack(release_of(with_hubs()))  # type: ignore[arg-type]
    assert finding.details["seeds_are_known"] is False
    if seeds_by == "profiles":
        assert finding.rate.value > 0.3


def test_a_higher_threshold_is_more_careful() -> None:
    rates = [Propagation(seeds=20, threshold=at, overlap=0.5).attack(scene()).rate.value for at in (0.1, 8)]
    assert rates[0] > rates[1]


def test_strangers_are_not_found() -> None:
    finding = Propagation(seeds=10, threshold=2).attack(replace(scene(), auxiliary=circles(300, seed=9)))
    assert finding.rate.value < 0.1


@pytest.mark.parametrize(
    ("changed", "says"), [({"seeds_by": "luck"}, "no way to begin"), ({"threshold": -1.0}, "give 0 or more")]
)
def test_what_cannot_be_is_refused(changed: dict[str, object], says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        Propagation(**changed)  # type: ignore[arg-type]
