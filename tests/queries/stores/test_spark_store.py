"""Rows that stay in Spark: cleaned as by the twin, few per person, and never an error for some cell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from sqlglot import exp

from adversary.hospital import dataset as hospital
from adversary.hospital import frames
from adversary.test_joins_read_both_sides import QUESTIONS
from queries.clinic import PLACES
from queries.clinic import dataset as clinic
from queries.clinic import store as clinic_store
from queries.questions import ANSWERED
from queries.stores.in_spark import as_tables
from queries.stores.odd import Cell, dataset
from queries.stores.test_cleaning_sql import DTYPES, KINDS, exactly, expected, told
from queries.test_two_engines import PEOPLE, VISITS, sorted_rows
from shoal.core.errors import BadTable, NotAllowed, Unanswered
from shoal.engines import spark_reading
from shoal.queries.declaration.declaration import Column
from shoal.queries.ledger.open_ledger import passing_ledger
from shoal.queries.session import Session
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.spark_store import SparkStore
from shoal.queries.stores.store import FAILED, Outdated, Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def shown(store: SparkStore) -> list[tuple[Cell, ...]]:
    relation = store.relation(store.dataset.table("d"))
    (frame,) = store.run([exp.select("*").from_(exp.alias_(relation, "t0", table=True)).order_by("u")])
    return [row[1:] for row in frame.rows()]


def in_spark(
    session: SparkSession, folder: Path, columns: tuple[Column, ...], kind: str, cells: Sequence[Cell]
) -> list[tuple[Cell, ...]]:
    series = pl.Series("cell", cells, dtype=DTYPES[kind])
    frame = pl.DataFrame({"u": range(len(cells)), **{column.name: series for column in columns}})
    return shown(SparkStore(dataset(columns), session, as_tables(session, folder, {"d": frame})))


@pytest.mark.parametrize(
    "kind", [kind if kind == "text" else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS]
)
def test_spark_reads_odd_cells_as_the_twin_does(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    cells = KINDS[kind]
    found = in_spark(spark, tmp_path, told(kind), kind, cells)
    assert exactly(found) == exactly(expected(kind, cells))


def test_few_rows_of_a_person_are_there_chosen_by_their_own_rows_alone(
    spark: SparkSession, tmp_path: Path
) -> None:
    columns = (Column("whole", "integer"),)
    mine = pl.DataFrame({"u": [7] * 50, "whole": range(50)})
    crowd = pl.DataFrame({"u": [None, 8, 9, 9, 9], "whole": [1, 2, 3, 4, 5]})
    kept = []
    for others in (crowd, crowd.clear()):
        names = as_tables(spark, tmp_path, {"d": pl.concat([mine, others]).sample(fraction=1, shuffle=True)})
        store = SparkStore(dataset(columns, rows=2), spark, names)
        relation = exp.alias_(store.relation(store.dataset.table("d")), "t0", table=True)
        (frame,) = store.run([exp.select("*").from_(relation)])
        assert max(frame["u"].value_counts()["count"]) <= 2 and frame["u"].null_count() == 0
        kept.append(frame.filter(pl.col("u") == 7).sort("whole").rows())
    assert kept[0] == kept[1] and len(kept[0]) == 2


def test_bytes_that_are_no_text_and_texts_of_other_collations_do_no_harm(spark: SparkSession) -> None:
    spark.sql(
        "CREATE TABLE no_text USING parquet AS SELECT * FROM VALUES"
        " (1L, CAST(x'ff61' AS STRING)), (2L, 'a'), (3L, 'A') AS v(u, t)"
    )
    spark.sql("CREATE TABLE folded (u BIGINT, t STRING COLLATE UTF8_LCASE) USING parquet")
    spark.sql("INSERT INTO folded SELECT * FROM no_text")
    for name in ("no_text", "folded"):
        store = SparkStore(dataset((Column("t", keys=("a", "B")),)), spark, {"d": name})
        assert shown(store) == [(None,), ("a",), (None,)]
        spark.sql(f"DROP TABLE {name}")


def test_a_type_that_no_question_can_read_and_a_table_that_is_not_there_are_refused(
    spark: SparkSession,
) -> None:
    spark.sql("CREATE TABLE nested USING parquet AS SELECT 1L AS u, array(1, 2) AS t")
    table = dataset((Column("t"),)).table("d")
    with pytest.raises(BadTable, match=r"column 't' is of the type array<int> in Spark"):
        SparkStore(dataset((Column("t"),)), spark, {"d": "nested"}).relation(table)
    spark.sql("DROP TABLE nested")
    with pytest.raises(BadTable, match=r"no table `d` in Spark; check the name"):
        SparkStore(dataset((Column("t"),)), spark).relation(table)


def test_a_column_of_another_type_since_is_noticed(spark: SparkSession, tmp_path: Path) -> None:
    names = as_tables(spark, tmp_path, {"d": pl.DataFrame({"u": [1], "t": ["a"]})})
    store = SparkStore(dataset((Column("t"),)), spark, names)
    relation = store.relation(store.dataset.table("d"))
    select = exp.select("*").from_(exp.alias_(relation, "t0", table=True))
    assert store.run([select])[0].height == 1
    spark.sql(f"DROP TABLE {names['d']}")
    spark.sql(f"CREATE TABLE {names['d']} USING parquet AS SELECT 1L AS u, 2L AS t")
    with pytest.raises(Outdated):
        store.run([select])


def test_every_version_is_another_one(spark: SparkSession) -> None:
    store: Store = SparkStore(dataset(()), spark)
    assert store.dialect == "spark" and store.version < store.version
    assert FAILED == spark_reading.FAILED


def test_what_fails_has_one_text_and_after_the_end_nothing_is_read(spark: SparkSession) -> None:
    store = SparkStore(dataset(()), spark)
    with pytest.raises(Unanswered, match=f"^{FAILED}$"):
        store.run([exp.select("no_such_column").from_("no_such_table")])
    store.cancel()
    with pytest.raises(Unanswered, match=f"^{FAILED}$"):
        store.run([exp.select("1")])


CLINIC = {"people": pl.DataFrame(PEOPLE), "visits": pl.DataFrame(VISITS), "wards": pl.DataFrame(PLACES)}
FEW = (ANSWERED[7], ANSWERED[17], ANSWERED[32])


@pytest.fixture(scope="module")
def clinic_in_spark(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> SparkStore:
    return SparkStore(clinic(), spark, as_tables(spark, tmp_path_factory.mktemp("clinic"), CLINIC))


# Somebody's visits are alike, and up to eight where three are declared: whichever an engine leaves out, the
# same numbers are left.
OFTEN = [
    {"id": who, "ward": 1 + who % 3, "cost": 1.5 * who, "reason": ("fall", "flu", None)[who % 3]}
    for who in range(27)
    for _ in range(who % 9)
]
# Questions about visits, one of every shape.
CUT = [ANSWERED[at] for at in (13, 14, 16, 17, 18, 19, 21, 23, 25, 33, 38, 40)]


def same_numbers(questions: Sequence[str], there: SparkStore, visits: list[dict[str, Any]] = VISITS) -> None:
    here = clinic_store(PEOPLE, visits, PLACES)
    for question in questions:
        ours, theirs = plan(question, clinic(), here), plan(question, clinic(), there)
        assert [part.reach for part in ours.primitives] == [part.reach for part in theirs.primitives]
        for one, other in zip(here.run(selects(ours)), there.run(selects(theirs)), strict=True):
            assert sorted_rows(one) == sorted_rows(other), question


def test_spark_counts_as_duckdb_does(clinic_in_spark: SparkStore) -> None:
    same_numbers(FEW, clinic_in_spark)


@pytest.mark.slow
def test_spark_counts_as_duckdb_does_whatever_is_asked(clinic_in_spark: SparkStore) -> None:
    same_numbers(ANSWERED, clinic_in_spark)


def test_spark_counts_as_duckdb_does_where_rows_of_a_person_are_left_out(
    spark: SparkSession, tmp_path: Path
) -> None:
    names = as_tables(spark, tmp_path, {**CLINIC, "visits": pl.DataFrame(OFTEN)})
    there = SparkStore(clinic(), spark, names)
    same_numbers(CUT[:1], there, OFTEN)
    (counted,) = there.run(selects(plan("SELECT COUNT(*) FROM visits", clinic(), there)))
    left = sum(min(3, many) for many in Counter(row["id"] for row in OFTEN).values())
    assert counted.row(0)[-1] == left < len(OFTEN)


@pytest.mark.slow
def test_spark_counts_as_duckdb_does_where_rows_are_left_out_whatever_is_asked(
    spark: SparkSession, tmp_path: Path
) -> None:
    names = as_tables(spark, tmp_path, {**CLINIC, "visits": pl.DataFrame(OFTEN)})
    same_numbers(CUT, SparkStore(clinic(), spark, names), OFTEN)


def test_a_session_on_spark_answers_and_refuses_before_anything_is_spent(clinic_in_spark: SparkStore) -> None:
    live = Session(clinic(), clinic_in_spark, passing_ledger())
    live.grant("owner")
    before = live.budget("owner").to_json()
    with pytest.raises(NotAllowed, match="on Spark a regular expression could take very long"):
        live.ask("SELECT COUNT(*) FROM people WHERE REGEXP_MATCHES(town, 'U.*')", Fraction(1), None, "owner")
    assert live.budget("owner").to_json() == before
    answer = live.ask("SELECT COUNT(*) FROM people", Fraction(50), None, "owner")
    assert abs(float(answer.rows[0][0] or 0) - 60) < 10


# What Spark would do with fewer rows, or other rows, if it were let.
TELLING = ("Broadcast", "AdaptiveSparkPlan", "dynamicpruning", "bloom", "WindowGroupLimit", "LocalLimit")


@pytest.mark.parametrize(
    "question",
    [QUESTIONS[1], QUESTIONS[4], QUESTIONS[8], QUESTIONS[12]],
    ids=["join", "in", "where", "three"],
)
def test_no_row_decides_how_much_spark_reads(
    question: str, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = hospital_in_spark(spark, tmp_path_factory)
    query = plan(question.replace("{pid}", "P000003"), hospital(), store)
    for select in selects(query):
        text = store.explain(select)
        physical = text.split("== Physical Plan ==")[1]
        assert not [word for word in TELLING if word.lower() in physical.lower()], physical
        assert set(re.findall(r"PushedFilters: \[(.*?)\]", physical)) <= {""}, physical
        assert set(re.findall(r"PartitionFilters: \[(.*?)\]", physical)) <= {""}, physical
        # Between the files and the choice of each person's rows nothing is left out but rows of nobody.
        optimized = text.split("== Optimized Logical Plan ==")[1].split("== Physical Plan ==")[0]
        assert "P000003" not in optimized.split("Window")[-1].split("Relation")[0], optimized
        # Both sides of every join are read to their end.
        assert not re.findall(r"Join (Inner|LeftOuter|LeftSemi|LeftAnti|Cross)", optimized), optimized


_HOSPITAL: list[SparkStore] = []


def hospital_in_spark(spark: SparkSession, factory: pytest.TempPathFactory) -> SparkStore:
    if not _HOSPITAL:
        names = as_tables(spark, factory.mktemp("hospital"), frames())
        _HOSPITAL.append(SparkStore(hospital(), spark, names))
    return _HOSPITAL[0]
