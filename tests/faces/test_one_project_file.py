"""One project file gives one release, after sorting, from a file, DuckDB, PostgreSQL, Spark and a folder."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from sqlglot import exp

from engine_places import Place
from faces.shell import shoal
from shoal.engines.address import address_of
from shoal.engines.sql_engine import connect
from shoal.tables.model_inputs.text_values import texts

PROJECT = """
[table]
identifier = ["name"]
quasi = ["age", "zip"]
sensitive = ["ill"]

[table.hierarchy]
age = "interval(width=5)"
zip = "mask()"

[table.protect]
model = ["k-anonymity(k=4)", "l-diversity(l=2)"]
method = "optimal"
suppress = 0.1
seed = 7
"""


def rows_of(frame: pl.DataFrame) -> list[tuple[str | None, ...]]:
    return sorted(frame.select(texts(each) for each in frame).rows(), key=str)


def test_one_project_file_gives_one_release_everywhere(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    people = pl.DataFrame(
        {
            "name": [f"n{at}" for at in range(300)],
            "age": [20 + at * 7 % 41 for at in range(300)],
            "zip": [f"0{at * 13 % 29:02d}" if at % 11 else None for at in range(300)],
            "ill": [["flu", "cold", "gout"][at * 5 % 3] for at in range(300)],
        }
    )
    people.write_parquet("people.parquet")
    Path("shoal.toml").write_text(PROJECT)
    target = place.new()
    record = ["--manifest", "record.json"]
    for source, output, more in (
        ("people.parquet", "release.parquet", []),
        (place.put(people), target, record),
    ):
        done = shoal("table", "protect", source, "-o", output, "--config", "shoal.toml", *more)
        assert done.code == 0, done.err
    address = address_of(target.rstrip("/"))
    assert address is not None
    with connect([address]) as engine:
        there = engine.frame(exp.select("*").from_(engine.table(address)))
    assert rows_of(there) == rows_of(pl.read_parquet("release.parquet"))
    assert 0 < there.height <= people.height
