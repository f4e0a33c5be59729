"""Random conditions over one row, with twins."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from adversary import words
from adversary.pieces import INF, Piece, alike, in_steps, made, quoted, whole
from shoal.queries.declaration.declaration import Kind

if TYPE_CHECKING:
    from adversary.making import Maker

KINDS: tuple[Kind, ...] = ("integer", "number", "text", "boolean", "date", "timestamp")
SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda x, y: x == y, "<>": lambda x, y: x != y, "<": lambda x, y: x < y, "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y, ">=": lambda x, y: x >= y,
}  # fmt: skip
FIXED = Piece("TIMESTAMP '1970-01-01'", "timestamp", lambda _: datetime(1970, 1, 1), fixed=True)
PATTERNS = ("%", "_", "%e%", "O'%", "", "r_d", "%1", "__%", "%x%x%x%x%", "🐟%", "%\u0301")
TRUTHS = {"true": True, "t": True, "1": True, "yes": True, "y": True}
TRUTHS |= {"false": False, "f": False, "0": False, "no": False, "n": False}


def like(pattern: str) -> Callable[[str], bool]:
    words = "".join(".*" if sign == "%" else "." if sign == "_" else re.escape(sign) for sign in pattern)
    return lambda text: re.fullmatch(words, text, re.DOTALL) is not None


def conjunction(*values: Any) -> Any:
    return False if False in values else None if None in values else True


def disjunction(*values: Any) -> Any:
    return True if True in values else None if None in values else False


def condition(make: Maker, depth: int) -> Piece:
    rng = make.rng
    way = rng.randrange(15)
    if way > 12:
        return words.searched(make, depth)
    if way < 3:
        parts = make.any("boolean", depth), make.any("boolean", depth)
        if way == 2:
            return made("NOT", "boolean", "(NOT {0})", lambda a: not a, parts[0])
        name, of = (("AND", conjunction), ("OR", disjunction))[way]
        return made(name, "boolean", f"({{0}} {name} {{1}})", of, *parts, nulls=True)
    if way == 3:
        return made(
            "IS NULL",
            "boolean",
            "({0} IS NULL)",
            lambda a: a is None,
            _valued(make, depth),
            nulls=True,
            jump=True,
        )
    if way == 4:
        word = rng.choice(("TRUE", "FALSE", "NOT TRUE", "NOT FALSE", "NOT NULL"))
        tests: dict[str, Callable[[Any], bool]] = {
            "TRUE": lambda a: a is True, "FALSE": lambda a: a is False, "NOT TRUE": lambda a: a is not True,
            "NOT FALSE": lambda a: a is not False, "NOT NULL": lambda a: a is not None,
        }  # fmt: skip
        return made(
            f"IS {word}",
            "boolean",
            f"({{0}} IS {word})",
            tests[word],
            make.any("boolean", depth),
            nulls=True,
        )
    if way == 5:
        pattern, negated = rng.choice(PATTERNS), rng.random() < 0.3
        match = like(pattern)
        escaped = pattern.replace("'", "''")
        return made("LIKE", "boolean", f"({{0}} {'NOT ' if negated else ''}LIKE '{escaped}')",
                    lambda a: match(a) != negated, make.any("text", depth), jump=True)  # fmt: skip
    if way == 6:
        return made("ILIKE", "boolean", "({0} ILIKE '%E%')", lambda a: "e" in a.lower(),
        make.any("text", depth), off=INF,
                    apart=True)  # fmt: skip
    if way == 7:
        x = make.any(rng.choice(("integer", "number")), depth)
        return made(
            "CAST number AS BOOLEAN", "boolean", "CAST({0} AS BOOLEAN)", lambda a: a != 0, x, jump=True
        )
    if way == 8:
        return made("CAST text AS BOOLEAN", "boolean", "CAST({0} AS BOOLEAN)",
                    lambda a: TRUTHS.get(a[:64].strip(" ").lower() if a.isascii() else ""),
                    make.any("text", depth),
                    jump=True)  # fmt: skip
    return _compared(make, depth)


def _valued(make: Maker, depth: int) -> Piece:
    return make.any(make.rng.choice(KINDS), depth)


def _compared(make: Maker, depth: int) -> Piece:
    """=, <, BETWEEN, IN and IS DISTINCT FROM; a bounded column beside written numbers goes in steps."""
    rng = make.rng
    kind: Kind = rng.choice((*KINDS[:3], "date", "timestamp"))
    kinds: tuple[Kind, ...] = ("integer", "number") if kind in ("integer", "number") else (kind,)
    parts = [make.any(rng.choice(kinds), depth) for _ in range(3)]
    way = rng.randrange(6)
    if way == 0:
        values = [make.leaf(kinds[0]) for _ in range(3)]
        usual = {"text": quoted("red"), "date": make.day(), "timestamp": FIXED}.get(kind, whole(7))
        values = [part if part.fixed and part.sql != "NULL" else usual for part in values]
        return _sided("IN", "({0} IN ({1}, {2}, {3}))", lambda a, *rest: a in rest, [parts[0], *values])
    if way == 1:
        return _sided("BETWEEN", "({0} BETWEEN {1} AND {2})", None, parts)
    if way == 2:
        word = rng.choice(("", "NOT "))
        return _sided(f"IS {word}DISTINCT FROM", f"({{0}} IS {word}DISTINCT FROM {{1}})",
                           (lambda a, b: a == b) if word else (lambda a, b: a != b), parts[:2])  # fmt: skip
    sign = rng.choice(list(SIGNS))
    return _sided(sign, f"({{0}} {sign} {{1}})", SIGNS[sign], parts[:2])


def _sided(name: str, template: str, function: Callable[..., Any] | None, parts: list[Piece]) -> Piece:
    stepped = [part for part in parts if part.column is not None]
    others = [part for part in parts if part.column is None]
    off: float | None = None
    kind: Kind = "number" if any(part.kind == "number" for part in parts) else parts[0].kind
    of = stepped[0].column if len(stepped) == 1 and others and all(part.fixed for part in others) else None
    if of is not None and not all(part.literal for part in others):
        off = INF  # an expression of written values alone may be taken for its value, or not
    fits = all(part.reach <= 2.0**62 * float(of.grid) for part in others) if of is not None else False
    places = [part.column is not None for part in parts]

    def value(*values: Any) -> Any:
        found = alike(values, kind)
        if of is not None and fits:
            found = [
                one if held or one is None else in_steps(one, of)
                for one, held in zip(found, places, strict=True)
            ]
        if function is None:
            x, low, high = found
            ends = [None if end is None or x is None else test(end, x) for end, test in
                    ((low, SIGNS["<="]), (high, SIGNS[">="]))]  # fmt: skip
            return conjunction(*ends)
        if None in found and "DISTINCT" not in name:
            return None
        return function(*found)

    return made(
        name,
        "boolean",
        template,
        value,
        *parts,
        nulls=True,
        jump=True,
        off=off,
    )
