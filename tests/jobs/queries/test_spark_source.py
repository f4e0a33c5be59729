"""Questions about tables of Spark from the command line's words, Python and a project file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from queries.stores.in_spark import as_tables
from shoal.core.errors import BadParameter, BadTable
from shoal.jobs.queries.ask import ask_query, open_database
from shoal.jobs.queries.project import open_project
from shoal.jobs.queries.question_requests import AskQuery
from shoal.jobs.queries.spark_source import spark_tables

VISITS = pl.DataFrame(
    {"patient": [f"p{number}" for number in range(400)], "age": [number % 90 for number in range(400)]}
)
QUESTION = "SELECT COUNT(*) AS n, AVG(age) AS a FROM visits WHERE age >= 30"
BOUNDS = {"age": (0, 120)}


def close(rows: Any) -> bool:
    older = VISITS.filter(pl.col("age") >= 30)
    mean = float(older["age"].mean())  # type: ignore[arg-type]
    return bool(abs(rows[0][0] - older.height) < 20 and abs(rows[0][1] - mean) < 10)


def test_a_table_of_spark_is_asked_by_its_address(spark: Any, tmp_path: Path) -> None:
    name = as_tables(spark, tmp_path, {"visits": VISITS})["visits"].replace("`", "")
    given: dict[str, Any] = {"data": {"visits": f"spark://#{name}"}, "unit": "patient", "bounds": BOUNDS}
    replied = ask_query(AskQuery(sql=QUESTION, epsilon=20, **given))
    assert close(replied.outcome.to_json()["rows"])
    with open_database({"visits": f"spark://#{name}"}, unit="patient", bounds=BOUNDS, budget=50) as database:
        assert close(database.ask(QUESTION, 20).rows)
        with pytest.raises(BadParameter, match="the rows of 'visits' are in Spark; add to them there"):
            database.append("visits", VISITS)
    assert spark.sql("SELECT 1").count() == 1  # a session that was there before stays


@pytest.mark.usefixtures("spark")
def test_files_of_parquet_are_asked_through_spark(tmp_path: Path) -> None:
    (tmp_path / "visits").mkdir()
    VISITS.write_parquet(tmp_path / "visits" / "one.parquet")
    data = {"visits": f"spark://{tmp_path}/visits"}
    with open_database(data, unit="patient", bounds=BOUNDS, budget=50) as database:
        assert close(database.ask(QUESTION, 20).rows)


def test_a_project_file_names_a_table_of_spark(spark: Any, tmp_path: Path) -> None:
    name = as_tables(spark, tmp_path, {"visits": VISITS})["visits"].replace("`", "")
    (tmp_path / "shoal.toml").write_text(
        f"""
        [query.datasets.clinic]
        unit = "patient"
        epsilon = 100
        [query.datasets.clinic.tables.visits]
        file = "spark://#{name}"
        [query.datasets.clinic.tables.visits.columns]
        age = "integer 0..120"
        """
    )
    with open_project(tmp_path / "shoal.toml") as database:
        assert close(database.ask(QUESTION, 20).rows)
        with pytest.raises(BadParameter, match="the rows of 'clinic' are in Spark"):
            database.append("visits", VISITS)


def test_what_cannot_be_asked_is_refused_in_a_sentence(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="no table 'spark://#nowhere'"):
        open_database({"visits": "spark://#nowhere"}, unit="patient", budget=1)
    with pytest.raises(BadParameter, match="a is in Spark and b is not; bring them into one place"):
        spark_tables({"a": "spark://#t", "b": "b.csv"})
    with pytest.raises(BadParameter, match="ask it through a project file"):
        spark_tables({"a": "postgresql://somewhere/db#t"})
    with pytest.raises(BadParameter, match="cannot be asked as it is"):
        spark_tables({"a": str(tmp_path)})
    with pytest.raises(BadParameter, match="save it as a table"):
        spark_tables({"a": spark.sql("SELECT 1 AS x")})
    assert spark_tables({"a": "a.csv"}) == {}
