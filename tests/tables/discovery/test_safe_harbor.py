"""HIPAA's 18 kinds: what is found, what is not, and what no machine can tell."""

import json
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.discovery.safe_harbor import SafeHarbor, Status, check_safe_harbor, value_shape
from shoal.tables.table import Table

PLAIN = {"state": ["MA", "NH", "MA"], "ill": ["flu", "gout", "flu"]}


def checked(**columns: list[Any]) -> SafeHarbor:
    return check_safe_harbor(Table(pl.DataFrame({**columns})), 2020)


def status(found: SafeHarbor, kind: int) -> Status:
    return found.kinds[kind - 1].status


def test_a_coarse_table_shows_nothing_and_is_not_certified() -> None:
    found = checked(
        **PLAIN, zip=["021**", "03***", "*****"], born=["1975", "1980s", "*"], age=["[30, 40)", ">= 90", "89"]
    )
    assert found.holds is None and not [kind for kind in found.kinds if kind.status == "found"]
    assert [kind.kind for kind in found.kinds] == list(range(1, 19))
    assert "cannot certify" in found.note and status(found, 18) == "cannot tell"


@pytest.mark.parametrize(
    ("kind", "column", "values"),
    [
        (1, "name", ["Ann Lee", "Bob Ray", "Cid Moe"]),
        (2, "zip", ["02139", "021**", "*"]),
        (2, "zip", ["036**", "021**", "*"]),
        (2, "city", ["Boston", "Salem", "Boston"]),
        (2, "address", ["1 Main Street", "2 Main Street", "3 Main Street"]),
        (3, "admitted", ["2019-05-01", "2019", "2018"]),
        (3, "admission_month", ["5", "6", "5"]),
        (3, "age", ["34", "35", "93"]),
        (3, "birth_year", ["1925", "1980", "1990"]),
        (4, "note", ["call 617-555-0134", "none", "none"]),
        (5, "fax", ["617 555 0134", "617 555 0135", "617 555 0136"]),
        (6, "contact", ["-", "ann@mail.org", "-"]),
        (7, "code", ["123-45-6789", "x", "y"]),
        (8, "mrn", ["A-1001", "A-1002", "A-1003"]),
        (9, "insurance_number", ["K1001", "K1002", "K1003"]),
        (10, "account_number", ["1001", "1002", "1003"]),
        (11, "passport", ["C01X", "C02X", "C03X"]),
        (12, "plate", ["B-AB 123", "B-AB 124", "B-AB 125"]),
        (13, "x", ["00:1b:44:11:3a:b7", "y", "z"]),
        (14, "link", ["see https://a.org/b", "", "no"]),
        (15, "from", ["10.0.0.1", "b", "c"]),
        (16, "fingerprint", ["aa", "bb", "cc"]),
        (17, "file", ["ann.jpg", "b", "c"]),
        (18, "patient_uuid", ["8c6f0c2e-3d0a-4e0b-9b53-0c54e7a3d111"] * 3),
    ],
)  # fmt: skip
def test_every_kind_is_found_where_it_is(kind: int, column: str, values: list[str]) -> None:
    found = checked(**{**PLAIN, column: values})
    assert status(found, kind) == "found" and found.holds is False
    trace = found.kinds[kind - 1].traces[0]
    assert trace.column == column and trace.why
    for value in values:
        assert value not in trace.shape or not any(sign.isalnum() for sign in value.strip("xX9"))


def test_one_value_among_many_is_enough() -> None:
    found = checked(zip=["021**"] * 5_000 + ["02139"], age=["40"] * 5_000 + ["90"])
    assert status(found, 2) == status(found, 3) == "found"


def test_what_is_suppressed_is_not_there() -> None:
    found = checked(name=["*", "*"], zip=["*****", None], city=["*", ""], dob=[None, "*"])
    assert found.holds is None


def test_free_text_and_unknown_codes_are_left_to_people() -> None:
    words = "the patient came in on foot and left by taxi"
    found = checked(note=[f"{words} {row}" for row in range(40)], slug=[f"q{row}z" for row in range(40)])
    assert status(found, 1) == status(found, 18) == "cannot tell" and found.holds is None
    assert {trace.column for trace in found.kinds[17].traces} == {"note", "slug"}


def test_states_and_countries_pass_and_regions_are_left_to_people() -> None:
    assert status(checked(state=["MA"], country=["USA"]), 2) == "not found"
    assert status(checked(region=["north"]), 2) == "cannot tell"


def test_numbers_and_dates_of_a_typed_file_are_read_as_text() -> None:
    days = pl.Series([None, "2019-05-01"]).str.to_date()
    found = check_safe_harbor(Table(pl.DataFrame({"age": [40, 95], "seen": days, "zip": [2139, 2140]})), 2020)
    assert status(found, 2) == status(found, 3) == "found"
    assert [trace.column for trace in found.kinds[2].traces] == ["age", "seen"]


def test_json_and_table() -> None:
    found = checked(**PLAIN, age=["93", "1", "2"])
    document = found.to_json()
    assert json.loads(json.dumps(document)) == document and document["holds"] is False
    rows = found.to_tables().popitem()[1]
    assert len(rows) == 19 and {len(row) for row in rows} == {4} and "age (99): an age over 89" in rows[3]


@given(st.text(max_size=60))
def test_an_example_shows_the_shape_and_nothing_else(value: str) -> None:
    shape = value_shape(value)
    assert len(shape) <= 30 and not [sign for sign in shape if sign.isalpha() and sign != "x"]
