"""Lists in few words."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.jobs.parsing import columns_of, declares, listed, numbers_in, path_in, weights_in


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


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (None, ()),
        ("", ()),
        (" , ", ()),
        ("zip", ("zip",)),
        (" zip , age ", ("zip", "age")),
        ("zip,,age", ("zip", "age")),
        ('"city, state",zip', ("city, state", "zip")),
        ('" zip "," "', (" zip ", " ")),
        ('"the ""best"""', ('the "best"',)),
        ('a"b,c', ('a"b', "c")),
        (["city, state"], ("city, state",)),
        (("a", "b"), ("a", "b")),
    ],
)
def test_column_lists(text: object, names: tuple[str, ...]) -> None:
    assert columns_of(text) == names


@given(st.lists(st.text(st.sampled_from('ab,"= ü\n'), min_size=1, max_size=5), max_size=4))
def test_what_is_listed_is_read_back(names: list[str]) -> None:
    assert columns_of(listed(names)) == tuple(names)


@pytest.mark.parametrize("wrong", [5, [1, 2], {"a": 1}, object()])
def test_what_is_no_column_list_is_refused(wrong: object) -> None:
    with pytest.raises(BadParameter, match="column names are text"):
        columns_of(wrong)


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ("age.csv", "age.csv"),
        ("some/age.JSON", "some/age.JSON"),
        (Path("age.csv"), "age.csv"),
        ("parents(file=icd.csv)", "icd.csv"),
        ("parents( file = a/icd.tab )", "a/icd.tab"),
        ("mask()", None),
        ("interval(width=5)", None),
        ({"a": ["b"]}, None),
    ],
)
def test_the_file_that_a_hierarchy_reads(spec: object, path: str | None) -> None:
    assert path_in(spec) == path


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("zip.csv", True),
        (Path("zip.csv"), True),
        ({"all": ["1", "2"]}, True),
        ("mask()", False),
        ("parents(file=icd.csv)", False),
        (None, False),
    ],
)
def test_a_hierarchy_is_declared_if_it_says_itself_what_values_there_are(spec: object, said: bool) -> None:
    assert declares(spec) is said
