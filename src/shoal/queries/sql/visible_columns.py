"""Whose a column is, as far as the text and the declaration tell."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from shoal.queries.declaration.declaration import Dataset

# The columns of everything in FROM, by the name that it has there; None where they are not known.
Relations = Mapping[str, frozenset[str] | None]


def owner_of(column: exp.Column, relations: Relations) -> str | None:
    """Whose column it is; None where that is not sure."""
    if column.table:
        return column.table.lower() if column.table.lower() in relations else None
    if any(columns is None for columns in relations.values()):
        return None
    owners = [name for name, columns in relations.items() if column.name.lower() in (columns or ())]
    return owners[0] if len(owners) == 1 else None


def relations_in(select: exp.Select, dataset: Dataset) -> Relations:
    """What stands in FROM and JOIN."""
    return {called(table): _columns(table, dataset) for table in relations_of(select)}


def _columns(table: exp.Expression, dataset: Dataset) -> frozenset[str] | None:
    if isinstance(table, exp.Subquery) and isinstance(table.this, exp.Select):
        names = [part.alias_or_name.lower() for part in table.this.expressions]
        return frozenset(names) if all(names) and "*" not in names else None
    return next(
        (
            frozenset(column.name.lower() for column in one.columns)
            for one in dataset.tables
            if isinstance(table, exp.Table) and one.name.lower() == table.name.lower()
        ),
        None,
    )


def called(table: exp.Expression) -> str:
    """The name that a table or sub-query has in FROM."""
    return table.alias_or_name.lower()


def relations_of(select: exp.Expression) -> list[exp.Expression]:
    """What FROM and JOIN name."""
    start = select.args.get("from_")
    return [*([] if start is None else [start.this]), *(join.this for join in select.args.get("joins") or ())]
