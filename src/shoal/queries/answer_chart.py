"""The picture of an answer: every noisy number with the reach of chance around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shoal.core.chart_style import FONT, GRID, INK, LINE, QUIET, headline, svg_of
from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.queries.declaration.declaration import Value
from shoal.queries.results import Answer, value_text

BAR, POINT = "#56B4E9", "#0072B2"  # Okabe & Ito 2008: told apart by everybody
WIDTH, HEIGHT, STEP = 560, 260, 26
GROUPS = 40  # more bars than that are not read but counted
PANELS = 4
LONGEST = 70  # signs of a headline


def svg(answer: Answer) -> str:
    """The picture as SVG, drawn here and without any network."""
    return svg_of(picture(answer))


def picture(answer: Answer) -> dict[str, Any]:
    """An answer as a Vega-Lite document: one panel for every noisy column.

    Bars where groups have names; points where the one key is a number, because there its distances count.
    """
    require("report", "a chart")
    import altair as alt

    noisy = [place for place in range(len(answer.columns)) if _has_intervals(answer, place)]
    if not noisy:
        raise BadParameter("this answer has no noisy numbers to draw; ask for a count or a sum")
    keys = [place for place in range(len(answer.columns)) if place not in noisy]
    numeric = len(keys) == 1 and all(_is_number(row[keys[0]]) for row in answer.rows) and len(answer.rows) > 1
    shown = len(answer.rows) if numeric else min(len(answer.rows), GROUPS)
    panels = [_panel(answer, keys, column, shown, numeric) for column in noisy[:PANELS]]
    chart = (
        alt.vconcat(*panels, spacing=24)
        .properties(title=_title(answer, keys, noisy, shown), background="white", padding=24)
        .configure_view(stroke=None)
        .configure_axis(
            labelFont=FONT, titleFont=FONT, labelColor=QUIET, titleColor=INK, gridColor=GRID,
            domainColor=LINE, tickColor=LINE, labelFontSize=11, titleFontSize=12,
            titleFontWeight="normal", titlePadding=10,
        )
    )  # fmt: skip
    made: dict[str, Any] = chart.to_dict()
    return made


def _panel(answer: Answer, keys: Sequence[int], column: int, shown: int, numeric: bool) -> Any:
    import altair as alt

    marks = [_mark(answer, keys, column, row, numeric) for row in range(shown)]
    if not numeric and len({mark["group"] for mark in marks}) < len(marks):
        # Groups whose keys were not asked for look alike; they are still several.
        marks = [{**mark, "group": f"{place}. {mark['group']}"} for place, mark in enumerate(marks, 1)]
    names = [mark["group"] for mark in marks]
    data = alt.InlineData(values=marks)
    title = " · ".join(answer.columns[key] for key in keys) or None
    size = alt.Axis(title=answer.columns[column], format=",.12~g", tickCount=6)
    value_channel, end_channel = (alt.Y, alt.Y2) if numeric else (alt.X, alt.X2)
    value = value_channel("value:Q", axis=size, scale=alt.Scale(zero=not numeric))
    low = value_channel("low:Q", axis=size, scale=alt.Scale(zero=not numeric))
    across: Any = alt.Y(
        "group:N", sort=names, title=title, axis=alt.Axis(labelLimit=220, ticks=False, domain=False)
    )
    if numeric:
        across = alt.X(
            "group:Q",
            title=title,
            axis=alt.Axis(format="~f", grid=False),
            scale=alt.Scale(zero=False, padding=16),
        )
    tooltip = [
        alt.Tooltip("group:N", title=title or "group"),
        alt.Tooltip("told:N", title=answer.columns[column]),
    ]
    chart = alt.Chart(data)
    drawn = (
        chart.mark_point(filled=True, size=55, color=POINT, opacity=1)
        if numeric
        else chart.mark_bar(color=BAR, height={"band": 0.62})
    )
    whiskers = chart.mark_rule(color=INK, strokeWidth=1.4).encode(across, low, end_channel("high:Q"))
    ends = [
        chart.mark_tick(
            color=INK,
            thickness=1.4,
            size=8,
            opacity=1,
            orient="horizontal" if numeric else "vertical",
            aria=False,
        ).encode(across, value_channel(f"{end}:Q", axis=size, scale=alt.Scale(zero=not numeric)))
        for end in ("low", "high")
    ]
    height = HEIGHT if numeric else STEP * len(names)
    layers = [drawn.encode(across, value, tooltip=tooltip), whiskers, *ends]
    if numeric:  # a point lies on its line, a bar under it
        layers = [*layers[1:], layers[0]]
    return alt.layer(*layers).properties(width=WIDTH, height=height)


def _mark(answer: Answer, keys: Sequence[int], column: int, row: int, numeric: bool) -> dict[str, Any]:
    values = answer.rows[row]
    interval = answer.interval[row][column]
    value = values[column]
    group: Value = values[keys[0]] if numeric else " · ".join(_named(values[key]) for key in keys)
    low, high = interval or (value, value)
    return {"group": group, "value": value, "low": low, "high": high, "told": value_text(value, interval)}


def _title(answer: Answer, keys: Sequence[int], noisy: Sequence[int], shown: int) -> Any:

    cost = answer.spent.get("epsilon", 0.0)
    told = "told before, so it cost nothing" if answer.archived else f"it cost ε = {cost:.4g}"
    below = [f"The lines reach over 95 % of what chance may have added; {told}."]
    if shown < len(answer.rows):
        below.append(f"The first {shown} of {len(answer.rows):,} groups.")
    if len(noisy) > PANELS:
        below.append(f"The first {PANELS} of {len(noisy)} columns.")
    return headline(_headline(answer, keys, noisy), below, 16)


def _headline(answer: Answer, keys: Sequence[int], noisy: Sequence[int]) -> str:
    what = ", ".join(answer.columns[place] for place in noisy[:PANELS])
    by = ", ".join(answer.columns[place] for place in keys)
    headline = f"{what} by {by}" if by else what
    return headline if len(headline) <= LONGEST else f"{headline[: LONGEST - 1]}…"


def _named(value: Value) -> str:
    return "missing" if value is None else value_text(value, None)


def _has_intervals(answer: Answer, place: int) -> bool:
    return any(
        row[place] is not None and _is_number(values[place])
        for row, values in zip(answer.interval, answer.rows, strict=True)
    )


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
