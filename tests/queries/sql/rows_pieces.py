"""Random row expressions: as SQL, and as a plain Python function of the row that says what they must give."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Piece:
    """SQL and its twin."""

    sql: str
    value: Callable[[Row], Any]

    def __repr__(self) -> str:
        return self.sql


def _column(name: str) -> Piece:
    return Piece(name, lambda row: row[name])


def _made(sql: str, function: Callable[..., Any], *parts: Piece) -> Piece:
    """Missing where a part is."""

    def value(row: Row) -> Any:
        values = [part.value(row) for part in parts]
        return None if any(found is None for found in values) else function(*values)

    return Piece(sql.format(*(part.sql for part in parts)), value)


def _known(values: list[Any]) -> list[Any]:
    return [value for value in values if value is not None]


def _either(sql: str, function: Callable[[list[Any]], Any], *parts: Piece) -> Piece:
    """Of values some of which may be missing."""
    return Piece(
        sql.format(*(part.sql for part in parts)), lambda row: function([part.value(row) for part in parts])
    )


def cut(x: int, y: int) -> int | None:
    return None if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _rest(x: int, y: int) -> int | None:
    return None if y == 0 else x - y * (cut(x, y) or 0)


def _and(values: list[Any]) -> Any:
    return False if False in values else None if None in values else True


def _or(values: list[Any]) -> Any:
    return True if True in values else None if None in values else False


def _like(pattern: str) -> Callable[[str], bool]:
    words = "".join(
        ".*" if letter == "%" else "." if letter == "_" else re.escape(letter) for letter in pattern
    )
    return lambda text: re.fullmatch(words, text, re.DOTALL) is not None


def _digits(text: str) -> int | None:
    return int(text) if re.fullmatch(r" *[+-]?[0-9]{1,15} *", text) else None


LEAVES_INTEGER = [
    _column("age"), _column("delta"), _column("level"),
    _made("LEAST(GREATEST({0}, -9), 9)", lambda x: x, Piece("big", lambda row: _clamp(row["big"]))),
    _made("LENGTH({0})", len, _column("name")),
    _made("EXTRACT(MONTH FROM {0})", lambda day: day.month, _column("day")),
    _made("YEAR({0})", lambda day: day.year, _column("other")),
    _made("date_part('day', {0})", lambda day: day.day, _column("day")),
    _made("({0} - {1})", lambda one, two: (one - two).days, _column("day"), _column("other")),
    _made("CAST({0} AS INTEGER)", int, _column("flag")),
    _made("CAST({0} AS BIGINT)", _digits, _column("colour")),
    _made("TRY_CAST({0} AS BIGINT)", _digits, _column("name")),
]  # fmt: skip
LEAVES_NUMBER = [_column("score"), _column("price")]
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda x, y: x == y, "<>": lambda x, y: x != y, "<": lambda x, y: x < y, "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y, ">=": lambda x, y: x >= y,
}  # fmt: skip


def _clamp(value: int | None) -> int:
    return -9 if value is None else max(-9, min(9, value))


def _literal(value: float) -> Piece:
    return Piece(repr(value), lambda _: value)


@st.composite
def integers(draw: st.DrawFn, depth: int) -> Piece:
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from(LEAVES_INTEGER) | st.integers(-3, 12).map(_literal))
    x, y = draw(integers(depth - 1)), draw(integers(depth - 1))
    kind = draw(st.integers(0, 14))
    made: list[Callable[[], Piece]] = [
        lambda: _made("({0} + {1})", lambda a, b: a + b, x, y),
        lambda: _made("({0} - {1})", lambda a, b: a - b, x, y),
        lambda: _made("({0} * {1})", lambda a, b: a * b, x, y),
        lambda: _made("({0} % {1})", _rest, x, y),
        lambda: _made("({0} // {1})", cut, x, y),
        lambda: _made("(- {0})", lambda a: -a, x),
        lambda: _made("ABS({0})", abs, x),
        lambda: _made("SIGN({0})", lambda a: (a > 0) - (a < 0), draw(numbers(depth - 1))),
        lambda: _made("FLOOR({0})", math.floor, draw(numbers(depth - 1))),
        lambda: _made("CEIL({0})", math.ceil, draw(numbers(depth - 1))),
        lambda: _made("CAST({0} AS INTEGER)", round, draw(numbers(depth - 1))),
        lambda: _choice(draw, x, y, depth),
        lambda: _made("POWER({0}, 2)", lambda a: a * a, x),
        lambda: _made("LENGTH({0})", len, draw(texts(depth - 1))),
        lambda: _choice(draw, x, y, depth),
    ]
    return made[kind]()


@st.composite
def numbers(draw: st.DrawFn, depth: int) -> Piece:
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from(LEAVES_NUMBER) | st.sampled_from([0.5, -1.25, 3.0, 64.0]).map(_literal))
    x, y = draw(st.one_of(numbers(depth - 1), integers(depth - 1))), draw(numbers(depth - 1))
    made: list[Callable[[], Piece]] = [
        lambda: _made("({0} + {1})", lambda a, b: a + b, x, y),
        lambda: _made("({0} - {1})", lambda a, b: a - b, x, y),
        lambda: _made("({0} * {1})", lambda a, b: a * b, x, y),
        lambda: _made("({0} / {1})", lambda a, b: a / b if b else None, x, draw(integers(depth - 1))),
        lambda: _made("({0} / {1})", lambda a, b: a / b, x, _either("GREATEST({0}, 0.25)", _at_least, y)),
        lambda: _made("(- {0})", lambda a: 0.0 - a, y),
        lambda: _made("ABS({0})", abs, y),
        lambda: _made("SQRT(ABS({0}))", lambda a: math.sqrt(abs(a)), y),
        lambda: _choice(draw, x, y, depth),
    ]
    return draw(st.sampled_from(made))()


def _at_least(values: list[Any]) -> float:
    return float(max([0.25, *_known(values)]))


def _choice(draw: st.DrawFn, x: Piece, y: Piece, depth: int) -> Piece:
    test = draw(conditions(depth - 1))
    ways = [
        lambda: _either("CASE WHEN {0} THEN {1} ELSE {2} END", lambda v: v[1] if v[0] else v[2], test, x, y),
        lambda: _either("CASE WHEN {0} THEN {1} END", lambda v: v[1] if v[0] else None, test, y),
        lambda: _either("IF({0}, {1}, {2})", lambda v: v[1] if v[0] else v[2], test, x, y),
        lambda: _either("COALESCE({0}, {1})", lambda v: next(iter(_known(v)), None), x, y),
        lambda: _either("NULLIF({1}, {0})", lambda v: None if v[0] == v[1] else v[1], x, y),
        lambda: _either("CASE {0} WHEN {1} THEN {0} ELSE {1} END", lambda v: v[1], x, y),
        lambda: _either("LEAST({0}, {1})", lambda v: min(_known(v), default=None), x, y),
        lambda: _either("GREATEST({0}, {1})", lambda v: max(_known(v), default=None), x, y),
    ]
    # Code points order texts as their bytes do, in both engines and here.
    return draw(st.sampled_from(ways))()


@st.composite
def texts(draw: st.DrawFn, depth: int) -> Piece:
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        literal = st.sampled_from(["", "%", "O'Neil", "x", " y ", "é🐟", "red", "--", "/*"]).map(_quoted)
        return draw(st.sampled_from([_column("name"), _column("colour")]) | literal)
    x, y = draw(texts(depth - 1)), draw(texts(depth - 1))
    start, size = draw(st.integers(1, 5)), draw(st.integers(0, 6))
    made: list[Callable[[], Piece]] = [
        lambda: _made(f"LEFT({{0}}, {size})", lambda a: a[:size], x),
        lambda: _made(f"SUBSTRING({{0}}, {start}, {size})", lambda a: a[start - 1 : start - 1 + size], x),
        lambda: _made(f"SUBSTRING({{0}}, {start})", lambda a: a[start - 1 :], x),
        lambda: _made("TRIM({0})", lambda a: a.strip(" "), x),
        lambda: _made("RTRIM({0})", lambda a: a.rstrip(" "), x),
        lambda: _made("LOWER({0})", str.lower, _column("colour")),
        lambda: _made("UPPER({0})", str.upper, _column("colour")),
        lambda: _made("(LEFT({0}, 50) || LEFT({1}, 50))", lambda a, b: a[:50] + b[:50], x, y),
        lambda: _made("CAST({0} AS VARCHAR)", str, draw(integers(depth - 1))),
        lambda: _made("CAST({0} AS VARCHAR)", lambda a: a.isoformat(), _column("day")),
        lambda: _made("CAST({0} AS VARCHAR)", lambda a: str(a).lower(), _column("flag")),
        lambda: _choice(draw, x, y, depth),
    ]
    return draw(st.sampled_from(made))()


def _quoted(text: str) -> Piece:
    quoted = text.replace("'", "''")
    return Piece(f"'{quoted}'", lambda _: text)


@st.composite
def conditions(draw: st.DrawFn, depth: int) -> Piece:
    if depth <= 0:
        return draw(st.sampled_from([_column("flag"), Piece("TRUE", lambda _: True)]))
    way = draw(st.integers(0, 9))
    if way <= 1:
        parts = [draw(conditions(depth - 1)), draw(conditions(depth - 1))]
        return _either("({0} AND {1})", _and, *parts) if way else _either("({0} OR {1})", _or, *parts)
    if way == 2:
        return _made("(NOT {0})", lambda a: not a, draw(conditions(depth - 1)))
    strategy = draw(st.sampled_from([integers, numbers, texts]))
    x, y, z = draw(strategy(depth - 1)), draw(strategy(depth - 1)), draw(strategy(depth - 1))
    if way == 3:
        return _either("({0} IS NULL)", lambda v: v[0] is None, x)
    if way == 4:
        return _either("({0} IS DISTINCT FROM {1})", lambda v: v[0] != v[1], x, y)
    if way == 5:
        return _either(
            "({0} BETWEEN {1} AND {2})",
            lambda v: _and([_compare("<=", v[1], v[0]), _compare("<=", v[0], v[2])]), x, y, z,
        )  # fmt: skip
    if way == 6:
        return _made("({0} IN (1, -7, 64, 5))", lambda a: a in (1, -7, 64, 5), draw(integers(depth - 1)))
    if way == 7:
        pattern = draw(st.sampled_from(["%", "_", "%e%", "O'%", "", "r_d", "%1", "__%"]))
        return _made(f"({{0}} LIKE '{pattern}')".replace("O'", "O''"), _like(pattern), draw(texts(depth - 1)))
    if way == 8:
        return _either("({0} IS NOT TRUE)", lambda v: v[0] is not True, draw(conditions(depth - 1)))
    sign = draw(st.sampled_from(sorted(COMPARE)))
    return _made(f"({{0}} {sign} {{1}})", COMPARE[sign], x, y)


def _compare(sign: str, x: Any, y: Any) -> bool | None:
    return None if x is None or y is None else COMPARE[sign](x, y)


def pieces(depth: int = 3) -> st.SearchStrategy[Piece]:
    """Expressions of every kind with their twins."""
    return st.one_of(integers(depth), numbers(depth), texts(depth), conditions(depth))


# Without a twin: what differs in last bits, in rounding a half or in letters, and what is hard to keep total.
WILD_NUMBER = (
    "age", "delta", "far", "score", "price", "wee", "tiny", "level", "0.1", "-3", "1e-300", "1e15", "0",
    "5e-324", "LEAST(GREATEST(raw, -1), 1)", "LEAST(GREATEST(raw, 0), 1e-300)",
    "LEAST(GREATEST(raw, 0.01), 1e15)", "LEAST(GREATEST(big, -1000), 1000)", "CAST(name AS DOUBLE)", "NULL",
    "LENGTH(UPPER(name))", "raw", "big",
)  # fmt: skip
WILD_SHAPES = (
    "({0} + {1})", "({0} - {1})", "({0} * {1})", "({0} * {1})", "({0} / {1})", "({0} / GREATEST({1}, 0.01))",
    "(- {0})", "({0} % {1})", "({0} // {1})", "ABS({0})", "ROUND({0})", "ROUND({0}, 2)", "ROUND({0}, -3)",
    "FLOOR({0})", "CEIL({0})", "SQRT(GREATEST({0}, 0))", "LN(GREATEST({0}, 0.01))",
    "EXP(LEAST(GREATEST({0}, -600), 30))", "POWER({0}, 2)", "POWER({0}, 3)", "POWER(GREATEST({0}, 0), 0.5)",
    "POWER({0}, 0)", "SIGN({0})", "CAST({0} AS INTEGER)", "LEAST({0}, {1})", "GREATEST({0}, {1})",
    "COALESCE({0}, {1})", "NULLIF({0}, {1})", "CASE WHEN {0} < {1} THEN {0} END",
    "LEAST(GREATEST({0}, -1), 1)", "CASE {0} WHEN {1} THEN {1} ELSE 0.5 END", "IF({0} IS NULL, {1}, {0})",
    "CAST(CAST({0} AS VARCHAR) AS DOUBLE)", "CAST(CAST({0} AS BOOLEAN) AS INT)", "CAST({0} AS DOUBLE)",
    "LENGTH(name || CAST(CAST({0} AS INT) AS VARCHAR))", "CAST({0} BETWEEN {1} AND 5 AS INT)",
)  # fmt: skip


@st.composite
def wild(draw: st.DrawFn, depth: int = 4) -> str:
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from(WILD_NUMBER))
    return draw(st.sampled_from(WILD_SHAPES)).format(draw(wild(depth - 1)), draw(wild(depth - 1)))
