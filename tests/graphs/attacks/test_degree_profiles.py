from __future__ import annotations

import numpy as np
import polars as pl

from graphs.matching.networks import circles
from graphs.matching.test_profile_seeds import with_hubs
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacks.degree_profiles import DegreeProfiles
from shoal.graphs.graph import Graph


def release_of(original: Graph) -> Scene:
    places = np.random.default_rng(1).permutation(original.nodes)
    names = np.arange(original.nodes).astype(str)
    truth = pl.DataFrame({"original": names, "label": places.astype(str)})
    return Scene(original.moved(places), original=original, truth=truth, seed=1)


def test_nobody_needs_to_be_known() -> None:
    finding = DegreeProfiles(overlap=0.9).attack(release_of(with_hubs()))
    assert finding.rate.value > 0.7
    assert finding.wrong is not None and finding.wrong < 0.1
    assert finding.details["seeds_are_known"] is False


def test_people_who_are_all_alike_are_not_found() -> None:
    ring = Graph.of_edges(100, np.arange(100), (np.arange(100) + 1) % 100)
    assert DegreeProfiles(overlap=1.0).attack(release_of(ring)).rate.value < 0.05


def test_the_same_seed_tells_the_same() -> None:
    given = release_of(circles(200))
    assert DegreeProfiles().attack(given).to_json() == DegreeProfiles().attack(given).to_json()
