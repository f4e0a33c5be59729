"""A driver or an executor of Spark killed in mid-write: no half release, and what is left is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sqlglot import exp

import patience
from engine_places import place_of
from killed_runs import descendants, has_ended, mid_write
from shoal.core.errors import BadParameter, BadTable
from shoal.engines.address import Address
from shoal.engines.sql_engine import connect, fresh_name
from spark_session import require_java

JAVA, EXECUTOR = "SparkSubmit", "CoarseGrainedExecutorBackend"


def test_unfinished_tables_and_folders_are_told_and_left_alone(
    spark: Any, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    place = place_of("spark", request, tmp_path)
    source, target = place.source(pl.DataFrame({"a": [1, 2]})), place.target()
    folder = Address("spark", "", path=f"{tmp_path}/new")
    table, orphan, hidden = fresh_name(), fresh_name(), fresh_name()
    spark.range(1).write.saveAsTable(table)
    warehouse = Path(spark.conf.get("spark.sql.warehouse.dir").removeprefix("file:"))
    (warehouse / orphan).mkdir()
    for name in (f".{hidden}", ".shoal_else", hidden):
        (tmp_path / name).mkdir()
    with connect([source], target) as engine:
        engine.lend(pl.DataFrame({"a": [1]}))  # a view that is there for a while, and no table
        told = engine.leftovers(target)
        assert [each.split("'")[1].rpartition("/")[2] for each in told] == [table, orphan]
        (about,) = engine.leftovers(folder)
        assert f".{hidden}' is what a run wrote that was killed, unless it is running now" in about
        assert engine.leftovers(Address("spark", "", ("nowhere", "t"))) == []
    assert (tmp_path / f".{hidden}").exists()
    spark.sql(f"DROP TABLE {table}")
    (warehouse / orphan).rmdir()


def test_a_trial_that_cannot_be_taken_away_is_named(
    spark: Any, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    place = place_of("spark", request, tmp_path)
    source, target = place.source(pl.DataFrame({"a": [1, 2]})), place.target()
    with connect([source], target) as engine:
        rows = exp.select("*").from_(engine.table(source))
        left = pytest.raises(BadTable, match=r"no more; 'shoal_.*' may be left, which is no release")
        with left, engine.create(target, rows):
            engine._spark = None  # type: ignore[attr-defined]  # as good as dead
            raise BadParameter("no more")
        engine._spark = spark  # type: ignore[attr-defined]
        engine.check_new(target)
        (about,) = engine.leftovers(target)
        spark.sql(f"DROP TABLE {about.split(chr(39))[1]}")


@pytest.mark.slow
def test_a_driver_killed_in_mid_write_leaves_what_the_next_run_tells(tmp_path: Path) -> None:
    require_java()
    (tmp_path / "in").mkdir()
    pl.DataFrame({"a": range(100)}).write_parquet(tmp_path / "in" / "a.parquet")
    there = f"spark://local[2]{tmp_path}"
    for killed in ("process", JAVA):
        target = f"{there}/out"
        with mid_write(f"{there}/in", target, tmp_path) as process:
            java = descendants(process.pid, JAVA)
            os.kill(java[0] if killed == JAVA else process.pid, signal.SIGKILL)
            patience.until(partial(has_ended, java[0]), "Java to end")
        assert not (tmp_path / "out").exists()
    left = [path.name for path in tmp_path.glob(".shoal_*")]
    assert len(left) == 2
    words = ["table", "protect", f"{there}/in", "-o", f"{there}/out", "--quasi", "a", "--k", "5"]
    done = _shoal([*words, "--manifest", f"{tmp_path}/record.json"], tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    said = "".join((done.stdout + done.stderr).split())
    assert all(name in said for name in left)
    assert pl.read_parquet(tmp_path / "out" / "*.parquet").height == 100


@pytest.mark.slow
def test_an_executor_killed_in_mid_write_changes_no_row(tmp_path: Path) -> None:
    require_java()
    import pyspark

    chance = np.random.default_rng(1)
    rows = 1_000_000
    (tmp_path / "in").mkdir()
    people = pl.DataFrame(
        {"age": chance.integers(0, 60, rows), "ill": chance.choice(["a", "b"], rows), "pay": range(rows)}
    )
    for part in range(4):
        people[part::4].write_parquet(tmp_path / "in" / f"{part}.parquet")
    there = f"spark://local-cluster[2,1,1024]{tmp_path}"
    words = ["table", "protect", f"{there}/in", "-o", f"{there}/out", "--quasi", "age", "--sensitive", "ill"]
    words += ["--insensitive", "pay", "--k", "5", "--manifest", f"{tmp_path}/record.json"]
    home = {**os.environ, "SPARK_HOME": str(Path(pyspark.__file__).parent)}
    command = [sys.executable, "-m", "shoal", *words]
    with (tmp_path / "said").open("w") as said:
        process = subprocess.Popen(command, env=home, cwd=tmp_path, stdout=said, stderr=said)
    try:
        patience.until(
            lambda: any(tmp_path.glob(".shoal_*/_temporary/*/*")) or process.poll() is not None,
            "the first part to be written",
            900,
        )
        assert process.poll() is None, (tmp_path / "said").read_text()[-2000:]
        executors = descendants(process.pid, EXECUTOR)
        assert len(executors) >= 2
        os.kill(executors[0], signal.SIGKILL)
        assert process.wait(600) == 0, (tmp_path / "said").read_text()[-2000:]
    finally:
        patience.end(process)
    out = pl.read_parquet(tmp_path / "out" / "*.parquet")
    assert out.select("age", "ill", "pay").sort("pay").cast(people.schema).equals(people)
    assert not list(tmp_path.glob(".shoal_*"))


def _shoal(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "shoal", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
