"""Columns of Spark without what was said of them: metadata go along with a column wherever it goes.

Spark's own steps write there which values a column had (`ml_attr`), people write comments, and tables keep
defaults and lengths: of a release they would tell what only suppressed people had.
"""

from __future__ import annotations

from typing import Any


def bare(frame: Any) -> Any:
    """The same frame; of its columns, and of the fields inside them, nothing but names and types is left."""
    return frame.select(
        [
            # The dot of a name, and what else Spark would read into it, stands between marks.
            frame[f"`{each.name.replace('`', '``')}`"]
            .cast(_plain(each.dataType))
            .alias(each.name, metadata={})
            for each in frame.schema.fields
        ]
    )


def _plain(kind: Any) -> Any:
    from pyspark.sql import types

    if isinstance(kind, types.StructType):
        fields = [types.StructField(each.name, _plain(each.dataType), each.nullable) for each in kind.fields]
        return types.StructType(fields)
    if isinstance(kind, types.ArrayType):
        return types.ArrayType(_plain(kind.elementType), kind.containsNull)
    if isinstance(kind, types.MapType):
        return types.MapType(_plain(kind.keyType), _plain(kind.valueType), kind.valueContainsNull)
    return kind
