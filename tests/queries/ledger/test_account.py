"""Accounts: what is left, what fits, how it is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter, NotAllowed
from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.account import Account, Pair, account, both_accounts, cost_text, pair, terms
from shoal.queries.ledger.entry import LARGEST
from shoal.queries.ledger.ledger import Ledger

small = st.builds(Cost, st.integers(0, 20), st.integers(0, 20))
accounts = st.builds(Account, small, small)


@given(accounts, accounts, small)
def test_what_fits_is_exactly_what_is_left_unless_it_is_overdrawn(
    one: Account, two: Account, cost: Cost
) -> None:
    both = Pair(one, two)
    assert both.left.within(one.left) and both.left.within(two.left)
    if one.spent.within(one.limit) and two.spent.within(two.limit):
        assert both.admits(cost) == cost.within(both.left)
    elif cost.loss and cost.delta:
        assert not both.admits(cost)


@given(accounts, small)
def test_an_overdrawn_account_has_nothing_left_rather_than_less(one: Account, cost: Cost) -> None:
    after = Pair(one, one).after(cost)
    assert after.left.loss >= 0 and after.left.delta >= 0
    assert after.all.spent == one.spent + cost == after.own.spent


def test_sums_beyond_64_bits_are_seen_beforehand() -> None:
    full = Account(Cost(), Cost(LARGEST, 0))
    assert not Pair(full, Account(Cost(), Cost())).counts(Cost(1, 0))
    assert Pair(full, full).counts(Cost(0, 1))


def test_accounts_are_found_by_both_names(ledger: Ledger) -> None:
    with ledger.place.reading() as hand:
        assert account(hand, "people") is not None and account(hand, "nobody") is None
        assert pair(hand, "people", "ada") is not None
        # neither somebody unknown nor the empty name, under which all are summed up
        for analyst in ("eve", ""):
            assert pair(hand, "people", analyst) is None
            with pytest.raises(NotAllowed, match="no data set of that name is open to you"):
                both_accounts(hand, "people", analyst)


def test_costs_are_told_as_they_are_counted() -> None:
    assert cost_text(Cost(5 * 10**11), "pure") == "ε=0.5"
    assert cost_text(Cost(5 * 10**11, 10**12), "approximate") == "ε=0.5, δ=1e-06"
    assert cost_text(Cost(5 * 10**9), "zcdp") == "ε=0.1, ρ=0.005"
    assert cost_text(Cost(), "approximate") == "ε=0"


def test_rules_are_checked() -> None:
    assert terms("warn", "zcdp") == "policy=warn accounting=zcdp"
    with pytest.raises(BadParameter, match="no policy 'ignore'"):
        terms("ignore", "pure")


def test_a_damaged_table_without_the_account_of_all_gives_no_pair() -> None:
    class Odd:
        def rows(self, sql: str, *values: str | int | None) -> list[tuple[object, ...]]:
            return [("ada", 1, 1, 0, 0, "", ""), ("bda", 1, 1, 0, 0, "", "")]

    assert pair(Odd(), "people", "ada") is None
