"""What is known of a value of a row besides its kind: whether it can be missing, how fine it is, how long."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import NoReturn, Protocol

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import Kind, Value
from shoal.queries.sql.allow_list import excerpt
from shoal.queries.sql.fixed_point import DOMAIN, double, whole
from shoal.queries.sql.typed_expression import TypedExpression
from shoal.queries.sql.work_limit import TIMES, times

LARGEST = 1e15  # whole numbers up to here are exact in a double, with room for one more sum
FINEST = -1074  # every double is a multiple of 2 to this power
_COMBINATIONS = 2_000  # so many pairs of values are worked out to know a domain
_SIGNS = 100_000  # characters of all texts of a domain: many long names of groups would fill the memory
_TYPES = {
    "integer": exp.DataType.Type.BIGINT,
    "number": exp.DataType.Type.DOUBLE,
    "text": exp.DataType.Type.TEXT,
    "boolean": exp.DataType.Type.BOOLEAN,
    "date": exp.DataType.Type.DATE,
    "timestamp": exp.DataType.Type.TIMESTAMP,
}


@dataclass(frozen=True)
class Cell(TypedExpression):
    """A value of a row. An integer is a BIGINT and a number a DOUBLE, always; bounds of dates are days."""

    missing: bool = True  # whether it can be null
    step: int = FINEST  # a number is a multiple of 2**step: products of fine numbers could underflow
    real: exp.Expression | None = None  # the same whole number as a DOUBLE, when it was worked out as one
    blank: bool = False  # NULL as it was written, of any kind


class Scope(Protocol):
    """What names stand for: a column by its name and, when written, its table; others are not allowed."""

    def column(self, name: str, table: str | None) -> TypedExpression: ...


class Walk(Protocol):
    """The way down the analyst's tree."""

    @property
    def dialect(self) -> str:
        """Of the engine."""

    def cell(self, node: object) -> Cell:
        """A part of the tree rebuilt, or NotAllowed."""


def refuse(node: exp.Expression, cure: str) -> NoReturn:
    """The one way out: it names the part, its kind, and what to write instead."""
    kind = type(node).__name__
    raise NotAllowed(f"'{excerpt(node)}' ({kind}) cannot be asked: {cure}") from None


def cell_of(typed: TypedExpression) -> Cell:
    """A column as it comes from the scope. It may be null whatever its keys are, after an outer join."""
    low, high = typed.low, typed.high
    given = [value for value in typed.domain or () if value is not None]
    if typed.numeric and given and (low is None or high is None):
        numbers = [float(value) for value in given]
        low, high = min(numbers), max(numbers)
    step = 0 if typed.kind == "integer" else finest_bit(typed.grid) if typed.code is not None else FINEST
    length = typed.length
    if length is None and typed.kind == "text" and typed.domain is not None:
        length = max((len(str(value)) for value in given), default=0)
    low, high = (None if bound is None else float(bound) for bound in (low, high))
    domain = typed.domain
    if domain is None and typed.kind == "integer" and low is not None and high is not None:
        domain = stretch(low, high, missing=True)
    code = None if typed.code is None else typed.code.copy()
    known = (typed.grid, typed.unit, typed.key, typed.total, length)
    return Cell(typed.sql.copy(), typed.kind, low, high, domain, code, *known, True, step)


def finest_bit(value: Fraction | float) -> int:
    """The power of two of which a binary fraction is a multiple; 0 for whole numbers."""
    return 1 - Fraction(value).denominator.bit_length()


def stretch(low: float, high: float, missing: bool) -> tuple[Value, ...] | None:
    """Every whole number between bounds, when these are few."""
    if high - low >= DOMAIN:
        return None
    values: list[Value] = list(range(math.ceil(low), math.floor(high) + 1))
    return (*values, None) if missing else tuple(values)


def image(function: Callable[..., Value], *cells: Cell) -> tuple[Value, ...] | None:
    """The domain of a function of cells with domains; missing where one of them is."""
    combinations = 1
    for cell in cells:
        combinations *= len(cell.domain) if cell.domain is not None else _COMBINATIONS + 1
    if combinations > _COMBINATIONS:
        return None
    found: set[Value] = set()
    signs = 0
    for values in product(*(cell.domain or () for cell in cells)):
        value = None if any(part is None for part in values) else function(*values)
        signs += len(value) if isinstance(value, str) else 0
        if signs > _COMBINATIONS * _SIGNS // DOMAIN:
            return None
        found.add(value)
    return distinct_values(sorted((value for value in found if value is not None), key=_order), None in found)


def distinct_values(values: Iterable[Value], missing: bool) -> tuple[Value, ...] | None:
    """Values once each, None last, when they are few."""
    once = dict.fromkeys(values)
    once.pop(None, None)
    if len(once) > DOMAIN or sum(len(value) for value in once if isinstance(value, str)) > _SIGNS:
        return None
    return (*once, None) if missing else tuple(once)


def _order(value: Value) -> tuple[float, str]:
    return (0.0, value) if isinstance(value, str) else (float(value or 0), "")


def constant(cell: Cell) -> Value:
    """The one value that it can have, or None."""
    if cell.missing or cell.domain is None or len(cell.domain) != 1:
        return None
    return cell.domain[0]


def numbers_of(domain: tuple[Value, ...] | None) -> list[float]:
    """The numbers of a domain."""
    return [float(value) for value in domain or () if isinstance(value, int | float)]


def integer(
    low: float,
    high: float,
    missing: bool,
    real: exp.Expression | None = None,
    sql: exp.Expression | None = None,
    domain: tuple[Value, ...] | None = None,
) -> Cell:
    """A bounded whole number, from its DOUBLE or its BIGINT form."""
    numbers = numbers_of(domain)
    if numbers:
        low, high = max(low, min(numbers)), min(high, max(numbers))
    if domain is None:
        domain = stretch(low, high, missing)
    if not missing and domain is not None and len(domain) == 1 and isinstance(domain[0], int):
        return literal_integer(domain[0])
    if sql is None:
        if real is None:
            raise AssertionError("a whole number needs one of its forms")
        sql = exp.cast(real.copy(), exp.DataType.Type.BIGINT, copy=False)
    return Cell(sql, "integer", low, high, domain, missing=missing, step=0, real=real)


def number(
    sql: exp.Expression,
    low: float,
    high: float,
    missing: bool,
    step: int,
    domain: tuple[Value, ...] | None = None,
) -> Cell:
    """A bounded number, from its DOUBLE form."""
    numbers = numbers_of(domain)
    if domain is not None:
        low, high = (max(low, min(numbers)), min(high, max(numbers))) if numbers else (0.0, 0.0)
        domain = distinct_values((value + 0.0 for value in numbers), None in domain)
    if not missing and domain is not None and len(domain) == 1 and isinstance(domain[0], float):
        return literal_number(domain[0])
    return Cell(sql, "number", low, high, domain, missing=missing, step=max(step, FINEST))


def literal_integer(value: int) -> Cell:
    """A whole number of at most 64 bits."""
    low = high = float(value)
    real: exp.Expression | None = double(low)
    if abs(value) > 2**53:  # rounded on its way to a double
        low, high, real = math.nextafter(low, -math.inf), math.nextafter(high, math.inf), None
    return Cell(whole(value), "integer", low, high, (value,), missing=False, step=0, real=real)


def literal_number(value: float) -> Cell:
    """A finite double."""
    value += 0.0  # no minus before nought
    return Cell(double(value), "number", value, value, (value,), missing=False, step=finest_bit(value))


def boolean(sql: exp.Expression, missing: bool) -> Cell:
    """A condition."""
    return Cell(
        sql, "boolean", domain=(True, False, None) if missing else (True, False), missing=missing, step=0
    )


def text(sql: exp.Expression, missing: bool, length: int | None, domain: tuple[Value, ...] | None) -> Cell:
    """A text of at most so many characters."""
    return Cell(sql, "text", domain=domain, missing=missing, length=length)


def null_of(kind: Kind) -> Cell:
    """A missing value of a kind; no bounds are wrong for it."""
    bound = 0.0 if kind in ("integer", "number") else None
    return Cell(cast_to(exp.Null(), kind), kind, bound, bound, (None,), step=0, length=0)


def cast_to(sql: exp.Expression, kind: Kind) -> exp.Expression:
    """A value as the engine's type of a kind."""
    return exp.cast(sql, _TYPES[kind], copy=False)


def as_double(cell: Cell) -> exp.Expression:
    """A number as a DOUBLE; a tree of its own."""
    if cell.kind == "number":
        return cell.sql.copy()
    return (
        exp.cast(cell.sql.copy(), exp.DataType.Type.DOUBLE, copy=False)
        if cell.real is None
        else cell.real.copy()
    )


def nearest_whole(sql: exp.Expression, dialect: str) -> exp.Expression:
    """A DOUBLE to be cast to BIGINT, to the nearest, a half to the even one: Spark's cast cuts off."""
    return call("RINT", sql) if dialect == "spark" else sql


def in_parentheses(sql: exp.Expression) -> exp.Expression:
    """In parentheses, unless nothing around it can tear it apart: sqlglot sets none by itself."""
    safe = exp.Anonymous | exp.Cast | exp.Case | exp.Column | exp.Literal | exp.Paren | exp.Boolean
    return sql if isinstance(sql, safe) else exp.Paren(this=sql)


def call(name: str, *arguments: exp.Expression) -> exp.Expression:
    """A function of the engine by its name, as written: sqlglot's own classes rewrite some per dialect."""
    return exp.Anonymous(this=name, expressions=list(arguments))


def call_on(cell: Cell, name: str, *arguments: exp.Expression, thousand: int = 1) -> exp.Expression:
    """A function of a text, and what it costs: so many times a quick one for each thousand characters."""
    made = call(name, cell.sql.copy(), *arguments)
    made.meta[TIMES] = times(thousand, cell.length)
    return made
