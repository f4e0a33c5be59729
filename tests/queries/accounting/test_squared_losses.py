"""Books in which squares add up: what a budget allows, held against dp-accounting, and back."""

import math
from fractions import Fraction

import dp_accounting
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.accounting.squared_losses import GaussianLoss
from shoal.queries.declaration.declaration import Budget

NONE = Fraction(0)
SQUARES = ("zcdp", "zcdp-listed", "pld", "pld-listed")
micros = st.integers(1, 10**7).map(lambda n: Fraction(n, 10**6))


@settings(max_examples=20, deadline=None)
@given(micros, st.integers(2, 12))
def test_a_budget_of_the_whole_loss_wastes_nothing(epsilon: Fraction, digits: int) -> None:
    """Held against dp-accounting's analytic ε of as many Gaussian mechanisms as may be asked for."""
    budget = Budget(epsilon, Fraction(1, 10**digits))
    for books, kept in ((GaussianLoss(), budget.delta / 2), (GaussianLoss(listed=True), budget.delta)):
        limit = books.limit(budget)
        assert limit.exact[1] + kept <= budget.delta * (1 + books.listed)
        if limit.loss > 10**4:
            sigma = 1 / math.sqrt(limit.exact[0])
            spent = dp_accounting.get_epsilon_gaussian(sigma, float(kept))
            assert float(epsilon) * (1 - 1e-3) <= spent <= float(epsilon) * (1 + 1e-9)
            assert books.declared_delta(limit) == pytest.approx(float(budget.delta))
            told = books.guarantee(limit, budget)
            assert spent * (1 - 1e-9) <= told["epsilon"] <= float(epsilon) * (1 + 1e-9)
            assert told["delta"] <= float(budget.delta) * (1 + 1e-12)


@pytest.mark.parametrize("name", SQUARES)
def test_a_limit_tells_its_budget(name: str) -> None:
    books = accounting_of(name)
    for epsilon in ("1", "0.25", "3.125"):
        budget = Budget(Fraction(epsilon), Fraction(1, 10**6))
        assert books.budget_of(books.limit(budget)) == budget


@pytest.mark.parametrize("name", SQUARES)
def test_one_question_fits_the_budget_made_for_it(name: str) -> None:
    books = accounting_of(name)
    for epsilon in (Fraction(1, 100), Fraction(1), Fraction(7)):
        budget = books.budget_for_one(epsilon, None, Fraction(1, 10**6))
        assert books.cost(epsilon, NONE).within(books.limit(budget))


@pytest.mark.parametrize("name", ["zcdp-listed", "pld-listed"])
def test_where_all_groups_are_listed_no_question_has_a_delta(name: str) -> None:
    books = accounting_of(name)
    with pytest.raises(BadParameter, match=r"to find its groups.*has none to spend"):
        books.cost(Fraction(1), Fraction(1, 10**9))
    assert books.left(books.limit(Budget(Fraction(1), Fraction(1, 10**6))))["delta"] == 0
    assert not books.finds_groups and accounting_of(books.finds_groups_as).finds_groups
