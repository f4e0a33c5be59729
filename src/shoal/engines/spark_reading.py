"""The door to Spark for questions: reading only, no row decides how much is read, one text for every failure.

Questions have a session of their own beside the user's: same cluster, same tables, other settings.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from shoal.core.errors import BadParameter, BadTable, ShoalError, Unanswered
from shoal.core.extras import require
from shoal.engines.timeouts import Watch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FILES = "parquet."  # before the path of files that are no table of the catalog
FAILED = "the rows could not be read"  # Spark's own words quote cells

_RULES = "org.apache.spark.sql.catalyst.optimizer."
# What moves a filter down to the scan, or takes half of a full join back: how much is read, cleaned and
# sorted would then depend on who is there.
_NOT_DONE = (
    "PushDownPredicates",
    "PushDownLeftSemiAntiJoin",
    "PushLeftSemiLeftAntiThroughJoin",
    "InferFiltersFromConstraints",
    "EliminateOuterJoin",
    "InferWindowGroupLimit",
)
SETTINGS: Mapping[str, str] = {
    # An expression gives null where it cannot be worked out, and never raises for some row.
    "spark.sql.ansi.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.int96RebaseModeInRead": "CORRECTED",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.caseSensitive": "true",
    "spark.sql.crossJoin.enabled": "true",
    # The plan follows from the question and the types alone, and not from how many rows came out of a step.
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.cbo.enabled": "false",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.optimizer.dynamicPartitionPruning.enabled": "false",
    "spark.sql.optimizer.runtime.bloomFilter.enabled": "false",
    "spark.sql.optimizer.windowGroupLimitThreshold": "-1",
    "spark.sql.optimizer.excludedRules": ",".join(f"{_RULES}{rule}" for rule in _NOT_DONE),
    "spark.sql.parquet.filterPushdown": "false",
    "spark.sql.orc.filterPushdown": "false",
    "spark.sql.csv.filterPushdown.enabled": "false",
    "spark.sql.json.filterPushdown.enabled": "false",
    "spark.sql.parquet.aggregatePushdown": "false",
    "spark.sql.orc.aggregatePushdown": "false",
}
_PARTS, _USUAL, _PER_CORE = "spark.sql.shuffle.partitions", 200, 4


class SparkReader:
    """Questions to one Spark cluster, each within its time."""

    def __init__(self, session: SparkSession) -> None:
        require("spark", "Spark")
        if not hasattr(session, "_jsparkSession"):
            raise BadParameter(
                "questions need a Spark session with a driver in this process, not one of Spark Connect; "
                "name the master, as in spark://host:7077"
            )
        self._session = session.newSession()
        for name, setting in SETTINGS.items():
            self._session.conf.set(name, setting)
        given = int(cast(str, session.conf.get(_PARTS)))
        self._session.conf.set(_PARTS, str(parts_of(given, session.sparkContext.defaultParallelism)))
        self._watch = Watch()
        self._numbers = itertools.count()

    def columns(self, table: str) -> list[tuple[str, str]]:
        """The names and types of a table's columns, as Spark has them now."""
        try:
            if table.startswith(FILES):
                self._session.catalog.refreshByPath(table.removeprefix(FILES).strip("`"))
            else:
                self._session.catalog.refreshTable(table)
            return [(name, kind) for name, kind in self._session.table(table).dtypes]
        except Exception as error:
            raise BadTable(f"no table {table} in Spark; check the name and its database") from error

    def frames(self, texts: Sequence[str], within: float | None = None) -> list[pl.DataFrame]:
        """The rows of several SELECTs; all jobs of theirs are cancelled when their time is over."""
        context = self._session.sparkContext
        group = f"shoal-{os.getpid()}-{id(self)}-{next(self._numbers)}"
        kept = {name: context.getLocalProperty(name) for name in _GROUP}
        try:
            with self._watch.over(within, lambda: _cancel(context, group)) as call:
                found = []
                for text in texts:
                    call.check()
                    context.setJobGroup(group, "shoal", interruptOnCancel=True)
                    found.append(_collected(self._session.sql(text)))
                call.check()
                return found
        except ShoalError:
            raise
        except Exception as error:
            raise Unanswered(FAILED) from error
        finally:
            for name, value in kept.items():
                context.setLocalProperty(name, cast(str, value))

    def explain(self, text: str) -> str:
        """What Spark would do for a SELECT."""
        frame: Any = self._session.sql(text)
        return str(frame._jdf.queryExecution().toString())

    def cancel(self) -> None:
        """End all that is being read, and read nothing from now on."""
        self._watch.end()


def parts_of(given: int, cores: int) -> int:
    """Into how many parts rows are spread: as the session says, but its usual 200 only where cores are many.

    Adaptive execution, which would join parts by how many rows there are, is off.
    """
    return min(_USUAL, _PER_CORE * cores) if given == _USUAL else given


_GROUP = ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel")


def _cancel(context: Any, group: str) -> None:
    # Also jobs that have not begun yet: while a plan is made there is nothing to cancel.
    context._jsc.sc().cancelJobGroupAndFutureJobs(group)


def _collected(frame: DataFrame) -> pl.DataFrame:
    found = pl.from_arrow(frame.toArrow())
    assert isinstance(found, pl.DataFrame)
    return found
