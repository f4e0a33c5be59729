"""The picture of a graph's degrees: how many people have at least so many friends, before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shoal.core.chart_style import FONT, GRID, INK, LINE, QUIET, headline, svg_of
from shoal.core.errors import BadParameter
from shoal.core.extras import require
from shoal.graphs.appraisal.degrees import Degrees

if TYPE_CHECKING:
    from shoal.graphs.appraisal.appraisal import GraphAppraisal

BEFORE, AFTER = "#D55E00", "#0072B2"  # Okabe & Ito 2008: told apart by everybody
WIDTH, HEIGHT = 560, 360


def svg(appraisal: GraphAppraisal) -> str:
    """The picture as SVG, drawn here and without any network."""
    return svg_of(picture(appraisal))


def picture(appraisal: GraphAppraisal) -> dict[str, Any]:
    """The degree distribution as a Vega-Lite document, both axes by powers of ten.

    A line per version: at each degree the people who have that many friends or more.
    """
    require("report", "a chart")
    import altair as alt

    after, before = appraisal.figures, appraisal.before
    if not after.edges and (before is None or not before.edges):
        raise BadParameter("nobody has a friend here, so there is nothing to draw; give a graph with edges")
    versions = {"this graph": after.degrees}
    if before is not None:
        versions = {"before": before.degrees, "after": after.degrees}
    colours = [BEFORE, AFTER] if before is not None else [AFTER]
    marks = [mark for name, degrees in versions.items() for mark in _marks(name, degrees)]
    legend = (
        None
        if before is None
        else alt.Legend(title=None, orient="top-right", symbolType="stroke", symbolSize=300)
    )
    x = alt.X("degree:Q", title="friends", scale=_powers(), axis=_ticks(marks, "degree"))
    y = alt.Y("people:Q", title="people with at least so many", scale=_powers(), axis=_ticks(marks, "people"))
    names = alt.Scale(domain=[*versions], range=colours)
    lines = (
        alt.Chart(alt.InlineData(values=marks))
        .mark_line(interpolate="step-before", strokeWidth=2, opacity=0.9, point=len(marks) <= 60)
        .encode(
            x=x,
            y=y,
            color=alt.Color("version:N", scale=names, legend=legend),
            strokeDash=alt.StrokeDash(
                "version:N",
                scale=alt.Scale(domain=[*versions], range=[[5, 3], [1, 0]] if before else [[1, 0]]),
                legend=legend,
            ),
            tooltip=[alt.Tooltip(f"{name}:N") for name in ("version", "degree", "people", "exactly")],
        )
    )
    chart = (
        lines.properties(width=WIDTH, height=HEIGHT, title=_title(appraisal), background="white", padding=24)
        .configure_view(stroke=None)
        .configure_axis(
            labelFont=FONT, titleFont=FONT, labelColor=QUIET, titleColor=INK, gridColor=GRID,
            domainColor=LINE, tickColor=LINE, labelFontSize=11, titleFontSize=12,
            titleFontWeight="normal", titlePadding=10,
        )
        .configure_legend(labelFont=FONT, labelFontSize=12, labelColor=INK)
    )  # fmt: skip
    made: dict[str, Any] = chart.to_dict()
    return made


def _powers() -> Any:
    import altair as alt

    return alt.Scale(type="log", nice=False, padding=8)


def _ticks(marks: Sequence[Mapping[str, Any]], name: str) -> Any:
    """An axis with 1, 2, 5, 10, 20 … as far as there is something; powers of ten alone where it goes far."""
    import altair as alt

    most = max(mark[name] for mark in marks)
    powers = [10**power for power in range(len(str(most)))]
    steps = (1, 2, 5) if most < 2000 else (1,)
    return alt.Axis(format="~s", values=[step * power for power in powers for step in steps])


def _marks(version: str, degrees: Degrees) -> list[dict[str, Any]]:
    """One point per degree that occurs; nobody's zero has a place on an axis by powers."""
    together = zip(degrees.values, degrees.counts, degrees.reaching().tolist(), strict=True)
    return [
        {"version": version, "degree": degree, "people": reaching, "exactly": count}
        for degree, count, reaching in together
        if degree > 0
    ]


def _title(appraisal: GraphAppraisal) -> Any:
    after, before, changes = appraisal.figures, appraisal.before, appraisal.changes
    below = []
    if before is None or changes is None:
        text = f"{after.nodes:,} people, {after.edges:,} edges: who has how many friends"
        below.append(f"The rarest number of friends is shared by {_people(after.degree.level)}.")
    else:
        text = f"{changes.added:,} edges added, {changes.removed:,} removed of {before.edges:,}"
        below.append(
            f"The rarest number of friends was shared by {_people(before.degree.level)}, now by "
            f"{_people(after.degree.level)}."
        )
    none = sum(
        count for value, count in zip(after.degrees.values, after.degrees.counts, strict=True) if not value
    )
    if none:
        below.append(f"Not drawn: {_people(none)} without friends.")
    return headline(text, below, 16)


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"
