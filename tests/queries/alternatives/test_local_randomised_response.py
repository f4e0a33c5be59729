"""People lie before anybody stores it."""

import math
from fractions import Fraction

import pytest

from queries.attacked import people
from shoal.core.errors import BadParameter
from shoal.queries.alternatives.local_randomised_response import LocalRandomisedResponse
from shoal.queries.endpoints.endpoint import Refused
from shoal.queries.endpoints.question import Question

FLU = Question("", "count", "ill", "'flu'")


def test_counts_have_no_bias_and_the_error_that_the_coins_give() -> None:
    some, way = people(900), LocalRandomisedResponse(Fraction(1), "ill", "flu")
    truth = some.answer(FLU)
    answers = [way.open(some).ask(FLU, None) for _ in range(15)]
    lie = 1 / (1 + math.e)
    deviation = math.sqrt(900 * lie * (1 - lie)) / (1 - 2 * lie)  # 28.8
    mean = sum(answers) / len(answers)
    assert abs(mean - truth) < 5 * deviation / math.sqrt(15)
    spread = math.sqrt(sum((answer - mean) ** 2 for answer in answers) / 14)
    assert 0.3 * deviation < spread < 2.2 * deviation


def test_the_truth_is_nowhere_not_even_in_conditions() -> None:
    some = people(300)
    endpoint = LocalRandomisedResponse(Fraction(1), "ill", "flu").open(some)
    said = endpoint.ask(Question("ill = 'flu'"), None)
    assert said != some.answer(FLU) and abs(said - 300 * 0.42) < 60
    with pytest.raises(Refused):
        endpoint.ask(Question("", "count", "ill", "'gout'"), None)
    assert endpoint.ask(Question("sex = 'F'"), None) == some.answer(Question("sex = 'F'"))
    assert "cold" not in str(endpoint.people.frame["ill"].to_list())
    endpoint.close()


def test_what_was_asked_must_be_known() -> None:
    with pytest.raises(BadParameter, match="yes-or-no"):
        LocalRandomisedResponse().open(people())
    assert LocalRandomisedResponse().within(Fraction(3)).loss == 3
