"""Functions of texts.

What could grow or is converted is cut to 1,000 characters first: huge texts raise in PostgreSQL.
"""

from __future__ import annotations

import unicodedata

from sqlglot import exp

from shoal.queries.declaration.declaration import Value
from shoal.queries.sql.allow_list import only
from shoal.queries.sql.value_properties import (
    Cell,
    Walk,
    call,
    call_on,
    constant,
    image,
    in_parentheses,
    integer,
    null_of,
    refuse,
    text,
)
from shoal.queries.sql.work_limit import LONGEST, TIMES, times

_JOINED = 10_000  # of any text at all: a store holds shorter ones, and nothing longer is made of them
_POSITION = 1_000_000
_TRIMMED = 6  # times a quick function: PostgreSQL looks at every letter of a text beyond ASCII first
_SLOW = 12  # times a quick function: it makes a piece of each letter where it must


def unreadable(value: str) -> bool:
    """Whether there are control characters, NUL among them, or halves of surrogate pairs."""
    return not value.isprintable() and any(unicodedata.category(letter) in ("Cc", "Cs") for letter in value)


def literal_text(value: str, node: exp.Expression) -> Cell:
    """A text as it was written, made anew."""
    if unreadable(value) or "\\" in value:
        # A server whose standard_conforming_strings is off would take a backslash for an escape.
        refuse(node, "a text has no control characters and no backslash; leave them out")
    if len(value) > LONGEST:
        refuse(node, f"a text in a question has at most {LONGEST:,} characters; shorten it")
    sql = exp.cast(exp.Literal.string(value), exp.DataType.Type.TEXT, copy=False)
    return text(sql, missing=False, length=len(value), domain=(value,))


def textual(node: object, walk: Walk) -> Cell:
    """A part that is a text."""
    cell = walk.cell(node)
    if cell.blank:
        return null_of("text")
    if cell.kind != "text":
        # `cell` has seen the node, so that it is one.
        refuse(node, f"it is {cell.kind}, not text; CAST it to VARCHAR")  # type: ignore[arg-type]
    return cell


def cut(cell: Cell, most: int = LONGEST) -> Cell:
    """The first characters of a text, when it can have any number of them."""
    if cell.length is not None and cell.length <= most:
        return cell
    sql = call_on(cell, "LEFT", exp.Literal.number(most))
    return text(sql, cell.missing, most, image(lambda value: value[:most], cell))


def change_case(node: exp.Expression, walk: Walk) -> Cell:
    """LOWER and UPPER; letters beyond ASCII as the engine has them."""
    only(node, "this")
    lower = isinstance(node, exp.Lower)
    cell = cut(textual(node.this, walk))
    domain = None
    if cell.domain is not None and all(value is None or str(value).isascii() for value in cell.domain):
        domain = image(str.lower if lower else str.upper, cell)
    sql = call_on(cell, "LOWER" if lower else "UPPER")
    # One letter can become three, as in ﬃ.
    return text(sql, cell.missing, 3 * (cell.length or 0), domain)


def trim(node: exp.Expression, walk: Walk) -> Cell:
    """TRIM, LTRIM and RTRIM of spaces."""
    only(node, "this", "position")
    position = str(node.args.get("position") or "BOTH").upper()
    cell = textual(node.this, walk)
    sql, space = cell.sql.copy(), exp.cast(exp.Literal.string(" "), exp.DataType.Type.TEXT, copy=False)
    if position not in ("BOTH", "LEADING", "TRAILING"):
        refuse(node, "write TRIM(x), LTRIM(x) or RTRIM(x)")
    for name, other in (("LTRIM", "TRAILING"), ("RTRIM", "LEADING")):
        if position != other:
            sql = call(name, sql, space.copy())
            sql.meta[TIMES] = times(_TRIMMED, cell.length)

    def strip(value: str) -> str:
        value = value if position == "TRAILING" else value.lstrip(" ")
        return value if position == "LEADING" else value.rstrip(" ")

    return text(sql, cell.missing, cell.length, image(strip, cell))


def length(node: exp.Expression, walk: Walk) -> Cell:
    """LENGTH in characters."""
    only(node, "this")
    cell = textual(node.this, walk)
    sql = exp.cast(call_on(cell, "LENGTH"), exp.DataType.Type.BIGINT, copy=False)
    high = float(_JOINED if cell.length is None else cell.length)
    return integer(0.0, high, cell.missing, sql=sql, domain=image(len, cell))


def part(node: exp.Expression, walk: Walk) -> Cell:
    """SUBSTRING and LEFT at written positions."""
    left = isinstance(node, exp.Left)
    only(node, *(("this", "expression") if left else ("this", "start", "length")))
    cell = textual(node.this, walk)
    start = 1 if left else _position(node.args.get("start"), 1, node, walk)
    size = node.args.get("expression" if left else "length")
    if size is None:
        if left:
            refuse(node, "LEFT takes a text and a number; write LEFT(x, 3)")
        sql = call_on(cell, "SUBSTRING", exp.Literal.number(start))
        return text(sql, cell.missing, cell.length, image(lambda value: value[start - 1 :], cell))
    most = _position(size, 0, node, walk)
    sql = call_on(cell, "SUBSTRING", exp.Literal.number(start), exp.Literal.number(most))
    longest = most if cell.length is None else min(most, cell.length)
    return text(sql, cell.missing, longest, image(lambda value: value[start - 1 : start - 1 + most], cell))


def _position(found: object, least: int, node: exp.Expression, walk: Walk) -> int:
    value: Value = constant(walk.cell(found))
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _POSITION:
        refuse(node, f"positions are written numbers from {least} to {_POSITION:,}; write SUBSTRING(x, 1, 3)")
    return value


def concatenate(node: exp.Expression, walk: Walk) -> Cell:
    """|| of texts; missing where one of them is."""
    only(node, "this", "expression", "safe")
    left, right = (
        cut(cell) if cell.length is None else cell
        for cell in (textual(node.this, walk), textual(node.expression, walk))
    )
    longest = (left.length or 0) + (right.length or 0)
    if longest > _JOINED:
        refuse(node, f"the text can get longer than {_JOINED:,} characters; take LEFT(x, 100) of its parts")
    sql = exp.DPipe(this=in_parentheses(left.sql.copy()), expression=in_parentheses(right.sql.copy()))
    sql.meta[TIMES] = times(1, longest)
    return text(sql, left.missing or right.missing, longest, image(lambda a, b: a + b, left, right))


def right(node: exp.Expression, walk: Walk) -> Cell:
    """RIGHT: so many of the last characters."""
    only(node, "this", "expression")
    cell = textual(node.this, walk)
    most = _position(node.args.get("expression"), 0, node, walk)
    sql = call_on(cell, "RIGHT", exp.Literal.number(most), thousand=3)
    longest = most if cell.length is None else min(most, cell.length)
    return text(sql, cell.missing, longest, image(lambda value: value[-most:] if most else "", cell))


def replace_part(node: exp.Expression, walk: Walk) -> Cell:
    """REPLACE of one written text by another, everywhere."""
    only(node, "this", "expression", "replacement")
    cell = cut(textual(node.this, walk))
    old, new = (
        written(node.args.get(name), node, walk, least)
        for name, least in (("expression", 1), ("replacement", 0))
    )
    longest = (cell.length or 0) * max(1, -(-len(new) // len(old)))
    if longest > _JOINED:
        refuse(node, f"the text can get longer than {_JOINED:,} characters; take LEFT(x, 100) of it")
    sql = call_on(cell, "REPLACE", exp.Literal.string(old), exp.Literal.string(new), thousand=_SLOW)
    return text(sql, cell.missing, longest, image(lambda value: value.replace(old, new), cell))


def split_part(node: exp.Expression, walk: Walk) -> Cell:
    """SPLIT_PART: what stands between written texts, counted from 1; nothing where there are fewer."""
    only(node, "this", "delimiter", "part_index")
    cell = textual(node.this, walk)
    between = written(node.args.get("delimiter"), node, walk, 1)
    index = _position(node.args.get("part_index"), 1, node, walk)

    def pick(value: str) -> str:
        parts = value.split(between)
        return parts[index - 1] if index <= len(parts) else ""

    at = exp.Literal.number(index)
    sql = call_on(cell, "SPLIT_PART", exp.Literal.string(between), at, thousand=_SLOW)
    return text(sql, cell.missing, cell.length, image(pick, cell))


def written(found: object, node: exp.Expression, walk: Walk, least: int) -> str:
    """A text that stands in the question."""
    value = constant(textual(found, walk))
    if not isinstance(value, str) or len(value) < least:
        refuse(node, "it takes texts that are written out, such as 'a'")
    return value
