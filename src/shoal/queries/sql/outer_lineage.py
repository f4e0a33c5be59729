"""Where the columns of an outer query come from: a cell that plainly is a leaf's keeps its interval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from sqlglot import exp

from shoal.queries.query import OuterColumn
from shoal.queries.sql.group_by import strip_alias

Columns = Mapping[str, OuterColumn]


@dataclass(frozen=True)
class Made:
    """An outer query, and where its columns come from; None where that is not known."""

    tree: exp.Query
    columns: tuple[OuterColumn, ...] | None


def columns_by_name(made: Made, alias: exp.Expression | None) -> Columns | None:
    """The columns of a relation, unless its alias calls them otherwise."""
    if made.columns is None or (alias is not None and alias.args.get("columns")):
        return None
    return {column.name.lower(): column for column in made.columns}


def either_column(one: OuterColumn, other: OuterColumn) -> OuterColumn:
    """A column of a UNION."""
    both = bool(one.sources and other.sources)
    sources = tuple(dict.fromkeys((*one.sources, *other.sources))) if both else ()
    return OuterColumn(one.name, sources, one.fixed and other.fixed)


def trace_columns(
    select: exp.Select, relations: Mapping[str, Columns | None]
) -> tuple[OuterColumn, ...] | None:
    """Where the columns of an outer query come from."""
    found: list[OuterColumn] = []
    for part in select.expressions:
        if part.is_star:
            names = [part.table.lower()] if isinstance(part, exp.Column) else list(relations)
            joined = any(
                join.args.get("using") or join.args.get("method") for join in select.args.get("joins") or ()
            )
            for name in names:
                columns = relations.get(name)
                if columns is None or joined:
                    return None
                found += [replace(column, name=key) for key, column in columns.items()]
            continue
        found.append(replace(_origin(strip_alias(part), relations), name=part.alias_or_name))
    return tuple(found)


def _origin(node: exp.Expression, relations: Mapping[str, Columns | None]) -> OuterColumn:
    node = cast(exp.Expression, node.unnest())
    if isinstance(node, exp.Column):
        tables = [relations.get(node.table.lower())] if node.table else list(relations.values())
        hits = [
            table[node.name.lower()] for table in tables if table is not None and node.name.lower() in table
        ]
        return hits[0] if len(hits) == 1 and None not in tables else OuterColumn("")
    made = any(isinstance(part, exp.Query | exp.Window | exp.AggFunc) for part in node.walk())
    fixed = not made and all(_origin(column, relations).fixed for column in node.find_all(exp.Column))
    return OuterColumn("", fixed=fixed)
