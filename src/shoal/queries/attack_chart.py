"""What an attack achieved, as a picture: a blind guess, the attack, and the attack after its cure."""

from __future__ import annotations

from typing import Any

from shoal.core.chart_style import FONT, GRID, INK, QUIET, headline
from shoal.core.outcome import Finding

BLIND, HIT, CURED = "#9ca3af", "#b91c1c", "#0f766e"


def attack_picture(finding: Finding) -> dict[str, Any]:
    """A Vega-Lite document: bars with 95 % intervals."""
    import altair as alt

    low, high = finding.rate.interval
    rows = [
        {"what": "a blind guess", "rate": finding.baseline, "low": None, "high": None, "colour": BLIND},
        {"what": finding.attack, "rate": finding.rate.value, "low": low, "high": high, "colour": HIT},
    ]
    if finding.cured is not None:
        low, high = finding.cured.rate.interval
        after = {"what": "after the cure", "rate": finding.cured.rate.value, "low": low, "high": high}
        rows.append({**after, "colour": CURED})
    order = [str(row["what"]) for row in rows]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("what:N", sort=order, title=None, axis=alt.Axis(labelLimit=240, labelFontSize=13))
    )
    scale = alt.Scale(domain=[0, 1])
    axis = alt.Axis(format="%", tickCount=5)
    bars = base.mark_bar(size=22).encode(
        x=alt.X("rate:Q", scale=scale, axis=axis, title="right about people"),
        color=alt.Color("colour:N", scale=None),
    )
    lines = base.mark_rule(color=INK, strokeWidth=2).encode(x="low:Q", x2="high:Q")
    words = base.mark_text(align="left", dx=6, dy=-19, color=INK, fontSize=12).encode(
        x=alt.value(0), text=alt.Text("rate:Q", format=".0%")
    )
    against = str(finding.details.get("against", ""))
    asked = finding.details.get("questions")
    below = f"{finding.rate.hits:,} of {finding.rate.targets:,} right"
    below += f", {asked:,} questions" if isinstance(asked, int) else ""
    chart = (
        alt.layer(bars, lines, words)
        .properties(
            width=420,
            height=54 * len(rows),
            title=headline(f"{finding.attack} against {against}" if against else finding.attack, below, 16),
        )
        .configure(font=FONT)
        .configure_axis(gridColor=GRID, labelColor=QUIET, titleColor=QUIET, domain=False, ticks=False)
        .configure_view(stroke=None)
    )
    document: dict[str, Any] = chart.to_dict()
    return document
