"""The loops against Python that says the same more slowly."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from shoal.engines.csv_kernels import BARE, ESCAPED, OPEN, QUOTED, UNEVEN, WHOLE, column, fields


def cut(
    content: bytes, width: int = 2, last: bool = True
) -> tuple[list[list[bytes]], list[list[int]], int, int]:
    """The values of each column, how each field is written, the bytes taken, and what became of the block."""
    block = np.frombuffer(content, np.uint8)
    starts, ends = np.empty((2, len(block) + 1), np.int32)
    kinds = np.empty(len(block) + 1, np.uint8)
    records, taken, outcome = fields(block, np.uint8(ord(",")), width, last, starts, ends, kinds)
    values = []
    for place in range(width):
        every = slice(place, records * width, width)
        text, missing = np.empty(len(block) + records, np.uint8), np.empty(records, np.bool_)
        length = column(block, starts[every], ends[every], kinds[every], text, missing)
        values.append(text[:length].tobytes().split(b"\0")[:-1])
        assert [not value and kind == BARE for value, kind in zip(values[-1], kinds[every], strict=True)] == (
            missing.tolist()
        )
    return values, kinds[: records * width].reshape(-1, width).tolist(), taken, outcome


def test_values_and_how_they_are_written() -> None:
    values, kinds, taken, outcome = cut(b'1,"2"\n"a""b",""\n,"x"y')
    assert values == [[b"1", b'a"b', b""], [b"2", b"", b"xy"]]
    assert kinds == [[BARE, QUOTED], [ESCAPED, QUOTED], [BARE, ESCAPED]]
    assert (taken, outcome) == (21, WHOLE)


@pytest.mark.parametrize("content", [b"1,2\n3,4", b'1,2\n3,"4"', b"1,2\n3,4\r", b'1,2\n"3,', b"1,2\n3"])
def test_a_record_that_may_go_on_is_left_for_the_next_block(content: bytes) -> None:
    values, _, taken, outcome = cut(content, last=False)
    assert values == [[b"1"], [b"2"]]
    assert (taken, outcome) == (4, WHOLE)


def test_what_became_of_a_block() -> None:
    assert cut(b"1,2\n3\n")[2:] == (4, UNEVEN)
    assert cut(b"1,2\n3,4,5\n")[2:] == (4, UNEVEN)
    assert cut(b'1,2\n3,"4\n')[2:] == (4, OPEN)
    assert cut(b"1\n\n", width=1)[0] == [[b"1", b""]]
    assert cut(b"1,2\n\n\r\n")[0] == [[b"1"], [b"2"]]


def test_sound_tables_are_cut_as_by_the_standard_library() -> None:
    chance = np.random.default_rng(7)
    letters = np.array(list('ab,"\n\r '))
    for _ in range(200):
        rows = [["".join(chance.choice(letters, chance.integers(0, 4))) for _ in range(3)] for _ in range(4)]
        stream = io.StringIO(newline="")
        csv.writer(stream, lineterminator="\r\n").writerows(rows)
        values = cut(stream.getvalue().encode(), width=3)[0]
        assert [list(row) for row in zip(*values, strict=True)] == [[v.encode() for v in row] for row in rows]
