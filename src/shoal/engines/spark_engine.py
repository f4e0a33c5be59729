"""Spark: a table of its catalog, Parquet files by path, or a frame of a session that was handed in.

Credentials and settings are those of Spark's own configuration. Spark has no snapshots: the number of rows is
counted before and after, and formats that keep versions (Delta, Iceberg) do it by themselves.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl
from polars import selectors

from shoal.core.errors import BadParameter, BadTable, ShoalError
from shoal.core.extras import require
from shoal.engines.address import Address
from shoal.engines.frames import quote_value
from shoal.engines.spark_columns import bare
from shoal.engines.spark_leftovers import unfinished_folders, unfinished_tables
from shoal.engines.spark_shuffling import PER_PART, are_exact, shuffled_counts, shuffled_rows
from shoal.engines.sql_engine import (
    BATCH,
    SqlEngine,
    Written,
    column,
    fresh_name,
    named,
    one_sentence,
)

if TYPE_CHECKING:
    from sqlglot import exp

_NOTHING = "void"  # the type of a column that is missing throughout
_EVERYWHERE = 1 << 26  # bytes of a lent frame that every executor may get a copy of
_LOST = "check the master, the table and Spark's own log"
# What a session of ours needs beyond the machine's own spark-defaults; one that was handed in keeps its own.
_SETTINGS = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
_HERE = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
# How values become text and Arrow must not hang on the session.
_VALUES = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH),
}


class SparkEngine(SqlEngine):
    """One session; what is lent and looked at are temporary views of it."""

    dialect: ClassVar[str] = "spark"
    name: ClassVar[str] = "Spark"
    exact_texts: ClassVar[str] = "UTF8_BINARY"

    def __init__(self, sources: Sequence[Address]) -> None:
        require("spark", "Spark")
        self._views: list[str] = []
        self._kept: list[Any] = []
        self._tables: dict[Address | int, str] = {}
        # Spark's own logger would print a page for every table that is not there.
        self._log = logging.getLogger("SQLQueryContextLogger")
        self._level, self._own = self._log.level, False
        self._log.setLevel(logging.CRITICAL + 1)
        self._before: dict[str, str | None] = {}
        with one_sentence("cannot start Spark", "check Java and Spark's own configuration"):
            self._spark = self._session(sources)
            for name, value in _VALUES.items():
                self._before[name] = self._spark.conf.get(name, None)
                self._spark.conf.set(name, value)

    @property
    def session(self) -> Any:
        """The session, for those who speak to it directly."""
        return self._spark

    def table(self, address: Address) -> exp.Table:
        if address.frame is not None or address.path:
            key = id(address.frame) if address.frame is not None else address
            if key not in self._tables:
                with one_sentence(f"cannot read {quote_value(address)}", _LOST):
                    frame = (
                        address.frame if address.frame is not None else self._spark.read.parquet(address.path)
                    )
                    self._tables[key] = self._view(frame)
            return named(self._tables[key])
        if not self._exists(address):
            raise BadTable(f"no table {quote_value(address)}; check the name behind # and the catalog")
        return named(*address.table)

    def batches(self, tree: exp.Query) -> Iterator[pl.DataFrame]:
        with one_sentence("the rows could not be read", _LOST):
            table = self._select(tree).toArrow()
            table.validate(full=True)  # Spark lets bytes pass as text that are none
            first = pl.from_arrow(table.schema.empty_table())
            assert isinstance(first, pl.DataFrame)
            yield first
            for batch in table.to_batches():
                frame = pl.from_arrow(batch)
                assert isinstance(frame, pl.DataFrame)
                yield frame

    def lend(self, frame: pl.DataFrame, like: exp.Table | None = None) -> exp.Table:
        from pyspark.sql.functions import broadcast
        from sqlglot import exp

        with one_sentence("a mapping could not be sent", _LOST):
            sent = self._spark.createDataFrame(_plain_arrow(frame))
            # Spark does not know how small this is, and would shuffle all rows to join with it.
            everywhere = broadcast if frame.estimated_size() <= _EVERYWHERE else _as_it_is
            if like is None:
                return named(self._view(everywhere(sent)))
            lent = named(self._view(sent))
            columns = self._types(like)
            chosen = [
                exp.alias_(exp.cast(column(each), columns[each], dialect="spark"), each, quoted=True)
                if columns.get(each, _NOTHING) != _NOTHING
                else column(each)
                for each in frame.columns
            ]
            return named(self._view(everywhere(self._select(exp.select(*chosen).from_(lent)))))

    def keep(self, tree: exp.Query) -> exp.Table:
        with one_sentence("the rows could not be read", _LOST):
            frame = self._select(tree).persist()
            self._kept.append(frame)
            return named(self._view(frame))

    def at_most(self, tree: exp.Query, most: int) -> pl.DataFrame | None:
        # To keep and count them first would cost more than the group-by they come from.
        frame = self.frame(tree.limit(most + 1))
        return frame if frame.height <= most else None

    def shuffled(self, tree: exp.Select, alike: int = 0) -> exp.Select:
        if not alike or not are_exact(each.dataType.simpleString() for each in self._select(tree).schema):
            return shuffled_rows(tree)
        return shuffled_counts(tree, max(self._spark.sparkContext.defaultParallelism, alike // PER_PART))

    def loose_texts(self, table: exp.Table, columns: Sequence[str]) -> list[str]:
        kinds = self._types(table)
        return [name for name in columns if kinds[name].startswith("string collate")]

    def check_new(self, target: Address) -> None:
        if target.kind == "folder":
            target = Address("spark", "", path=target.place)
        if target.kind != "spark":
            raise BadParameter(
                f"Spark cannot write {quote_value(target)}; write spark://#TABLE, or the path of a new folder"
            )
        there = self._path_exists(target.path) if target.path else self._exists(target)
        if there:
            raise BadParameter(f"there is {quote_value(target)} already; choose a new name")

    @contextmanager
    def create(self, target: Address, tree: exp.Query) -> Iterator[Written]:
        self.check_new(target)
        path = target.place if target.kind == "folder" else target.path
        if path:
            yield from self._create_folder(path, tree)
            return
        name = (*target.table[:-1], fresh_name())
        trial = named(*name)
        with self._or_told(
            ".".join(name), lambda: self._spark.sql(f"DROP TABLE IF EXISTS {self.sql(trial)}")
        ):
            with one_sentence(f"cannot write {quote_value(target)}", _LOST):
                rows = self.sql(named(self._view(bare(self._select(tree)))))
                self._spark.sql(f"CREATE TABLE {self.sql(trial)} USING PARQUET AS SELECT * FROM {rows}")
            yield Written(self, trial)
            with one_sentence(f"cannot write {quote_value(target)}", _LOST):
                self._spark.sql(f"ALTER TABLE {self.sql(trial)} RENAME TO {self.sql(named(*target.table))}")

    def leftovers(self, target: Address) -> list[str]:
        path = target.place if target.kind == "folder" else target.path
        names: list[str] = []
        with suppress(Exception):  # a remark is no reason to fail
            names = unfinished_folders(self._spark, path) if path else unfinished_tables(self._spark, target)
        return [
            f"{quote_value(name)} is what a run wrote that was killed, unless it is running now; if not, "
            "remove it: its rows were never checked"
            for name in names
        ]

    def close(self) -> None:
        for frame in self._kept:
            with suppress(Exception):
                frame.unpersist()
        for view in self._views:
            with suppress(Exception):
                self._spark.catalog.dropTempView(view)
        for name, value in self._before.items():
            with suppress(Exception):
                self._spark.conf.unset(name) if value is None else self._spark.conf.set(name, value)
        self._log.setLevel(self._level)
        if self._own:
            with suppress(Exception):
                self._spark.stop()

    def _session(self, sources: Sequence[Address]) -> Any:
        from pyspark.sql import SparkSession

        handed = next((each.frame for each in sources if each.frame is not None), None)
        if handed is not None:
            return handed.sparkSession
        running = SparkSession.getActiveSession()
        if running is not None:
            return running
        masters = {each.place for each in sources} - {""}
        if len(masters) > 1:
            raise BadParameter(f"the tables are of different masters: {', '.join(sorted(masters))}; use one")
        builder = SparkSession.builder.appName("shoal")
        master = masters.pop() if masters else None
        for name, value in {**_SETTINGS, **(_HERE if master and master.startswith("local") else {})}.items():
            builder = builder.config(name, value)
        session = (builder.master(master) if master else builder).getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        self._own = True
        return session

    def _create_folder(self, path: str, tree: exp.Query) -> Iterator[Written]:
        jvm = self._spark.sparkContext._jvm
        place = jvm.org.apache.hadoop.fs.Path(path)
        trial = jvm.org.apache.hadoop.fs.Path(place.getParent(), f".{fresh_name()}")
        system = place.getFileSystem(self._spark.sparkContext._jsc.hadoopConfiguration())
        with self._or_told(str(trial), lambda: system.delete(trial, True)):
            with one_sentence(f"cannot write {quote_value(path)}", _LOST):
                bare(self._select(tree)).write.parquet(trial.toString())
                view = self._view(self._spark.read.parquet(trial.toString()))
            yield Written(self, named(view))
            with one_sentence(f"cannot write {quote_value(path)}", _LOST):
                done = not system.exists(place) and system.rename(trial, place)
            if not done:
                raise BadParameter(f"there is a folder {quote_value(path)} already; choose a new name")

    @contextmanager
    def _or_told(self, trial: str, remove: Callable[[], object]) -> Iterator[None]:
        """Whatever fails in here takes the trial away; if that fails, too, the sentence names it."""
        try:
            yield
        except BaseException as error:
            try:
                remove()
            except Exception:
                if isinstance(error, ShoalError):
                    raise BadTable(
                        f"{error}; {quote_value(trial)} may be left, which is no release: remove it"
                    ) from None
            raise

    def _path_exists(self, path: str) -> bool:
        with one_sentence(f"cannot look for {quote_value(path)}", _LOST):
            place = self._spark.sparkContext._jvm.org.apache.hadoop.fs.Path(path)
            system = place.getFileSystem(self._spark.sparkContext._jsc.hadoopConfiguration())
            return bool(system.exists(place))

    def _types(self, table: exp.Table) -> dict[str, str]:
        return {each.name: each.dataType.simpleString() for each in self._spark.table(self.sql(table)).schema}

    def _select(self, tree: exp.Query) -> Any:
        return self._spark.sql(self.sql(tree))

    def _view(self, frame: Any) -> str:
        name = fresh_name()
        frame.createOrReplaceTempView(name)
        self._views.append(name)
        return name

    def _exists(self, address: Address) -> bool:
        with one_sentence(f"cannot look for {quote_value(address)}", _LOST):
            return bool(self._spark.catalog.tableExists(self.sql(named(*address.table))))


def _as_it_is(frame: Any) -> Any:
    return frame


def _plain_arrow(frame: pl.DataFrame) -> Any:
    """A frame as Arrow without unsigned numbers and views of text, which Spark does not read."""
    frame = frame.with_columns(selectors.unsigned_integer().cast(pl.Int64))
    return frame.to_arrow(compat_level=pl.CompatLevel.oldest())
