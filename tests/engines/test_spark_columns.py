"""A release on Spark brings along what it is and nothing that was said of its columns before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlglot import exp

from shoal import protect, verify
from shoal.engines.address import Address, address_of
from shoal.engines.sql_engine import connect
from shoal.jobs.graphs.protect import protect_graph
from shoal.jobs.graphs.requests import ProtectGraph

SAID = "of one alone"


@pytest.fixture
def people(spark: Any) -> Any:
    """People of whom one is suppressed and alone has an illness that the columns' metadata lists."""
    from pyspark.sql import functions, types

    rows = spark.range(60).selectExpr("id % 3 AS age", "concat('ill', id % 2) AS ill", "'x' AS note")
    rows = rows.unionAll(spark.range(1).selectExpr("99L", f"'{SAID}'", "'x'"))
    listed = {"ml_attr": {"type": "nominal", "vals": ["ill0", "ill1", SAID]}, "comment": f"or {SAID}"}
    rows = rows.select(
        *(functions.col(name).alias(name, metadata=listed) for name in ("age", "ill", "note")),
        functions.array(functions.struct(functions.lit("y").alias("inside"))).alias("deep"),
    )
    inside = types.StructType([types.StructField("inside", types.StringType(), True, listed)])
    return rows.withColumn("deep", functions.col("deep").cast(types.ArrayType(inside)))


@pytest.mark.parametrize("role", ["quasi", "sensitive", "insensitive"])
@pytest.mark.parametrize("kind", ["folder", "path", "table"])
def test_no_metadata_of_a_column_goes_out(
    spark: Any, people: Any, tmp_path: Path, kind: str, role: str
) -> None:
    roles: dict[str, Any] = {"quasi": ["age"], "sensitive": ["ill"], "insensitive": []}
    roles[role] = [*roles[role], "note"]
    name = f"release_{role}"
    output = {"folder": f"{tmp_path}/new/", "path": f"spark://{tmp_path}/new", "table": f"spark://#{name}"}[
        kind
    ]
    record = tmp_path / "record.json"
    source = people.select("age", "ill", "note")
    protect(source, output=output, k=5, suppress=0.1, levels="age=0", method="optimal", manifest=record,
            **roles)  # fmt: skip
    assert verify(output.rstrip("/"), manifest=record).holds
    if kind == "table":
        written = spark.table(name)
        files = [Path(path.removeprefix("file:")) for path in written.inputFiles()]
    else:
        written, files = spark.read.parquet(f"{tmp_path}/new"), list((tmp_path / "new").glob("*.parquet"))
    assert written.count() == 60
    assert files
    assert {str(each.metadata) for each in written.schema} == {"{}"}
    for one in files:
        assert SAID.encode() not in one.read_bytes(), one


@pytest.mark.parametrize("output", ["folder", "table"])
def test_nor_what_a_table_declares_of_its_columns(spark: Any, tmp_path: Path, output: str) -> None:
    name = f"declared_{output}"
    spark.sql(
        f"CREATE TABLE {name} (age BIGINT COMMENT '{SAID}', ill CHAR(20) DEFAULT '{SAID}', "
        f"note VARCHAR(20) COMMENT 'not {SAID}') USING PARQUET COMMENT '{SAID}' "
        f"TBLPROPERTIES ('known' = '{SAID}')"
    )
    rows = spark.range(60).selectExpr("id % 3 AS age", "concat('ill', id % 2) AS ill", "'x' AS note")
    rows.unionAll(spark.range(1).selectExpr("99L", f"'{SAID}'", "'x'")).write.insertInto(name)
    target = f"spark://#{name}_release" if output == "table" else f"{tmp_path}/new/"
    protect(f"spark://#{name}", output=target, quasi=["age", "note"], sensitive=["ill"], k=5, suppress=0.1,
            levels=["age=0", "note=0"], method="optimal", manifest=tmp_path / "record.json")  # fmt: skip
    if output == "table":
        told = spark.sql(f"DESCRIBE EXTENDED {name}_release").collect()
        assert SAID not in str(told)
        files = [Path(path.removeprefix("file:")) for path in spark.table(f"{name}_release").inputFiles()]
    else:
        files = list((tmp_path / "new").glob("*.parquet"))
    assert files
    for one in files:
        assert SAID.encode() not in one.read_bytes(), one


def test_nor_of_what_is_inside_a_column(people: Any, tmp_path: Path) -> None:
    """Such a column is refused before; the door to Spark does not rely on it."""
    source = address_of(people)
    assert source is not None
    with connect([source]) as engine:
        rows = exp.select("*").from_(engine.table(source))
        with engine.create(Address("spark", "", path=f"{tmp_path}/new"), rows.where("age < 9")):
            pass
    files = list((tmp_path / "new").glob("*.parquet"))
    assert files
    for one in files:
        assert SAID.encode() not in one.read_bytes(), one


@pytest.mark.parametrize("labels", ["random", "keep"])
def test_nor_of_the_ends_of_edges(spark: Any, tmp_path: Path, labels: str) -> None:
    from pyspark.sql import functions

    edges = spark.range(60).selectExpr("concat('n', id) AS source", "concat('n', (id + 1) % 60) AS target")
    listed = {"ml_attr": {"vals": [SAID]}}
    edges = edges.select(*(functions.col(name).alias(name, metadata=listed) for name in edges.columns))
    edges.write.parquet(f"{tmp_path}/old")
    read = any(SAID.encode() in one.read_bytes() for one in (tmp_path / "old").glob("*.parquet"))
    assert read  # Spark keeps it, and would go on keeping it
    job = ProtectGraph(data=f"spark://{tmp_path}/old", output=f"spark://{tmp_path}/new", k=2, labels=labels)
    protect_graph(job)
    files = list((tmp_path / "new").glob("*.parquet"))
    assert files
    for one in files:
        assert SAID.encode() not in one.read_bytes(), one
