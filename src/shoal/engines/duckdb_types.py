"""Types of DuckDB that need care: what Polars cannot read, texts held equal, values that a type lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shoal.core.errors import BadTable
from shoal.engines.frames import quote_value
from shoal.engines.sql_engine import column, recast

if TYPE_CHECKING:
    from sqlglot import exp

# Texts that a collation may hold equal: by case, by accent, by how a letter is put together.
_ALIKE = (("q", "Q"), ("a", "\u00e4"), ("\u00e4", "a\u0308"))
# Types that Polars panics over or has no text for, by how their names begin in Arrow, and what to call them.
_UNREADABLE = {
    "month_day_nano_interval": "intervals",
    "extension<arrow.opaque": "values of a type that only DuckDB has",
    "sparse_union": "values of several types",
}


def check_types(schema: Any) -> None:
    """Refuse a column whose values cannot come here."""
    for each in schema:
        for begins, what in _UNREADABLE.items():
            if str(each.type).startswith(begins):
                raise BadTable(
                    f"column {quote_value(each.name)} holds {what}; make a view that shows them as text "
                    "or as numbers"
                )


def holds_texts_equal(name: str) -> exp.Expr:
    """Whether different texts are equal in a column of text.

    DuckDB does not tell the collation of a column, but compares by it what may stand in its place.
    """
    from sqlglot import exp

    placed = [
        (exp.Case(default=exp.Literal.string(one)).when(exp.false(), column(name)), other)
        for one, other in _ALIKE
    ]
    return exp.or_(*(exp.EQ(this=one, expression=exp.Literal.string(other)) for one, other in placed))


def without_enums(tree: exp.Query, kinds: Mapping[str, str]) -> exp.Query:
    """The same rows with text in place of enumerations.

    The type lists every value that it may have, and so those that only suppressed people had.
    """
    return recast(tree, {name: "VARCHAR" for name, kind in kinds.items() if kind.startswith("ENUM(")})
