"""Requests for owners."""

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.tables.owner_requests import DiffTable, ExploreTable, MappingTable


def test_each_says_what_it_lacks() -> None:
    with pytest.raises(BadParameter, match="beside what"):
        DiffTable(data="a.csv")
    with pytest.raises(BadParameter, match="counted from 0 on"):
        DiffTable(data="a.csv", original="b.csv", first=-1)
    with pytest.raises(BadParameter, match="no table given"):
        MappingTable()
    with pytest.raises(BadParameter, match="between 0 and 1"):
        ExploreTable(data="a.csv", suppress=2)
