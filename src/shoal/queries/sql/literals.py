"""Values as they stand in a question: read, checked and written anew."""

from __future__ import annotations

import math
import re
from typing import ClassVar, cast

from sqlglot import exp

from shoal.queries.declaration.declaration import Kind
from shoal.queries.sql.allow_list import only
from shoal.queries.sql.text_functions import literal_text
from shoal.queries.sql.value_properties import (
    Cell,
    Walk,
    cast_to,
    literal_integer,
    literal_number,
    null_of,
    refuse,
)

LARGEST_EARLIER = 1e12  # so far from nought is the noisy number of a sub-query at most
EARLIER_STEP = -40  # and a multiple of two to this power: products of it cannot underflow
_WHOLE = re.compile(r"[0-9]{1,19}")
_NUMBER = re.compile(r"(?:[0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?")


class EarlierNumber(exp.Expression, exp.Func):
    """The place of a noisy number that is not known yet (`earlier_numbers.py`); no text is read as one."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "kind": True, "low": True, "high": True}


def earlier_number(node: exp.Expression, _walk: Walk) -> Cell:
    """A number, date or timestamp between bounds, or nothing: the engine is asked with the noisy one."""
    only(node, *EarlierNumber.arg_types)
    kind: Kind = cast(Kind, node.args["kind"].this)
    low, high = float(node.args["low"].this), float(node.args["high"].this)
    place = exp.Parameter(this=node.this.copy())
    return Cell(cast_to(place, kind), kind, low, high, step=EARLIER_STEP)


def literal(node: exp.Expression, _walk: Walk) -> Cell:
    """A number or a text."""
    only(node, "this", "is_string")
    written = node.this
    if not isinstance(written, str):
        refuse(node, "write a plain number or a text in single quotes")
    if node.args.get("is_string"):
        return literal_text(written, node)
    if _WHOLE.fullmatch(written):
        if int(written) >= 2**63:
            refuse(node, "a whole number is smaller than 2 to the 63rd; write it with a decimal point")
        return literal_integer(int(written))
    if not _NUMBER.fullmatch(written):
        refuse(node, "write numbers like 12, 0.5 or 1e6")
    value = float(written)
    if math.isinf(value):
        refuse(node, "no double is that large; write a smaller number")
    return literal_number(value)


def truth(node: exp.Expression, _walk: Walk) -> Cell:
    """TRUE and FALSE."""
    only(node, "this")
    value = bool(node.this)
    return Cell(exp.Boolean(this=value), "boolean", domain=(value,), missing=False, step=0)


def null(node: exp.Expression, _walk: Walk) -> Cell:
    """NULL, of whatever kind stands beside it."""
    only(node)
    cell = null_of("text")
    return Cell(cell.sql, "text", domain=(None,), length=0, step=0, blank=True)
