"""Which rows DuckDB keeps of a person, and which hang on those of others.

Questions read what is kept; what a person has beyond the declared number waits in `spare`. Of a table that
hangs on another, `spare` has all that was handed in, and what is kept is made of it anew whenever a parent
comes or goes.
"""

from __future__ import annotations

from collections.abc import Sequence

from shoal.engines.duckdb_connection import Writer
from shoal.queries.declaration.declaration import Dataset, Table
from shoal.queries.stores.cleaning_sql import SIGNS, quote_name
from shoal.queries.stores.limiting_sql import few_rows, hanging_rows


class _Spelling:
    """DuckDB's way to write it. Its casts give null where they fail, should a guard let it come to that."""

    double = "DOUBLE"

    def text(self, cell: str) -> str:
        return f"CAST({cell} AS TEXT)"

    def trimmed(self, text: str) -> str:
        return f"CASE WHEN LENGTH({text}) <= {SIGNS} THEN TRIM({text}, ' \t\r\n') END"

    def matches(self, text: str, pattern: str) -> str:
        return f"REGEXP_MATCHES({text}, '{pattern}')"

    def cast(self, value: str, kind: str) -> str:
        return f"TRY_CAST({value} AS {kind})"

    def rounded(self, number: str) -> str:
        return self.cast(number, "BIGINT")

    def long(self, text: str) -> str:
        return self.cast(text, "BIGINT")


SPELLING = _Spelling()


def kept(table: Table) -> str:
    """Where questions look."""
    return f"kept.{quote_name(table.name)}"


def spare(table: Table) -> str:
    """Where the rest waits."""
    return f"spare.{quote_name(table.name)}"


def touched(table: Table) -> str:
    """A condition for rows of the people in `incoming`."""
    assert table.unit is not None
    unit = quote_name(table.column(table.unit).name)
    return f"{unit} IN (SELECT {unit} FROM incoming)"


def keep_few(writer: Writer, table: Table, key: str | None) -> None:
    """So many incoming rows per person as declared, and of those with one key one; the rest is spare."""
    assert table.unit is not None
    unit = quote_name(table.column(table.unit).name)
    most = writer.run(f"SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM incoming GROUP BY {unit})")[0][0] or 0
    assert isinstance(most, int)
    if most <= (1 if key else table.rows):
        writer.run(f"INSERT INTO {kept(table)} SELECT * FROM incoming")
        return
    columns = ", ".join(quote_name(column.name) for column in table.columns)
    chosen = few_rows("incoming", unit, key, f"HASH({columns}), {columns}")
    writer.run(f"CREATE OR REPLACE TEMP TABLE again AS {chosen}")
    inside = f'"0" <= {table.rows} AND "1" = 1'
    writer.run(f"INSERT INTO {kept(table)} SELECT {columns} FROM again WHERE {inside}")
    writer.run(f"INSERT INTO {spare(table)} SELECT {columns} FROM again WHERE NOT ({inside})")


def root_of(dataset: Dataset, table: Table) -> Table:
    """The table at the end of all links, which says whose rows they are."""
    while table.link is not None:
        table = dataset.table(table.link.parent)
    return table


def hangs_on(dataset: Dataset, table: Table, others: Sequence[Table]) -> bool:
    """Whether a table has a link and is one of others, or hangs on one of them."""
    names = {other.name for other in others}
    if table.link is None:
        return False
    while table.link is not None and table.name not in names:
        table = dataset.table(table.link.parent)
    return table.name in names


def theirs(dataset: Dataset, table: Table) -> str:
    """A condition for rows that hang on those of the people in `incoming`, in all that was handed in."""
    assert table.link is not None
    parent = dataset.table(table.link.parent)
    column, key = (quote_name(name) for name in (table.link.column, table.link.key))
    mine = touched(parent) if parent.link is None else theirs(dataset, parent)
    places = [kept(parent), spare(parent)] if parent.link is None else [spare(parent)]
    keys = " UNION ALL ".join(f"SELECT {key} FROM {place} WHERE {mine}" for place in places)
    return f"{column} IN ({keys})"


def hang_rows(writer: Writer, dataset: Dataset, table: Table) -> None:
    """The rows that hang on the kept rows of a parent, so many of each as declared."""
    if table.link is None:
        return
    parent = dataset.table(table.link.parent)
    writer.run(f"DELETE FROM {kept(table)}")
    names = ", ".join(quote_name(column.name) for column in table.columns)
    key = dataset.key_of(table)
    rows = hanging_rows(table, parent, key, spare(table), kept(parent), lambda row: f"HASH({row}), {row}")
    writer.run(f"INSERT INTO {kept(table)} SELECT {names} FROM ({rows})")
