"""`explore`: the lattice of a table as protect would see it."""

from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter

ROWS = pl.DataFrame(
    {
        "age": ["21", "22", "31", "32", "33", "34"],
        "zip": ["101", "102"] * 3,
        "ill": list("abcabc"),
        "x": list("uvwxyz"),
    }
)


def test_every_safe_solution_can_be_released_and_no_unsafe_one() -> None:
    asked = {"quasi": "age,zip", "sensitive": "ill", "k": 2, "suppress": 0.2}
    lattice = shoal.explore(ROWS, **asked)  # type: ignore[arg-type]
    assert lattice.whole and lattice.optimum is not None
    for one in lattice.solutions:
        if one.state == "unsafe":
            with pytest.raises(shoal.Unreachable):
                shoal.protect(ROWS, levels=lattice.chosen(one), **asked)  # type: ignore[call-overload]
            continue
        release = shoal.protect(ROWS, levels=lattice.chosen(one), **asked)  # type: ignore[call-overload]
        assert release.suppressed == one.suppressed and all(promise.holds for promise in release.promises)
        assert release.losses["loss"] == pytest.approx(one.loss)


def test_a_promise_out_of_reach_is_told_as_well() -> None:
    lattice = shoal.explore(ROWS, quasi="age,zip", sensitive="ill", model="l-diversity(l=6)")
    assert lattice.optimum is None and lattice.count("unsafe") == lattice.nodes


def test_somebody_hears_how_far_it_is() -> None:
    heard: list[tuple[int, int, str]] = []
    shoal.explore(ROWS, lambda *told: heard.append(told), quasi="age,zip", k=2)
    assert heard and heard[-1][2] == "combinations of levels"


def test_what_no_release_could_have_is_refused_here_too() -> None:
    with pytest.raises(BadParameter, match="no column 'agee'"):
        shoal.explore(ROWS, quasi="agee", k=2)
    with pytest.raises(BadParameter, match="at least 1, not 0"):
        shoal.explore(ROWS, quasi="age", k=2, nodes=0)


def test_the_cost_is_what_was_asked_for() -> None:
    asked: dict[str, Any] = {"quasi": "age,zip", "sensitive": "ill", "insensitive": "x", "k": 2}
    for goal in ({"objective": "classifier(column=ill)"}, {"weight": {"zip": 9}}):
        lattice = shoal.explore(ROWS, **goal, **asked)
        assert lattice.optimum is not None
        release = shoal.protect(ROWS, method="optimal", **goal, **asked)
        told = release.losses["weighted_loss" if "weight" in goal else "classifier"]
        assert lattice.optimum.loss == pytest.approx(told)
