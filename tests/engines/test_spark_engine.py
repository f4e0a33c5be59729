"""Spark as an engine: paths, frames of a session that was handed in, and nothing half-written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from sqlglot import exp

from engine_places import ODD
from shoal import protect
from shoal.core.errors import BadParameter, BadTable
from shoal.engines.address import Address, address_of
from shoal.engines.sql_engine import connect
from spark_session import require_java


def test_parquet_by_path_and_a_frame_that_was_handed_in(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    ODD.write_parquet(tmp_path / "in" / "a.parquet")
    path = address_of(f"spark://{tmp_path}/in")
    frame = address_of(spark.read.parquet(f"{tmp_path}/in"))
    assert path is not None
    assert frame is not None
    target = Address("spark", "", path=f"{tmp_path}/new")
    zone = spark.conf.get("spark.sql.session.timeZone")
    with connect([path, frame], target) as engine:
        tables = [engine.table(path), engine.table(frame)]
        for table in tables:
            assert_frame_equal(engine.frame(exp.select("*").from_(table)), ODD, check_row_order=False)
        with pytest.raises(KeyError), engine.create(target, exp.select("*").from_(tables[0])):
            raise KeyError("stop")
        assert [each.name for each in tmp_path.iterdir()] == ["in"]
        with engine.create(target, exp.select("*").from_(tables[0])):
            pass
        with pytest.raises(BadParameter, match="already"):
            engine.check_new(target)
        with pytest.raises(BadParameter, match="Spark cannot write"):
            engine.check_new(Address("duckdb", "a", ("t",)))
    assert pl.read_parquet(tmp_path / "new" / "*.parquet").height == ODD.height
    # A session that was handed in is left as it was, and goes on.
    assert spark.conf.get("spark.sql.session.timeZone") == zone
    assert not [view for view in spark.catalog.listTables() if view.name.startswith("shoal_")]
    assert spark.range(3).count() == 3


def test_texts_held_equal_and_bytes_that_are_no_text_are_refused(spark: Any) -> None:
    made = {
        "COLLATE(IF(id % 2 = 0, 'a', 'A'), 'UTF8_LCASE')": "texts count as equal.*COLLATE UTF8_BINARY",
        "CAST(UNHEX('FF41') AS STRING)": "Invalid UTF8",
    }
    for value, words in made.items():
        frame = spark.range(20).selectExpr("id % 2 AS age", f"{value} AS v", "'x' AS ill")
        asked: tuple[dict[str, Any], ...] = ({"quasi": ["v"]}, {"quasi": ["age"], "sensitive": ["v"]})
        for roles in asked:
            with pytest.raises(BadTable, match=words) as caught:
                protect(frame, model=["k-anonymity(k=2)", "l-diversity(l=1)"], **roles)
            assert "\n" not in str(caught.value)


def test_a_column_that_is_missing_throughout_and_has_no_type_is_released(spark: Any, tmp_path: Path) -> None:
    frame = spark.range(20).selectExpr("id % 2 AS age", "NULL AS v", "'x' AS ill")
    record = tmp_path / "record.json"
    protect(frame, quasi=["age", "v"], k=2, output=f"{tmp_path}/new/", manifest=record)
    assert pl.read_parquet(tmp_path / "new" / "*.parquet")["v"].to_list() == [None] * 20


@pytest.mark.slow
def test_two_workers_in_processes_of_their_own_make_a_release(tmp_path: Path) -> None:
    require_java()
    import pyspark

    (tmp_path / "in").mkdir()
    people = pl.DataFrame({"age": [20 + at % 30 for at in range(600)], "ill": ["a", "b", "c"] * 200})
    people.write_parquet(tmp_path / "in" / "a.parquet")
    there = f"spark://local-cluster[2,1,1024]{tmp_path}"
    words = ["table", "protect", f"{there}/in", "-o", f"{there}/out", "--quasi", "age", "--sensitive", "ill"]
    words += ["--k", "5", "--method", "optimal", "--manifest", str(tmp_path / "record.json")]
    # Workers are started from the folder of the package.
    home = {**os.environ, "SPARK_HOME": str(Path(pyspark.__file__).parent)}
    done = subprocess.run(
        [sys.executable, "-m", "shoal", *words],
        env=home,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=1500,  # it took 650 s beside thirty other jobs
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert pl.read_parquet(tmp_path / "out" / "*.parquet").height == people.height
    assert (tmp_path / "record.json").exists()
