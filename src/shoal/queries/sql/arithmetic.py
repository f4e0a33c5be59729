"""Arithmetic over one row that cannot overflow, underflow or divide by nought.

Everything is calculated in doubles between bounds that are known beforehand. Bounds are worked out exactly
and rounded outward; a double operation rounds monotonically, so that its result lies between them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from sqlglot import exp

from shoal.queries.declaration.declaration import Value
from shoal.queries.sql import date_arithmetic
from shoal.queries.sql.allow_list import only
from shoal.queries.sql.date_values import TEMPORAL
from shoal.queries.sql.fixed_point import double, whole
from shoal.queries.sql.value_properties import (
    FINEST,
    LARGEST,
    Cell,
    Walk,
    as_double,
    call,
    constant,
    image,
    in_parentheses,
    integer,
    literal_integer,
    null_of,
    number,
    refuse,
)

_ROOM = -1000  # a result that is a multiple of 2 to this power is nought or far from underflow
EXACT = 2.0**53  # whole numbers up to here are themselves as doubles
_BOUNDS = "declare bounds, or write LEAST(GREATEST(x, 0), 100) in its place"

Interval = tuple[Fraction, Fraction]


def calculable(cell: Cell, node: exp.Expression) -> Cell:
    """A number with both bounds."""
    if cell.blank:
        return null_of("integer")
    if not cell.numeric:
        refuse(node, f"it is {cell.kind} and one cannot calculate with it; CAST it to a number")
    if not cell.bounded:
        refuse(node, f"calculating needs a number with bounds; {_BOUNDS}")
    if max(abs(cell.low or 0.0), abs(cell.high or 0.0)) > EXACT:
        refuse(node, f"it can be larger than {EXACT:g}; tighten the bounds with LEAST and GREATEST")
    return cell


def interval(cell: Cell) -> Interval:
    """The bounds as exact fractions."""
    return Fraction(cell.low or 0.0), Fraction(cell.high or 0.0)


def outward(low: Fraction, high: Fraction) -> tuple[float, float]:
    """The nearest doubles that do not lie inside."""
    below, above = float(low), float(high)
    if Fraction(below) > low:
        below = math.nextafter(below, -math.inf)
    if Fraction(above) < high:
        above = math.nextafter(above, math.inf)
    return below, above


def check_bounds(low: Fraction, high: Fraction, node: exp.Expression) -> tuple[float, float]:
    """Bounds of a result that is not too large to be exact."""
    if max(abs(low), abs(high)) > LARGEST:
        refuse(node, f"it can be larger than {LARGEST:g}; tighten the bounds with LEAST and GREATEST")
    return outward(low, high)


def snap_to_bits(cell: Cell) -> Cell:
    """A number rounded to about 51 bits of its larger bound, so that nothing much finer is left.

    Adding and taking off a large number does it without naming the expression twice. PostgreSQL raises when a
    product of two numbers that are not nought comes out as nought.
    """
    if cell.kind == "integer":
        return cell
    low, high = cell.low or 0.0, cell.high or 0.0
    reach = max(abs(low), abs(high))
    if not reach:
        return number(cell.sql, 0.0, 0.0, cell.missing, 0, cell.domain)
    power = math.frexp(reach)[1] + 1
    large = math.ldexp(1.5, power)
    if power - 52 <= FINEST or cell.step >= power - 52:
        return cell
    sql = exp.Sub(
        this=exp.Paren(this=exp.Add(this=in_parentheses(as_double(cell)), expression=double(large))),
        expression=double(large),
    )
    return number(sql, (low + large) - large, (high + large) - large, cell.missing, power - 52)


def coarse(cell: Cell, fits: Callable[[Cell], bool], node: exp.Expression) -> Cell:
    """An operand as it is when the result is coarse enough, else snapped."""
    if fits(cell):
        return cell
    cell = snap_to_bits(cell)
    if not fits(cell):
        refuse(node, "it can come too close to nought; use larger units")
    return cell


def arithmetic(node: exp.Expression, walk: Walk) -> Cell:
    """+, - and *; a date less a date is a number of days."""
    only(node, "this", "expression")
    if date_arithmetic.moves(node):
        return date_arithmetic.move(node, walk)
    left, right = walk.cell(node.this), walk.cell(node.expression)
    if left.kind in TEMPORAL or right.kind in TEMPORAL:
        return date_arithmetic.days_between(node, left, right)
    left, right = calculable(left, node.this), calculable(right, node.expression)
    if isinstance(node, exp.Mul):
        return _product(node, left, right)
    adds = isinstance(node, exp.Add)
    (a, b), (c, d) = interval(left), interval(right)
    low, high = check_bounds(*((a + c, b + d) if adds else (a - d, b - c)), node)
    make = exp.Add if adds else exp.Sub
    sql = make(this=in_parentheses(as_double(left)), expression=in_parentheses(as_double(right)))
    domain = image((lambda x, y: x + y) if adds else (lambda x, y: x - y), left, right)
    return _result(sql, low, high, left, right, min(left.step, right.step), domain)


def _product(node: exp.Expression, left: Cell, right: Cell) -> Cell:
    if left.step + right.step < _ROOM:
        left, right = sorted((left, right), key=lambda cell: cell.step)
        left = snap_to_bits(left)
        right = coarse(right, lambda cell: left.step + cell.step >= _ROOM, node)
    ends = [x * y for x in interval(left) for y in interval(right)]
    low, high = check_bounds(min(ends), max(ends), node)
    sql = exp.Mul(this=in_parentheses(as_double(left)), expression=in_parentheses(as_double(right)))
    return _result(
        sql, low, high, left, right, left.step + right.step, image(lambda x, y: x * y, left, right)
    )


def _result(
    sql: exp.Expression,
    low: float,
    high: float,
    left: Cell,
    right: Cell,
    step: int,
    domain: tuple[Value, ...] | None,
) -> Cell:
    missing = left.missing or right.missing
    if left.kind == right.kind == "integer":
        return integer(low, high, missing, real=sql, domain=domain)
    return number(sql, low, high, missing, step, domain)


def negation(node: exp.Expression, walk: Walk) -> Cell:
    """A minus in front of a number."""
    only(node, "this")
    cell = walk.cell(node.this)
    value = constant(cell)
    if cell.kind == "integer" and isinstance(value, int):
        return literal_integer(-value)
    cell = calculable(cell, node.this)
    low, high = interval(cell)
    sql = exp.Sub(this=double(0.0), expression=in_parentheses(as_double(cell)))
    below, above = check_bounds(-high, -low, node)
    domain = image(lambda x: -x, cell)
    if cell.kind == "integer":
        return integer(below, above, cell.missing, real=sql, domain=domain)
    return number(sql, below, above, cell.missing, cell.step, domain)


def division(node: exp.Expression, walk: Walk) -> Cell:
    """/: missing where a whole divisor is nought; other divisors must stay away from it."""
    only(node, "this", "expression", "typed", "safe")
    left = calculable(walk.cell(node.this), node.this)
    right = calculable(walk.cell(node.expression), node.expression)
    c, d = interval(right)
    around = c <= 0 <= d
    if around and right.kind != "integer":
        refuse(node, "the divisor can come near nought; write GREATEST(x, 0.01) in its place")
    most = math.ceil(math.log2(max(Fraction(1), abs(c), abs(d)))) + 1
    left = coarse(left, lambda cell: cell.step - most >= _ROOM, node)
    ends = [end for end in (c, d) if end]
    if around:
        ends += [Fraction(sign) for sign in (1, -1) if c <= sign <= d]
    quotients = [x / y for x in interval(left) for y in ends] or [Fraction(0)]
    low, high = check_bounds(min(quotients), max(quotients), node)
    divisor = as_double(right)
    if around:
        divisor = call("NULLIF", divisor, double(0.0))
    sql = exp.Div(
        this=in_parentheses(as_double(left)), expression=in_parentheses(divisor), typed=True, safe=False
    )
    domain = image(lambda x, y: x / y if y else None, left, right)
    missing = left.missing or right.missing or around
    return number(sql, low, high, missing, left.step - most - 53, domain)


def remainder(node: exp.Expression, walk: Walk) -> Cell:
    """% and // of whole numbers, cut towards nought as both engines do; by nought it is missing."""
    only(node, "this", "expression")
    cuts = isinstance(node, exp.IntDiv)
    left, right = walk.cell(node.this), calculable(walk.cell(node.expression), node.expression)
    # The least of all 64-bit numbers has no quotient by -1, so that only other divisors take any dividend.
    if cuts or left.blank or left.kind != "integer" or (right.low or 0.0) < 0:
        left = calculable(left, node.this)
    for cell, part in ((left, node.this), (right, node.expression)):
        if cell.kind != "integer":
            refuse(part, "% and // take whole numbers; write FLOOR(x) or CAST(x AS BIGINT)")
    c, d = right.low or 0.0, right.high or 0.0
    around = c <= 0 <= d
    divisor = right.sql.copy()
    if around:
        divisor = call("NULLIF", divisor, whole(0))
    missing = left.missing or right.missing or around
    most = max(abs(c), abs(d))
    if cuts:
        reach = max(abs(left.low or 0.0), abs(left.high or 0.0))
        below, above = -reach, reach
        if (left.low or 0.0) >= 0 and c >= 0:
            below, above = 0.0, (left.high or 0.0) // max(c, 1.0)
        domain = image(lambda x, y: None if y == 0 else _cut(x, y), left, right)
    else:
        rest = max(most - 1, 0.0)
        below = 0.0 if left.low is not None and left.low >= 0 else -rest
        above = 0.0 if left.high is not None and left.high <= 0 else rest
        domain = image(lambda x, y: None if y == 0 else x - y * _cut(x, y), left, right)
    check_bounds(Fraction(below), Fraction(above), node)
    sides = in_parentheses(left.sql.copy()), in_parentheses(divisor)
    sql: exp.Expression
    if not cuts:
        sql = exp.Mod(this=sides[0], expression=sides[1])
    elif walk.dialect == "postgres":
        sql = exp.Div(this=sides[0], expression=sides[1], typed=True, safe=False)
    else:
        sql = exp.IntDiv(this=sides[0], expression=sides[1])
    return integer(below, above, missing, sql=sql, domain=domain)


def _cut(x: int, y: int) -> int:
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
