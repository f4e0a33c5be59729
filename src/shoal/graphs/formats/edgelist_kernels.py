"""The compiled loops that read whole numbers from text. Each has a plain-Python twin in the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled

Bytes = NDArray[np.uint8]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

NONE = -1  # in the place of a target: the line names one node only
_ONE = np.uint64(1)
_LONGEST = np.uint64(18)  # digits that always fit into 64 bits
_LINE, _TAB, _RETURN, _BLANK, _ZERO, _NINE = 10, 9, 13, 32, 48, 57
_QUOTE, _HASH, _PERCENT, _BRACE = 34, 35, 37, 123


@compiled
def parse_pairs(
    text: Bytes, end: int, separator: int, width: int, sources: Int64, targets: Int64
) -> tuple[int, int]:
    """Two whole numbers from every line of `text[:end]`, which must end with a line end.

    Returns how many lines gave numbers, and where reading stopped: at `end`, or at the start of the first
    line that is not plain. Separator 0 stands for blanks and tabs. A line has `width` fields, or names one
    node only (the target is then -1); blank lines and comments are passed over.
    """
    count, at = 0, 0
    while at < end:
        # Nearly all lines are two numbers and nothing else; an unsigned index spares a test for each byte.
        place = np.uint64(at)
        first, second, plain = 0, 0, False
        begun, byte = place, text[place]
        while _ZERO <= byte <= _NINE:
            first = first * 10 + (byte - _ZERO)
            place += _ONE
            byte = text[place]
        long = place - begun
        if byte == separator or (separator == 0 and byte in (_BLANK, _TAB)):
            sound = np.uint64(0) < long <= _LONGEST and (text[begun] != _ZERO or long == _ONE)
            place += _ONE
            begun, byte = place, text[place]
            while _ZERO <= byte <= _NINE:
                second = second * 10 + (byte - _ZERO)
                place += _ONE
                byte = text[place]
            long = place - begun
            sound &= np.uint64(0) < long <= _LONGEST and (text[begun] != _ZERO or long == _ONE)
            plain = bool(sound and width == 2 and byte == _LINE)
        if plain:
            at = np.int64(place) + 1  # type: ignore[assignment]
        else:
            after, first, second = _parse_line(text, at, separator, width)
            if after < 0:
                return count, at
            at = after
            if first < 0:
                continue
        sources[count] = first
        targets[count] = second
        count += 1
    return count, end


@compiled
def _parse_line(text: Bytes, at: int, separator: int, width: int) -> tuple[int, int, int]:
    """Where the next line starts, and the two numbers of this one: -1 for none, or for a strange line."""
    strange = -1, -1, -1
    at = _past_blanks(text, at, separator)
    if text[at] == _LINE:
        return at + 1, NONE, NONE
    if text[at] == _HASH or text[at] == _PERCENT:
        while text[at] != _LINE:
            at += 1
        return at + 1, NONE, NONE
    after, first = _number(text, at)
    if first < 0:
        return strange
    at = _past_blanks(text, after, separator)
    if text[at] == _LINE:
        return at + 1, first, NONE
    if separator == 0:
        if at == after:
            return strange
    elif text[at] != separator:
        return strange
    else:
        at = _past_blanks(text, at + 1, separator)
    second = NONE
    if separator == 0 or _ZERO <= text[at] <= _NINE:
        at, second = _number(text, at)
        if second < 0 or (text[at] > _BLANK and text[at] != separator):
            return strange
    fields, inside = 2, False
    at = _past_blanks(text, at, separator)
    while text[at] != _LINE:
        byte = text[at]
        if byte in (_QUOTE, _BRACE, _RETURN, 0):
            return strange
        if separator != 0:
            fields += byte == separator
            if byte != separator and (fields == 2 or second == NONE):
                return strange
        elif not inside:
            fields += 1
        after = _past_blanks(text, at + 1, separator)
        inside = after == at + 1
        at = after
    if fields != width and (second != NONE or fields > width):
        return strange
    return at + 1, first, second


@compiled
def _number(text: Bytes, at: int) -> tuple[int, int]:
    """The place after a whole number as one writes it, and the number; -1 where there is none."""
    begun, value = at, 0
    while _ZERO <= text[at] <= _NINE:
        value = value * 10 + (text[at] - _ZERO)
        at += 1
    if at == begun or np.uint64(at - begun) > _LONGEST or (text[begun] == _ZERO and at - begun > 1):
        return at, NONE
    return at, value


@compiled
def _past_blanks(text: Bytes, at: int, separator: int) -> int:
    while text[at] == _BLANK or (text[at] == _TAB and separator != _TAB):
        at += 1
    if text[at] == _RETURN and text[at + 1] == _LINE:
        at += 1
    return at


@compiled
def mark(there: NDArray[np.bool_], values: NDArray[np.integer]) -> None:
    """Note which values occur."""
    for value in values:
        there[value] = True


@compiled
def places(distinct: Int64, values: Int64) -> Int32:
    """Where each value stands among distinct values; all of them must be there."""
    size = 16
    while size < 2 * len(distinct):
        size *= 2
    table = np.full(size, -1, np.int32)
    for number in range(len(distinct)):
        at = _slot(distinct[number], size)
        while table[at] >= 0:
            at = (at + 1) & (size - 1)
        table[at] = number
    found = np.empty(len(values), np.int32)
    for index in range(len(values)):
        at = _slot(values[index], size)
        while distinct[table[at]] != values[index]:
            at = (at + 1) & (size - 1)
        found[index] = table[at]
    return found


@compiled
def _slot(value: int, size: int) -> int:
    mixed = np.uint64(value) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed >> np.uint64(24)) & np.uint64(size - 1))  # type: ignore[return-value]
