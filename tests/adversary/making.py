"""Random row expressions of every kind that docs/sql.md lists, nested several deep."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import date
from typing import Any

from adversary import conditions, numbers, times, words
from adversary.pieces import INF, Piece, alike, both, column, made, null, quoted
from adversary.scene import PEOPLE
from shoal.queries.declaration.declaration import Kind, Table

DAYS = ("0001-01-01", "9999-12-31", "2024-02-29", "1970-01-01")
TEXTS = (
    "",
    " ",
    "%",
    "O'Neil",
    "x",
    " y ",
    "é🐟",
    "e\u0301",
    "red",
    "--",
    "/*",
    "ß",
    "שלום",
    "12",
    "x" * 1_000,
)
PARTS: dict[str, Callable[[date], int]] = {
    "year": lambda d: d.year, "quarter": lambda d: (d.month + 2) // 3, "month": lambda d: d.month,
    "day": lambda d: d.day, "dow": lambda d: d.isoweekday() % 7, "doy": lambda d: d.timetuple().tm_yday,
}  # fmt: skip
_DAY = re.compile(r" *([0-9]{4}-[0-9]{2}-[0-9]{2}) *")


def as_day(text: str) -> date | None:
    found = _DAY.fullmatch(text[:64])
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


class Maker:
    """Expressions from one source of chance over a table with columns of the odd one's names."""

    def __init__(self, rng: random.Random, table: Table = PEOPLE, prefix: str = "") -> None:
        self.rng = rng
        self.table = table
        self.prefix = prefix

    def column(self, *names: str) -> Piece:
        return column(self.table.column(self.rng.choice(names)), self.prefix)

    def any(self, kind: Kind, depth: int) -> Piece:
        rng = self.rng
        if depth <= 0 or rng.random() < 0.12:
            return self.leaf(kind)
        if kind != "boolean" and rng.random() < 0.25:
            return self._choice(kind, depth)
        ways: dict[Kind, Callable[[int], Piece]] = {
            "integer": self._integer,
            "number": self._number,
            "text": self._text,
            "date": self._date,
            "timestamp": self._moment,
        }
        return ways[kind](depth - 1) if kind in ways else conditions.condition(self, depth - 1)

    def leaf(self, kind: Kind) -> Piece:
        rng = self.rng
        if rng.random() < 0.04:
            return null(kind)
        if kind == "integer":
            return numbers.leaf_integer(self)
        if kind == "number":
            return numbers.leaf_number(self)
        if kind == "text":
            return quoted(rng.choice(TEXTS)) if rng.random() < 0.3 else self.column("name", "colour")
        if kind == "date":
            return self.day() if rng.random() < 0.3 else self.column(*times.DATES)
        if kind == "timestamp":
            return times.leaf_moment(self)
        if rng.random() < 0.2:
            value = rng.random() < 0.5
            return Piece(str(value).upper(), kind, lambda _: value, fixed=True, names=("truth",))
        return self.column("flag", "truth")

    def day(self) -> Piece:
        written = self.rng.choice(DAYS)
        value = date.fromisoformat(written)
        return Piece(f"DATE '{written}'", "date", lambda _: value, fixed=True, names=("DATE",))

    def _integer(self, depth: int) -> Piece:
        rng, n = self.rng, numbers
        x, y = self.any("integer", depth), self.any("integer", depth)
        part = rng.choice(list(PARTS))
        ways: list[Callable[[], Piece]] = [
            lambda: n.plus(self, x, y), lambda: n.times(self, x, y), lambda: n.remainder(self, x, y),
            lambda: n.minus(self, x), lambda: n.absolute(self, x),
            lambda: n.sign(self, self.any("number", depth)),
            lambda: n.whole_part(self, self.any("number", depth)),
            lambda: n.nearest(self, self.any("number", depth)),
            lambda: n.from_text(self, self.any("text", depth), "integer"),
            lambda: n.extremes(x, y, rng.random() < 0.5),
            lambda: n.from_truth(self, self.any("boolean", depth)),
            lambda: self._length(self.any("text", depth)),
            lambda: self._part(part, self.any("date", depth)), lambda: self._between_days(depth),
            lambda: n.sign(self, x), lambda: n.rounded(self, x),
            lambda: times.part(self, depth), lambda: times.apart(self, depth),
            lambda: words.position(self, depth),
        ]  # fmt: skip
        return rng.choice(ways)()

    def _number(self, depth: int) -> Piece:
        rng, n = self.rng, numbers
        x, y = self.any("number", depth), self.any(rng.choice(("number", "integer")), depth)
        ways: list[Callable[[], Piece]] = [
            lambda: n.plus(self, x, y), lambda: n.times(self, x, y), lambda: n.over(self, x, y),
            lambda: n.over(self, self.any("integer", depth), y), lambda: n.minus(self, x),
            lambda: n.absolute(self, x),
            lambda: n.rounded(self, x), lambda: n.root(self, x), lambda: n.curved(self, y),
            lambda: n.curved(self, x),
            lambda: n.from_integer(self, self.any("integer", depth)),
            lambda: n.extremes(x, y, rng.random() < 0.5),
            lambda: n.from_text(self, self.any("text", depth), "number"),
        ]  # fmt: skip
        return rng.choice(ways)()

    def _text(self, depth: int) -> Piece:
        rng = self.rng
        x, y = self.any("text", depth), self.any("text", depth)
        start, size = rng.choice((1, 2, 5, 999, 10**6)), rng.choice((0, 1, 3, 50, 1_000))
        shorter = size if x.length is None else min(size, x.length)
        ways: list[Callable[[], Piece]] = [
            lambda: made("LEFT", "text", f"LEFT({{0}}, {size})", lambda a: a[:size], x, length=shorter),
            lambda: made("SUBSTRING", "text", f"SUBSTRING({{0}}, {start}, {size})",
                         lambda a: a[start - 1 : start - 1 + size], x, length=shorter),
            lambda: made("SUBSTRING from", "text", f"SUBSTRING({{0}}, {start})",
            lambda a: a[start - 1 :], x, length=x.length),
            lambda: made("TRIM", "text", "TRIM({0})", lambda a: a.strip(" "), x, length=x.length),
            lambda: made("LTRIM", "text", "LTRIM({0})", lambda a: a.lstrip(" "), x, length=x.length),
            lambda: made("RTRIM", "text", "RTRIM({0})", lambda a: a.rstrip(" "), x, length=x.length),
            lambda: self._cased(x), lambda: self._cased(self.column("colour")),
            lambda: self._joined(x, y), lambda: self._joined(x, y),
            lambda: made("CAST AS VARCHAR", "text", "CAST({0} AS VARCHAR)", str, self.any("integer",
            depth), length=20),
            lambda: made("CAST date AS VARCHAR", "text", "CAST({0} AS VARCHAR)", date.isoformat,
            self.any("date", depth),
                         length=10),
            lambda: made("CAST boolean AS VARCHAR", "text", "CAST({0} AS VARCHAR)", lambda a: str(a).lower(),
                         self.any("boolean", depth), length=5),
            lambda: numbers.extremes(x, y, rng.random() < 0.5),
            lambda: words.changed(self, depth), lambda: words.changed(self, depth),
            lambda: made("CAST timestamp AS VARCHAR", "text", "CAST({0} AS VARCHAR)",
                         lambda m: str(m.replace(microsecond=0)), self.any("timestamp", depth), length=19),
        ]  # fmt: skip
        return rng.choice(ways)()

    def _cased(self, x: Piece) -> Piece:
        name, to = self.rng.choice((("LOWER", str.lower), ("UPPER", str.upper)))
        exact = x.sql == f"{self.prefix}colour"
        length = 3 * min(1_000, x.length if x.length is not None else 1_000)
        return made(name, "text", f"{name}({{0}})", lambda a: to(a[:1_000]), x, off=x.off if exact else INF,
                    apart=not exact, length=length)  # fmt: skip

    def _joined(self, x: Piece, y: Piece) -> Piece:
        """|| of texts, cut to 1,000 characters when they can have any number."""
        parts = [part if (part.length or 0) <= 4_000 else made("LEFT", "text", "LEFT({0}, 50)",
        lambda a: a[:50], part, length=50)
                 for part in (x, y)]  # fmt: skip
        most = [10**9 if part.length is not None else 1_000 for part in parts]
        length = sum(1_000 if part.length is None else part.length for part in parts)
        return made(
            "||", "text", "({0} || {1})", lambda a, b: a[: most[0]] + b[: most[1]], *parts, length=length
        )

    def _length(self, x: Piece) -> Piece:
        return made(
            "LENGTH",
            "integer",
            "LENGTH({0})",
            len,
            x,
            jump=True,
            low=0,
            high=2.0**32 if x.length is None else x.length,
        )

    def _part(self, name: str, x: Piece) -> Piece:
        written = [f"EXTRACT({name} FROM {{0}})", f"DATE_PART('{name}', {{0}})"]
        if name in ("year", "month", "day"):
            written.append(f"{name.upper()}({{0}})")
        return made(
            f"date part {name}",
            "integer",
            self.rng.choice(written),
            PARTS[name],
            x,
            jump=True,
            low=0,
            high=9999,
        )

    def _between_days(self, depth: int) -> Piece:
        parts = self.any("date", depth), self.any("date", depth)
        if "NULL" in (part.sql for part in parts):
            parts = self.column("day"), self.column("other")
        return made(
            "date - date",
            "integer",
            "({0} - {1})",
            lambda a, b: (a - b).days,
            *parts,
            jump=True,
            low=-4e6,
            high=4e6,
        )

    def _date(self, depth: int) -> Piece:
        rng = self.rng
        x, y = self.any("date", depth), self.any("date", depth)
        if rng.random() < 0.5:
            return rng.choice((times.cut, times.moved, times.cast))(self, "date", depth)
        if rng.random() < 0.5:
            return numbers.extremes(x, y, rng.random() < 0.5)
        text = self.any("text", depth)
        if text.fixed:
            text = self.column("name")
        return made("CAST text AS DATE", "date", "CAST({0} AS DATE)", as_day, text, jump=True)

    def _moment(self, depth: int) -> Piece:
        rng = self.rng
        if rng.random() < 0.7:
            return rng.choice((times.cut, times.moved, times.cast))(self, "timestamp", depth)
        x, y = self.any("timestamp", depth), self.any("timestamp", depth)
        return numbers.extremes(x, y, rng.random() < 0.5)

    def _choice(self, kind: Kind, depth: int) -> Piece:
        """CASE, IF, COALESCE, NULLIF over one kind; whole and broken numbers meet as broken ones."""
        rng = self.rng
        kinds: tuple[Kind, ...] = ("integer", "number") if kind == "number" else (kind,)
        x, y = self.any(kind, depth - 1), self.any(rng.choice(kinds), depth - 1)
        test = self.any("boolean", depth - 1)
        known: dict[str, Any] = {"step": min(x.step, y.step)}
        if x.bounded and y.bounded:
            known["low"], known["high"] = both(x, y)
        known["length"] = None if x.length is None or y.length is None else max(x.length, y.length)
        ways: list[tuple[str, str, Callable[..., Any]]] = [
            ("CASE", "CASE WHEN {0} THEN {1} ELSE {2} END", lambda t, a, b: a if t else b),
            ("CASE", "CASE WHEN {0} THEN {1} ELSE {2} END", lambda t, a, b: a if t else b),
            ("IF", "IF({0}, {1}, {2})", lambda t, a, b: a if t else b),
            ("IIF", "IIF({0}, {1}, {2})", lambda t, a, b: a if t else b),
            ("CASE without ELSE", "CASE WHEN {0} THEN {1} WHEN NOT {0} THEN {2} END",
             lambda t, a, b: a if t else b if t is False else None),
        ]  # fmt: skip
        more: list[tuple[str, str, Callable[..., Any]]] = [
            ("COALESCE", "COALESCE({1}, {2})", lambda _, a, b: a if a is not None else b),
            ("IFNULL", "IFNULL({1}, {2})", lambda _, a, b: a if a is not None else b),
            ("NULLIF", "NULLIF({1}, {2})", lambda _, a, b: None if a == b else a),
            ("CASE x", "CASE {1} WHEN {2} THEN {1} ELSE {2} END", lambda _t, _a, b: b),
        ]
        name, template, function = rng.choice(ways + more)
        if name in ("NULLIF", "CASE x"):
            test = Piece("TRUE", "boolean", lambda _: True)
            jumps = bool(x.off or y.off)
        else:
            jumps = bool(test.off)
        if name in ("COALESCE", "IFNULL"):
            test = Piece("TRUE", "boolean", lambda _: True)
        off = INF if jumps else max(x.off, y.off)

        def value(t: Any, *values: Any) -> Any:
            return function(t, *alike(values, kind))

        return made(name, kind, template, value, test, x, y, nulls=True, off=off, **known)
