"""Small groups are refused."""

import pytest

from queries.attacked import people
from shoal.core.errors import BadParameter
from shoal.queries.alternatives.minimum_size import MinimumSize
from shoal.queries.endpoints.endpoint import Refused
from shoal.queries.endpoints.question import Question


def test_groups_below_n_and_above_all_but_n_are_refused() -> None:
    some = people()
    endpoint = MinimumSize(5).open(some)
    ages = sorted(some.frame["age"].to_list())
    for size in range(61):
        if 0 < size < 60 and ages[size - 1] == ages[size]:
            continue
        question = Question(f"age < {ages[size] if size < 60 else 200}")
        if 5 <= size <= 55:
            assert endpoint.ask(question, None) == size
        else:
            with pytest.raises(Refused):
                endpoint.ask(question, None)
    endpoint.close()


def test_a_size_below_one_is_refused() -> None:
    with pytest.raises(BadParameter, match="at least 1"):
        MinimumSize(0)
