"""Types of PostgreSQL that say more than a value, and what stands in their place in a release.

An enumeration lists every value that it may have, and the check or default of a domain may: also values of
people who were left out. Types made of others, as arrays and rows are, may hold such a type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

COLUMNS = """
SELECT a.attname, a.atttypid::bigint FROM pg_catalog.pg_attribute a
WHERE a.attrelid = pg_catalog.to_regclass(%s) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"""
# Of a type: its kind, what it is based on (and how that is written), of what it is an array, and whether
# it is one of the server's own.
_TYPE = """
SELECT t.typtype::text, t.typbasetype::bigint, pg_catalog.format_type(t.typbasetype, t.typtypmod),
CASE WHEN t.typcategory = 'A' THEN t.typelem ELSE 0 END::bigint, n.nspname = 'pg_catalog'
FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace WHERE t.oid = %s"""

Rows = Callable[[str, Sequence[Any]], Sequence[Sequence[Any]]]


def plain_types(rows: Rows, table: str) -> dict[str, str]:
    """For each column of a table whose type says more than a value, the type to cast it to."""
    found = {str(name): _plain(rows, int(kind)) for name, kind in rows(COLUMNS, (table,))}
    return {name: kind for name, kind in found.items() if kind is not None}


def _plain(rows: Rows, kind: int) -> str | None:
    """What to write for a type instead; nothing if it can stay."""
    ((sort, base, written, element, own),) = rows(_TYPE, (kind,))
    if sort == "e":
        return "text"
    if sort == "d":
        return _plain(rows, base) or str(written)
    if element:
        inner = _plain(rows, element)
        return None if inner is None else f"{inner}[]"
    # Rows of several values, and ranges of a type that somebody made.
    return "text" if sort in ("c", "r", "m") and not own else None
