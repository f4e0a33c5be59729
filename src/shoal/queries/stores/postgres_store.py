"""Private rows that stay in PostgreSQL, where others write them. A question sees them cleaned on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl
from sqlglot import exp, parse_one

from shoal.core.errors import BadTable, ShoalError, Unanswered
from shoal.engines.postgres_connection import Postgres, Snapshot
from shoal.queries.declaration.declaration import Dataset, Table
from shoal.queries.query import Prepared
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

_SOURCES: dict[int, Source] = {
    16: "truth", 20: "whole", 21: "whole", 23: "whole", 700: "float", 701: "float",
    1082: "day", 1114: "moment", 1184: "moment",
}  # fmt: skip
_WHOLE, _TEXT = {20, 21, 23}, {25, 1042, 1043, 2950}  # bigint …; text, char, varchar, uuid
_NUMERIC = 1700

_CATALOG = """
SELECT c.relname, a.attname, a.atttypid::bigint,
       (c.relkind = 'p' OR NOT c.relhassubclass) AND EXISTS (
         SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid
         AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
WHERE n.nspname = %s AND lower(c.relname) = lower(%s) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum
"""
# Every transaction that comes to its end raises this: the next number to be given, less those still open. The
# next number alone stays the same when an older transaction commits after a younger one.
_VERSION = """
SELECT pg_snapshot_xmax(s)::text::bigint - (SELECT count(*) FROM pg_snapshot_xip(s)), pg_is_in_recovery()
FROM pg_current_snapshot() AS s
"""

# What a relation carries along: the facts that its cleaning was made for (`sql/work_limit.py`).
_MADE_FOR = "facts"


class _Spelling:
    """PostgreSQL's way to write it. Its casts raise, so that every one stands behind a guard in a CASE."""

    double = "DOUBLE PRECISION"

    def text(self, cell: str) -> str:
        # Byte by byte: a collation that takes two units for one would let them push out each other's rows.
        return f'(CAST({cell} AS TEXT) COLLATE "C")'

    def trimmed(self, text: str) -> str:
        # A regular expression refuses what is very long.
        return f"CASE WHEN LENGTH({text}) <= {SIGNS} THEN BTRIM({text}, ' \t\r\n') END"

    def matches(self, text: str, pattern: str) -> str:
        return f"({text} ~ '{pattern}')"

    def cast(self, value: str, kind: str) -> str:
        return f"CAST({value} AS {kind})"

    def rounded(self, number: str) -> str:
        return self.cast(number, "BIGINT")

    def long(self, text: str) -> str:
        number = f"CAST({text} AS NUMERIC)"
        return (
            f"CASE WHEN {number} BETWEEN -9223372036854775808 AND 9223372036854775807"
            f" THEN CAST({number} AS BIGINT) END"
        )


_SPELLING = _Spelling()
# Else the planner moves the cleaning to where a column is named: done for some rows only, and often.
_FENCE = " OFFSET 0"


@dataclass(frozen=True)
class _Facts:
    """What the catalog says about a relation: public, and the cleaning is made for it."""

    name: str
    columns: tuple[tuple[str, int], ...]  # the name of each declared column there, and the number of its type
    single: bool  # whether a constraint allows a unit one row only


class PostgresStore:
    """The tables of a data set are relations of the same names in one schema of PostgreSQL.

    Nothing is written there. Every question cleans the rows and keeps as many per person as declared, which
    takes a sort by person unless a unique constraint on the unit makes it needless.
    """

    dialect = "postgres"

    def __init__(
        self, dataset: Dataset, dsn: str, schema: str = "public", timeout: float | None = None
    ) -> None:
        for column in (column for table in dataset.tables for column in table.columns):
            if column.coded:
                codes(column)  # refuses bounds with nothing between them
        self.dataset = dataset
        self._schema = schema
        self._engine = Postgres(dsn, timeout)
        self._facts: dict[str, _Facts] = {}

    @property
    def version(self) -> int:
        """Goes up with every transaction that changed anything in the server, these tables or not."""
        with self._engine.snapshot() as snapshot:
            ((version, standby),) = snapshot.rows(_VERSION)
        if standby:
            raise BadTable("a standby cannot tell when its rows change; connect to the primary server")
        return int(version)

    def relation(self, table: Table) -> exp.Expression:
        """A sub-query that gives the rows as questions may see them."""
        table = self.dataset.table(table.name)
        used: dict[str, _Facts] = {}
        select = parse_one(self._rows(table, used), dialect=self.dialect)
        assert isinstance(select, exp.Select)
        made = select.subquery()
        made.meta[_MADE_FOR] = tuple(used.items())
        return made

    def _rows(self, table: Table, used: dict[str, _Facts]) -> str:
        """The rows of a table and what they hang on; the facts that it is made for go into `used`."""
        facts = self._facts.get(table.name)
        if facts is None:
            with self._engine.snapshot() as snapshot:
                facts = self._facts[table.name] = self._read_facts(snapshot, table)
        used[table.name] = facts
        key = self.dataset.key_of(table)
        if table.link is None:
            return _cleaned(table, facts, self._schema, key)
        parent = self.dataset.table(table.link.parent)
        rows = f"({_cleaned(table.given, facts, self._schema, None)})"
        return hanging_rows(table, parent, key, rows, f"({self._rows(parent, used)})", _order) + _FENCE

    def run(self, selects: Sequence[exp.Select], within: float | None = None) -> list[pl.DataFrame]:
        """The answers to several questions about one and the same state of the rows."""
        texts = [select.sql(dialect=self.dialect) for select in selects]
        try:
            with self._engine.snapshot(within) as snapshot:
                # Also those that a question was made for before another one noticed a change.
                made_for = {
                    pair
                    for select in selects
                    for part in select.find_all(exp.Subquery)
                    for pair in part.meta.get(_MADE_FOR, ())
                }
                for name, facts in {*self._facts.items(), *made_for}:
                    # A constraint dropped since would let more rows pass; a new type could make a cast raise.
                    if self._read_facts(snapshot, self.dataset.table(name)) != facts:
                        self._facts.clear()
                        raise Outdated(FAILED)
                return [snapshot.frame(text) for text in texts]
        except Outdated:
            raise
        except ShoalError as error:
            raise Unanswered(FAILED) from error

    def prepare(self, select: exp.Select) -> None:
        """Nothing: the way to the server takes longer than reading a statement again."""

    def rows(self, prepared: Sequence[Prepared], within: float | None = None) -> list[tuple[int | None, ...]]:
        """Never asked, because nothing is prepared."""
        raise Unanswered(FAILED)

    def cancel(self) -> None:
        """End all that is being read, and read nothing from now on."""
        self._engine.cancel()

    def close(self) -> None:
        """Close the connections."""
        self._engine.close()

    def _read_facts(self, snapshot: Snapshot, table: Table) -> _Facts:
        table = table.given
        rows = snapshot.rows(_CATALOG, (self._schema, table.name))
        names = sorted({row[0] for row in rows})
        where = f"{self._schema}.{table.name}"
        if table.name not in names and len(names) != 1:
            raise BadTable(f"no relation {where} for the table '{table.name}'; check the schema and the name")
        name = table.name if table.name in names else names[0]
        found = {row[1]: row for row in rows if row[0] == name}
        columns = tuple(
            (column, int(found[column][2])) for column in match_columns(table, list(found), where)
        )
        return _Facts(name, columns, self._single(table, columns, found))

    @staticmethod
    def _single(
        table: Table, columns: Sequence[tuple[str, int]], found: dict[str, tuple[object, ...]]
    ) -> bool:
        """Whether no two rows can have the same unit, cleaned as it is: '1' and '01' are one integer."""
        if table.unit is None:
            return False
        unit = table.column(table.unit)
        name, kind = columns[table.columns.index(unit)]
        alike = _WHOLE if unit.kind == "integer" else _WHOLE | _TEXT
        return bool(found[name][3]) and kind in alike


def _order(columns: str) -> str:
    """A hash of a row, then the row itself as text, byte by byte."""
    text = f'CAST(ROW({columns}) AS TEXT) COLLATE "C"'
    return f"HASHTEXTEXTENDED({text}, 0), {text}"


def _cell(name: str, kind: int, unit: bool) -> str:
    """A column as it is read: 1.0 and 1.00 are one number there, and one person where it is the unit."""
    return f"TRIM_SCALE({quote_name(name)})" if unit and kind == _NUMERIC else quote_name(name)


def _cleaned(table: Table, facts: _Facts, schema: str, key: str | None) -> str:
    places = [f"c{place}" for place in range(len(table.columns))]
    both = [
        (column, place, _cell(name, kind, table.owned_by(column)), _SOURCES.get(kind, "text"))
        for column, place, (name, kind) in zip(table.columns, places, facts.columns, strict=True)
    ]
    read = ", ".join(
        f"{value(column, cell, source, _SPELLING, table.owned_by(column))} AS {place}"
        for column, place, cell, source in both
    )
    hold = ", ".join(
        f"CAST({stored_value(column, place, source, _SPELLING)} AS {sql_type(column, _SPELLING)})"
        f" AS {quote_name(column.name)}"
        for column, place, _, source in both
    )
    rows = f"SELECT {hold} FROM (SELECT {read} FROM {quote_name(schema)}.{quote_name(facts.name)}) AS r0"
    if table.unit is None:
        return rows + _FENCE
    unit = quote_name(table.column(table.unit).name)
    rows = f"SELECT * FROM ({rows}) AS r1 WHERE {unit} IS NOT NULL"
    if facts.single:
        return rows + _FENCE
    names = ", ".join(quote_name(column.name) for column in table.columns)
    chosen = few_rows(f"({rows})", unit, key, _order(names))
    return f'SELECT {names} FROM ({chosen}) AS r3 WHERE "0" <= {table.rows} AND "1" = 1'
