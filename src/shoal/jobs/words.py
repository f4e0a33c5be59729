"""What flags and project files list in few words: numbers to try, weights of columns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from shoal.core.errors import BadParameter


def numbers_in(value: object, name: str, kind: type[int] | type[float]) -> tuple[Any, ...]:
    """Numbers to try, from `2,5,10`, one number, or a list; each only once."""
    if value is None:
        return ()
    pieces = value.split(",") if isinstance(value, str) else value
    several = pieces if isinstance(pieces, list | tuple) else [pieces]
    found = []
    for piece in several:
        try:
            whole = kind is int and isinstance(piece, float)
            if isinstance(piece, bool) or whole or not isinstance(piece, str | int | float):
                raise ValueError
            found.append(kind(piece))
        except ValueError:
            wanted = "whole numbers such as 2,5,10" if kind is int else "shares such as 0,0.05"
            raise BadParameter(f"--{name} takes {wanted}, not {piece!r}") from None
    return tuple(dict.fromkeys(found))


def weights_in(value: object) -> dict[str, float]:
    """Weights of columns from a mapping, or from texts such as `age=2`."""
    given = [value] if isinstance(value, str) else value
    if isinstance(given, list | tuple):
        split = [str(text).rpartition("=") for text in given]
        given = {name.strip().strip('"'): weight for name, _, weight in split}
    if not isinstance(given, Mapping):
        raise BadParameter(f"--weight takes COLUMN=NUMBER, as in age=2, not {value!r}")
    found = {}
    for column, weight in given.items():
        try:
            found[str(column)] = float(weight)
            if not column or not 0 <= float(weight) < math.inf:
                raise ValueError
        except (TypeError, ValueError):
            said = f"{column}={weight}" if column else f"{weight}"
            raise BadParameter(f"--weight takes COLUMN=NUMBER from 0 on, as in age=2, not {said!r}") from None
    return found
