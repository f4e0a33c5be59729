"""A Vega-Lite document as a file: .svg, .png or .html, drawn here and without any network."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from shoal.core.charting import svg_of
from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.engines.write import replacing

FORMS = (".svg", ".png", ".html")


def check_form(place: str | Path) -> None:
    """Refuse a file that no chart can be drawn into, before any work is done."""
    if Path(place).suffix.lower() not in FORMS:
        raise BadParameter(f"cannot draw '{place}': unknown extension; use .svg, .png or .html")
    require("report", "a chart")


def drawn(chart: dict[str, Any], form: str) -> bytes:
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
    content = drawn(chart, Path(place).suffix.lower())
    with replacing(place) as stream:
        stream.write(content)


def check_place(output: str | Path, taken: Iterable[Any]) -> None:
    """Refuse a name under which nothing can or must be written, before any work is done.

    `taken` are the files that the same request reads or writes.
    """
    if str(output) == "-":
        return
    path = Path(output)
    try:
        if not str(output):
            raise BadParameter("the name of the file to write is empty; give one such as out.csv")
        if path.is_dir():
            raise BadParameter(f"'{output}' is a folder; give the name of a file to write")
        if not path.parent.is_dir():
            raise BadParameter(
                f"cannot write '{output}': no folder '{path.parent}'; create it or choose another"
            )
        if path.exists() and not path.is_file():
            # A device cannot be read back, and renaming a file over it would destroy it.
            raise BadParameter(f"'{output}' is a device, not a file; -o - writes to standard output")
        for other in taken:
            if isinstance(other, str | Path) and _same(path, Path(other)):
                raise BadParameter(
                    f"'{output}' is one of the other files of this request; choose another name"
                )
    except OSError as error:
        raise BadParameter(f"cannot write '{output}': {error.strerror}; choose another name") from error


def _same(path: Path, other: Path) -> bool:
    return path.resolve() == other.resolve() or (other.exists() and path.exists() and path.samefile(other))
