"""Carry out `inspect`."""

import polars as pl

from shoal.jobs import InspectTable, run
from shoal.jobs.tables.inspect import inspect_table

PEOPLE = pl.DataFrame({"name": ["Ann", "Bob"], "zip": ["02138", "02139"]})


def test_every_column_gets_a_role_and_a_reason() -> None:
    found = inspect_table(InspectTable(data=PEOPLE))
    assert list(found.columns) == ["name", "zip"] and all(one.reason for one in found.columns.values())


def test_one_way_carries_out_any_request() -> None:
    assert run(InspectTable(data=PEOPLE)).to_json() == inspect_table(InspectTable(data=PEOPLE)).to_json()
