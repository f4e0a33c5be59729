"""Frames at the door."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

from shoal.core.errors import BadTable, NotInstalled
from shoal.engines.atomic_write import write_frame
from shoal.engines.frames import compact, to_frame

FRAME = pl.DataFrame({"zip": ["02138", None], "age": [40, 41]})


class OtherFrame:
    """A frame that speaks only Arrow's stream interface, as pandas does."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


class OldFrame:
    """A frame that speaks only the interchange protocol."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> object:
        return self.table.__dataframe__(nan_as_null, allow_copy)


def refusal(data: object) -> str:
    with pytest.raises(BadTable) as caught:
        to_frame(data)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_every_kind_of_frame_is_accepted() -> None:
    arrow = FRAME.to_arrow(compat_level=pl.CompatLevel.oldest())
    for data in (FRAME, FRAME.lazy(), arrow, OtherFrame(arrow), OldFrame(arrow)):
        assert_frame_equal(to_frame(data), FRAME)


def test_a_frame_of_another_library_needs_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    data = OtherFrame(FRAME.to_arrow())
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        NotInstalled, match=r"needs pyarrow, .* run pip install 'shoal\[arrow\]', or give a Polars"
    ):
        to_frame(data)


def test_rows_left_out_leave_no_text_behind() -> None:
    frame = pl.DataFrame({"a": [*(f"a text about person {i}" for i in range(999)), None, ""]})
    kept = frame.filter(pl.int_range(pl.len()) != 7)
    assert b"person 7\0" not in pickle.dumps(compact(kept)) and b"person 7a" not in pickle.dumps(
        compact(kept)
    )
    assert b"about person 7a" in pickle.dumps(kept), "the test shows what it should"
    assert compact(kept).equals(kept)


def test_a_pandas_frame_is_accepted_without_its_index() -> None:
    pandas = pytest.importorskip("pandas")
    data = pandas.DataFrame({"zip": ["02138", None], "age": [40, 41]}, index=["Ann", "Bob"])
    assert_frame_equal(to_frame(data), FRAME)


def test_the_index_of_a_pandas_frame_is_no_column() -> None:
    table = pa.table({"age": [40], "name": ["Ann"]})
    described = table.replace_schema_metadata({"pandas": '{"index_columns": ["name", {"kind": "range"}]}'})
    assert to_frame(OtherFrame(described)).columns == ["age"]
    assert to_frame(OtherFrame(table)).columns == ["age", "name"]


def test_categories_and_empty_columns_become_text() -> None:
    frame = pl.DataFrame(
        {
            "a": pl.Series(["x"], dtype=pl.Categorical),
            "b": pl.Series(["y"], dtype=pl.Enum(["y"])),
            "c": [None],
            "d": [b"text"],
        }
    )
    assert to_frame(frame).rows() == [("x", "y", None, "text")]
    assert set(to_frame(frame).dtypes) == {pl.String}
    assert frame["a"].dtype == pl.Categorical  # the input is left alone
    assert to_frame(pa.table({"a": pa.array(["x"]).dictionary_encode()})).schema == {"a": pl.String}


class Listing(pa.ExtensionType):  # type: ignore[misc]
    """A type that says more than its values."""

    def __init__(self, stored: pa.DataType) -> None:
        super().__init__(stored, "shoal.listing")

    def __arrow_ext_serialize__(self) -> bytes:
        return b"of one alone"


def test_a_type_of_ones_own_becomes_what_it_is_stored_as(tmp_path: Path) -> None:
    """What it says besides went out in Arrow files and pickles, and a CSV file ended in a traceback."""
    own = pa.ExtensionArray.from_storage(Listing(pa.string()), pa.array(["x", "y"]))
    frame = to_frame(pa.table({"a": own, "b": [1, 2]}))
    assert frame.schema == {"a": pl.String, "b": pl.Int64}
    assert frame.rows() == [("x", 1), ("y", 2)]
    write_frame(frame, tmp_path / "a.arrow")
    assert b"of one alone" not in (tmp_path / "a.arrow").read_bytes()
    listed = pa.ExtensionArray.from_storage(Listing(pa.list_(pa.string())), pa.array([["x"]]))
    assert "column 'a' of the frame holds list values" in refusal(pa.table({"a": listed}))


def test_nested_columns_are_refused_by_name() -> None:
    assert "column 'a' of the frame holds list values" in refusal(pl.DataFrame({"a": [[1]]}))
    assert "column 'a' of the frame holds struct values" in refusal(pl.DataFrame({"a": [{"b": 1}]}))
    assert "column 'a' of the frame holds object values" in refusal(pl.DataFrame({"a": [object()]}))


def test_bytes_that_are_no_text_are_refused() -> None:
    assert "write the column as text" in refusal(pl.DataFrame({"a": [b"\xff"]}))


def test_names_must_be_there_and_differ() -> None:
    assert refusal(pl.DataFrame({"a": [1], "": [2]})).startswith("column 2 of the frame has no name; name it")
    twice = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    assert refusal(twice) == "the frame has two columns named 'a'; rename one of them"


def test_anything_else_is_refused_with_what_would_do() -> None:
    for data in ([1, 2], {"a": [1]}, None, pl.Series([1])):
        message = refusal(data)
        assert type(data).__name__ in message
        assert "table" in message
