"""Rows that come in over HTTP."""

import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from queries.shop import LINES
from shoal.core.errors import BadInput, BadParameter, BadTable
from shoal.queries.declaration.declaration import Column, Table
from shoal.queries.service.row_upload import frame_of, table_of

TABLE = Table(
    "visits", (Column("id"), Column("age", "integer", 0, 120), Column("Ill", "boolean")), "id", rows=3
)


def sent(records: object) -> pl.DataFrame:
    return frame_of(TABLE, json.dumps(records).encode(), "application/json")


def test_records_and_csv_say_the_same() -> None:
    records = sent([{"id": "a", "age": 7, "ILL": True}, {"id": "02", "age": None}])
    text = frame_of(TABLE, b"id,age,Ill\na,7,true\n02,,\n", "text/csv")
    assert records.rows() == text.rows() == [("a", "7", "true"), ("02", None, None)]
    assert records.columns == text.columns == ["id", "age", "Ill"]
    assert table_of(TABLE, "id,age,Ill\na,7,true\n02,,\n").rows() == text.rows()
    assert table_of(TABLE, [{"id": "a"}]).rows() == [("a", None, None)]


def test_no_rows_are_rows_too() -> None:
    assert sent([]).height == 0
    assert frame_of(TABLE, b"id,age,Ill\n", "text/csv").height == 0


def test_numbers_beyond_what_the_store_reads_count_as_beyond_the_bound() -> None:
    ages = [1e300, -1e300, 1e-300, 0.1, float("inf"), float("nan")]
    frame = sent([{"id": "a", "age": age} for age in ages])
    assert frame["age"].to_list() == ["inf", "-inf", "0", "0.1", "inf", None]


def test_a_column_that_is_not_declared_is_refused_without_repeating_it() -> None:
    for content, kind in (
        (b'[{"id": 1, "SECRET": 2}]', "application/json"),
        (b"id,SECRET\n1,2\n", "text/csv"),
    ):
        with pytest.raises(BadParameter, match="1 unknown column") as caught:
            frame_of(TABLE, content, kind)
        assert "SECRET" not in str(caught.value)


def test_rows_of_nobody_are_refused() -> None:
    with pytest.raises(BadParameter, match="whose they are"):
        sent([{"age": 7}])


def test_two_columns_of_one_name_are_refused() -> None:
    with pytest.raises(BadParameter, match="two columns of one name"):
        sent([{"id": "a", "ID": "b"}])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[1]",
        b"[[]]",
        b'[{"id": {}}]',
        b"\xff\xfe",
        pytest.param(b"[" * 100_000, id="deep"),
        b'"x"',
        b'[{"id": "\\ud800"}]',
    ],
)
def test_what_is_no_array_of_objects_is_refused(content: bytes) -> None:
    with pytest.raises(BadTable):
        frame_of(TABLE, content, "application/json")


@pytest.mark.parametrize("content", [b"", b"\n\n", b"id,age\n1\n", b'id,age\n"1,2\n', b"id\xff,age\n1,2\n"])
def test_what_is_no_csv_is_refused(content: bytes) -> None:
    with pytest.raises(BadInput):
        frame_of(TABLE, content, "text/csv")


@given(st.binary(max_size=80), st.sampled_from(["text/csv", "application/json"]))
def test_no_bytes_whatever_raise_anything_but_our_errors(content: bytes, kind: str) -> None:
    try:
        frame_of(TABLE, content, kind)
    except BadInput:
        return


def test_rows_that_hang_on_others_do_not_say_whose_they_are() -> None:
    # It asked for a column `_unit`, which nobody has, and did not look at it.
    assert frame_of(LINES, b'[{"l_order": 1, "quantity": 3}]', "application/json").columns[-1] == "price"
    with pytest.raises(BadParameter, match="unknown column"):
        frame_of(LINES, b'[{"l_order": 1, "_unit": "P2"}]', "application/json")
