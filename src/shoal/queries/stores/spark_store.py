"""Private rows that stay in Spark, where others write them. A question sees them cleaned on the way.

Tables of Spark have no state that several statements could share: every SELECT lists the files anew, and
sees them as they are then. Each by itself holds no more of one person than declared, whatever is written
meanwhile.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
from sqlglot import exp, parse_one

from shoal.core.errors import BadTable, ShoalError, Unanswered
from shoal.engines.spark_reading import SparkReader
from shoal.queries.declaration.declaration import Column, Dataset, Table
from shoal.queries.query import Prepared
from shoal.queries.sql.spark_spelling import spell_for_spark
from shoal.queries.sql.work_limit import CLEANING
from shoal.queries.stores.cleaning_sql import (
    SIGNS,
    Source,
    codes,
    match_columns,
    quote_name,
    sql_type,
    stored_value,
    value,
)
from shoal.queries.stores.limiting_sql import few_rows, hanging_rows
from shoal.queries.stores.store import FAILED, Outdated

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SOURCES: dict[str, Source] = {
    "boolean": "truth", "tinyint": "whole", "smallint": "whole", "int": "whole", "bigint": "whole",
    "float": "float", "double": "float", "date": "day", "timestamp": "moment", "timestamp_ntz": "moment",
}  # fmt: skip
_TEXT = re.compile(r"(decimal|char|varchar)\(.*\)|string( collate .*)?")
_REPEATED = re.compile(r"(?<=[\])])([+*])(?!\+)")


class _Spelling:
    """Spark's way to write it, in the quotes of DuckDB. Its casts give null where they fail.

    Texts are made and trimmed once, in columns of their own (`p0` and `q0`): written out wherever they are
    looked at, Spark would take seconds to compile the question.
    """

    double = "DOUBLE"

    def text(self, cell: str) -> str:
        return cell if cell.startswith("p") else f"CAST({cell} AS TEXT)"

    def trimmed(self, text: str) -> str:
        assert text.startswith("p")
        return f"q{text[1:]}"

    def matches(self, text: str, pattern: str) -> str:
        # Java never goes back behind what is repeated here, and its $ also stands before a last line feed.
        java = _REPEATED.sub(r"\1+", pattern).replace("$", r"\z")
        return f"({text} RLIKE '{java}')"

    def cast(self, value: str, kind: str) -> str:
        return f"TRY_CAST({value} AS {kind})"

    def rounded(self, number: str) -> str:
        return self.cast(f"RINT({number})", "BIGINT")

    def long(self, text: str) -> str:
        return self.cast(text, "BIGINT")


_SPELLING = _Spelling()


@dataclass(frozen=True)
class _Facts:
    """What the catalog says about a table: public, and the cleaning is made for it."""

    columns: tuple[tuple[str, str], ...]  # the name of each declared column there, and its type


class SparkStore:
    """The tables of a data set are tables of Spark, by the names that are given or by their own.

    Nothing is written there. Every question cleans the rows and sorts them by person, to keep as many of each
    as declared.
    """

    dialect = "spark"

    def __init__(
        self, dataset: Dataset, session: SparkSession, names: Mapping[str, str] | None = None
    ) -> None:
        for column in (column for table in dataset.tables for column in table.columns):
            if column.coded:
                codes(column)  # refuses bounds with nothing between them
        self.dataset = dataset
        self._names = dict(names or {})
        self._engine = SparkReader(session)
        self._facts: dict[str, _Facts] = {}
        self._versions = itertools.count(1)

    @property
    def version(self) -> int:
        """Another one every time: Spark cannot tell whether rows were changed."""
        return next(self._versions)

    def relation(self, table: Table) -> exp.Expression:
        """A sub-query that gives the rows as questions may see them."""
        table = self.dataset.table(table.name)
        used: dict[str, _Facts] = {}
        select = parse_one(self._rows(table, used), dialect="duckdb")
        assert isinstance(select, exp.Select)
        made = select.subquery()
        made.meta[CLEANING] = tuple(used.items())
        return made

    def _rows(self, table: Table, used: dict[str, _Facts]) -> str:
        """The rows of a table and what they hang on; the facts that it is made for go into `used`."""
        facts = self._facts.get(table.name)
        if facts is None:
            facts = self._facts[table.name] = self._read_facts(table)
        used[table.name] = facts
        key = self.dataset.key_of(table)
        if table.link is None:
            return _cleaned(table, facts, self._place(table), key)
        parent = self.dataset.table(table.link.parent)
        rows = f"({_cleaned(table.given, facts, self._place(table), None)})"
        return hanging_rows(table, parent, key, rows, f"({self._rows(parent, used)})", _order)

    def run(self, selects: Sequence[exp.Select], within: float | None = None) -> list[pl.DataFrame]:
        """The answers to several questions, each about the rows as they are when it begins."""
        try:
            made_for = {
                pair
                for select in selects
                for part in select.find_all(exp.Subquery)
                for pair in part.meta.get(CLEANING, ())
            }
            for name, facts in {*self._facts.items(), *made_for}:
                if self._read_facts(self.dataset.table(name)) != facts:
                    self._facts.clear()
                    raise Outdated(FAILED)
            return self._engine.frames([spark_text(select) for select in selects], within)
        except Outdated:
            raise
        except ShoalError as error:
            raise Unanswered(FAILED) from error

    def explain(self, select: exp.Select) -> str:
        """What Spark would do for a SELECT: how much it reads must not hang on any row."""
        return self._engine.explain(spark_text(select))

    def prepare(self, select: exp.Select) -> None:
        """Nothing: a plan of Spark is made for one question."""

    def rows(self, prepared: Sequence[Prepared], within: float | None = None) -> list[tuple[int | None, ...]]:
        """Never asked, because nothing is prepared."""
        raise Unanswered(FAILED)

    def cancel(self) -> None:
        """Cancel all that is being read, and read nothing from now on."""
        self._engine.cancel()

    def close(self) -> None:
        """Read nothing from now on; the session is its owner's."""
        self._engine.cancel()

    def _place(self, table: Table) -> str:
        return self._names.get(table.name, quote_name(table.name).replace('"', "`"))

    def _read_facts(self, table: Table) -> _Facts:
        table = table.given
        found = dict(self._engine.columns(self._place(table)))
        names = match_columns(table, list(found), f"the Spark table {self._place(table)}")
        for column, name in zip(table.columns, names, strict=True):
            _source(column, found[name])
        return _Facts(tuple((name, found[name]) for name in names))


def spark_text(select: exp.Expression) -> str:
    """A tree as Spark reads it."""
    return spell_for_spark(select).sql(dialect="spark")


def _source(column: Column, kind: str) -> Source:
    if kind in _SOURCES:
        return _SOURCES[kind]
    if _TEXT.fullmatch(kind):
        return "text"
    raise BadTable(
        f"column '{column.name}' is of the type {kind} in Spark, which no question can read; make a view "
        "with numbers, texts, dates or booleans"
    )


def _valid(cell: str) -> str:
    # Byte by byte, whatever the collation of the column; bytes that are no text are missing.
    return f"TRY_VALIDATE_UTF8(CAST({cell} AS TEXT) COLLATE UTF8_BINARY)"


def _trimmed(text: str) -> str:
    return f"CASE WHEN LENGTH({text}) <= {SIGNS} THEN TRIM(BOTH ' \t\r\n' FROM {text}) END"


def _order(columns: str) -> str:
    """A hash of a row, then the row itself."""
    return f"XXHASH64({columns}), {columns}"


def _cleaned(table: Table, facts: _Facts, place: str, key: str | None) -> str:
    sources = [_source(column, kind) for column, (_, kind) in zip(table.columns, facts.columns, strict=True)]
    cells = [f"{'p' if source == 'text' else 'n'}{number}" for number, source in enumerate(sources)]
    given = ", ".join(
        f"{_valid(quote_name(name)) if cell[0] == 'p' else quote_name(name)} AS {cell}"
        for cell, (name, _) in zip(cells, facts.columns, strict=True)
    )
    trimmed = ", ".join(["*", *(f"{_trimmed(cell)} AS q{cell[1:]}" for cell in cells if cell[0] == "p")])
    both = list(zip(table.columns, cells, sources, strict=True))
    read = ", ".join(
        f"{value(column, cell, source, _SPELLING, table.owned_by(column))} AS c{cell[1:]}"
        for column, cell, source in both
    )
    hold = ", ".join(
        f"CAST({stored_value(column, f'c{cell[1:]}', source, _SPELLING)} AS {sql_type(column, _SPELLING)})"
        f" AS {quote_name(column.name)}"
        for column, cell, source in both
    )
    there = place.replace("`", '"')
    rows = f"SELECT {given} FROM {there}"
    for step in (trimmed, read, hold):
        rows = f"SELECT {step} FROM ({rows}) AS r0"
    if table.unit is None:
        return rows
    unit = quote_name(table.column(table.unit).name)
    rows = f"SELECT * FROM ({rows}) AS r1 WHERE {unit} IS NOT NULL"
    names = ", ".join(quote_name(column.name) for column in table.columns)
    chosen = few_rows(f"({rows})", unit, key, _order(names))
    return f'SELECT {names} FROM ({chosen}) AS r3 WHERE "0" <= {table.rows} AND "1" = 1'
