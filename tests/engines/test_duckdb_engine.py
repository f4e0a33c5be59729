"""DuckDB as an engine: locked to its folders, CSV as text, files opened by others."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pytest
from sqlglot import exp

from shoal.core.errors import BadTable
from shoal.engines.address import Address, address_of
from shoal.engines.duckdb_engine import DuckEngine
from shoal.engines.files import read_frame
from shoal.engines.sql_engine import connect
from shoal.tables.hierarchies import suggest
from shoal.tables.in_engine.distinct_rows import distinct_rows


def test_csv_in_a_folder_is_read_as_a_csv_file_is(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('zip,ill\n02138,"a, ""b"""\n,""\n1e5,\n"x\ny",NULL\n')
    address = Address("folder", str(tmp_path))
    with connect([address]) as engine:
        rows = engine.frame(exp.select("*").from_(engine.table(address)))
    assert sorted(rows.rows(), key=str) == sorted(read_frame(tmp_path / "a.csv").rows(), key=str)


def test_no_statement_reaches_another_file(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside, outside):
        folder.mkdir()
        pl.DataFrame({"a": [1]}).write_parquet(folder / "a.parquet")
    scan = exp.Anonymous(this="read_parquet", expressions=[exp.Literal.string(f"{outside}/a.parquet")])
    with connect([Address("folder", str(inside))]) as engine, pytest.raises(BadTable, match="ermission"):
        engine.frame(exp.select("*").from_(exp.Table(this=scan)))


def test_more_than_fits_into_memory_is_spilled_and_nothing_is_left(tmp_path: Path) -> None:
    pl.DataFrame({"a": range(2_000_000)}).write_parquet(tmp_path / "a.parquet")
    address = Address("folder", str(tmp_path))
    engine = DuckEngine([address], memory="60MB")
    spill = engine._spill.path
    tree = (
        exp.select("a")
        .from_(engine.table(address))
        .order_by(exp.Anonymous(this="hash", expressions=[exp.column("a")]))
    )
    assert sum(part.height for part in engine.batches(tree)) == 2_000_000
    engine.close()
    assert not spill.exists()


def test_too_little_memory_is_said_with_what_helps(tmp_path: Path) -> None:
    pl.DataFrame({"a": range(500_000)}).write_parquet(tmp_path / "a.parquet")
    address = Address("folder", str(tmp_path))
    engine = DuckEngine([address], memory="4MB")
    try:
        tree = exp.select("a").distinct().from_(engine.table(address))
        with pytest.raises(BadTable, match=r"Out of Memory.*; use a machine with more memory") as caught:
            engine.keep(tree)
        assert "\n" not in str(caught.value) and "check the data" not in str(caught.value)
    finally:
        engine.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.duckdb").write_text("no database, but long enough to be looked at" * 200)
    for name in ("a", "b"):
        address = address_of(f"duckdb:///{tmp_path}/{name}.duckdb#t")
        assert address is not None
        with pytest.raises(BadTable, match=f"{name}.duckdb"):
            connect([address])


def test_a_missing_table_names_those_that_are_there(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute("CREATE TABLE people AS SELECT 1 AS a")
    address = address_of(f"duckdb:///{tmp_path}/a.duckdb#peple")
    assert address is not None
    with connect([address]) as engine, pytest.raises(BadTable, match="the file has people"):
        engine.table(address)


def test_a_column_of_nothing_but_missing_values_is_found_again(tmp_path: Path) -> None:
    rows = pl.DataFrame({"a": [None, None], "b": [1, 2]})
    rows.write_parquet(tmp_path / "a.parquet")
    address = Address("folder", str(tmp_path))
    with connect([address]) as engine:
        table = engine.table(address)
        lent = engine.lend(rows.with_columns(pl.col("a").cast(pl.String)), table)
        assert engine.size_of(lent) == 2


def test_intervals_are_refused_by_their_column(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT INTERVAL 1 MONTH AS stay")
    address = address_of(f"duckdb:///{tmp_path}/a.duckdb#t")
    assert address is not None
    with connect([address]) as engine, pytest.raises(BadTable, match="'stay' holds intervals; make a view"):
        engine.frame(exp.select("*").from_(engine.table(address)))


def test_texts_that_differ_and_count_as_equal_are_refused_by_their_column(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute(
            'CREATE TABLE t ("to""wn" VARCHAR COLLATE NOCASE, b VARCHAR COLLATE NOACCENT, c VARCHAR)'
        )
        connection.execute("INSERT INTO t VALUES (NULL, NULL, NULL), ('a', 'a', 'a')")
    address = address_of(f"duckdb:///{tmp_path}/a.duckdb#t")
    assert address is not None
    with connect([address]) as engine:
        table = engine.table(address)
        assert engine.loose_texts(table, ["c", "b", 'to"wn']) == ["b", 'to"wn']
        with pytest.raises(BadTable, match="column 'b' different texts count as equal"):
            distinct_rows(
                engine, table, ["c", "b"], [], lambda values: suggest(values, values.name).hierarchy
            )


def test_a_value_that_cannot_be_sent_back_is_refused_in_the_words_of_its_failure(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT TIMETZ '01:02:03+05' AS seen")
    address = address_of(f"duckdb:///{tmp_path}/a.duckdb#t")
    assert address is not None
    with connect([address]) as engine:
        table = engine.table(address)
        rows = engine.frame(exp.select("*").from_(table.copy()))
        with pytest.raises(BadTable, match="TIME WITH TIME ZONE"):
            engine.lend(rows, table)


def test_no_bar_of_progress_is_written_between_what_a_command_says(tmp_path: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "a.parquet")
    asked = exp.Anonymous(this="current_setting", expressions=[exp.Literal.string("enable_progress_bar")])
    with connect([Address("folder", str(tmp_path))]) as engine:
        assert engine.frame(exp.select(exp.alias_(asked, "shown"))).item() is False
