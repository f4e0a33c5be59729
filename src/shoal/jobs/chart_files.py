"""A Vega-Lite document as a file: .svg, .png or .html, drawn here and without any network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal.core.chart_style import svg_of
from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.engines.atomic_write import write_in_place_of

FORMS = (".svg", ".png", ".html")


def check_form(place: str | Path) -> None:
    """Refuse a file that no chart can be drawn into, before any work is done."""
    if Path(place).suffix.lower() not in FORMS:
        raise BadParameter(f"cannot draw '{place}': unknown extension; use .svg, .png or .html")
    require("report", "a chart")


def render_chart(chart: dict[str, Any], form: str) -> bytes:
    """The document in a form."""
    import vl_convert

    if form == ".png":
        return bytes(vl_convert.vegalite_to_png(chart, scale=2))
    if form == ".svg":
        return svg_of(chart).encode("utf-8")
    text: str = vl_convert.vegalite_to_html(chart, bundle=True)
    return text.encode("utf-8")


def draw(chart: dict[str, Any], place: str | Path) -> None:
    """Write the document into a file, by its extension."""
    content = render_chart(chart, Path(place).suffix.lower())
    with write_in_place_of(place) as stream:
        stream.write(content)
