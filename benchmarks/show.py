"""Small tables on standard output."""

from __future__ import annotations

from collections.abc import Sequence


def table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()
) -> None:
    """Print rows under a header, the first column flush left, all others flush right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    print(f"\n{title}")
    for row in (header, ["-" * width for width in widths], *rows):
        first, *rest = row
        cells = [text.rjust(width) for text, width in zip(rest, widths[1:], strict=True)]
        print("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    for note in notes:
        print(f"  {note}")


def times(theirs: float, ours: float) -> str:
    """How many times less ours takes."""
    return f"{theirs / ours:.1f}x"


def between(low: float, high: float, unit: str = "") -> str:
    """One figure, or two when they differ."""
    return f"{low:,g}{unit}" if low == high else f"{low:,g}–{high:,g}{unit}"
