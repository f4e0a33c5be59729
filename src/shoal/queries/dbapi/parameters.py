"""Parameters put into a question, because the service takes a text and nothing beside it.

Only a question mark outside of quotes and comments stands for one, and every value is written as a literal
that cannot end before its last sign.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np

# Texts, names and comments are skipped as they are; one that never ends is left for the service to refuse.
_PARTS = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|\?|[^'"?/-]+|.""", re.DOTALL)


def put_in(sql: str, parameters: Sequence[object] | Mapping[str, object]) -> str:
    """The question with its parameters in the places of its question marks."""
    if isinstance(parameters, Mapping | str | bytes):
        raise ValueError("parameters are a list, one for each question mark; names are not taken")
    values: Iterator[object] = iter(parameters or ())
    written, places = [], 0
    for part in _PARTS.findall(sql):
        if part != "?":
            written.append(part)
            continue
        places += 1
        if places > len(parameters):
            break
        written.append(literal(next(values)))
    if places != len(parameters):
        marks = "a question mark" if places == 1 else f"{places} question marks or more"
        raise ValueError(f"the question has {marks}, and there are {len(parameters)} parameters")
    return "".join(written)


def literal(value: object) -> str:
    """A value as SQL."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "TRUE" if value else "FALSE"
        case datetime():
            if value.tzinfo is not None:
                raise ValueError("a moment with a time zone is no parameter; take the zone away first")
            return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
        case date():
            return f"DATE '{value.isoformat()}'"
        case str():
            if "\0" in value:
                raise ValueError("a text with a zero character is no parameter")
            return "'" + value.replace("'", "''") + "'"
        case int() | float() | Decimal() | Fraction():
            return _figure(value)
    if isinstance(value, np.generic) and isinstance(plain := value.item(), bool | int | float | str):
        return literal(plain)
    raise ValueError(f"a {type(value).__name__} is no parameter; give a number, text, date, truth or None")


def _figure(value: int | float | Decimal | Fraction) -> str:
    """Digits only: an exponent is not read everywhere. A minus stands in brackets, or two make a comment."""
    if not isinstance(value, int) and not math.isfinite(value):
        raise ValueError(f"{value} is no parameter; give a finite number")
    exact = value if isinstance(value, int | Decimal) else Decimal(repr(float(value)))
    text = format(exact, "f") if isinstance(exact, Decimal) else str(int(exact))
    if len(text) > 400:
        raise ValueError("a number of more than 400 digits is no parameter")
    return f"({text})" if text.startswith("-") else text
