"""Private rows in DuckDB, in memory or in a file of their own. Rows come and go while questions are asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import polars as pl
from sqlglot import exp

from shoal.core.errors import BadParameter, ShoalError, Unanswered
from shoal.engines.duckdb_connection import Duck, Statement, Writer
from shoal.engines.frames import quote_value
from shoal.queries.declaration.declaration import Dataset, Table
from shoal.queries.query import Prepared, one_row
from shoal.queries.stores.cleaning_sql import codes, quote_name, stored_value, value
from shoal.queries.stores.duckdb_keys import by_number, held_type, readable
from shoal.queries.stores.duckdb_rows import (
    SPELLING,
    hang_rows,
    hangs_on,
    keep_few,
    kept,
    root_of,
    spare,
    theirs,
    touched,
)
from shoal.queries.stores.loading import cells_of, declared_columns, source_of
from shoal.queries.stores.store import FAILED, Unstored

_TEXTS = pl.selectors.by_dtype(pl.Categorical, pl.Enum).cast(pl.String)


class DuckStore:
    """The tables of a data set, clean, with no more rows of one person than declared.

    Questions read the schema `kept`. What a person has beyond the declared number of rows waits in `spare`:
    nothing is held twice, and nothing is lost when the same person's rows are weighed again.
    """

    dialect = "duckdb"

    def __init__(
        self,
        dataset: Dataset,
        path: str | Path | None = None,
        memory: str | None = None,
        threads: int | None = None,
    ) -> None:
        for column in (column for table in dataset.tables for column in table.columns):
            if column.coded:
                codes(column)  # refuses bounds with nothing between them
        self.dataset = dataset
        self._engine = Duck(path, memory, threads)
        self._writing = threading.Lock()
        try:
            self._version = self._opened("memory" if path is None else str(path))
        except BaseException:
            self._engine.close()
            raise

    @property
    def version(self) -> int:
        """Goes up by one with every change, and is remembered in the file."""
        return self._version

    def loaded(self, name: str) -> bool:
        """Whether the rows of a table were ever given."""
        table = self.dataset.table(name)
        with self._engine.write() as writer:
            return bool(writer.run("SELECT loaded FROM meta.tables WHERE name = ?", [table.name])[0][0])

    def relation(self, table: Table) -> exp.Expression:
        """The rows that questions may see."""
        return readable(self.dataset.table(table.name))

    def run(self, selects: Sequence[exp.Select], within: float | None = None) -> list[pl.DataFrame]:
        """The answers to several questions about one and the same state of the rows."""
        try:
            texts = [by_number(select).sql(dialect=self.dialect, copy=False) for select in selects]
            if len(texts) == 1 and _one_row(selects[0]):
                (row,) = self._engine.rows(self._engine.prepare(texts[0]), within)
                names = [part.alias_or_name for part in selects[0].expressions]
                return [one_row(names, row)]
            return [frame.with_columns(_TEXTS) for frame in self._engine.read(texts, within)]
        except Exception as error:
            raise Unanswered(FAILED) from error

    def prepare(self, select: exp.Select) -> object:
        """A SELECT of one row with parameters, read once."""
        return self._engine.prepare(select.sql(dialect=self.dialect, copy=False))

    def rows(self, prepared: Sequence[Prepared], within: float | None = None) -> list[tuple[int | None, ...]]:
        """The answers to SELECTs of one row that were prepared, about one state if they are of one shape."""
        shapes: dict[str, list[int]] = {}
        for place, part in enumerate(prepared):
            shapes.setdefault(cast(Statement, part.statement).text, []).append(place)
        found: dict[int, tuple[int | None, ...]] = {}
        try:
            for places in shapes.values():
                # Read before by whoever asks first: nobody can tell what others have asked.
                statement = cast(Statement, prepared[places[0]].statement)
                given = [prepared[place].values for place in places]
                found |= zip(places, self._engine.rows(statement, within, given), strict=True)
        except Exception as error:
            raise Unanswered(FAILED) from error
        return [found[place] for place in range(len(prepared))]

    def load(self, name: str, rows: Any) -> None:
        """Make a frame, or the rows of a file, the whole content of a table."""
        with self._change(name, rows) as (table, writer):
            writer.run(f"DELETE FROM {kept(table)}")
            writer.run(f"DELETE FROM {spare(table)}")
            self._place(writer, table)
            writer.run("UPDATE meta.tables SET loaded = TRUE WHERE name = ?", [table.name])

    def append(self, name: str, rows: Any) -> None:
        """Add rows. Whoever has more than declared now keeps those that would be kept of all of them."""
        with self._change(name, rows) as (table, writer):
            if table.private and table.link is None:
                for place in (kept(table), spare(table)):
                    # The old rows of the same people are weighed together with the new ones.
                    writer.run(f"INSERT INTO again SELECT * FROM {place} WHERE {touched(table)}")
                    writer.run(f"DELETE FROM {place} WHERE {touched(table)}")
                writer.run("INSERT INTO incoming SELECT * FROM again")
            self._place(writer, table)

    def replace(self, name: str, rows: Any) -> None:
        """Put rows in the place of all earlier rows of the same people."""
        _private(self.dataset.table(name))
        with self._change(name, rows) as (table, writer):
            for place in (kept(table), spare(table)):
                writer.run(f"DELETE FROM {place} WHERE {touched(table)}")
            self._place(writer, table)

    def forget(self, name: str | None, units: Sequence[str | int]) -> None:
        """Take all rows of some people and what hangs on them away: from one table, or all private ones."""
        tables = [self.dataset.table(name)] if name is not None else list(self.dataset.tables)
        if name is not None:
            _private(tables[0])
        with self._transaction() as writer:
            # What hangs on rows goes before they do: afterwards nobody could say whose it was.
            for table in reversed(self.dataset.tables):
                if table.link is not None and hangs_on(self.dataset, table, tables):
                    root = root_of(self.dataset, table)
                    only = Table(root.name, (root.column(root.unit or ""),), root.unit)
                    _bring(writer, only, pl.DataFrame({only.unit: [str(unit) for unit in units]}))
                    writer.run(f"DELETE FROM {spare(table)} WHERE {theirs(self.dataset, table)}")
            for table in tables:
                if table.unit is not None and table.link is None:
                    only = Table(table.name, (table.column(table.unit),), table.unit)
                    _bring(writer, only, pl.DataFrame({table.unit: [str(unit) for unit in units]}))
                    for place in (kept(table), spare(table)):
                        writer.run(f"DELETE FROM {place} WHERE {touched(table)}")
            for table in self.dataset.tables:
                hang_rows(writer, self.dataset, table)

    def cancel(self) -> None:
        """Interrupt all that is being read, and read nothing from now on."""
        self._engine.cancel()

    def close(self) -> None:
        """Close the file."""
        self._engine.close()

    @contextmanager
    def _change(self, name: str, rows: Any) -> Iterator[tuple[Table, Writer]]:
        table = self.dataset.table(name)
        frame = declared_columns(table, rows)
        with self._transaction() as writer:
            _bring(writer, table.given, frame)
            yield table, writer
            for other in self.dataset.tables:
                if hangs_on(self.dataset, other, [table]):
                    hang_rows(writer, self.dataset, other)

    def _place(self, writer: Writer, table: Table) -> None:
        """Keep so many of the incoming rows per person as declared; the rest is spare."""
        if table.link is not None:
            writer.run(f"INSERT INTO {spare(table)} SELECT * FROM incoming")
        elif table.unit is None:
            writer.run(f"INSERT INTO {kept(table)} SELECT * FROM incoming")
        else:
            keep_few(writer, table, self.dataset.key_of(table))

    @contextmanager
    def _transaction(self) -> Iterator[Writer]:
        with self._writing:
            try:
                with self._engine.write() as writer:
                    yield writer
                    for name in ("incoming", "again"):
                        writer.run(f"DROP TABLE IF EXISTS {name}")
                    ((version,),) = writer.run(
                        "UPDATE meta.state SET version = version + 1 RETURNING version"
                    )
            except ShoalError:
                raise
            except Exception as error:
                raise Unstored(
                    "the rows could not be stored, and nothing was changed; check disk, memory and the file"
                ) from error
            assert isinstance(version, int)
            self._version = version

    def _opened(self, where: str) -> int:
        with self._engine.write() as writer:
            for schema in ("meta", "kept", "spare"):
                writer.run(f"CREATE SCHEMA IF NOT EXISTS {schema}")
            writer.run("CREATE TABLE IF NOT EXISTS meta.state (version BIGINT)")
            writer.run("CREATE TABLE IF NOT EXISTS meta.tables (name TEXT, declared TEXT, loaded BOOLEAN)")
            writer.run("INSERT INTO meta.state SELECT 0 WHERE NOT EXISTS (FROM meta.state)")
            for table in self.dataset.tables:
                found = writer.run("SELECT declared FROM meta.tables WHERE name = ?", [table.name])
                if found and found[0][0] != _declared_facts(table):
                    raise BadParameter(
                        f"{quote_value(where)} was filled when '{table.name}' was declared otherwise;"
                        " use a new file and load the rows again"
                    )
                if not found:
                    _create(writer, table)
            ((version,),) = writer.run("SELECT version FROM meta.state")
        assert isinstance(version, int)
        return version


def _private(table: Table) -> None:
    if not table.private:
        raise BadParameter(f"table '{table.name}' is public and knows no people; load it anew instead")
    if table.link is not None:
        raise BadParameter(
            f"table '{table.name}' does not say whose its rows are; change '{table.link.parent}' instead"
        )


def _declared_facts(table: Table) -> str:
    """What the stored codes depend on."""
    columns = [
        [
            *(
                c.name,
                c.kind,
                *(None if bound is None else float(bound) for bound in (c.low, c.high)),
                c.keys,
            ),
            *(["never null"] if c.never_null else []),
        ]
        for c in table.columns
    ]
    link = table.link
    tied = [] if link is None else [[link.column, link.parent, link.key, link.most]]
    return json.dumps([columns, table.unit, table.rows, *tied])


def _create(writer: Writer, table: Table) -> None:
    columns = ", ".join(f"{quote_name(c.name)} {held_type(c)}" for c in table.columns)
    writer.run(f"CREATE TABLE {kept(table)} ({columns})")
    given = ", ".join(f"{quote_name(c.name)} {held_type(c)}" for c in table.given.columns)
    writer.run(f"CREATE TABLE {spare(table)} ({given})")
    writer.run("INSERT INTO meta.tables VALUES (?, ?, FALSE)", [table.name, _declared_facts(table)])


def _bring(writer: Writer, table: Table, frame: pl.DataFrame) -> None:
    """Clean the rows of a frame into the temporary table `incoming`; rows of nobody stay out."""
    places = [f"c{place}" for place in range(frame.width)]
    cells = [
        cells_of(series, column.kind == "timestamp" or table.owned_by(column)).alias(place)
        for column, series, place in zip(table.columns, frame, places, strict=True)
    ]
    sources = [source_of(series.dtype) for series in cells]
    writer.lend("given", pl.DataFrame(cells))
    both = list(zip(table.columns, places, sources, strict=True))
    read = ", ".join(
        f"{value(column, place, source, SPELLING, table.owned_by(column))} AS {place}"
        for column, place, source in both
    )
    hold = ", ".join(
        f"{stored_value(column, place, source, SPELLING)} AS {quote_name(column.name)}"
        for column, place, source in both
    )
    owned = "" if table.unit is None else f" WHERE {quote_name(table.column(table.unit).name)} IS NOT NULL"
    columns = ", ".join(f"{quote_name(c.name)} {held_type(c)}" for c in table.columns)
    for name in ("incoming", "again"):
        writer.run(f"CREATE OR REPLACE TEMP TABLE {name} ({columns})")
    writer.run(f"INSERT INTO incoming SELECT * FROM (SELECT {hold} FROM (SELECT {read} FROM given)){owned}")


def _one_row(select: exp.Select) -> bool:
    """Whether all rows are put together into one."""
    together = all(part.find(exp.AggFunc) is not None for part in select.expressions)
    return together and select.args.get("group") is None
