"""Numbers as whole steps: what is summed is an integer, so that neither rounding nor row order can leak."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.days import day_of_number
from shoal.queries.declaration.declaration import STEPS, Column, Table, Value, grid_for
from shoal.queries.sql.typed_expression import TypedExpression

LARGEST = 2.0**53  # of what is added up
DOMAIN = 1_000  # so many values of a whole number are still listed as groups
FINEST_GRID = Fraction(1, 2**900)  # far from where doubles end


@dataclass(frozen=True)
class FixedPoint:
    """A number as steps of a grid: clamped, whole, null where it was null."""

    sql: exp.Expression
    grid: Fraction
    low: int
    high: int
    total: int | None = None  # how far all rows of one person can, when that is known

    @property
    def reach(self) -> int:
        """How far one row can move a sum of it, in steps."""
        return max(abs(self.low), abs(self.high), 1)

    def together(self, rows: int) -> int:
        """How far so many rows of one person can move a sum of it, in steps."""
        return rows * self.reach if self.total is None else min(rows * self.reach, max(self.total, 1))


def double(number: float | Fraction) -> exp.Expression:
    """A number as a literal that every engine takes for a double."""
    return exp.cast(exp.Literal.string(repr(float(number))), exp.DataType.Type.DOUBLE, copy=False)


def whole(number: int) -> exp.Expression:
    """A whole number as a literal of 64 bits; in quotes, so that two minus signs never make a comment."""
    return exp.cast(exp.Literal.string(str(number)), exp.DataType.Type.BIGINT, copy=False)


def as_double(sql: exp.Expression) -> exp.Expression:
    return exp.cast(sql.copy(), exp.DataType.Type.DOUBLE, copy=False)


def clamp(value: exp.Expression, low: float, high: float) -> exp.Expression:
    """A value within bounds; null stays null (LEAST would make a bound of it), NaN becomes the high one."""
    return exp.Case(
        ifs=[
            exp.If(this=exp.LT(this=value.copy(), expression=double(low)), true=double(low)),
            exp.If(this=exp.GT(this=value.copy(), expression=double(high)), true=double(high)),
        ],
        default=value.copy(),
    )


def value_of_code(
    code: exp.Expression, grid: Fraction, low: float, high: float, whole_numbers: bool
) -> TypedExpression:
    """The value of a code that a store holds or a sub-query has summed."""
    if grid != 1:
        value: exp.Expression = exp.Paren(this=exp.Mul(this=as_double(code), expression=double(grid)))
    else:  # a number is a double: two BIGINTs would be divided without rest
        value = code.copy() if whole_numbers else as_double(code)
    direct = max(abs(low), abs(high)) <= STEPS * grid
    domain: tuple[Value, ...] | None = None
    if whole_numbers and grid == 1 and high - low < DOMAIN:
        domain = (*range(math.ceil(low), math.floor(high) + 1), None)
    return TypedExpression(
        value,
        "integer" if whole_numbers and grid == 1 else "number",
        low,
        high,
        domain=domain,
        code=code.copy() if direct else None,
        grid=grid if direct else Fraction(1),
    )


def column_of(column: Column, alias: str, table: Table) -> TypedExpression:
    """A declared column of a relation as an expression."""
    place = exp.column(column.name, table=alias, quoted=True)
    if column.temporal:
        return TypedExpression(place, column.kind, column.low, column.high, _days(column))
    if column.low is not None and column.high is not None:
        typed = value_of_code(place, column.grid, column.low, column.high, column.kind == "integer")
        if column.keys is not None:
            typed = _with_domain(typed, column)
        elif typed.domain is not None and (column.never_null or not column.missing):
            typed = _replaced(typed, typed.domain[:-1])
        return typed
    unit = table.unit is not None and column.name.lower() == table.unit.lower()
    typed = TypedExpression(place, column.kind, unit=unit)
    if column.kind == "boolean":
        return _replaced(typed, (True, False, None) if column.missing else (True, False))
    return _with_domain(typed, column) if column.keys is not None else typed


def _days(column: Column) -> tuple[Value, ...] | None:
    """Every day that a bounded date can be, when these are few."""
    if (
        column.kind != "date"
        or column.low is None
        or column.high is None
        or column.high - column.low >= DOMAIN
    ):
        return None
    days = [day_of_number(number).isoformat() for number in range(int(column.low), int(column.high) + 1)]
    return (*days, None) if column.missing else tuple(days)


def _with_domain(typed: TypedExpression, column: Column) -> TypedExpression:
    keys: tuple[Value, ...] = column.keys or ()
    return _replaced(typed, (*keys, None) if column.missing else keys)


def _replaced(typed: TypedExpression, domain: tuple[Value, ...]) -> TypedExpression:
    return TypedExpression(
        typed.sql, typed.kind, typed.low, typed.high, domain, typed.code, typed.grid, typed.unit
    )


def bounds(typed: TypedExpression, use: str) -> tuple[float, float]:
    """The bounds of a number, without which it has no finite reach."""
    if not typed.numeric:
        raise NotAllowed(f"{use} needs a number, not {typed.kind}; CAST it, or declare the column as number")
    if typed.low is None or typed.high is None:
        raise NotAllowed(
            f"{use} needs a number with bounds; declare them (--bounds column=0:100), or write "
            "LEAST(GREATEST(x, 0), 100)"
        )
    if max(abs(typed.low), abs(typed.high)) > LARGEST:
        raise NotAllowed(
            f"{use} of a number that can be larger than {LARGEST:g}; tighten its bounds with LEAST, GREATEST"
        )
    return typed.low, typed.high


def to_fixed_point(typed: TypedExpression, use: str) -> FixedPoint:
    """A number in steps, for sums."""
    low, high = bounds(typed, use)
    if typed.code is not None:
        grid = typed.grid
        ends = math.ceil(Fraction(low) / grid), math.floor(Fraction(high) / grid)
        total = None if typed.total is None else math.floor(typed.total / grid)
        return FixedPoint(typed.code.copy(), grid, *ends, total)
    small = typed.kind == "integer" and max(abs(low), abs(high)) <= STEPS
    grid = Fraction(1) if small else grid_for(low, high)
    return to_steps(typed, low, high, grid, centre=Fraction(0))


def to_steps(typed: TypedExpression, low: float, high: float, grid: Fraction, centre: Fraction) -> FixedPoint:
    """(value - centre) / grid, rounded, of the value clamped to its bounds."""
    steps = exp.Round(this=_over(typed, low, high, grid, centre))
    first, last = ((Fraction(bound) - centre) / grid for bound in (low, high))
    # Where a bound is a whole step nothing is rounded beyond it; engines may round a half either way.
    return FixedPoint(exp.cast(steps, exp.DataType.Type.BIGINT), grid, math.floor(first), math.ceil(last))


def step_index(typed: TypedExpression, low: float, high: float, grid: Fraction, first: int) -> exp.Expression:
    """Which step of a grid a value lies in, counted from the first; on the border perhaps beyond."""
    steps = exp.Floor(this=_over(typed, low, high, grid, Fraction(0)))
    return exp.Sub(this=exp.cast(steps, exp.DataType.Type.BIGINT), expression=whole(first))


def _over(
    typed: TypedExpression, low: float, high: float, grid: Fraction, centre: Fraction
) -> exp.Expression:
    """(value - centre) / grid, clamped before, and total: PostgreSQL raises when a quotient underflows.

    Adding and taking off a number much larger than the bounds rounds away all that is finer than a millionth
    of a step, so that what is divided is nought or far from it, whatever row it comes from.
    """
    if grid < FINEST_GRID:
        raise NotAllowed("the numbers are too close to nought to be added up; measure in a smaller unit")
    value = exp.Paren(this=clamp(typed.sql, low, high))
    moved = exp.Sub(this=as_double(value), expression=double(centre)) if centre else as_double(value)
    reach = max(abs(Fraction(low) - centre), abs(Fraction(high) - centre), grid)
    large = double(1.5 * 2.0 ** (math.frexp(float(reach))[1] + 2))
    coarse = exp.Sub(
        this=exp.Paren(this=exp.Add(this=exp.Paren(this=moved), expression=large)), expression=large.copy()
    )
    return exp.Div(this=exp.Paren(this=coarse), expression=double(grid), typed=True, safe=False)
