"""How many rows of one person are kept, spelled in SQL that both engines understand.

Which ones is decided by a hash of the row, so that neither small nor early values are preferred, then by the
row itself; by nothing but the rows of the same person.
"""

from __future__ import annotations

from collections.abc import Callable

from shoal.queries.declaration.declaration import UNIT, Table
from shoal.queries.stores.cleaning_sql import quote_name


def few_rows(rows: str, unit: str, key: str | None, order: str) -> str:
    """Rows with two numbers: which of those with its key a row is ("1"), and which row of its person ("0"),
    where those that are not the first of their key come last and take no place.
    """
    if key is None:
        place = f"ROW_NUMBER() OVER (PARTITION BY {unit} ORDER BY {order})"
        return f'SELECT *, {place} AS "0", 1 AS "1" FROM {rows} AS f0'
    name = quote_name(key)
    first = f"ROW_NUMBER() OVER (PARTITION BY {unit}, {name} ORDER BY {order})"
    inner = f'SELECT *, CASE WHEN {name} IS NULL THEN 1 ELSE {first} END AS "1" FROM {rows} AS f0'
    place = f'ROW_NUMBER() OVER (PARTITION BY {unit} ORDER BY CASE WHEN "1" = 1 THEN 0 ELSE 1 END, {order})'
    return f'SELECT *, {place} AS "0" FROM ({inner}) AS f1'


def hanging_rows(
    table: Table, parent: Table, key: str | None, rows: str, parents: str, order: Callable[[str], str]
) -> str:
    """The rows of a table that hang on those of its parent, with their unit.

    A row whose key several people have is there once for each of them. At most so many of a parent, and of a
    person, as declared.
    """
    link = table.link
    assert link is not None and parent.unit is not None
    column, name = quote_name(table.column(link.column).name), quote_name(parent.column(link.key).name)
    owner, unit = quote_name(parent.column(parent.unit).name), quote_name(UNIT)
    given = ", ".join(quote_name(part.name) for part in table.given.columns)
    own = f"SELECT DISTINCT {owner} AS u, {name} AS k FROM {parents} AS h0 WHERE {name} IS NOT NULL"
    inside = ", ".join(f"h1.{quote_name(part.name)}" for part in table.given.columns)
    rank = f"ROW_NUMBER() OVER (PARTITION BY h2.u, h1.{column} ORDER BY {order(inside)})"
    # A full join, because PostgreSQL does not read one side of another when the other side is empty.
    both = f'(SELECT *, 1 AS "3" FROM {rows} AS h5) AS h1 FULL JOIN ({own}) AS h2 ON h1.{column} = h2.k'
    tied = f'SELECT {inside}, h2.u AS {unit}, {rank} AS "2", h1."3" FROM {both}'
    paired = f'CASE WHEN "3" = 1 AND {unit} IS NOT NULL THEN "2" <= {link.most} ELSE FALSE END'
    few = f"SELECT {given}, {unit} FROM ({tied}) AS h3 WHERE {paired}"
    if key is None and table.rows >= parent.rows * link.most:
        return few
    chosen = few_rows(f"({few})", unit, key, order(given))
    return f'SELECT {given}, {unit} FROM ({chosen}) AS h4 WHERE "0" <= {table.rows} AND "1" = 1'
