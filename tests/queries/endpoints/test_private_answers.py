"""Answers from a budget, as an attacker gets them."""

from fractions import Fraction

import pytest

from queries.attacked import people
from queries.service.houses import House
from shoal.core.errors import ShoalError
from shoal.queries.alternatives.private import Private
from shoal.queries.client import connect
from shoal.queries.endpoints.endpoint import Exhausted, Refused
from shoal.queries.endpoints.private_answers import PrivateAnswers
from shoal.queries.endpoints.question import Question
from shoal.queries.results import BudgetState


@pytest.mark.parametrize("questions", [1, 3, 7, 50])
def test_the_budget_divided_among_questions_covers_exactly_these(questions: int) -> None:
    endpoint = Private(Fraction(1)).open(people())
    price = endpoint.price(questions)
    assert price is not None and 1 - Fraction(questions, 10**6) <= price * questions <= 1
    for turn in range(questions):
        endpoint.ask(Question(f"age > {turn}"), price)
    assert endpoint.spent["epsilon"] == pytest.approx(float(price * questions))
    with pytest.raises(Exhausted):
        endpoint.ask(Question("age > 100"), Fraction(1, 100))
    endpoint.close()


def test_what_cannot_be_asked_is_a_refusal_and_costs_nothing() -> None:
    endpoint = Private(Fraction(1)).open(people())
    with pytest.raises(Refused):
        endpoint.ask(Question("nonsense = 1"), Fraction(1, 2))
    with pytest.raises(Exhausted):
        endpoint.ask(Question(), None)
    assert not endpoint.spent
    endpoint.close()


def test_under_zcdp_the_squares_add_up() -> None:
    state = BudgetState("d", "a", {}, {}, {"epsilon": 1.0, "rho": 0.5}, "refuse", "zcdp")

    class Asked:
        def ask(self, sql: str, epsilon: Fraction, /) -> None: ...

        def budget(self) -> BudgetState:
            return state

    assert PrivateAnswers(Asked(), "t").price(100) == Fraction(1, 10)  # type: ignore[arg-type]


def test_a_service_that_is_gone_is_no_refusal(house: House) -> None:
    client = connect("http://127.0.0.1:9", house.ada, timeout=5)
    endpoint = PrivateAnswers(client, "visits")
    with pytest.raises(ShoalError, match="no answer") as gone:
        endpoint.ask(Question(), Fraction(1, 10))
    assert not isinstance(gone.value, Refused)
