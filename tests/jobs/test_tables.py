"""Requests as data."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.jobs.tables import InspectTable, ProtectTable, columns_of, declares, listed, path_in


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


def test_a_request_needs_data_and_a_sound_seed() -> None:
    with pytest.raises(BadParameter, match="no table given"):
        InspectTable()
    with pytest.raises(BadParameter, match="not -1"):
        ProtectTable(data="x.csv", seed=-1)
    with pytest.raises(BadParameter, match="hierarchy maps"):
        InspectTable(data="x.csv", hierarchy="mask()")  # type: ignore[arg-type]


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
