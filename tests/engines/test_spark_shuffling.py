"""Counted rows come out as the same rows, spread over tasks, in an order that only a secret decides."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
from sqlglot import exp

from shoal import protect
from shoal.engines.address import address_of
from shoal.engines.spark_shuffling import TOGETHER, are_exact, shuffled_counts
from shoal.engines.sql_engine import column, connect


def people(rows: int = 3 * TOGETHER) -> pl.DataFrame:
    """Few different rows, with missing values and an odd name, sorted."""
    return pl.DataFrame(
        {
            'a"ge.': [None, *(at * 7 // rows for at in range(1, rows))],
            "ill": ["x"] * (2 * TOGETHER) + ["", None] * (rows // 2 - TOGETHER),
        }
    )


def test_the_same_rows_come_out_and_never_twice_in_the_same_order(spark: Any, tmp_path: Path) -> None:
    frame = people()
    frame.write_parquet(tmp_path / "a.parquet")
    source = address_of(spark.read.parquet(str(tmp_path)))
    assert source is not None
    with connect([source]) as engine:
        rows = exp.select(*map(column, frame.columns)).from_(engine.table(source))
        first, second = (engine.frame(shuffled_counts(rows, parts=3)) for _ in range(2))
    assert Counter(first.rows()) == Counter(second.rows()) == Counter(frame.rows())
    assert len({tuple(each.rows()) for each in (frame, first, second)}) == 3


def test_only_types_whose_equal_values_look_the_same_are_counted() -> None:
    assert are_exact(["string", "bigint", "decimal(10,2)", "date"])
    for kind in ("double", "float", "string collate UTF8_LCASE", "array<int>", "map<int,int>", "void"):
        assert not are_exact(["string", kind]), kind


def test_a_release_of_few_different_rows_is_that_of_a_file(spark: Any, tmp_path: Path) -> None:
    frame = people()
    (tmp_path / "in").mkdir()
    frame.write_parquet(tmp_path / "in" / "a.parquet")
    asked: dict[str, Any] = {"quasi": ['a"ge.'], "sensitive": ["ill"], "k": 4, "method": "optimal", "seed": 1}
    here = protect(frame, **asked).to_polars()
    source = spark.read.parquet(str(tmp_path / "in"))
    protect(source, output=f"{tmp_path}/out/", manifest=tmp_path / "record.json", **asked)
    there = pl.read_parquet(tmp_path / "out" / "*.parquet")
    assert Counter(there.cast(pl.String).rows()) == Counter(here.cast(pl.String).rows())
    # Equal rows side by side show that it was the counts that were shuffled.
    assert there.height > 20 * sum(
        one != other for one, other in zip(there.rows(), there.rows()[1:], strict=False)
    )
