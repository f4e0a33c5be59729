"""Retention-replacement: the amplification is what it says, and counts can be estimated back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.core.randomness import coins, picks
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.retention import Retention
from shoal.tables.models.d_gamma_privacy import DGammaPrivacy
from shoal.tables.table import Table

from .test_noisy_counts import lower_bound

HIERARCHY = Hierarchy.of_levels([list("abcd"), list("xxyy")])


def table(values: list[str]) -> Table:
    return Table(pl.DataFrame({"q": values}), quasi=("q",), hierarchies={"q": HIERARCHY})


def test_no_release_of_a_value_is_more_than_the_amplification_likelier() -> None:
    method, trials = Retention(0.3), 20_000
    outs = {
        value: method.protect(table([value] * trials), [DGammaPrivacy(0.1, 0.9)]).table.frame["q"].to_list()
        for value in "ab"
    }
    claim = 1 + 4 * 0.3 / 0.7
    bounds = [
        lower_bound([v == seen for v in outs[one]], [v == seen for v in outs[other]])
        for one, other in ("ab", "ba")
        for seen in "abcd"
    ]
    assert math.log(claim) * 0.8 < max(bounds) <= math.log(claim)


def test_what_nobody_declared_is_drawn_evenly() -> None:
    values: list[Any] = ["z", None] * 10_000
    out = Retention(0.9).protect(table(values), []).table.frame["q"].to_list()
    assert len(out) == 20_000 and all(abs(out.count(letter) - 5_000) < 400 for letter in "abcd")


def test_the_amplification_of_columns_multiplies() -> None:
    frame = pl.DataFrame({"q": ["a"], "s": ["b"]})
    both = Table(frame, (), ("q",), ("s",), {"q": HIERARCHY, "s": HIERARCHY})
    release = Retention(0.5, ("q:1",)).protect(both, [])
    assert release.guarantees["amplification"] == pytest.approx((1 + 2) * (1 + 4))
    assert release.rows == release.released == 1


def test_the_estimate_is_unbiased() -> None:
    truth = np.array([5000, 3000, 2000, 0])
    values = [letter for letter, count in zip("abcd", truth, strict=True) for _ in range(count)]
    method = Retention(0.4)
    runs = []
    for _ in range(30):
        out = method.protect(table(values), []).table.frame["q"].to_list()
        runs.append(method.estimate(np.array([out.count(letter) for letter in "abcd"])))
    error = np.std(runs, axis=0) / math.sqrt(len(runs))
    assert (abs(np.mean(runs, axis=0) - truth) < 5 * error + 1).all()


def test_coins_and_picks_are_fair() -> None:
    assert coins(50_000, 0.3).mean() == pytest.approx(0.3, abs=0.012)
    assert not coins(1000, 0.0).any() and coins(1000, 1.0).all()
    counts = np.bincount(picks(60_000, 6), minlength=6)
    assert counts.sum() == 60_000 and (abs(counts - 10_000) < 500).all()


@pytest.mark.parametrize("rho", [-0.1, 1.0, math.nan])
def test_a_rho_out_of_range_is_refused_with_its_value(rho: float) -> None:
    with pytest.raises(BadParameter, match=f"not {rho:g}"):
        Retention(rho)


def test_nothing_can_be_estimated_when_nothing_was_kept() -> None:
    with pytest.raises(BadParameter, match="kept nothing"):
        Retention(0).estimate(np.array([1, 2]))
