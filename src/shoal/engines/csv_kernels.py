"""The compiled loops that cut text into records and fields."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.compiled import compiled_without_lock

Bytes = NDArray[np.uint8]
Int32 = NDArray[np.int32]

_QUOTE, _LF, _CR = np.uint8(34), np.uint8(10), np.uint8(13)
BARE, QUOTED, ESCAPED = 0, 1, 2  # how a field is written; escaped: as it stands it is not its value
WHOLE, UNEVEN, OPEN = 0, 1, 2  # what became of a block: sound, a record too short or long, an open quote


@compiled_without_lock
def fields(
    block: Bytes,
    separator: np.uint8,
    width: int,
    last: bool,
    starts: Int32,
    ends: Int32,
    kinds: Bytes,
) -> tuple[int, int, int]:
    """Where the fields of a block begin and end: its whole records, the bytes they take, what became of it.

    A quote opens a field and is a character elsewhere; what follows its closing quote belongs to the value.
    A blank line is a record only where a record has one field.
    """
    size, at, records = len(block), 0, 0
    while at < size:
        if width > 1 and (block[at] == _LF or block[at] == _CR):
            at += 1
            continue
        begun, found, more = at, records * width, True
        while more:
            if found == (records + 1) * width:
                return records, begun, UNEVEN
            kind, start = BARE, at
            if at < size and block[at] == _QUOTE:
                kind, start, at = QUOTED, at + 1, at + 1
                while at < size:
                    if block[at] == _QUOTE:
                        if at + 1 == size or block[at + 1] != _QUOTE:
                            break
                        kind, at = ESCAPED, at + 1
                    at += 1
                if at == size:
                    return records, begun, OPEN if last else WHOLE
                end = at
                at += 1
                if at < size and block[at] != separator and block[at] != _LF and block[at] != _CR:
                    kind = ESCAPED
            while at < size and block[at] != separator and block[at] != _LF and block[at] != _CR:
                at += 1
            if kind != QUOTED and (kind == BARE or block[at - 1] != _QUOTE or end != at - 1):
                end = at
            starts[found], ends[found], kinds[found] = start, end, kind
            found += 1
            if at == size:
                if not last:
                    return records, begun, WHOLE
                more = False
            elif block[at] == separator:
                at += 1
            else:
                # A carriage return may be half of a line end.
                if block[at] == _CR and at + 1 == size and not last:
                    return records, begun, WHOLE
                at += 2 if block[at] == _CR and at + 1 < size and block[at + 1] == _LF else 1
                more = False
        if found != (records + 1) * width:
            return records, begun, UNEVEN
        records += 1
    return records, at, WHOLE


@compiled_without_lock
def column(
    block: Bytes, starts: Int32, ends: Int32, kinds: Bytes, text: Bytes, missing: NDArray[np.bool_]
) -> int:
    """Write the values of a column into `text`, a zero byte after each, and say how many bytes that took."""
    written = 0
    for i in range(len(starts)):
        missing[i] = kinds[i] == BARE and starts[i] == ends[i]
        if kinds[i] != ESCAPED:
            for at in range(starts[i], ends[i]):
                text[written] = block[at]
                written += 1
        else:
            at, inside = starts[i], True
            while at < ends[i]:
                if inside and block[at] == _QUOTE:
                    at += 1
                    if at == ends[i] or block[at] != _QUOTE:
                        inside = False
                        continue
                text[written] = block[at]
                written += 1
                at += 1
        text[written] = 0
        written += 1
    return written
