"""Columns of values with SQL's nulls, as arrays that numpy is fast with.

A column has one of three forms. Numbers are doubles, and not-a-number is null. Truths are small integers:
false -1, unknown 0, true 1, so that AND is the smaller, OR the larger and NOT the negative (Kleene 1938).
Texts are objects, and None is null; dates and moments are texts such as 2024-01-31 and 2024-01-31 10:00:00,
which sort as they do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.queries.declaration.declaration import Value

Array = NDArray[Any]
FALSE, UNKNOWN, TRUE = np.int8(-1), np.int8(0), np.int8(1)
EXACT = 2**53  # up to here every whole number is a double
LONGEST = 10_000  # characters of a text made of others; one that would be longer is null
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*", re.IGNORECASE | re.ASCII)


def column(values: Array | Sequence[Value]) -> Array:
    """A column in one of the three forms; what is not of the kind of its first value is null."""
    array = np.asarray(values if isinstance(values, np.ndarray) else _objects(values))
    if array.dtype == np.int8:  # truths already
        return array
    if array.dtype.kind == "b":
        return np.where(array, TRUE, FALSE)
    if array.dtype.kind in "iuf":
        return finite(array.astype(np.float64))
    array = array.astype(object)
    first = next((value for value in array.flat if value is not None and value == value), None)
    if isinstance(first, bool | np.bool_):
        return _each(_truth, array).astype(np.int8)
    if isinstance(first, str | date):
        return _each(_text, array)
    return finite(_each(_real, array).astype(np.float64))


def plain_values(array: Array, whole: bool) -> list[Value]:
    """A column of one dimension as plain values; whole numbers as such when asked for."""
    if array.dtype == np.int8:
        return [None if value == 0 else value > 0 for value in array.tolist()]
    if array.dtype == object:
        return list(array.tolist())
    # Adding zero takes the sign from a negative zero.
    return [
        None if math.isnan(value) else int(value) if whole and value.is_integer() else value + 0.0
        for value in array.tolist()
    ]


def finite(numbers: Array) -> Array:
    """Numbers with null for whatever overflowed or is out of the domain."""
    return np.where(np.isfinite(numbers), numbers, np.nan)


def missing(array: Array) -> NDArray[np.bool_]:
    """Where a column is null."""
    if array.dtype == object:
        return np.asarray(array == None, np.bool_)  # noqa: E711
    return np.asarray(array == UNKNOWN if array.dtype == np.int8 else np.isnan(array))


def nulls(kind: np.dtype[Any]) -> Array:
    """One null that goes with every column of the kind."""
    return np.asarray({"O": None, "i": UNKNOWN}.get(kind.kind, np.nan), kind)


def coerce(array: Array, kind: np.dtype[Any] | type) -> Array:
    """A column of this kind; one of another kind is null throughout."""
    kind = np.dtype(kind)
    return array if array.dtype == kind else np.broadcast_to(nulls(kind), array.shape)


def alike(*arrays: Array) -> list[Array]:
    """Columns of one kind: text if one is, else truths, else numbers. NULL itself goes with each."""
    kinds = {array.dtype.char: array.dtype for array in arrays}
    kind = kinds.get("O") or kinds.get("b") or np.dtype(np.float64)
    return [coerce(array, kind) for array in arrays]


def compare(operator: Callable[[Array, Any], Any], left: Array, right: Array) -> Array:
    """Whether two columns stand in a relation such as `less`; unknown where one of them is null."""
    left, right = alike(left, right)
    if left.dtype == object:
        left, right = _each(_sign, left, right).astype(np.float64), np.asarray(0.0)
    elif left.dtype == np.int8:
        left, right = np.where(left == 0, np.nan, left), np.where(right == 0, np.nan, right)
    known = ~(np.isnan(left) | np.isnan(right))
    return np.where(known, np.where(operator(left, right), TRUE, FALSE), UNKNOWN)


def round_half_up(numbers: Array, decimals: Array | None = None) -> Array:
    """Rounded to so many decimals, halves away from zero, as SQL does."""
    places = 0 if decimals is None else int(decimals)
    scale = 10.0 ** min(abs(places), 308)
    if not places:
        return _halves_away(numbers)
    if places < 0:
        return _halves_away(numbers / scale) * scale
    made = _halves_away(numbers * scale) / scale
    return np.where(np.isfinite(made), made, numbers)  # so large a number has no decimals to lose


def power(base: Array, exponent: Array) -> Array:
    """One number to the power of another. Nothing to the power of zero is nothing, not one."""
    return np.where(np.isnan(base) | np.isnan(exponent), np.nan, np.power(base, exponent))


def as_text(array: Array) -> Array:
    """A cast to text; whole numbers are written without a point."""
    if array.dtype == object:
        return array
    return _each(_truth_in_words if array.dtype == np.int8 else _number_in_words, array)


def as_number(array: Array, limit: float | None = None) -> Array:
    """A cast to a number, with a limit to a whole one from -limit to below it; null where it fails."""
    if array.dtype == object:
        array = finite(_each(_number_of_text, array).astype(np.float64))
    elif array.dtype == np.int8:
        array = np.where(array == 0, np.nan, np.where(array > 0, 1.0, 0.0))
    if limit is None:
        return array
    whole = np.rint(array)
    return np.where((whole >= -limit) & (whole < limit), whole, np.nan)


def like(texts: Array, pattern: str) -> Array:
    """Whether texts match a pattern of LIKE, where % is anything and _ is one sign."""
    # Piece after piece, each at the first place where it fits: trying all ways at once can take forever.
    pieces = [re.compile(_one_by_one(piece), re.DOTALL) for piece in pattern.split("%")]
    first, last, middle = pieces[0], pieces[-1], pieces[1:-1]
    tail = len(pattern.rpartition("%")[2])

    def matches(text: str | None) -> int:
        if text is None:
            return int(UNKNOWN)
        if len(pieces) == 1:
            return int(TRUE if first.fullmatch(text) else FALSE)
        found = first.match(text)
        for piece in middle:
            found = found and piece.search(text, found.end())
        end = len(text) - tail
        return int(TRUE if found and end >= found.end() and last.match(text, end) else FALSE)

    return _each(matches, coerce(texts, object)).astype(np.int8)


def concatenate(left: Array, right: Array) -> Array:
    """Two columns of text, one written behind the other."""

    def both(one: str | None, other: str | None) -> str | None:
        fits = one is not None and other is not None and len(one) + len(other) <= LONGEST
        return f"{one}{other}" if fits else None

    return _each(both, left, right)


def ranks(array: Array, descending: bool, nulls_first: bool) -> Array:
    """Where each value comes in an order; equal values come at the same place."""
    empty = missing(array)
    places = np.zeros(array.shape, np.int64)
    places[~empty] = np.unique(array[~empty], return_inverse=True)[1]
    places = -places if descending else places
    return np.where(empty, -array.size - 1 if nulls_first else array.size + 1, places)


def _each(function: Callable[..., Any], *arrays: Array) -> Array:
    return np.asarray(np.frompyfunc(function, len(arrays), 1)(*arrays), object)


def _objects(values: Sequence[Value]) -> Array:
    array = np.empty(len(values), object)
    array[:] = values
    return array


def _truth(value: object) -> np.int8:
    return (TRUE if value else FALSE) if isinstance(value, bool | np.bool_) else UNKNOWN


def _text(value: object) -> str | None:
    if isinstance(value, str):
        return str(value)
    # Of a moment "2024-01-31 10:00:00", which sorts as it does; of a day "2024-01-31".
    return str(value) if isinstance(value, date) else None


def _real(value: object) -> float:
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real | Decimal):
        return math.nan
    try:
        return float(value)
    except (OverflowError, ValueError):
        return math.nan


def _sign(one: str | None, other: str | None) -> float:
    return math.nan if one is None or other is None else float((one > other) - (one < other))


def _halves_away(numbers: Array) -> Array:
    size = np.abs(numbers)
    below = np.floor(size)
    return np.asarray(np.copysign(below + (size - below >= 0.5), numbers))


def _truth_in_words(value: int) -> str | None:
    return {-1: "false", 1: "true"}.get(value)


def _number_in_words(value: float) -> str | None:
    if math.isnan(value):
        return None
    return str(int(value)) if value.is_integer() and abs(value) <= EXACT else repr(value)


def _number_of_text(text: str | None) -> float:
    return float(text) if text is not None and _NUMBER.fullmatch(text) else math.nan


def _one_by_one(piece: str) -> str:
    return "".join("." if sign == "_" else re.escape(sign) for sign in piece)
