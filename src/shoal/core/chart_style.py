"""What all charts have in common: ink, font, a headline, and a title in words for those who cannot see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

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


def svg_of(chart: Mapping[str, Any], about: str = "") -> str:
    """A Vega-Lite document as SVG, drawn without any network, with a title for those who cannot see it.

    The title is what is said about it, else the headline of the chart and what stands under it.
    """
    import vl_convert

    return add_title(vl_convert.vegalite_to_svg(dict(chart)), about or words_of(chart))


def words_of(chart: Mapping[str, Any]) -> str:
    """What the headline of a chart says, and the lines under it."""
    head = chart.get("title") or ""
    if isinstance(head, str):
        return head
    lines = [part for name in ("text", "subtitle") for part in _lines(head.get(name))]
    return " ".join(line if line.endswith((".", "?", "!", ":")) else f"{line}." for line in lines)


def add_title(svg: str, about: str) -> str:
    """An SVG with a title, which a screen reader tells and a browser shows."""
    if not about:
        return svg
    name, _, rest = svg.partition(">")
    return f'{name} role="img" aria-label="{escape(about)}"><title>{escape(about)}</title>{rest}'


def _lines(part: str | Sequence[str] | None) -> list[str]:
    return [part] if isinstance(part, str) and part else [line for line in part or () if line]
