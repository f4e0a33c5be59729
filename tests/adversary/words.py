"""Random texts of one row that are searched and cut, with twins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adversary.pieces import Piece, made

if TYPE_CHECKING:
    from adversary.making import Maker

PATTERNS = (
    "^[0-9]+$",
    "e",
    "^x*$",
    "(a|e|i)+",
    "[^0-9a-zA-Z]",
    "^.{2,4}$",
    "^(?:true|yes)$",
    r"^\d{4}-\d\d-\d\d$",
    r"\s",
    r"^\W+$",
    r"\.",
    "é|ß",
    "(?:0|1){3,}",
    "🐟+",
    r"^\+?[0-9]*\.[0-9]+$",
    "^$",
)
PIECES = ("x", "e", "-", "12", "é", "🐟", " ", "''")


def searched(make: Maker, depth: int) -> Piece:
    """A condition over a text."""
    x, way = make.any("text", depth), make.rng.randrange(4)
    if way == 0:
        pattern = make.rng.choice(PATTERNS[:-1])
        twin = re.compile(pattern.replace("$", r"\Z"), re.DOTALL | re.ASCII)
        sql = make.rng.choice((f"({{0}} ~ '{pattern}')", f"REGEXP_MATCHES({{0}}, '{pattern}')"))
        sql = sql.replace("{2,4}", "{{2,4}}").replace("{4}", "{{4}}").replace("{3,}", "{{3,}}")
        return made("~", "boolean", sql, lambda a: bool(twin.search(a[:1_000])), x, jump=True)
    piece = make.rng.choice(PIECES)
    word = piece.replace("''", "'")
    name, function = (
        ("STARTS_WITH", lambda a: a.startswith(word)),
        ("ENDS_WITH", lambda a: a.endswith(word)),
        ("CONTAINS", lambda a: word in a),
    )[way - 1]
    return made(name, "boolean", f"{name}({{0}}, '{piece}')", function, x, jump=True)


def position(make: Maker, depth: int) -> Piece:
    piece, x = make.rng.choice(PIECES), make.any("text", depth)
    word = piece.replace("''", "'")
    sql = make.rng.choice((f"STRPOS({{0}}, '{piece}')", f"POSITION('{piece}' IN {{0}})"))
    high = 10_000 if x.length is None else x.length
    return made("STRPOS", "integer", sql, lambda a: a.find(word) + 1, x, jump=True, low=0, high=high)


def changed(make: Maker, depth: int) -> Piece:
    """RIGHT, REPLACE and SPLIT_PART."""
    rng, x = make.rng, make.any("text", depth)
    piece, way, size = rng.choice(PIECES), rng.randrange(3), rng.choice((0, 1, 3, 1_000))
    word = piece.replace("''", "'")
    if way == 0:
        length = size if x.length is None else min(size, x.length)
        return made(
            "RIGHT", "text", f"RIGHT({{0}}, {size})", lambda a: a[-size:] if size else "", x, length=length
        )
    if way == 1:
        new = rng.choice(("", "y", "ab"))
        most = 1_000 if x.length is None or x.length > 1_000 else x.length
        return made(
            "REPLACE",
            "text",
            f"REPLACE({{0}}, '{piece}', '{new}')",
            lambda a: a[:1_000].replace(word, new),
            x,
            length=2 * most,
        )
    place = rng.choice((1, 2, 5))
    return made(
        "SPLIT_PART",
        "text",
        f"SPLIT_PART({{0}}, '{piece}', {place})",
        lambda a: [*a.split(word), *[""] * 5][place - 1],
        x,
        length=x.length,
    )
