"""What JSON Schemas are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
FLAG: Schema = {"type": "boolean"}
ANY: Schema = {}


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def list_of(items: Schema, **more: Any) -> Schema:
    """A list."""
    return {"type": "array", "items": items, **more}


def by_name(values: Schema) -> Schema:
    """An object with any names."""
    return {"type": "object", "additionalProperties": values}


def object_of(optional: Mapping[str, Schema] | None = None, /, **needed: Schema) -> Schema:
    """An object with these names."""
    return {"type": "object", "properties": {**needed, **(optional or {})}, "required": list(needed)}


def all_of(schema: Schema, names: str) -> dict[str, Schema]:
    """The same for several names."""
    return dict.fromkeys(names.split(), schema)
