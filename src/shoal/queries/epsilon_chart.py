"""What an ε means, as a picture: error and belief against ε, and the densities of neighbouring answers."""

from __future__ import annotations

import math
from typing import Any

from shoal.core.chart_style import FONT, GRID, INK, LINE, QUIET, headline
from shoal.core.extras import require
from shoal.core.rounded_figures import per_cent
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.epsilon_choice import EpsilonChoice

WITHOUT, WITH = "#0072B2", "#D55E00"  # Okabe & Ito 2008: told apart by everybody
WIDTH, HEIGHT = 330, 190
NAMES = ("without you", "with you")
LARGEST = 1e6  # a factor beyond says no more than that
STEPS = 240  # of a density


def epsilon_picture(choice: EpsilonChoice) -> dict[str, Any]:
    """A Vega-Lite document of three panels."""
    require("report", "a chart")
    import altair as alt

    epsilon = float(choice.chosen.epsilon)
    rows = [
        {"epsilon": float(point.epsilon), "error": point.error, "belief": point.odds.most}
        for point in choice.curve
    ]
    here = [row for row in rows if row["epsilon"] == epsilon]
    scale = alt.Scale(type="log")
    across = alt.X("epsilon:Q", scale=scale, title="ε", axis=alt.Axis(format="~g", tickCount=5, grid=False))
    panels = []
    for name, title, size, form in (
        ("error", "off by about", scale, "~g"),
        ("belief", "sure of you, at most", alt.Scale(domain=[0, 1]), "%"),
    ):
        up = alt.Y(f"{name}:Q", scale=size, title=title, axis=alt.Axis(format=form, tickCount=5))
        line = (
            alt.Chart(alt.InlineData(values=rows)).mark_line(color=WITHOUT, strokeWidth=2).encode(across, up)
        )
        dot = alt.Chart(alt.InlineData(values=here)).mark_point(filled=True, size=90, color=WITH, opacity=1)
        panels.append(alt.layer(line, dot.encode(across, up)).properties(width=WIDTH, height=HEIGHT))
    chart = (
        alt.vconcat(alt.hconcat(*panels, spacing=36), _densities(choice), spacing=30)
        .properties(
            title=headline(
                f"ε = {epsilon:g}: off by about {choice.chosen.error:.3g}",
                [choice.chosen.odds.words, "Below: what may be answered without you, and with you."],
                16,
            ),
            background="white",
            padding=24,
        )
        .configure(font=FONT)
        .configure_view(stroke=None)
        .configure_axis(gridColor=GRID, labelColor=QUIET, titleColor=INK, domainColor=LINE, tickColor=LINE)
    )
    document: dict[str, Any] = chart.to_dict()
    return document


def _densities(choice: EpsilonChoice) -> Any:
    """Figure 5.2: neighbouring answers, one number with all of the ε. Their ratio is nowhere above e^ε.

    A question may divide its ε among several numbers; it is drawn as one with noise of the expected size.
    """
    import altair as alt

    values: list[dict[str, Any]] = [
        {"answer": x, "density": density, "whose": whose}
        for whose, centre in ((NAMES[0], 0.0), (NAMES[1], apart(choice)))
        for x, density in curve(choice, centre)
    ]
    axis = alt.Axis(labels=False, ticks=False, grid=False)
    whose = alt.Color("whose:N", scale=alt.Scale(domain=list(NAMES), range=[WITHOUT, WITH]), legend=None)
    area = alt.Chart(alt.InlineData(values=values)).encode(
        alt.X("answer:Q", title="answer, from what is true without you", axis=alt.Axis(grid=False)),
        alt.Y("density:Q", title="density", axis=axis, stack=None),
        whose,
    )
    top = max(float(value["density"]) for value in values)
    names = [
        alt.Chart(alt.InlineData(values=[{"answer": centre, "density": top, "whose": name}]))
        .mark_text(align="right" if away < 0 else "left", dx=away, fontSize=12, fontWeight=600)
        .encode(alt.X("answer:Q"), alt.Y("density:Q"), whose, text="whose:N")
        for name, centre, away in ((NAMES[0], 0.0, -10), (NAMES[1], apart(choice), 10))
    ]
    odds = choice.chosen.odds
    times = f"{odds.factor:.3g} times as likely" if odds.factor < LARGEST else "far more likely"
    told = f"At most {times} with you: from {per_cent(odds.before)} to {per_cent(odds.most)} sure"
    drawn = alt.layer(area.mark_area(opacity=0.18), area.mark_line(strokeWidth=2), *names)
    return drawn.properties(
        width=2 * WIDTH + 96,
        height=HEIGHT,
        title=alt.Title(told, anchor="start", fontSize=13, color=INK),
    )


def apart(choice: EpsilonChoice) -> float:
    """How far one person moves the number; without one number, ε times the scale of its noise."""
    if choice.sensitivity is not None:
        return choice.sensitivity
    return float(choice.chosen.epsilon) * _scale(choice)


def _scale(choice: EpsilonChoice) -> float:
    """Of Laplace noise b, of Gaussian noise σ: either way one person moves the number by ε scales."""
    if choice.sensitivity is not None:
        return choice.sensitivity / float(choice.chosen.epsilon)
    return choice.chosen.error * (math.sqrt(math.pi / 2) if accounting_of(choice.accounting).squared else 1.0)


def curve(choice: EpsilonChoice, centre: float) -> list[tuple[float, float]]:
    """The density of what is answered around one true number, where either of the two is likely."""
    scale, shift = _scale(choice) or 1.0, apart(choice)
    low, high = -4 * scale, shift + 4 * scale
    places = sorted({*(low + (high - low) * step / STEPS for step in range(STEPS + 1)), 0.0, shift})
    if accounting_of(choice.accounting).squared:
        factor = 1 / (scale * math.sqrt(2 * math.pi))
        return [(x, factor * math.exp(-(((x - centre) / scale) ** 2) / 2)) for x in places]
    return [(x, math.exp(-abs(x - centre) / scale) / (2 * scale)) for x in places]
