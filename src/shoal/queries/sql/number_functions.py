"""Functions of one number, where its bounds make them total; else they are refused with the cure."""

from __future__ import annotations

import math
from fractions import Fraction

from sqlglot import exp

from shoal.queries.declaration.declaration import Value
from shoal.queries.sql.allow_list import only
from shoal.queries.sql.arithmetic import calculable, check_bounds, coarse, interval
from shoal.queries.sql.fixed_point import DOMAIN, double
from shoal.queries.sql.value_properties import (
    LARGEST,
    Cell,
    Walk,
    as_double,
    call,
    constant,
    distinct_values,
    image,
    in_parentheses,
    integer,
    nearest_whole,
    null_of,
    number,
    refuse,
)

_DIGITS = 9
_POWER = 10
_SLACK = Fraction(1, 10**12)  # engines differ in the last bits of powers and logarithms


def absolute(node: exp.Expression, walk: Walk) -> Cell:
    """ABS."""
    only(node, "this")
    cell = calculable(walk.cell(node.this), node.this)
    low, high = interval(cell)
    below, above = check_bounds(max(low, -high, Fraction(0)), max(-low, high), node)
    sql, domain = call("ABS", as_double(cell)), image(abs, cell)
    if cell.kind == "integer":
        return integer(below, above, cell.missing, real=sql, domain=domain)
    return number(sql, below, above, cell.missing, cell.step, domain)


def sign(node: exp.Expression, walk: Walk) -> Cell:
    """SIGN of any number: -1, 0 or 1."""
    only(node, "this")
    cell = walk.cell(node.this)
    if cell.blank:
        return null_of("integer")
    if not cell.numeric:
        refuse(node, f"SIGN takes a number, not {cell.kind}; CAST it")
    low = -1.0 if cell.low is None or cell.low < 0 else 0.0
    high = 1.0 if cell.high is None or cell.high > 0 else 0.0
    sql = exp.cast(call("SIGN", as_double(cell)), exp.DataType.Type.DOUBLE)
    return integer(low, high, cell.missing, real=sql)


def whole_part(node: exp.Expression, walk: Walk) -> Cell:
    """FLOOR and CEIL."""
    only(node, "this")
    down = isinstance(node, exp.Floor)
    cell = _fitting(node, walk)
    if cell.kind == "integer":
        return cell
    to = math.floor if down else math.ceil
    low, high = interval(cell)
    sql = call("FLOOR" if down else "CEIL", as_double(cell))
    return integer(float(to(low)), float(to(high)), cell.missing, real=sql, domain=image(to, cell))


def _fitting(node: exp.Expression, walk: Walk) -> Cell:
    """A number that is small enough to become whole; no longer a column."""
    cell = calculable(walk.cell(node.this), node.this)
    check_bounds(*interval(cell), node)
    if cell.kind == "integer":
        return integer(
            cell.low or 0.0, cell.high or 0.0, cell.missing, as_double(cell), cell.sql, cell.domain
        )
    return cell


def round_number(node: exp.Expression, walk: Walk) -> Cell:
    """ROUND to digits that are written out. A half goes where the engine has it."""
    only(node, "this", "decimals")
    digits: Value = 0
    if node.args.get("decimals") is not None:
        digits = constant(walk.cell(node.args["decimals"]))
    if not isinstance(digits, int) or isinstance(digits, bool) or abs(digits) > _DIGITS:
        refuse(node, f"ROUND takes a written number of digits from -{_DIGITS} to {_DIGITS}")
    cell = _fitting(node, walk)
    if cell.kind == "integer" and digits >= 0:
        return cell
    scale = Fraction(10) ** digits
    low, high = interval(cell)
    below, above = check_bounds(low * scale, high * scale, node)
    first, last = math.ceil(Fraction(below) - Fraction(1, 2)), math.floor(Fraction(above) + Fraction(1, 2))
    if digits < 0:
        cell = coarse(cell, lambda part: part.step >= -900, node)
    value = in_parentheses(as_double(cell))
    if digits == 0:
        return integer(float(first), float(last), cell.missing, real=call("ROUND", value))
    ten = double(10.0 ** abs(digits))
    if digits < 0:
        steps = call("ROUND", exp.Div(this=value, expression=ten, typed=True, safe=False))
        low, high = first / scale, last / scale
        few = last - first < DOMAIN
        multiples = (
            distinct_values((int(k / scale) for k in range(first, last + 1)), cell.missing) if few else None
        )
        ends = check_bounds(low, high, node)
        return integer(*ends, cell.missing, exp.Mul(this=steps, expression=ten.copy()), domain=multiples)
    steps = call("ROUND", exp.Mul(this=value, expression=ten))
    sql = exp.Div(this=steps, expression=ten.copy(), typed=True, safe=False)
    values = None
    if last - first < DOMAIN:
        values = distinct_values((k / 10.0**digits for k in range(first, last + 1)), cell.missing)
    ends = first / 10.0**digits, last / 10.0**digits
    return number(sql, *ends, cell.missing, -4 * digits - 53, values)


def _widen(low: float, high: float, node: exp.Expression) -> tuple[float, float]:
    a, b = Fraction(low), Fraction(high)
    return check_bounds(a - abs(a) * _SLACK, b + abs(b) * _SLACK, node)


def root(node: exp.Expression, walk: Walk) -> Cell:
    """SQRT of what cannot be negative."""
    only(node, "this")
    cell = calculable(walk.cell(node.this), node.this)
    low, high = cell.low or 0.0, cell.high or 0.0
    if low < 0:
        refuse(node, "SQRT of a number that can be negative; write SQRT(GREATEST(x, 0))")
    # A root is rounded to the nearest everywhere, unlike logarithms and powers.
    ends = check_bounds(Fraction(math.sqrt(low)), Fraction(math.sqrt(high)), node)
    return number(call("SQRT", as_double(cell)), *ends, cell.missing, min(cell.step, 0) // 2 - 54)


def logarithm(node: exp.Expression, walk: Walk) -> Cell:
    """LN of what stays above nought."""
    only(node, "this")
    cell = calculable(walk.cell(node.this), node.this)
    low, high = cell.low or 0.0, cell.high or 0.0
    if low <= 0:
        refuse(node, "LN of a number that can be nought or negative; write LN(GREATEST(x, 0.01))")
    ends = _widen(math.log(low), math.log(high), node)
    # The double next to 1 has a logarithm of about 2**-53.
    return number(call("LN", as_double(cell)), *ends, cell.missing, -108)


def exponential(node: exp.Expression, walk: Walk) -> Cell:
    """EXP of what is neither too large nor too small."""
    only(node, "this")
    cell = calculable(walk.cell(node.this), node.this)
    low, high = cell.low or 0.0, cell.high or 0.0
    if high > math.log(LARGEST) - 0.01 or low < -600:
        refuse(node, "EXP of a number beyond -600 to 34.5; write EXP(LEAST(GREATEST(x, -30), 30))")
    ends = _widen(math.exp(low), math.exp(high), node)
    return number(
        call("EXP", as_double(cell)), *ends, cell.missing, min(math.floor(low / math.log(2)), 0) - 54
    )


def power(node: exp.Expression, walk: Walk) -> Cell:
    """POWER with a written exponent from 0 to 10; a broken one takes no negative numbers."""
    only(node, "this", "expression")
    cell = calculable(walk.cell(node.this), node.this)
    exponent = constant(walk.cell(node.expression))
    if not isinstance(exponent, int | float) or isinstance(exponent, bool) or not 0 <= exponent <= _POWER:
        refuse(
            node, f"POWER takes a written exponent from 0 to {_POWER}; divide by POWER(x, 2) for POWER(x, -2)"
        )
    times = Fraction(exponent)
    cell = coarse(cell, lambda part: min(part.step, 0) * times >= -900, node)
    low, high = cell.low or 0.0, cell.high or 0.0
    if times.denominator > 1 and low < 0:
        refuse(node, "a broken power of a number that can be negative; write POWER(GREATEST(x, 0), 0.5)")
    reach = max(abs(low), abs(high))
    if reach > 1 and math.log(reach) * exponent > math.log(LARGEST) + 1:
        refuse(node, f"it can be larger than {LARGEST:g}; tighten the bounds with LEAST and GREATEST")
    ends = [low**exponent, high**exponent]
    if low < 0 < high:
        ends.append(0.0**exponent)
    below, above = _widen(min(ends), max(ends), node)
    sql = call("POWER", as_double(cell), double(float(exponent)))
    if cell.kind == "integer" and times.denominator == 1:
        whole = int(times)
        bounds = float(math.ceil(below)), float(math.floor(above))
        # Not through `real`: only the cast makes sure that it is whole.
        sql = exp.cast(nearest_whole(sql, walk.dialect), exp.DataType.Type.BIGINT)
        return integer(*bounds, cell.missing, sql=sql, domain=image(lambda x: x**whole, cell))
    return number(sql, below, above, cell.missing, math.floor(min(cell.step, 0) * times) - 54)
