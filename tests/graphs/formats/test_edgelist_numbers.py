"""The reader of plain whole numbers: parts, ends of files, and when it gives up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from graphs.formats.shown import edges_of
from shoal.engines.sniff import Text
from shoal.graphs.formats import edgelist_numbers
from shoal.graphs.formats.edgelist_layout import EdgeList, detect_layout, head_of


def found(content: bytes | Path) -> EdgeList | None:
    text = Text("'x'", content)
    return edgelist_numbers.read_plain(text, detect_layout(head_of(text), None, "'x'"))


@pytest.mark.parametrize("chunk", [8, 13, 64, 1 << 10])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_lines_across_parts_are_whole(chunk: int, ending: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edgelist_numbers, "CHUNK", chunk)
    pairs = [(at, at * 7 % 11) for at in range(30)]
    content = ending.join(f"{one} {other}".encode() for one, other in pairs)
    for last in (b"", ending):
        read = found(content + last)
        assert read is not None
        expected = {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}
        assert edges_of(read.ends.graph()) == sorted(expected)


def test_a_line_longer_than_a_part_is_left_to_the_other_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edgelist_numbers, "CHUNK", 8)
    assert found(b"12345,67890\n") is None


@pytest.mark.parametrize(
    "content",
    [b"1,a\n", b"01,2\n", b"1,2\n3,4,5\n", b"-1,2\n", b'1,"2"\n', b"1,\n", b"", b"id,source,target\n1,2,3\n"],
)
def test_it_gives_up_on_anything_else(content: bytes) -> None:
    assert found(content) is None


def test_files_on_disk_and_large_ids(tmp_path: Path) -> None:
    path = tmp_path / "edges.txt"
    path.write_bytes(b"u v\n# comment\n5000000000 1\n7\n1 2\n")
    read = found(path)
    assert read is not None and read.header == ("u", "v")
    assert read.ends.graph().names().to_list() == [1, 2, 7, 5_000_000_000]


def test_small_ids_are_kept_in_four_bytes() -> None:
    parts = edgelist_numbers._NumberedEdges()
    parts.add(np.array([1, 2]), np.array([2, -1]))
    parts.add(np.array([2**31]), np.array([1]))
    assert [part.dtype for part in parts.sources] == [np.int32, np.int64]
    assert np.concatenate(parts.alone).tolist() == [2]
