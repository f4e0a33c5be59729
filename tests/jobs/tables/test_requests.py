"""Requests as data."""

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.tables.requests import AttackTable, InspectTable, ProtectTable


def test_a_request_needs_data_and_a_sound_seed() -> None:
    with pytest.raises(BadParameter, match="no table given"):
        InspectTable()
    with pytest.raises(BadParameter, match="not -1"):
        ProtectTable(data="x.csv", seed=-1)
    with pytest.raises(BadParameter, match="seed is a whole number from 0 on"):
        AttackTable(data="x.csv", attack="linkage", seed=-1)
    with pytest.raises(BadParameter, match="hierarchy maps"):
        InspectTable(data="x.csv", hierarchy="mask()")  # type: ignore[arg-type]


def test_no_hierarchies_are_none_at_all() -> None:
    assert InspectTable(data="x.csv", hierarchy=None).hierarchy == {}  # type: ignore[arg-type]
