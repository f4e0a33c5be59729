"""Declared texts in DuckDB: held by their number among the declared keys, and grouped by it.

Groups of few texts are counted in an array as long as the list of keys, in a fifth of the time that hashing
texts takes. The list is declared, so that no row decides on it. Everything but the key of the groups sees
the texts: numbers of keys would be compared and sorted in the order of the declaration.
"""

from __future__ import annotations

from sqlglot import exp

from shoal.queries.declaration.declaration import Column, Table
from shoal.queries.stores.cleaning_sql import literal, sql_type
from shoal.queries.stores.duckdb_rows import SPELLING

KEPT = "kept"  # the schema where questions look


def held_type(column: Column) -> str:
    """The type that DuckDB holds a column in."""
    if not _listed(column):
        return sql_type(column, SPELLING)
    return f"ENUM({', '.join(literal(str(key)) for key in column.keys or ())})"


def readable(table: Table) -> exp.Expression:
    """The rows of a table, every declared text as a text."""
    place = exp.table_(table.name, db=KEPT, quoted=True)
    cells: list[exp.Expr] = []
    if not any(map(_listed, table.columns)):
        return place
    for column in table.columns:
        cell: exp.Expr = exp.column(column.name, quoted=True)
        if _listed(column):
            cell = exp.alias_(exp.cast(cell, exp.DataType.Type.TEXT, copy=False), column.name, quoted=True)
        cells.append(cell)
    return exp.Select().from_(place, copy=False).select(*cells, copy=False).subquery(copy=False)


def by_number(select: exp.Select) -> exp.Select:
    """The same SELECT, its groups (k0, k1 …, by their places) those of the numbers of declared texts."""
    if not select.args.get("group"):
        return select
    select = select.copy()
    for place, part in enumerate(select.expressions):
        cell = part.unalias()
        if part.alias == f"k{place}" and isinstance(cell, exp.Column):
            number = _number_of(cell, select)
            if number is not None:
                cell.replace(number)
    return select


def _listed(column: Column) -> bool:
    return column.kind == "text" and column.keys is not None


def _number_of(cell: exp.Column, select: exp.Select) -> exp.Column | None:
    """The number of a text that a SELECT has from one of its sources, which is made to tell it."""
    for node in (select.args.get("from_"), *select.args.get("joins", ())):
        source = None if node is None else node.this
        if isinstance(source, exp.Subquery) and source.alias == cell.table and _tells(source.this, cell.name):
            return exp.column(_name(cell.name), table=cell.args["table"].copy(), quoted=True)
    return None


def _tells(query: exp.Expression, name: str) -> bool:
    """Make a query tell the number of one of its texts too; whether it can."""
    if isinstance(query, exp.Union):  # a side of a join, and a row in which all is missing
        left, right = query.this, query.expression
        if right.args.get("from_") or not isinstance(left, exp.Select) or not _tells(left, name):
            return False
        if len(right.expressions) < len(_width(left)):
            right.select(exp.Null(), copy=False)
        return True
    if not isinstance(query, exp.Select) or query.args.get("group") or query.args.get("distinct"):
        return False
    source = query.args["from_"].this
    if query.is_star:
        return isinstance(source, exp.Subquery) and _tells(source.this, name)
    if _name(name) in query.named_selects:
        return True
    cell = next((part.unalias() for part in query.expressions if part.alias_or_name == name), None)
    number = None
    if isinstance(cell, exp.Cast) and isinstance(source, exp.Table) and source.db == KEPT:
        number = cell.this.copy()
    elif isinstance(cell, exp.Column):
        number = _number_of(cell, query)
    if number is None:
        return False
    query.select(exp.alias_(number, _name(name), quoted=True), copy=False)
    return True


def _width(query: exp.Select) -> list[exp.Expression]:
    """The columns of a query, or of the one whose columns it takes all of."""
    return _width(query.args["from_"].this.this) if query.is_star else query.expressions


def _name(name: str) -> str:
    """What the number of a text is called: no declared column can have this name."""
    return f"{name}:number"
