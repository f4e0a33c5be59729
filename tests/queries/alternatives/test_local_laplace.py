"""People add noise before anybody stores it."""

import math
from fractions import Fraction

import numpy as np
import pytest

from queries.attacked import people
from shoal.core.errors import BadParameter
from shoal.queries.alternatives.local_laplace import LocalLaplace
from shoal.queries.endpoints.endpoint import Refused
from shoal.queries.endpoints.question import Question

PAY = Question("", "sum", "income")
FLU = Question("", "count", "ill", "'flu'")


@pytest.mark.parametrize(
    ("way", "question", "width"),
    [(LocalLaplace(Fraction(2), "income"), PAY, 1000), (LocalLaplace(Fraction(2), "ill", "flu"), FLU, 1)],
)
def test_sums_have_no_bias_and_the_error_of_everybodys_noise(
    way: LocalLaplace, question: Question, width: float
) -> None:
    some = people(400)
    answers = np.array([way.open(some).ask(question, None) for _ in range(15)])
    deviation = width / 2 * math.sqrt(2 * 400)  # a scale of width/ε for each of 400
    assert abs(answers.mean() - some.answer(question)) < 1.5 * deviation
    assert 0.3 * deviation < answers.std() < 2.2 * deviation


def test_numbers_are_clamped_to_the_bounds_and_the_truth_is_nowhere() -> None:
    some = people()
    endpoint = LocalLaplace(Fraction(1), "income").open(some)
    assert (endpoint.people.frame["income"] == some.frame["income"]).sum() < 5
    for question in (Question("", "max", "income"), Question("", "sum", "age")):
        with pytest.raises(Refused):
            endpoint.ask(question, None)
    flu = LocalLaplace(Fraction(1), "ill", "flu").open(some)
    assert flu.ask(Question("ill = 'flu'"), None) == 0
    with pytest.raises(BadParameter, match="--bounds town"):
        LocalLaplace(Fraction(1), "town").open(some)
    with pytest.raises(BadParameter, match="column"):
        LocalLaplace().open(some)
    assert LocalLaplace().within(Fraction(3)).loss == 3
