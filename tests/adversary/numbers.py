"""Random whole and broken numbers of one row, with twins."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from adversary.pieces import FINE, INF, ROOM, Piece, both, broken, clamp, made, rounding, whole
from shoal.queries.declaration.declaration import Kind

if TYPE_CHECKING:
    from adversary.making import Maker

LARGEST = 1e15
INTEGERS = ("age", "delta", "far", "level", "big")
NUMBERS = ("score", "price", "wee", "tiny", "huge", "raw", "written")
EXTREME = (
    5e-324,
    1e-308,
    2.2250738585072014e-308,
    1e-300,
    1e-200,
    1e12,
    1e15,
    1e16,
    1e100,
    1e300,
    1e308,
    0.0,
)
SUMMED = (5e-324, 1e-308, 1e-300, 1e12, 1e12, 1e12, 1e15, 9e15, 0.0)  # of which there are sums
USUAL = (0.5, 0.1, 3.0, 64.0, 1.25, 99.99, 1e-3)
_WHOLE = re.compile(r" *([+-]?[0-9]{1,15}) *")
_NUMBER = re.compile(r" *([+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?) *")


def leaf_integer(make: Maker) -> Piece:
    rng = make.rng
    if rng.random() < 0.3:
        return whole(rng.choice((0, 1, -1, 2, -3, 7, 12, 100, 10**6, 10**12, 2**53, 2**62)))
    return make.column(*INTEGERS)


def leaf_number(make: Maker) -> Piece:
    rng = make.rng
    if rng.random() < 0.35:
        return broken(rng.choice(EXTREME if rng.random() < 0.5 else USUAL) * rng.choice((1, 1, -1)))
    return make.column(*NUMBERS)


def cut(x: int, y: int) -> int | None:
    return None if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def rest(x: int, y: int) -> int | None:
    return None if y == 0 else x - y * (cut(x, y) or 0)


def tame(make: Maker, part: Piece, most: float) -> Piece:
    """A number that one may calculate with: between bounds, of which one is `most` at most."""
    if part.bounded and part.reach <= most and not (make.rng.random() < 0.05):
        return part
    low = make.rng.choice((0.0, -1.0, -most, -100.0 if most >= 100 else -most))
    high = make.rng.choice((most, min(most, 1000.0), 1.0))
    return clamp(part, math.ceil(low), math.floor(high)) if part.kind == "integer" else clamp(part, low, high)


def plus(make: Maker, x: Piece, y: Piece) -> Piece:
    x, y = tame(make, x, 4e14), tame(make, y, 4e14)
    adds = make.rng.random() < 0.5
    low = (x.low or 0) + (y.low or 0) if adds else (x.low or 0) - (y.high or 0)
    high = (x.high or 0) + (y.high or 0) if adds else (x.high or 0) - (y.low or 0)
    kind: Kind = "integer" if x.kind == y.kind == "integer" else "number"
    size = x.reach + y.reach
    template, function = ("({0} + {1})", lambda a, b: a + b) if adds else ("({0} - {1})", lambda a, b: a - b)
    return made(
        "+" if adds else "-", kind, template, function, x, y, low=low, high=high, step=min(x.step, y.step),
        off=x.off + y.off + rounding(x, y, size=size),
    )  # fmt: skip


def times(make: Maker, x: Piece, y: Piece) -> Piece:
    x = tame(make, x, 1e7 if make.rng.random() < 0.8 else 1e15)
    y = tame(make, y, LARGEST / max(x.reach, 1.0))
    ends = [a * b for a in (x.low or 0, x.high or 0) for b in (y.low or 0, y.high or 0)]
    kind: Kind = "integer" if x.kind == y.kind == "integer" else "number"
    step, size = x.step + y.step, x.reach * y.reach
    off = x.reach * y.off + y.reach * x.off + x.off * y.off if x.off or y.off else 0.0
    off += size * 2.0**-48 if step < ROOM else rounding(x, y, size=size)
    return made("*", kind, "({0} * {1})", lambda a, b: a * b, x, y, low=min(ends), high=max(ends),
                step=max(step, FINE), off=_known(off))  # fmt: skip


def _known(off: float) -> float:
    return INF if math.isnan(off) else off


def over(make: Maker, x: Piece, y: Piece) -> Piece:
    """/ by a whole number, or by one that keeps away from nought."""
    if y.kind == "integer":
        x, y = tame(make, x, LARGEST), tame(make, y, 2.0**52)
        size, off = x.reach, x.off + (INF if y.off else 0.0)
        return _quotient(x, y, size, off)
    least = make.rng.choice((0.01, 1.0, 1e-6))
    x, y = tame(make, x, 1e15 * least), clamp(y, least, make.rng.choice((1e6, 1e12, 2.0)))
    size = x.reach / least
    return _quotient(x, y, size, x.off / least + (x.reach * y.off / least**2 if y.off else 0.0))


def _quotient(x: Piece, y: Piece, size: float, off: float) -> Piece:
    step = x.step - 110
    off += size * 2.0**-48 if step < ROOM else rounding(x, y, size=size)
    return made("/", "number", "({0} / {1})", lambda a, b: a / b if b else None, x, y, low=-size, high=size,
                step=max(step, FINE), off=_known(off))  # fmt: skip


def minus(make: Maker, x: Piece) -> Piece:
    x = tame(make, x, LARGEST)
    return made(
        "minus", x.kind, "(- {0})", lambda a: 0 - a, x, low=-(x.high or 0), high=-(x.low or 0), step=x.step
    )


def absolute(make: Maker, x: Piece) -> Piece:
    x = tame(make, x, LARGEST)
    return made("ABS", x.kind, "ABS({0})", abs, x, low=0.0, high=x.reach, step=x.step)


def remainder(make: Maker, x: Piece, y: Piece) -> Piece:
    x, y = tame(make, x, LARGEST), tame(make, y, 1e12)
    if make.rng.random() < 0.5:
        return made("%", "integer", "({0} % {1})", rest, x, y, jump=True, low=-y.reach, high=y.reach)
    return made("//", "integer", "({0} // {1})", cut, x, y, jump=True, low=-x.reach, high=x.reach)


def whole_part(make: Maker, x: Piece) -> Piece:
    x = tame(make, x, LARGEST)
    name, to = make.rng.choice((("FLOOR", math.floor), ("CEIL", math.ceil)))
    return made(
        name,
        "integer",
        f"{name}({{0}})",
        to,
        x,
        jump=True,
        low=math.floor(x.low or 0),
        high=math.ceil(x.high or 0),
    )


def nearest(make: Maker, x: Piece) -> Piece:
    x = tame(make, x, LARGEST)
    return made("CAST number AS BIGINT", "integer", "CAST({0} AS BIGINT)", round, x, jump=True,
                low=math.floor(x.low or 0), high=math.ceil(x.high or 0))  # fmt: skip


def rounded(make: Maker, x: Piece) -> Piece:
    """ROUND: a half goes where the engine has it, so that it is known to one unit."""
    digits = make.rng.choice((0, 0, 1, 2, 9, -1, -3, -9))
    x = tame(make, x, LARGEST / 10.0 ** max(digits, 0))
    unit = 10.0**-digits
    exact = x.kind == "integer" and digits >= 0
    kind: Kind = "integer" if digits <= 0 or x.kind == "integer" else "number"
    off = x.off if exact else _known(unit * 1.01 + x.off + x.reach * 2.0**-48)
    return made(
        "ROUND", kind, f"ROUND({{0}}, {digits})" if digits or make.rng.random() < 0.5 else "ROUND({0})",
        lambda a: a if exact else round(a, digits), x, off=off, apart=not exact,
        low=(x.low or 0) - unit, high=(x.high or 0) + unit, step=x.step if exact else -100,
    )  # fmt: skip


def root(make: Maker, x: Piece) -> Piece:
    x = clamp(x, 0, make.rng.choice((100, 10**12)))
    return made("SQRT", "number", "SQRT({0})", math.sqrt, x, jump=True, low=0.0,
    high=math.sqrt(x.high or 0.0),
                step=max(x.step // 2 - 54, FINE))  # fmt: skip


def curved(make: Maker, x: Piece) -> Piece:
    """LN, EXP and POWER, whose last bits are each engine's own."""
    way = make.rng.randrange(4)
    if way == 0:
        low = make.rng.choice((0.01, 1e-200, 5e-324)) if x.kind == "number" else 1
        x = clamp(x, low, make.rng.choice((100, 1e15)) if x.kind == "number" else 10**12)
        off = _known(x.off / low + 1e-10) if x.off else 1e-10
        return made(
            "LN", "number", "LN({0})", math.log, x, off=off, apart=True, low=-746.0, high=35.0, step=-108
        )
    if way == 1:
        x = clamp(x, make.rng.choice((-600, -30, 0)), make.rng.choice((1, 30)))
        size = math.exp(x.high or 0.0)
        off = _known(size * (x.off + 1e-10) if x.off < 1e-3 else INF)
        return made("EXP", "number", "EXP({0})", math.exp, x, off=off, apart=True, low=0.0, high=size * 1.01,
                    step=-930)  # fmt: skip
    exponent = make.rng.choice((0, 1, 2, 3, 10)) if way == 2 else make.rng.choice((0.5, 1.5, 0.1))
    most = math.floor(min(LARGEST, 1e14 ** (1 / max(exponent, 0.5))))
    x = clamp(x, 0 if way == 3 else make.rng.choice((0, -min(most, 9))), most)
    exact = x.kind == "integer" and way == 2
    size = max(x.reach**exponent, 1.0)
    power = make.rng.choice((f"POWER({{0}}, {exponent})", f"({{0}} ** {exponent})"))
    return made(
        "POWER", "integer" if exact else "number", power,
        lambda a: a**exponent if exact else float(a) ** exponent,
        x, low=-size, high=size, step=0 if exact else max(math.floor(x.step * exponent) - 54, FINE),
        apart=not exact,
        off=(INF if x.off else 0.0) if exact else INF if x.off else size * 1e-10,
    )  # fmt: skip


def sign(_make: Maker, x: Piece) -> Piece:
    return made("SIGN", "integer", "SIGN({0})", lambda a: (a > 0) - (a < 0), x, jump=True, low=-1, high=1)


def from_text(make: Maker, x: Piece, kind: Any) -> Piece:
    """A cast of a text: missing where it is no number of 15 digits."""
    pattern, to, name = (_WHOLE, int, "BIGINT") if kind == "integer" else (_NUMBER, float, "DOUBLE")

    def read(text: str) -> Any:
        found = pattern.fullmatch(text[:64])
        return to(found[1]) if found else None

    template = make.rng.choice((f"CAST({{0}} AS {name})", f"TRY_CAST({{0}} AS {name})", f"({{0}})::{name}"))
    return made(
        f"CAST text AS {name}",
        kind,
        template,
        read,
        x,
        jump=True,
        low=-LARGEST,
        high=LARGEST,
        step=-103 if to is float else 0,
    )


def from_integer(_make: Maker, x: Piece) -> Piece:
    return made("CAST integer AS DOUBLE", "number", "CAST({0} AS DOUBLE)", float, x, low=x.low, high=x.high)


def from_truth(_make: Maker, x: Piece) -> Piece:
    return made("CAST boolean AS INT", "integer", "CAST({0} AS INTEGER)", int, x, jump=True, low=0, high=1)


def extremes(x: Piece, y: Piece, least: bool) -> Piece:
    """LEAST and GREATEST, which pass over what is missing."""
    kind: Kind = "integer" if x.kind == y.kind == "integer" else "number" if x.numeric else x.kind
    name, of = ("LEAST", min) if least else ("GREATEST", max)

    def function(*values: Any) -> Any:
        known = [float(value) if kind == "number" else value for value in values if value is not None]
        return of(known) if known else None

    known: dict[str, Any] = {}
    if x.bounded and y.bounded:
        known = dict(zip(("low", "high"), both(x, y), strict=True))
    return made(name, kind, f"{name}({{0}}, {{1}})", function, x, y, nulls=True, step=min(x.step, y.step),
                length=None if x.length is None or y.length is None else max(x.length, y.length),
                **known)  # fmt: skip
