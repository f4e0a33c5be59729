"""Comparisons, and what is made of them with AND, OR and NOT."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sqlglot import exp

from shoal.queries.sql.allow_list import only
from shoal.queries.sql.conditionals import alike, by_code_point, condition
from shoal.queries.sql.fixed_point import whole
from shoal.queries.sql.value_properties import Cell, Walk, boolean, constant, in_parentheses, refuse

_EQUAL = (exp.EQ, exp.NEQ)
_SURE = (exp.NullSafeEQ, exp.NullSafeNEQ)
_MAKE: dict[type[exp.Expression], type[exp.Expression]] = {
    exp.EQ: exp.EQ,
    exp.NEQ: exp.NEQ,
    exp.LT: exp.LT,
    exp.LTE: exp.LTE,
    exp.GT: exp.GT,
    exp.GTE: exp.GTE,
    exp.NullSafeEQ: exp.NullSafeEQ,
    exp.NullSafeNEQ: exp.NullSafeNEQ,
}


def _to_steps(cells: Sequence[Cell]) -> list[exp.Expression] | None:
    """A bounded column beside written numbers, all in steps of its grid.

    The store rounded the column to its grid, so that 9.99 is found only when it is rounded alike.
    """
    coded = [cell for cell in cells if cell.code is not None and cell.grid != 1]
    if len(coded) != 1:
        return None
    sides: list[exp.Expression] = []
    for cell in cells:
        value = constant(cell)
        if cell.code is not None and cell is coded[0]:
            sides.append(in_parentheses(cell.code.copy()))
        elif cell.numeric and isinstance(value, int | float) and abs(value) <= 2**62 * coded[0].grid:
            sides.append(whole(round(Fraction(value) / coded[0].grid)))
        else:
            return None
    return sides


def _sides(cells: Sequence[Cell], node: exp.Expression, walk: Walk, order: bool) -> list[exp.Expression]:
    steps = _to_steps(cells)
    if steps is not None:
        return steps
    same = alike(cells, node)
    return [in_parentheses(by_code_point(cell, walk) if order else cell.sql.copy()) for cell in same]


def comparison(node: exp.Expression, walk: Walk) -> Cell:
    """=, <>, <, <=, >, >= and IS [NOT] DISTINCT FROM."""
    only(node, "this", "expression")
    cells = [walk.cell(node.this), walk.cell(node.expression)]
    left, right = _sides(cells, node, walk, order=not isinstance(node, _EQUAL + _SURE))
    sql = _MAKE[type(node)](this=left, expression=right)
    return boolean(sql, not isinstance(node, _SURE) and any(cell.missing for cell in cells))


def between(node: exp.Expression, walk: Walk) -> Cell:
    """BETWEEN."""
    only(node, "this", "low", "high")
    cells = [walk.cell(node.args.get(name)) for name in ("this", "low", "high")]
    value, low, high = _sides(cells, node, walk, order=True)
    return boolean(exp.Between(this=value, low=low, high=high), any(cell.missing for cell in cells))


def is_in(node: exp.Expression, walk: Walk) -> Cell:
    """IN a list of written values."""
    only(node, "this", "expressions")
    if not node.expressions:
        refuse(node, "IN takes a list of written values, such as IN ('a', 'b')")
    cells = [walk.cell(part) for part in (node.this, *node.expressions)]
    if any(constant(cell) is None for cell in cells[1:]):
        refuse(node, "IN takes a list of written values, such as IN ('a', 'b')")
    value, *values = _sides(cells, node, walk, order=False)
    return boolean(exp.In(this=value, expressions=values), cells[0].missing)


def is_value(node: exp.Expression, walk: Walk) -> Cell:
    """IS NULL, IS TRUE and IS FALSE."""
    only(node, "this", "expression")
    wanted = node.expression
    if isinstance(wanted, exp.Null):
        sql = walk.cell(node.this).sql.copy()
        return boolean(exp.Is(this=in_parentheses(sql), expression=exp.Null()), missing=False)
    if not isinstance(wanted, exp.Boolean):
        refuse(node, "write IS NULL, IS TRUE or IS FALSE")
    sql = condition(node.this, walk).sql.copy()
    return boolean(
        exp.Is(this=in_parentheses(sql), expression=exp.Boolean(this=bool(wanted.this))), missing=False
    )


def both(node: exp.Expression, walk: Walk) -> Cell:
    """AND and OR."""
    only(node, "this", "expression")
    cells = [condition(node.this, walk), condition(node.expression, walk)]
    make = exp.And if isinstance(node, exp.And) else exp.Or
    sql = make(this=in_parentheses(cells[0].sql.copy()), expression=in_parentheses(cells[1].sql.copy()))
    return boolean(sql, any(cell.missing for cell in cells))


def opposite(node: exp.Expression, walk: Walk) -> Cell:
    """NOT."""
    only(node, "this")
    cell = condition(node.this, walk)
    return boolean(exp.Not(this=exp.Paren(this=cell.sql.copy())), cell.missing)
