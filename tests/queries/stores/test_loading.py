"""Files and frames on their way into a store."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from shoal.core.errors import BadTable
from shoal.queries.declaration.declaration import Column, Table
from shoal.queries.stores.loading import cells_of, declared_columns, source_of

TABLE = Table("visits", (Column("age"), Column("Sex")))


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow"])
def test_a_file_gives_its_declared_columns_in_their_order(tmp_path: Path, ending: str) -> None:
    frame = pl.DataFrame({"sex": ["F"], "name": ["Ann"], "age": ["7"]})
    path = tmp_path / f"visits.{ending}"
    if ending == "parquet":
        frame.write_parquet(path)
    elif ending == "arrow":
        frame.write_ipc(path)
    else:
        frame.write_csv(path, separator="," if ending == "csv" else "\t")
    assert declared_columns(TABLE, path).to_dict(as_series=False) == {"age": ["7"], "sex": ["F"]}
    assert declared_columns(TABLE, str(path)).rows() == [("7", "F")]


def test_a_missing_column_is_told(tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    path.write_text("age\n7\n")
    with pytest.raises(BadTable, match=r"no column 'Sex' in .*; it has age"):
        declared_columns(TABLE, path)
    with pytest.raises(BadTable, match="is no table"):
        declared_columns(TABLE, 5)


def test_columns_that_were_not_declared_do_not_matter() -> None:
    frame = pl.DataFrame({"age": [1], "sex": ["F"], "odd": [[1, 2]]})
    assert declared_columns(TABLE, frame).columns == ["age", "sex"]


def test_a_moment_counts_as_its_day_in_utc() -> None:
    late = datetime(1969, 12, 31, 23, 59, tzinfo=UTC)
    assert cells_of(pl.Series([late])).to_list() == [date(1969, 12, 31)]
    tokyo = pl.Series([late]).dt.convert_time_zone("Asia/Tokyo")
    assert cells_of(tokyo).to_list() == [date(1969, 12, 31)]
    endless = pl.Series([2**62, -(2**62)]).cast(pl.Datetime("ms"))
    assert cells_of(endless).to_list() == [None, None]


def test_what_duckdb_does_not_know_comes_as_text() -> None:
    assert cells_of(pl.Series([2**100], dtype=pl.Int128)).to_list() == [str(2**100)]
    assert cells_of(pl.Series([Decimal("1.50")])).to_list() == ["1.5"]
    assert cells_of(pl.Series([timedelta(1)])).dtype == pl.String
    assert cells_of(pl.Series([2**64 - 1], dtype=pl.UInt64)).to_list() == [str(2**64 - 1)]
    small = cells_of(pl.Series([None, 5], dtype=pl.UInt64))
    assert small.to_list() == [None, 5]
    assert source_of(small.dtype) == "whole"
