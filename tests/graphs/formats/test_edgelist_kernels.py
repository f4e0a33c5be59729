"""The compiled reader of numbers against its plain-Python twin."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shoal.graphs.formats import edgelist_kernels as kernels

NUMBER = re.compile(rb"0|[1-9][0-9]{0,17}")


def plain_pairs(text: bytes, separator: int, width: int) -> tuple[list[tuple[int, int]], int]:
    """The twin of `parse_pairs`: the pairs, and where the first line starts that is not plain."""
    found: list[tuple[int, int]] = []
    at = 0
    for line in text.splitlines(keepends=True) if b"\r" not in text else text.split(b"\n")[:-1]:
        length = len(line) if line.endswith(b"\n") else len(line) + 1
        pair = plain_line(line.removesuffix(b"\n").removesuffix(b"\r"), separator, width)
        if pair is None:
            return found, at
        if pair:
            found.append((pair[0], pair[1]))
        at += length
    return found, at


def plain_line(line: bytes, separator: int, width: int) -> tuple[int, ...] | None:
    blanks = b" " if separator == 9 else b" \t"
    bare = line.strip(blanks)
    if not bare or bare[:1] in b"#%":
        return ()
    parts = (
        re.split(rb"[ \t]+", bare)
        if separator == 0
        else [part.strip(blanks) for part in line.split(bytes([separator]))]
    )
    rest = b"".join(parts[2:])
    if len(parts) > 1 and (
        re.search(rb'["{\0\r]', line) or (separator == 0 and re.search(rb"[\x0b\x0c]", line))
    ):
        return None
    if not NUMBER.fullmatch(parts[0]):
        return None
    if len(parts) == 1:
        return int(parts[0]), -1
    if not parts[1] and not rest and len(parts) <= width:
        return int(parts[0]), -1
    if not NUMBER.fullmatch(parts[1]) or len(parts) != width:
        return None
    return int(parts[0]), int(parts[1])


def parsed(text: bytes, separator: int, width: int) -> tuple[list[tuple[int, int]], int]:
    room = text.count(b"\n") + 1
    sources, targets = np.empty(room, np.int64), np.empty(room, np.int64)
    buffer = np.frombuffer(text + b"~~", np.uint8).copy()
    count, stopped = kernels.parse_pairs(buffer, len(text), separator, width, sources, targets)
    return list(zip(sources[:count].tolist(), targets[:count].tolist(), strict=True)), stopped


@given(st.text(alphabet='0179 \t,\r\n#%;ax".{-', max_size=30), st.sampled_from([0, 9, 44]), st.integers(2, 3))
@example("1,2\n3,4\n", 44, 2)
@example("1 2\r\n3\t4\r\n\r\n% x\n5\n", 0, 2)
@example("1,2,0.5\n3,,\n4\n", 44, 3)
@example("12345678901234567890 1\n", 0, 2)
@example("1,2\r3,4\n", 44, 2)
@example("01,2\n", 44, 2)
@example("1\t2\tx\n", 9, 3)
@example("1,2,\n", 44, 2)
def test_numbers_are_read_as_the_twin_reads_them(text: str, separator: int, width: int) -> None:
    content = text.encode() + b"\n"
    assert parsed(content, separator, width) == plain_pairs(content, separator, width)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1), st.data())
def test_values_are_found_among_distinct_ones(values: list[int], data: st.DataObject) -> None:
    distinct = np.unique(np.array(values, np.int64))
    wanted = np.array(data.draw(st.lists(st.sampled_from(values))), np.int64)
    assert kernels.places(distinct, wanted).tolist() == np.searchsorted(distinct, wanted).tolist()


def test_many_values_in_a_row_share_the_table_well() -> None:
    distinct = np.arange(200_000, dtype=np.int64) * 1_000_003 - 7
    assert np.array_equal(kernels.places(distinct, distinct[::-1].copy()), np.arange(200_000)[::-1])


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_values_that_occur_are_marked(kind: type) -> None:
    there = np.zeros(5, np.bool_)
    kernels.mark(there, np.array([3, 1, 3], kind))
    assert there.tolist() == [False, True, False, True, False]
