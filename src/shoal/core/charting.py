"""What all charts have in common: ink, font, and a headline that says what there is to see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import altair as alt

INK, QUIET, GRID, LINE = "#1f2937", "#6b7280", "#e5e7eb", "#9ca3af"
FONT = "Helvetica, Arial, sans-serif"


def headline(
    text: str, below: str | Sequence[str], size: float, small: float = 12, offset: int = 16
) -> alt.Title:
    """A sentence above a chart, and one or more below it in small."""
    import altair as alt

    return alt.Title(
        text,
        subtitle=below if isinstance(below, str) else list(below),
        anchor="start",
        fontSize=size,
        subtitleFontSize=small,
        color=INK,
        subtitleColor=QUIET,
        font=FONT,
        subtitleFont=FONT,
        subtitlePadding=6,
        offset=offset,
    )
