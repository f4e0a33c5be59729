"""A tree of pairs: the strongest are in it, and all of the budget is spent."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from shoal.tables.methods.synthetic.privacy_account import PrivacyAccount
from shoal.tables.methods.synthetic.private_rows import PrivateRows
from shoal.tables.methods.synthetic.tree_selection import TreeSelection


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10**6)])
def test_the_pairs_that_depend_on_each_other_are_joined(delta: Fraction) -> None:
    chance = np.random.default_rng(3)
    a, b = chance.integers(0, 3, 5000), chance.integers(0, 2, 5000)
    rows = PrivateRows(np.stack([a, b, a, b], axis=1), (3, 2, 3, 2))
    account = PrivacyAccount.of(Fraction(2), delta)
    model = TreeSelection().model(rows, account)
    assert {(0, 2), (1, 3)} <= set(model.factors) and len(model.factors) == 4 + 3
    assert model.marginal((0, 2)) == pytest.approx(rows.counts((0, 2)), abs=120)
    assert account.left == 0


def test_one_column_has_no_pairs_and_gets_all() -> None:
    account = PrivacyAccount.of(Fraction(1), Fraction(0))
    model = TreeSelection().model(PrivateRows(np.ones((100, 1), np.int64), (2,)), account)
    assert list(model.factors) == [(0,)] and account.left == 0
