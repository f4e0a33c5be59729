"""What a declaration says of tables that hang on others, as plain data."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from shoal.core.outcome import Json
from shoal.engines.frames import one_line
from shoal.queries.declaration.declaration import Table
from shoal.queries.declaration.validation import check_names, require


def parent_of(name: str, told: Mapping[str, Any]) -> dict[str, str]:
    """The table that one hangs on, the column that says on which row, and the column that this names."""
    where = f"parent of table '{one_line(name)}'"
    given = check_names(told["parent"], ("table", "column", "key", "rows"), where)
    return {key: require(given, key, where, str) for key in ("table", "column", "key")}


def waits(name: str, told: Mapping[str, Any], known: Collection[str]) -> bool:
    """Whether a table hangs on one that is not known yet."""
    return told.get("parent") is not None and parent_of(name, told)["table"].lower() not in known


def plain_owner(table: Table) -> dict[str, Json]:
    """How a table says whose its rows are."""
    link = table.link
    if link is None:
        return {"public": True} if table.unit is None else {"unit": table.unit}
    return {"parent": {"table": link.parent, "column": link.column, "key": link.key, "rows": link.most}}
