"""Numbers and weights in few words."""

from typing import Any

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.request import numbers_in, weights_in


@pytest.mark.parametrize("value", ["2,5,10", [2, 5, 10], (2, 5, 10), ["2", "5", "10"], "2, 5,10,5"])
def test_numbers_to_try(value: Any) -> None:
    assert numbers_in(value, "k", int) == (2, 5, 10)


def test_one_number_is_a_list_and_nothing_is_none() -> None:
    assert numbers_in(5, "k", int) == (5,) and numbers_in(None, "k", int) == ()
    assert numbers_in("0,0.05", "suppress", float) == (0.0, 0.05)


@pytest.mark.parametrize("value", ["two", "2,", "2.5", 2.5, True, [None], {"k": 2}])
def test_what_is_no_number_is_shown_back(value: Any) -> None:
    with pytest.raises(BadParameter, match="--k takes whole numbers such as 2,5,10, not"):
        numbers_in(value, "k", int)


@pytest.mark.parametrize("value", [{"age": 2, "zip": 0.5}, ["age=2", "zip=0.5"], ("age=2", '"zip"=0.5')])
def test_weights_of_columns(value: Any) -> None:
    assert weights_in(value) == {"age": 2.0, "zip": 0.5}
    assert weights_in(()) == {} and weights_in("a=b=3") == {"a=b": 3.0}


@pytest.mark.parametrize("value", ["age", "age=", "=2", "age=much", "age=-1", "age=inf", {"age": None}, 5])
def test_what_is_no_weight_is_shown_back(value: Any) -> None:
    with pytest.raises(BadParameter, match="--weight takes COLUMN=NUMBER"):
        weights_in(value)
