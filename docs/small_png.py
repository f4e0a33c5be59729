"""Makes pictures of screens small: 256 colours, packed well. A browser packs fast and keeps every shade.

python docs/small_png.py PICTURE…
"""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

COLOURS = 256
Pixels = NDArray[np.uint8]


def small(picture: bytes) -> bytes:
    """The same picture with the colours that it has most of; the others become the nearest of those."""
    pixels = _read(picture)
    height, width, _ = pixels.shape
    packed = pixels.astype(np.int64) @ np.array([65536, 256, 1])
    shades, where, many = np.unique(packed.ravel(), return_inverse=True, return_counts=True)
    parts = np.stack([shades >> 16, shades >> 8 & 255, shades & 255], axis=1).astype(float)
    kept = parts[np.argsort(-many, kind="stable")[:COLOURS]]
    nearest = np.array([int(np.argmin(((kept - one) ** 2).sum(axis=1))) for one in parts], np.uint8)
    rows = np.zeros((height, width + 1), np.uint8)  # each begins with the number of its filter, which is 0
    rows[:, 1:] = nearest[where].reshape(height, width)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", head),
        (b"PLTE", kept.astype(np.uint8).tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def _read(picture: bytes) -> Pixels:
    """The pixels of a picture as Chromium writes it: 8 bits each of red, green and blue, not interlaced."""
    at, body, head = 8, b"", b""
    while at < len(picture):
        (size,) = struct.unpack(">I", picture[at : at + 4])
        kind, content = picture[at + 4 : at + 8], picture[at + 8 : at + 8 + size]
        head, body = (content, body) if kind == b"IHDR" else (head, body + content * (kind == b"IDAT"))
        at += size + 12
    width, height, depth, colour, *_ = struct.unpack(">IIBBBBB", head)
    if depth != 8 or colour not in (2, 6):
        raise SystemExit("this is no picture of 8 bits each of red, green and blue")
    each = 3 if colour == 2 else 4
    lines = np.frombuffer(zlib.decompress(body), np.uint8).reshape(height, width * each + 1)
    above = [0] * (width * each)
    found = np.zeros((height, width * each), np.uint8)
    for place, line in enumerate(lines):
        above = _unfiltered(int(line[0]), line[1:].tolist(), above, each)
        found[place] = above
    return found.reshape(height, width, each)[:, :, :3]


def _unfiltered(kind: int, line: list[int], above: list[int], each: int) -> list[int]:
    for n, value in enumerate(line):
        left = line[n - each] if n >= each else 0
        corner = above[n - each] if n >= each else 0
        guess = (
            (0, left, above[n], (left + above[n]) // 2)[kind] if kind < 4 else _paeth(left, above[n], corner)
        )
        line[n] = (value + guess) & 255
    return line


def _paeth(left: int, above: int, corner: int) -> int:
    """Of three neighbours the one nearest to left + above - corner."""
    guess = left + above - corner
    return min((left, above, corner), key=lambda one: abs(guess - one))


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_bytes(small(Path(name).read_bytes()))
