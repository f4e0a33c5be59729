"""Parts of a date as whole numbers."""

from __future__ import annotations

from sqlglot import exp

from shoal.queries.sql.allow_list import only
from shoal.queries.sql.value_properties import Cell, Walk, call, integer, null_of, refuse

PARTS = {
    "year": (1.0, 9999.0),
    "quarter": (1.0, 4.0),
    "month": (1.0, 12.0),
    "day": (1.0, 31.0),
    "dow": (0.0, 6.0),
    "doy": (1.0, 366.0),
}
_ALIKE = {"dayofweek": "dow", "dayofyear": "doy"}


def extract(node: exp.Expression, walk: Walk) -> Cell:
    """EXTRACT(YEAR FROM x)."""
    only(node, "this", "expression")
    wanted = node.this
    if not isinstance(wanted, exp.Var | exp.Literal):
        refuse(node, f"a date has {', '.join(PARTS)}; write EXTRACT(YEAR FROM x)")
    return _part(str(wanted.this), node.expression, node, walk)


def named_part(node: exp.Expression, walk: Walk) -> Cell:
    """YEAR(x), MONTH(x) and DAY(x)."""
    only(node, "this")
    return _part(type(node).__name__, node.this, node, walk)


def date_part(node: exp.Expression, walk: Walk) -> Cell:
    """DATE_PART('year', x)."""
    only(node, "this", "expressions")
    arguments = node.expressions
    if len(arguments) != 2 or not isinstance(arguments[0], exp.Literal) or not arguments[0].is_string:
        refuse(node, f"a date has {', '.join(PARTS)}; write DATE_PART('year', x)")
    return _part(str(arguments[0].this), arguments[1], node, walk)


def _part(name: str, of: object, node: exp.Expression, walk: Walk) -> Cell:
    name = _ALIKE.get(name.lower(), name.lower())
    if name not in PARTS:
        refuse(node, f"a date has {', '.join(PARTS)}; write EXTRACT(YEAR FROM x)")
    cell = walk.cell(of)
    if cell.blank:
        return null_of("integer")
    if cell.kind != "date":
        refuse(node, f"it is {cell.kind}, not a date; CAST it to DATE")
    sql = exp.cast(
        call("DATE_PART", exp.Literal.string(name), cell.sql.copy()), exp.DataType.Type.BIGINT, copy=False
    )
    return integer(*PARTS[name], cell.missing, sql=sql)
