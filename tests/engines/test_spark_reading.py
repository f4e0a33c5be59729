"""The door to Spark for questions: in time, or ended for real."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from patience import LONG, until
from shoal.core.errors import BadParameter, BadTable, Unanswered
from shoal.engines.spark_reading import SETTINGS, SparkReader, parts_of
from shoal.engines.timeouts import Overdue

# Hours of work for two threads; no aggregate can be had without it.
ENDLESS = "SELECT SUM(HASH(a.id, b.id)) AS x FROM RANGE(3000000) AS a, RANGE(3000000) AS b"


def busy(spark: Any) -> bool:
    return bool(spark.sparkContext.statusTracker().getActiveStageIds())


def wait_for(spark: Any, wanted: bool) -> None:
    until(lambda: busy(spark) is wanted, "Spark to begin" if wanted else "Spark to be done")


def test_a_question_that_takes_too_long_is_cancelled_in_the_engine(spark: Any) -> None:
    reader = SparkReader(spark)
    with pytest.raises((Unanswered, Overdue)):
        reader.frames([ENDLESS], within=1.0)
    wait_for(spark, False)
    assert reader.frames(["SELECT 1 AS x"], within=LONG)[0].rows() == [(1,)]


def test_the_end_cancels_what_is_running_and_nothing_begins(spark: Any) -> None:
    reader, found = SparkReader(spark), []

    def ask() -> None:
        try:
            reader.frames([ENDLESS])
        except Exception as error:
            found.append(error)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    wait_for(spark, True)
    reader.cancel()
    asking.join(LONG)
    wait_for(spark, False)
    assert len(found) == 1
    with pytest.raises(Overdue):
        reader.frames(["SELECT 1 AS x"])


def test_settings_are_of_questions_alone(spark: Any) -> None:
    before = {name: spark.conf.get(name, None) for name in SETTINGS}
    reader = SparkReader(spark)
    assert {name: reader._session.conf.get(name) for name in SETTINGS} == dict(SETTINGS)
    assert {name: spark.conf.get(name, None) for name in SETTINGS} == before


def test_a_failure_does_not_quote_cells_and_a_remote_session_is_refused(spark: Any) -> None:
    reader = SparkReader(spark)
    with pytest.raises(Unanswered) as failed:
        reader.frames(["SELECT RAISE_ERROR('Ann has it') AS x"])
    assert "Ann" not in str(failed.value)
    with pytest.raises(BadTable, match="no table nowhere in Spark"):
        reader.columns("nowhere")
    with pytest.raises(BadParameter, match="Spark Connect"):
        SparkReader(object())  # type: ignore[arg-type]


def test_few_cores_do_not_spread_rows_over_two_hundred_parts_unless_somebody_says_so(spark: Any) -> None:
    assert [parts_of(200, cores) for cores in (1, 2, 50, 1000)] == [4, 8, 200, 200]
    assert [parts_of(given, 2) for given in (1, 64, 5000)] == [1, 64, 5000]
    session = spark.newSession()
    for given, used in (("200", "8"), ("3", "3")):
        session.conf.set("spark.sql.shuffle.partitions", given)
        assert SparkReader(session)._session.conf.get("spark.sql.shuffle.partitions") == used
    assert session.conf.get("spark.sql.shuffle.partitions") == "3"
