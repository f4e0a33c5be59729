"""What a question costs is worked out once for each price."""

from fractions import Fraction

import pytest

from queries.clinic import dataset, usual
from shoal.core.errors import BadParameter
from shoal.queries.pricing import PRICES, price
from shoal.queries.sql.questions import plan_question


def test_a_price_is_remembered_and_not_too_many_of_them() -> None:
    of = dataset()
    plan = plan_question("SELECT COUNT(*) FROM people", of, usual(of))
    assert price(of, plan, Fraction(1), None) is price(of, plan, Fraction(1), None)
    for part in range(1, 3 * PRICES):
        found = price(of, plan, Fraction(part, 7), None)
        assert found.cost.exact[0] >= Fraction(part, 7) and found.delta == 0
        assert len(plan.prices) <= PRICES
    with pytest.raises(BadParameter, match="must be above 0"):
        price(of, plan, Fraction(0), None)
