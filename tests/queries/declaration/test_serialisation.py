"""Declarations from plain data and back."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.engines.files import read_frame
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.declaration.serialisation import POSTGRES, dataset_from, table_from_schema, to_plain

HOSPITAL = """
unit = "patient_id"
epsilon = 0.1
delta = 1e-6
each = { epsilon = "1/30", delta = 0 }
policy = "warn"
accounting = "approximate"
about = "Visits of one year."

[tables.visits]
file = "visits.csv"
rows = 3
groups = 2
[tables.visits.columns]
age = { kind = "integer", low = 0, high = 120 }
sex = { keys = ["F", "M"], missing = false }
ward = "text surgery|eye clinic"
stars = "integer 1|2|3"
cost = "number -0.5..1e4"
weight = { low = 0, high = 500 }
floor = { keys = [1, 2] }
born = "date"
[tables.people]
postgres = true
unit = "id"
[tables.people.columns]
id = "text"
alive = "boolean"
[tables.places]
public = true
columns = { zip = "text" }
"""


def hospital(**changes: Any) -> dict[str, Any]:
    plain: dict[str, Any] = tomllib.loads(HOSPITAL)
    return {**plain, **changes}


def visits(column: object) -> dict[str, Any]:
    return {"name": "h", "unit": "id", "epsilon": 1, "tables": {"visits": {"columns": {"x": column}}}}


def test_a_project_file_becomes_a_data_set() -> None:
    found = dataset_from(hospital(), "hospital")
    assert found == Dataset(
        "hospital",
        (
            Table(
                "visits",
                (
                    Column("patient_id"),
                    Column("age", "integer", 0, 120),
                    Column("sex", "text", keys=("F", "M"), missing=False),
                    Column("ward", "text", keys=("surgery", "eye clinic")),
                    Column("stars", "integer", keys=(1, 2, 3)),
                    Column("cost", "number", -0.5, 1e4),
                    Column("weight", "number", 0, 500),
                    Column("floor", "integer", keys=(1, 2)),
                    Column("born", "date"),
                ),
                "patient_id",
                3,
                2,
            ),
            Table("people", (Column("id"), Column("alive", "boolean")), "id"),
            Table("places", (Column("zip"),)),
        ),
        Budget(Fraction(1, 10), Fraction(1, 10**6)),
        "warn",
        "approximate",
        Budget(Fraction(1, 30)),
        "Visits of one year.",
    )
    assert found.sources == (("visits", "visits.csv"), ("people", POSTGRES))


def test_plain_data_say_the_same_as_the_data_set() -> None:
    found = dataset_from(hospital(), "hospital")
    plain = json.loads(json.dumps(to_plain(found)))
    assert (plain["epsilon"], plain["delta"], plain["each"]["epsilon"]) == ("0.1", "0.000001", "1/30")
    assert dataset_from(plain) == found
    assert dataset_from(plain).sources == found.sources


NAMES = st.from_regex(r"\A[^\W\d]\w{0,9}\Z")
BOUNDS = st.tuples(*[st.floats(-(2.0**52), 2.0**52)] * 2).filter(lambda ends: ends[0] < ends[1])
COLUMNS = st.one_of(
    st.builds(Column, NAMES, st.sampled_from(["text", "integer", "number", "boolean", "date"])),
    st.builds(
        lambda name, kind, ends: Column(name, kind, *ends),
        NAMES,
        st.sampled_from(["integer", "number"]),
        BOUNDS,
    ),
    st.builds(
        lambda name, keys, missing: Column(name, "text", keys=tuple(keys), missing=missing),
        NAMES,
        st.sets(st.text(st.characters(codec="utf-8", exclude_characters="\0")), min_size=1),
        st.booleans(),
    ),
    st.builds(
        lambda name, keys: Column(name, "integer", keys=tuple(keys)),
        NAMES,
        st.sets(st.integers(-(2**63), 2**63 - 1), min_size=1),
    ),
)
TABLES = st.builds(
    lambda name, columns, private, rows, groups: Table(
        name,
        (Column("who"), *(column for column in columns if column.name.lower() != "who")),
        "who" if private else None,
        rows,
        groups,
    ),
    NAMES,
    st.lists(COLUMNS, max_size=4, unique_by=lambda column: column.name.lower()),
    st.booleans(),
    st.integers(1, 9),
    st.none() | st.integers(1, 9),
)
DATASETS = st.builds(
    lambda name, tables, epsilon, each, policy, about: Dataset(
        name,
        (Table("Private_one", (Column("who"),), "who"), *tables),
        Budget(epsilon),
        policy,
        each=each,
        about=about,
    ),
    NAMES,
    st.lists(TABLES, max_size=3, unique_by=lambda table: table.name.lower()),
    st.fractions(0, 100),
    st.none() | st.builds(Budget, st.fractions(0, 10)),
    st.sampled_from(["refuse", "warn"]),
    st.text(),
)


@given(DATASETS)
def test_any_data_set_survives_the_way_through_json(dataset: Dataset) -> None:
    assert dataset_from(json.loads(json.dumps(to_plain(dataset)))) == dataset


@pytest.mark.parametrize(
    ("plain", "told"),
    [
        ({"epsilom": 1}, r"data set has no setting 'epsilom'; it has name, unit, epsilon"),
        (hospital(epsilon=None), r"epsilon of data set 'h' is not given; give a number, as in epsilon = 0.5"),
        (hospital(epsilon="much"), r"epsilon of data set 'h' is 'much'; give a number"),
        (hospital(epsilon=True), r"epsilon of data set 'h' is 'True'"),
        (hospital(epsilon=float("nan")), r"epsilon of data set 'h' is 'nan'"),
        (hospital(epsilon="1e999999999"), r"epsilon of data set 'h' is '1e999999999'"),
        (hospital(epsilon="1/0"), r"epsilon of data set 'h' is '1/0'"),
        (hospital(epsilon=10**4000), r"epsilon of data set 'h' is "),
        (hospital(epsilon=-1), r"ε=-1"),
        (hospital(each=5), r"each of data set 'h' is '5'; give a table of settings with epsilon, delta"),
        (hospital(policy="beg"), r"no policy 'beg'"),
        (hospital(policy=1), r"policy of data set 'h' is '1'; give a text"),
        (hospital(tables=None), r"data set 'h' has no tables; list its tables by name"),
        (hospital(tables=["visits"]), r"list its tables by name"),
        (hospital(tables={"visits": 1}), r"table 'visits' is '1'; give a table of settings with file"),
        (hospital(tables={"visits": {"colums": {}}}), r"table 'visits' has no setting 'colums'; it has file"),
        (hospital(tables={"visits": {}}), r"table 'visits' has no columns; list its columns by name"),
        (hospital(tables={"v": {"rows": "3", "columns": {}}}), r"rows of table 'v' is '3'; give a whole"),
        (hospital(tables={"v": {"rows": True, "columns": {}}}), r"rows of table 'v' is 'True'"),
        (hospital(tables={"v": {"public": 1, "columns": {}}}), r"public of table 'v' is '1'; give true or"),
        (hospital(tables={"v": {"public": True, "unit": "a", "columns": {}}}), r"public and has a unit"),
        (hospital(unit=None, tables={"v": {"columns": {}}}), r"table 'v' has no unit; name the column"),
        (visits("whole 0..9"), r"column 'x' of table 'visits' is 'whole 0..9'; begin with a kind"),
        (visits({"kinds": "text"}), r"column 'x' of table 'visits' has no setting 'kinds'; it has kind, low"),
        (visits(5), r"column 'x' of table 'visits' is '5'; give a table of settings"),
        (visits({"kind": "whole"}), r"column 'x' has kind 'whole'; there is integer"),
        (visits({"low": "a", "high": 1}), r"bound 'a' of 'x' is no number"),
        (visits({"low": 0, "high": 10**400}), r"of 'x' is no number"),
        (visits({"low": 0}), r"column 'x' has one bound only"),
        (visits({"keys": "FM"}), r"keys of column 'x' of table 'visits' is 'FM'; give a list"),
        (visits({"keys": [1.5]}), r"keys of column 'x' of table 'visits' is .*; give a list"),
        (visits({"keys": [["a"]]}), r"keys of column 'x'"),
        (visits({"keys": ["a\0"]}), r"keys of column 'x'"),
        (visits({"keys": ["\ud800"]}), r"keys of column 'x'"),
        (visits({"keys": [2**63]}), r"keys of column 'x'"),
        (visits({"keys": ["a", 1]}), r"key 1 of 'x' is not of its kind, text"),
        (visits("integer 1|b"), r"of 'x' are no whole numbers; its kind is integer"),
        (visits("date 1|2"), r"takes no keys"),
        (visits("number a..b"), r"bound 'a' of 'x' is no number"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_the_value_and_what_is_known(plain: Mapping[str, Any], told: str) -> None:
    with pytest.raises(BadParameter, match=told) as failed:
        dataset_from(plain, "h")
    assert "\n" not in str(failed.value)


def test_a_data_set_needs_a_name() -> None:
    with pytest.raises(BadParameter, match="the data set has no name"):
        dataset_from(hospital())


def test_kinds_come_from_the_types_of_a_file() -> None:
    frame = pl.DataFrame(
        {"id": [1], "age": [7], "cost": [0.5], "ok": [True], "at": ["x"], "first name": ["Ann"], "2nd": [1]}
    ).with_columns(day=pl.date(2020, 1, 1), moment=pl.datetime(2020, 1, 1))
    found = table_from_schema(
        "visits", frame, "id", {"age": "0:120"}, {"at": "x,y"}, {"cost": "integer"}, rows=2
    )
    assert found.left_out == ("first name", "2nd")
    assert found.table == Table(
        "visits",
        (
            Column("id", "integer"),
            Column("age", "integer", 0, 120),
            Column("cost", "integer"),
            Column("ok", "boolean"),
            Column("at", "text", keys=("x", "y")),
            Column("day", "date"),
            Column("moment", "timestamp"),
        ),
        "id",
        2,
    )


def test_in_a_text_file_only_what_has_bounds_is_a_number(tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    path.write_text("patient_id,age,sex,born,stars\n1,7,F,2020-01-01,3\n")
    found = table_from_schema(
        "visits", read_frame(path), "patient_id", {"age": "-.5:120"}, {"sex": ["F", "M"], "stars": "1,2"},
        {"born": "date", "stars": "integer"},
    )  # fmt: skip
    assert [column.kind for column in found.table.columns] == ["text", "number", "text", "date", "integer"]
    assert found.table.column("age") == Column("age", "number", -0.5, 120)
    assert found.table.column("stars").keys == (1, 2)


@given(st.lists(st.sampled_from(["1", "x", "", "2020-01-01"]), min_size=1))
def test_values_do_not_change_the_declaration(cells: list[str]) -> None:
    frame = pl.DataFrame({"u": cells, "x": cells})
    assert table_from_schema("d", frame, "u") == table_from_schema("d", frame.schema, "u")


def test_flags_for_columns_that_are_not_there_are_refused() -> None:
    schema = {"id": pl.Int64(), "age": pl.Int64()}
    with pytest.raises(BadParameter, match="bounds for 'aeg'; visits has id, age"):
        table_from_schema("visits", schema, "id", {"aeg": "0:120"})
    with pytest.raises(BadParameter, match="no column 'ID' for the unit; visits has id, age"):
        table_from_schema("visits", schema, "ID")
    for wrong in ("0-120", "0", "", "1:2:x"):
        with pytest.raises(BadParameter, match="of 'age'"):
            table_from_schema("visits", schema, "id", {"age": wrong})
    with pytest.raises(BadParameter, match="rename the column"):
        table_from_schema("visits", {"patient id": pl.Int64()}, "patient id")
