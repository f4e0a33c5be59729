"""The budget of a synthetic table: exact, never overspent, and the noise that it buys."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from shoal.core.errors import BadParameter
from shoal.core.sampling.zcdp_conversion import epsilon_of
from shoal.tables.methods.synthetic.privacy_account import PrivacyAccount

DELTA = Fraction(1, 10**9)


@pytest.mark.parametrize("delta", [Fraction(0), DELTA])
def test_costs_add_up_exactly_and_more_than_there_is_is_refused(delta: Fraction) -> None:
    account = PrivacyAccount.of(Fraction(1), delta)
    for _ in range(7):
        account.measured((0,), np.zeros(3, np.int64), account.limit / 14)
        account.chosen(np.array([0, 5]), 1, account.limit / 14)
    assert account.left == 0
    with pytest.raises(AssertionError, match="must not cost more"):
        account.measured((0,), np.zeros(3, np.int64), Fraction(1, 10**12))


def test_what_is_spent_under_zcdp_is_worth_the_promise() -> None:
    assert epsilon_of(PrivacyAccount.of(Fraction(1), DELTA).limit, DELTA) <= Fraction(1)


@pytest.mark.parametrize("delta", [Fraction(0), DELTA])
def test_noise_is_as_wide_as_its_variance_says(delta: Fraction) -> None:
    account = PrivacyAccount.of(Fraction(1), delta)
    cost = account.limit / 2
    found = account.measured((0,), np.zeros(20_000, np.int64), cost).counts
    assert found.var() == pytest.approx(account.variance(cost), rel=0.1)
    assert np.abs(found).mean() == pytest.approx(account.size(cost), rel=0.1)


@pytest.mark.parametrize("delta", [Fraction(0), DELTA])
def test_noise_that_nobody_can_draw_is_refused(delta: Fraction) -> None:
    with pytest.raises(BadParameter, match="raise epsilon"):
        PrivacyAccount.of(Fraction(1), delta).check(Fraction(1, 2**110))
