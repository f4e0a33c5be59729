"""The released rows that may be one person's."""

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.tables.group_of_person import group_of_person
from shoal.jobs.tables.owner_requests import DiffTable

BEFORE = pl.DataFrame({"zip": ["101", "102", "201", "202"], "ill": ["a", "b", "c", "d"]})
AFTER = BEFORE.with_columns(zip=pl.Series(["10*", "10*", "20*", "20*"]))
PEOPLE = pl.DataFrame({"name": ["Ann", "Bob"], "zip": ["102", "999"]})
JOB = DiffTable(data=AFTER, original=BEFORE, quasi=("zip",), hierarchy={"zip": "mask()"})


def test_the_rows_that_fit_are_those_of_the_group() -> None:
    found = group_of_person(JOB, PEOPLE, {"name": "Ann"})
    assert found.known == {"zip": "102"} and found.columns == ("zip", "ill")
    assert found.rows == (("10*", "a"), ("10*", "b")) and (found.many, found.groups) == (2, 1)


def test_somebody_who_is_not_on_the_list_is_refused() -> None:
    with pytest.raises(BadParameter, match="nobody on the list is Eve"):
        group_of_person(JOB, PEOPLE, {"name": "Eve"})


def test_somebody_described_by_what_the_list_does_not_have_is_refused() -> None:
    with pytest.raises(BadParameter, match="the list has no column ill"):
        group_of_person(JOB, PEOPLE, {"zip": "102", "ill": "b"})
