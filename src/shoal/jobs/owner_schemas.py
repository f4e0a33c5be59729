"""JSON Schemas of what is told to the owner of a table alone."""

from __future__ import annotations

from shoal.jobs.schema_types import (
    COUNT,
    FLAG,
    NUMBER,
    TEXT,
    Schema,
    all_of,
    by_name,
    list_of,
    maybe,
    object_of,
)

NOTES = list_of(TEXT)
OWNER: dict[str, Schema] = {
    "table explore": object_of(
        columns=list_of(TEXT),
        heights=by_name(COUNT),
        **all_of(COUNT, "rows allowed nodes"),
        objective=TEXT,
        **all_of(FLAG, "whole proved"),
        optimal=maybe(by_name(COUNT)),
        states=by_name(COUNT),
        solutions=list_of(
            object_of(levels=list_of(COUNT), state=TEXT, loss=maybe(NUMBER), suppressed=maybe(COUNT))
        ),
        notes=NOTES,
    ),
    "table diff": object_of(
        columns=list_of(TEXT),
        kept=list_of(FLAG),
        **all_of(COUNT, "rows_before rows_after first"),
        rows=list_of(object_of(before=list_of(maybe(TEXT)), after=maybe(list_of(maybe(TEXT))), fate=TEXT)),
        changes=by_name({"type": "object"}),
        groups=by_name({"type": "object"}),
        notes=NOTES,
    ),
    "table mapping": object_of(publishable=FLAG, columns=by_name({"type": "object"}), notes=NOTES),
}
