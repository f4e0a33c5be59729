"""MWEM: the made-up histogram answers ranges, better than noise on every one of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.queries.answering.range_counts import range_counts
from shoal.queries.mechanisms import mwem
from shoal.queries.mechanisms.mwem import Mwem


def test_with_much_to_spend_ranges_come_back() -> None:
    counts = np.array([0, 50, 200, 0, 0, 100, 30, 20])
    made = Mwem(Fraction(1000), rounds=30).release(counts)
    ranges = range_counts(8)
    assert np.abs(ranges @ made - ranges @ counts).max() < 20 and made.sum() == pytest.approx(400, abs=1)


def test_it_beats_noise_divided_over_all_ranges() -> None:
    counts = np.array([0, 50, 200, 0, 0, 100, 30, 20] * 4)
    ranges = range_counts(32)
    off = [np.abs(ranges @ Mwem(Fraction(1)).release(counts) - ranges @ counts).mean() for _ in range(3)]
    # One person is in up to 272 ranges at once, so that each would get noise of 272/ε.
    assert np.mean(off) < 272 / 2


def test_no_rows_are_no_error_and_too_many_cells_are() -> None:
    assert (Mwem(Fraction(1)).release(np.zeros(3, np.int64)) >= 0).all()
    with pytest.raises(BadParameter, match="coarsen it"):
        Mwem(Fraction(1)).release(np.zeros(300, np.int64))
    with pytest.raises(BadParameter, match="1,000 rounds at most"):
        Mwem(Fraction(1), rounds=1001)


def test_noise_beyond_all_rows_does_not_go_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores of 64 steps for each row wrapped beyond 2^57 rows: one row more moved the best to the worst."""
    monkeypatch.setattr(mwem, "laplace_noise", lambda _scale, number: np.full(number, 2**60))
    scores: list[list[int]] = []

    def noted(given: NDArray[np.int64], _rate: Fraction) -> int:
        scores.append(given.tolist())
        return 0

    monkeypatch.setattr(mwem, "exact_choice", noted)
    for counts in ([0, 0, 0], [1, 0, 0]):
        Mwem(Fraction(1), rounds=1).release(np.array(counts))
    assert 0 < max(abs(a - b) for a, b in zip(*scores, strict=True)) <= mwem.STEPS
