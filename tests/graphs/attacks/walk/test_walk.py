"""The active attack: planted accounts are found again."""

from typing import Any

import pytest

import shoal
from graphs.drawn import power_law
from shoal.core.errors import BadParameter
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacks.walk.walk import Walk

NETWORK = power_law(500, 3000, 6)
SMALL = power_law(60, 200, 6)
WORDS = "k=7,d0=8,d1=14,targets=6,trials=4"


def attack(**how: object) -> shoal.Finding:
    return shoal.attack(NETWORK, f"walk({WORDS})", seed=1, **how)  # type: ignore[call-overload,no-any-return]


def test_new_labels_hide_no_plant_and_all_targets_are_read_off() -> None:
    found = attack()
    assert found.rate.hits == 4 and found.wrong == 0
    assert found.details["targets_found"] == 1 and found.details["pairs_told_rightly"] == 1
    assert found.details["pairs_told"] == 4 * 15 and found.details["protected_by"] == "naive"
    assert all("name" not in told["who"] for told in found.findings)  # type: ignore[operator]


@pytest.mark.parametrize("method", ["supergraph", "simultaneous", "deletion"])
def test_promises_about_degrees_do_not_stop_it(method: str) -> None:
    found = attack(method=method, k=10)
    assert found.rate.hits >= 3, found.details


@pytest.mark.parametrize("model", ["k-grouping(k=5)", "edge-differential-privacy(epsilon=1)"])
def test_whoever_releases_nobody_gives_no_account_away(model: str) -> None:
    found = shoal.attack(SMALL, "walk(k=6,d0=3,d1=6,targets=3,trials=1)", model=model, seed=1)
    assert found.rate.hits == 0 and found.details["targets_found"] == 0


def test_few_accounts_are_not_found_and_more_are() -> None:
    found = shoal.attack(NETWORK, "walk(k=6,d0=3,d1=5,targets=1,trials=6,sizes=3|8)", k=20, seed=2)
    sizes: Any = found.details["by_size"]
    assert sizes["3"]["rate"] < sizes["8"]["rate"]


def test_delta_chooses_the_number_that_is_proved() -> None:
    found = shoal.attack(NETWORK, "walk(delta=0.1,d0=5,d1=9,targets=5,trials=1)", seed=1)
    assert found.details["accounts"] == 19 and found.rate.hits == 1


def test_with_the_truth_people_are_named() -> None:
    release = shoal.protect(NETWORK, method="naive", seed=1)
    found = shoal.attack(release, f"walk({WORDS})", original=NETWORK, seed=1)
    assert found.findings and all("name" in told["who"] for told in found.findings)  # type: ignore[operator]


def test_what_cannot_be_planted_is_refused() -> None:
    for words in ({"k": 1}, {"d0": 0}, {"trials": 0}, {"targets": 0}, {"sizes": (1,)}):
        with pytest.raises(BadParameter, match="plants nothing"):
            Walk(**words)
    with pytest.raises(BadParameter, match="d1 is at least d0"):
        Walk(d0=5, d1=4)
    with pytest.raises(BadParameter, match="delta is above 0"):
        Walk(delta=0)
    with pytest.raises(BadParameter, match="plays how the release is made"):
        Walk().attack(Scene(NETWORK))
