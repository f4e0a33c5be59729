"""Edge lists of plain whole numbers, which is what large graphs are.

The text is read in parts and never in memory as a whole. Whatever the compiled loop does not expect sends
the file to `lines`, which knows everything else.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field

import numpy as np

from shoal.engines.sniff import Text
from shoal.graphs.formats.edgelist_layout import EdgeList, Layout, is_comment
from shoal.graphs.formats.file_style import BLANKS
from shoal.graphs.formats.node_numbering import Whole, of_whole

CHUNK = 16 << 20
_SHORTEST = 4  # bytes of an edge: 1 2 and a line end
_LINE_END = 10
_TAIL = 4096


@dataclass(frozen=True, eq=False)
class _NumberedEdges:
    """Edges in parts, in as few bytes as they need, and nodes that have none."""

    sources: list[Whole] = field(default_factory=list)
    targets: list[Whole] = field(default_factory=list)
    alone: list[Whole] = field(default_factory=lambda: [np.empty(0, np.int64)])

    def add(self, sources: Whole, targets: Whole) -> None:
        lone = targets < 0
        if lone.any():
            self.alone.append(sources[lone])
            sources, targets = sources[~lone], targets[~lone]
        if len(sources):
            small = max(int(sources.max()), int(targets.max())) < 2**31
            self.sources.append(sources.astype(np.int32 if small else np.int64))
            self.targets.append(targets.astype(np.int32 if small else np.int64))


def read_plain(text: Text, layout: Layout) -> EdgeList | None:
    """The edges where all labels are plain whole numbers; None when anything else turns up."""
    header = layout.maybe_header
    if header and (layout.ends != (0, 1) or any("\ufffd" in name for name in layout.first)):
        return None
    found = _parse(text, layout, _start(text, header))
    if found is None or not found.sources:
        return None
    ends = of_whole(found.sources, found.targets, np.concatenate(found.alone))
    return EdgeList(ends, layout.separator, layout.header if header else None, layout.left_out(header))


def _parse(text: Text, layout: Layout, start: int) -> _NumberedEdges | None:
    from shoal.graphs.formats import edgelist_kernels as kernels

    separator = 0 if layout.separator == BLANKS else ord(layout.separator)
    room = CHUNK // _SHORTEST + 1
    sources, targets = np.empty(room, np.int64), np.empty(room, np.int64)
    buffer, filled, found = np.empty(CHUNK + 1, np.uint8), 0, _NumberedEdges()
    with text.open() as stream:
        stream.seek(start)
        while True:
            got: int = stream.readinto(memoryview(buffer)[filled:CHUNK])  # type: ignore[attr-defined,arg-type]
            filled += got
            if not filled:
                return found
            if not got and buffer[filled - 1] != _LINE_END:
                buffer[filled] = _LINE_END
                filled += 1
            end = _after_last_line(buffer, filled)
            if not end and got and filled < CHUNK:
                continue  # a line of which more is to come
            count, stopped = kernels.parse_pairs(buffer, end, separator, layout.width, sources, targets)
            if stopped < end or not end:
                return None
            found.add(sources[:count], targets[:count])
            filled -= end
            buffer[:filled] = buffer[end : end + filled].copy()


def _after_last_line(buffer: Whole, filled: int) -> int:
    """The place after the last line end; 0 when there is none."""
    for look in (_TAIL, filled):
        start = max(0, filled - look)
        at = buffer[start:filled].tobytes().rfind(b"\n")
        if at >= 0:
            return start + at + 1
    return 0


def _start(text: Text, header: bool) -> int:
    """Where the edges begin: after a byte-order mark, and after the header."""
    with text.open() as stream:
        mark = len(codecs.BOM_UTF8) if stream.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8 else 0
        stream.seek(mark)
        while header and is_comment(
            stream.readline().strip(b"\xef\xbb\xbf \t\r\n").decode("utf-8", "replace")
        ):
            pass
        return stream.tell() if header else mark
