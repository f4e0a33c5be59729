"""Adaptive selection: what depends on each other is found, the budget is used up, the model stays small."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from shoal.tables.methods.synthetic import adaptive_selection as module
from shoal.tables.methods.synthetic.adaptive_selection import AdaptiveSelection
from shoal.tables.methods.synthetic.privacy_account import PrivacyAccount
from shoal.tables.methods.synthetic.private_rows import PrivateRows


def dependent(number: int = 4000) -> PrivateRows:
    """Column 2 is the exclusive or of 0 and 1, which no pair of columns shows; column 3 repeats column 0."""
    chance = np.random.default_rng(1)
    a, b, free = chance.integers(0, 2, number), chance.integers(0, 2, number), chance.integers(0, 3, number)
    return PrivateRows(np.stack([a, b, a ^ b, a, free], axis=1), (2, 2, 2, 2, 3))


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10**6)])
def test_dependence_of_three_columns_is_found_and_all_is_spent(delta: Fraction) -> None:
    rows, account = dependent(), PrivacyAccount.of(Fraction(2), delta)
    model = AdaptiveSelection(3, 1000, 20).model(rows, account)
    for columns in ((0, 1, 2), (0, 3)):
        off = np.abs(model.marginal(columns) - rows.counts(columns)).sum() / len(rows.rows)
        assert off < 0.15, columns
    assert account.left == 0


def test_a_model_has_no_more_cells_than_it_may() -> None:
    account = PrivacyAccount.of(Fraction(2), Fraction(0))
    model = AdaptiveSelection(3, 14, 20).model(dependent(), account)
    assert sum(one.size for one in model.beliefs) <= 14


def test_one_column_alone_and_no_rows_at_all_make_a_model() -> None:
    nobody = PrivateRows(np.zeros((0, 2), np.int64), (1, 3))
    assert AdaptiveSelection(3, 100, 8).model(nobody, PrivacyAccount.of(Fraction(1), Fraction(0))).total >= 1
    single = PrivateRows(np.zeros((500, 1), np.int64), (2,))
    model = AdaptiveSelection(3, 100, 4).model(single, PrivacyAccount.of(Fraction(5), Fraction(0)))
    assert model.marginal((0,)) == pytest.approx([500, 0], abs=30)


def test_of_too_many_candidates_some_are_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OFFERED", 3)
    account = PrivacyAccount.of(Fraction(2), Fraction(0))
    assert AdaptiveSelection(2, 100, 10).model(dependent(300), account).total > 200
