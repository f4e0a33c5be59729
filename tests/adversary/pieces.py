"""An expression as SQL beside its twin: a plain function of the row that says what it gives, and how closely.

Written from docs/sql.md and not from the code that it tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from shoal.queries.declaration.declaration import Column, Kind

Row = Mapping[str, Any]
INF = math.inf
FINE = -1074  # nothing is known of how small a number can be
ROOM = -900  # products of finer numbers may be rounded to fewer bits


@dataclass(frozen=True)
class Piece:
    """SQL and its twin.

    `off` is how far an engine may be from the twin (infinitely far behind a jump),
    `apart` whether two engines may
    differ from each other as far; all else must agree to the last bit.
    """

    sql: str
    kind: Kind
    value: Callable[[Row], Any] = field(compare=False)
    low: float | None = None
    high: float | None = None
    step: int = 0
    length: int | None = None
    off: float = 0.0
    apart: bool = False
    fixed: bool = False  # made of written values alone
    literal: bool = False
    column: Column | None = None
    names: tuple[str, ...] = ()  # of what it is made
    parts: tuple[Piece, ...] = ()

    def __repr__(self) -> str:
        return self.sql

    @property
    def bounded(self) -> bool:
        return self.low is not None and self.high is not None

    @property
    def reach(self) -> float:
        return INF if self.low is None or self.high is None else max(abs(self.low), abs(self.high))

    @property
    def numeric(self) -> bool:
        return self.kind in ("integer", "number")


def made(
    name: str,
    kind: Kind,
    template: str,
    function: Callable[..., Any],
    *parts: Piece,
    nulls: bool = False,
    jump: bool = False,
    off: float | None = None,
    apart: bool = False,
    **known: Any,
) -> Piece:
    """A piece made of others: missing where one of them is, unless its function takes `nulls`.

    A `jump` turns any distance of a part into any distance of the whole; `off` says another one.
    """
    values = [part.value for part in parts]

    def value(row: Row) -> Any:
        found = [part(row) for part in values]
        if not nulls and any(one is None for one in found):
            return None
        return function(*found)

    far = max((part.off for part in parts), default=0.0)
    if jump and far:
        far = INF
    return Piece(
        template.format(*(part.sql for part in parts)),
        kind,
        value,
        off=far if off is None else off,
        apart=apart or any(part.apart for part in parts),
        fixed=all(part.fixed for part in parts),
        names=(name, *(word for part in parts for word in part.names)),
        parts=parts,
        **known,
    )


def whole(value: int) -> Piece:
    written = str(value) if value >= 0 else f"(-{-value})"
    return Piece(
        written, "integer", lambda _: value, value, value, fixed=True, literal=True, names=("literal",)
    )


def broken(value: float) -> Piece:
    written = repr(abs(value)) if abs(value) < 1e16 or "e" in repr(value) else f"{abs(value):e}"
    sql = f"(-{written})" if value < 0 else written
    step = FINE if 0 < abs(value) < 1e-20 else -120
    name = "extreme literal" if value and not 1e-9 < abs(value) < 1e15 else "literal"
    return Piece(sql, "number", lambda _: value, value, value, step, fixed=True, literal=True, names=(name,))


def quoted(value: str) -> Piece:
    escaped = value.replace("'", "''")
    return Piece(
        f"'{escaped}'", "text", lambda _: value, length=len(value), fixed=True, literal=True, names=("text",)
    )


def null(kind: Kind) -> Piece:
    bound = 0.0 if kind in ("integer", "number") else None
    return Piece("NULL", kind, lambda _: None, bound, bound, length=0, names=("NULL",))


def column(of: Column, table: str = "") -> Piece:
    name = of.name
    low, high = of.low, of.high
    if of.keys is not None and of.kind == "integer":
        numbers = [float(key) for key in of.keys]
        low, high = min(numbers), max(numbers)
    fine = of.kind == "number" and (not of.bounded or (of.high or 1.0) < 1e-100)
    step = FINE if fine else -60 if of.kind == "number" else 0
    length = max(len(str(key)) for key in of.keys) if of.kind == "text" and of.keys else None
    bare = of if of.bounded and of.kind == "number" else None
    if of.temporal:  # its bounds are days, and nobody calculates with them
        low = high = None
    word = "bounded column" if of.bounded else "keyed column" if of.keys else f"unbounded {of.kind} column"
    return Piece(
        f"{table}{name}", of.kind, lambda row: row[name], low, high, step, length, column=bare, names=(word,)
    )


def clamp(part: Piece, low: float, high: float) -> Piece:
    """LEAST(GREATEST(x, low), high): what is missing becomes the low bound."""
    kind = part.kind
    ends = (
        [whole(int(low)), whole(int(high))]
        if kind == "integer"
        else [broken(float(low)), broken(float(high))]
    )

    def function(value: Any) -> Any:
        return min(max(low if value is None else value, low), high)

    return made(
        "clamp", kind, f"LEAST(GREATEST({{0}}, {ends[0].sql}), {ends[1].sql})",
        lambda value: (int if kind == "integer" else float)(function(value)), part, nulls=True,
        low=low, high=high, step=min([part.step, *(end.step for end in ends)]),
    )  # fmt: skip


def both(x: Piece, y: Piece) -> tuple[float, float]:
    """Bounds that hold both."""
    return min(x.low or 0.0, y.low or 0.0), max(x.high or 0.0, y.high or 0.0)


def rounding(*parts: Piece, size: float) -> float:
    """What a double operation adds to a distance that is there already."""
    return size * 2.0**-50 if any(part.off for part in parts) else 0.0


def alike(values: Sequence[Any], kind: Kind) -> list[Any]:
    """Whole numbers among broken ones are doubles."""
    return [float(value) if kind == "number" and value is not None else value for value in values]


def in_steps(value: Any, of: Column) -> float:
    """A written number as a bounded column would hold it."""
    return float(round(Fraction(value) / of.grid) * of.grid)
