"""The picture of the demo: a hundred patients before and after, the re-identified ones in red."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shoal.core.chart_style import FONT, INK, QUIET, headline, svg_of

CALM, ALARM = "#cbd5e1", "#dc2626"
ACROSS = 20  # people per line; a hundred make a field that is counted at a glance
# A head and shoulders, centred, in the unit square that Vega draws symbols in.
PERSON = (
    "M0,-1A0.42,0.42,0,1,1,0,-0.16A0.42,0.42,0,1,1,0,-1Z"
    "M-0.72,1L-0.72,0.62A0.66,0.62,0,0,1,-0.06,0L0.06,0A0.66,0.62,0,0,1,0.72,0.62L0.72,1Z"
)


def draw(target: Path, rows: int, before: int, after: int, alike: int) -> None:
    """Write `target`.svg and `target`.png without any network: how many of the rows were re-identified.

    `alike` is the size of the smallest class of the release.
    """
    import vl_convert

    chart = _chart(rows, before, after, alike)
    target.with_suffix(".svg").write_text(svg_of(chart), "utf-8")
    target.with_suffix(".png").write_bytes(vl_convert.vegalite_to_png(chart, scale=2))


def in_hundred(many: int, rows: int) -> int:
    """How many of a hundred people stand for so many; somebody is never rounded to nobody."""
    return max(round(100 * many / rows), min(many, 1))


def _chart(rows: int, before: int, after: int, alike: int) -> dict[str, Any]:
    import altair as alt

    panels = [
        _panel("Names removed", before, rows, "red: the voter list gives the name"),
        _panel("Protected by Shoal", after, rows, f"everyone looks like at least {alike - 1} others"),
    ]
    title = headline(
        "Removing names is not enough: a voter list brings back "
        f"{in_hundred(before, rows)} of 100. Protected: {in_hundred(after, rows) or 'none'}.",
        f"The attacker compares date of birth, ZIP code and sex. {rows:,} made-up patients, "
        "one figure per hundredth of them.",
        19,
        13,
        22,
    )
    chart = (
        alt.hconcat(*panels, spacing=40)
        .properties(title=title, background="white", padding=24)
        .configure_view(stroke=None)
    )
    made: dict[str, Any] = chart.to_dict()
    return made


def _panel(name: str, many: int, rows: int, note: str) -> Any:
    import altair as alt

    red = in_hundred(many, rows)
    people = [
        {"x": place % ACROSS, "y": place // ACROSS, "kind": "named" if place < red else "safe"}
        for place in range(100)
    ]
    head = alt.Title(
        f"{name}: {many:,} re-identified",
        subtitle=note,
        anchor="start",
        fontSize=15,
        subtitleFontSize=12,
        color=ALARM if many else INK,
        subtitleColor=QUIET,
        font=FONT,
        subtitleFont=FONT,
        offset=10,
    )
    return (
        alt.Chart(alt.InlineData(values=people), width=400, height=140, title=head)
        .mark_point(shape=PERSON, filled=True, size=330, opacity=1, aria=False)
        .encode(
            x=alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-0.5, ACROSS - 0.5])),
            y=alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[100 / ACROSS - 0.5, -0.5])),
            color=alt.Color(
                "kind:N", legend=None, scale=alt.Scale(domain=["named", "safe"], range=[ALARM, CALM])
            ),
        )
    )
