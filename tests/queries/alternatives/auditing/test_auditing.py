"""A database that remembers what it has told."""

import pytest

from queries.attacked import people
from shoal.core.errors import BadParameter
from shoal.queries.alternatives.auditing.auditing import Auditing
from shoal.queries.endpoints.endpoint import Refused
from shoal.queries.endpoints.question import Question, negated


def test_everybody_less_everybody_but_one_is_refused() -> None:
    some = people()
    endpoint = Auditing().open(some)
    assert endpoint.ask(Question("", "sum", "income"), None) == some.frame["income"].sum()
    with pytest.raises(Refused, match="those before it"):
        endpoint.ask(Question(negated("id = 'P001'"), "sum", "income"), None)
    assert endpoint.ask(Question("id = 'P001'"), None) == 1  # who is there is no secret
    endpoint.close()


def test_groups_are_not_described_by_the_secret() -> None:
    endpoint = Auditing(column="ill").open(people())
    with pytest.raises(Refused, match="secret itself"):
        endpoint.ask(Question("id = 'P001' AND ILL = 'flu' OR sex = 'F'"), None)
    with pytest.raises(Refused, match="sum and count"):
        endpoint.ask(Question("", "max", "income"), None)
    endpoint.close()


def test_a_rule_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadParameter, match="sum, count, max"):
        Auditing("min")  # type: ignore[arg-type]
