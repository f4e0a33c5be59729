"""What was granted, what is spent and what is left, in words that promise no more than is true."""

from fractions import Fraction

import pytest

from shoal.core.errors import NotAllowed
from shoal.core.sampling.zcdp_conversion import epsilon_of
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.accounting.cost import Cost
from shoal.queries.budget_balance import budget_state, declared_delta
from shoal.queries.declaration.declaration import Budget
from shoal.queries.ledger.open_ledger import passing_ledger

MILLIONTH = Fraction(1, 10**6)


@pytest.mark.parametrize("accounting", ["pure", "approximate", "zcdp"])
def test_the_limit_is_the_budget_that_was_declared(accounting: str) -> None:
    budget = Budget(Fraction(2), Fraction(0) if accounting == "pure" else MILLIONTH)
    limit = accounting_of(accounting).limit(budget)
    assert declared_delta(limit, accounting) == budget.delta
    with passing_ledger() as ledger:
        ledger.open("d", limit, "refuse", accounting)
        ledger.grant("d", "ada", limit)
        for whose in (None, "ada"):
            told = budget_state(ledger, "d", whose)
            assert told.limit["epsilon"] == pytest.approx(2, rel=1e-9)
            assert told.limit["delta"] == pytest.approx(float(budget.delta))
            assert told.spent["epsilon"] == told.spent["delta"] == 0
            assert (told.analyst, told.policy, told.accounting) == (whose, "refuse", accounting)


def test_what_is_spent_under_zcdp_is_told_as_what_all_answers_promise_and_not_less() -> None:
    books = accounting_of("zcdp")
    limit = books.limit(Budget(Fraction(1), MILLIONTH))
    with passing_ledger() as ledger:
        ledger.open("d", limit, "refuse", "zcdp")
        ledger.grant("d", "ada", limit)
        for _ in range(4):
            ledger.reserve("d", "ada", books.cost(Fraction(1, 10), Fraction(0)), "q")
        told = budget_state(ledger, "d")
    rho = Fraction(4, 200)
    assert told.spent["rho"] == pytest.approx(float(rho))
    # Four questions of 0.1 would be 0.2 as one question, but their promise at a δ is weaker than that.
    assert told.spent["epsilon"] == pytest.approx(float(epsilon_of(rho, MILLIONTH / 2)))
    assert told.spent["epsilon"] > 0.9 and told.spent["delta"] == pytest.approx(5e-7)
    assert told.remaining["epsilon"] == pytest.approx(float(2 * (limit.exact[0] - rho)) ** 0.5)


def test_all_together_and_one_of_them_are_told_apart() -> None:
    with passing_ledger() as ledger:
        ledger.open("d", Cost.limit(Fraction(3)), "warn", "pure")
        for name, own in (("ada", 1), ("ben", 9)):
            ledger.grant("d", name, Cost.limit(Fraction(own)))
            ledger.reserve("d", name, Cost.of(Fraction(1)), "q")
        whole, ada, ben = (budget_state(ledger, "d", whose) for whose in (None, "ada", "ben"))
        assert (whole.spent["epsilon"], whole.remaining["epsilon"]) == (2, 1)
        assert (ada.limit["epsilon"], ada.spent["epsilon"], ada.remaining["epsilon"]) == (1, 1, 0)
        assert (ben.limit["epsilon"], ben.spent["epsilon"], ben.remaining["epsilon"]) == (3, 1, 1)
        for dataset, whose in (("d", "eve"), ("d", ""), ("e", None), ("e", "ada")):
            with pytest.raises(NotAllowed):
                budget_state(ledger, dataset, whose)


def test_a_budget_too_small_for_a_delta_is_still_told() -> None:
    with passing_ledger() as ledger:
        ledger.open("d", Cost(10, 0), "refuse", "zcdp")
        assert budget_state(ledger, "d").limit["rho"] == pytest.approx(1e-11)
