"""Columns as users list them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.core.part_syntax import columns_of, join_columns


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
    assert columns_of(join_columns(names)) == tuple(names)


@pytest.mark.parametrize("wrong", [5, [1, 2], {"a": 1}, object()])
def test_what_is_no_column_list_is_refused(wrong: object) -> None:
    with pytest.raises(BadParameter, match="column names are text"):
        columns_of(wrong)
