from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from graphs.matching.networks import circles
from graphs.matching.test_second_network import scene
from shoal.graphs.attacks.percolation import Percolation


def test_a_second_network_names_most_people_of_a_naive_release() -> None:
    finding = Percolation(seeds=20).attack(scene())
    assert finding.rate.value > 0.9
    assert finding.wrong is not None and finding.wrong < 0.05
    assert finding.baseline == pytest.approx(1 / 300)
    assert "k-grouping" in finding.cure


def test_a_network_of_other_people_names_nobody() -> None:
    strangers = circles(300, seed=9)
    finding = Percolation(seeds=10).attack(replace(scene(), auxiliary=strangers))
    assert finding.rate.value < 0.05


def test_without_the_truth_nobody_says_what_is_right_and_nobody_is_named() -> None:
    finding = Percolation().attack(replace(scene(), truth=None))
    assert finding.wrong is None
    assert not finding.details["checked_against_the_truth"]
    assert all("node" in who for who in (found["who"] for found in finding.findings) if isinstance(who, dict))


def test_people_alone_in_one_network_are_no_targets() -> None:
    given = scene()
    finding = Percolation(seeds=20, overlap=0.5).attack(given)
    assert finding.rate.targets <= 280
    assert finding.rate.hits + round((finding.wrong or 0) * finding.rate.targets) <= finding.rate.targets
    assert isinstance(finding.details["rounds"], int) and np.isfinite(finding.rate.value)
