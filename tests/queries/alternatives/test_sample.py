"""Answers from a sample."""

from fractions import Fraction

import pytest

from queries.attacked import people
from shoal.core.errors import BadParameter
from shoal.queries.alternatives.sample import Sample
from shoal.queries.endpoints.endpoint import Refused
from shoal.queries.endpoints.question import Question


def test_a_count_is_scaled_and_one_question_tells_who_was_drawn() -> None:
    some = people(600)
    endpoint = Sample(Fraction(1, 2)).open(some)
    assert abs(endpoint.ask(Question(), None) - 600) < 150
    alone = {endpoint.ask(Question(f"id = '{unit}'"), None) for unit in some.frame["id"][:40]}
    assert alone == {0.0, 2.0}
    with pytest.raises(Refused):
        endpoint.ask(Question("", "max", "income"), None)
    endpoint.close()


def test_more_than_everybody_is_refused() -> None:
    with pytest.raises(BadParameter, match="at most 1"):
        Sample(Fraction(2))
