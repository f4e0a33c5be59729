"""Noise on answers, with a budget."""

from fractions import Fraction

import pytest

from queries.attacked import people
from shoal.queries.alternatives.private import Private
from shoal.queries.endpoints.endpoint import Exhausted
from shoal.queries.endpoints.question import Question


def test_answers_have_noise_and_end_with_the_budget() -> None:
    endpoint = Private(Fraction(2)).open(people())
    answers = [endpoint.ask(Question(f"age > {turn}"), Fraction(1, 10)) for turn in range(20)]
    assert len(set(answers)) > 5 and endpoint.spent == {"epsilon": pytest.approx(2)}
    with pytest.raises(Exhausted):
        endpoint.ask(Question("age > 60"), Fraction(1, 10))
    endpoint.close()


def test_another_secret_is_one_who_goes_and_one_who_comes() -> None:
    assert Private(Fraction(1)).loss == 2
    assert Private().within(Fraction(1)) == Private(Fraction(1, 2))
