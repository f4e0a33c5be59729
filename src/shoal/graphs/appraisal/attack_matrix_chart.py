"""The picture of a matrix: a row per protection, a column per attack, darker where more are found."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from string import ascii_lowercase
from typing import Any

from shoal.core.chart_style import FONT, INK, QUIET, headline
from shoal.core.extras import require
from shoal.graphs.appraisal.attack_matrix import AttackMatrix, MatrixCell, Protection, digits

ACROSS, DOWN, LINE = 104, 54, 14  # of a cell and of a line of a label, in pixels
DARK = 0.5  # from here on white letters are read better
# One hue that gets darker, which is told apart without colour and on paper too.
COLOURS = ("#fff7ec", "#fdcb8f", "#ef7b4a", "#b5331f", "#6d0f0c")
NOTHING = "#e5e7eb"
LETTER, LEFT = 6.0, 260  # of a line under the headline, in pixels; and what stands left of the cells
BLIND = "a blind guess\nwithout the release"


def picture(matrix: AttackMatrix) -> dict[str, Any]:
    """The matrix as a Vega-Lite document."""
    require("report", "a chart")
    import altair as alt

    heads = _heads(matrix)
    marks = [_mark(matrix, cell, heads) for cell in matrix.cells]
    rows = [_label(one) for one in matrix.protections]
    marks += [
        {"row": BLIND, "column": heads[one.attack], "second": matrix.baselines(one.attack), "ink": QUIET}
        for one in matrix.attacks
    ]
    changed = "\n".join(["\u00a0"] * next(iter(heads.values())).count("\n")) + "\nedges changed"
    marks += [
        {"row": _label(one), "column": changed, "second": more, "third": less, "ink": INK}
        for one in matrix.protections
        for more, less in [one.changes(matrix.edges)]
    ]
    lines = max(head.count("\n") for head in heads.values())
    x = alt.X(
        "column:N",
        sort=[*heads.values(), changed],
        title=None,
        axis=_axis(orient="top", labelAngle=0, labelPadding=8 + LINE * lines),
    )
    # All labels have two lines, so that half a line up is the middle.
    y = alt.Y("row:N", sort=[*rows, BLIND], title=None, axis=_axis(labelPadding=10, labelOffset=-LINE / 2))
    base = alt.Chart(alt.InlineData(values=marks)).encode(x=x, y=y)
    words = ("protection", "attack", "found", "interval", "wrong", "why")
    told = [alt.Tooltip(f"{word}:N") for word in words]
    layers = [
        base.transform_filter("isValid(datum.fill)")
        .mark_rect(stroke="white", strokeWidth=2)
        .encode(color=alt.Color("fill:N", scale=None), tooltip=told)
    ]
    for word, size, down in (("first", 14, -13), ("second", 10.5, 4), ("third", 10.5, 17)):
        layers.append(
            base.transform_filter(f"isValid(datum.{word})")
            .mark_text(font=FONT, fontSize=size, fontWeight=600 if size > 12 else 400, dy=down)
            .encode(text=f"{word}:N", color=alt.Color("ink:N", scale=None))
        )
    chart = (
        alt.layer(*layers)
        .properties(
            width=alt.Step(ACROSS),
            height=alt.Step(DOWN),
            title=_title(matrix),
            background="white",
            padding=24,
        )
        .configure_view(stroke=None)
    )
    made: dict[str, Any] = chart.to_dict()
    return made


def _axis(**more: Any) -> Any:
    import altair as alt

    return alt.Axis(
        domain=False,
        ticks=False,
        labelFont=FONT,
        labelColor=INK,
        labelFontSize=11.5,
        labelLimit=360,
        labelLineHeight=LINE,
        labelExpr="split(datum.label, '\\n')",
        **more,
    )


def _heads(matrix: AttackMatrix) -> dict[str, str]:
    """What stands over the columns: the attack, and what its rate is a share of; all with as many lines."""
    told = {
        one.attack: [*textwrap.wrap(one.attack.replace("(", " ("), ACROSS // 6), f"of {one.counts}"]
        for one in matrix.attacks
    }
    most = max(map(len, told.values()))
    return {attack: "\n".join(["\u00a0"] * (most - len(lines)) + lines) for attack, lines in told.items()}


def _label(protection: Protection) -> str:
    method, *models = protection.method_and_models
    return "\n".join([method, *(models or ["no promise"])])


def _mark(matrix: AttackMatrix, cell: MatrixCell, heads: Mapping[str, str]) -> dict[str, Any]:
    row = next(one for one in matrix.protections if one.protection == cell.protection)
    place = {
        "row": _label(row),
        "column": heads[cell.attack],
        "protection": cell.protection,
        "attack": cell.attack,
    }
    if cell.rate is None:
        letter = ascii_lowercase[list(matrix.reasons()).index(cell.reason) % len(ascii_lowercase)]
        told = f"{cell.state} ({letter})"
        return {**place, "fill": NOTHING, "ink": QUIET, "second": told, "why": cell.reason}
    low, high = cell.rate.interval
    value = cell.rate.value
    blind = cell.baseline or 0.0
    more = max(value - blind, 0.0) / (1 - blind) if blind < 1 else 0.0  # than a blind guess hits
    third = {"third": f"blind {digits(blind)} %"}
    if cell.wrong is not None:
        third = {"wrong": f"{cell.wrong:.2%}", "third": f"wrong {digits(cell.wrong)} %"}
    return {
        **place,
        "fill": colour(more),
        "ink": "#ffffff" if more > DARK else INK,
        "first": f"{digits(value)} %",
        "second": f"{digits(low)} – {digits(high)}",
        "found": f"{cell.rate.hits:,} of {cell.rate.targets:,}",
        "interval": f"{low:.1%} – {high:.1%}",
        **third,
    }


def colour(share: float) -> str:
    """The colour of a share, mixed from the two nearest ones."""
    place = min(max(share, 0.0), 1.0) * (len(COLOURS) - 1)
    first = min(int(place), len(COLOURS) - 2)
    mixed = [
        round(int(one, 16) + (int(other, 16) - int(one, 16)) * (place - first))
        for one, other in zip(_parts(COLOURS[first]), _parts(COLOURS[first + 1]), strict=True)
    ]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _parts(shade: str) -> tuple[str, str, str]:
    return shade[1:3], shade[3:5], shade[5:7]


def _title(matrix: AttackMatrix) -> Any:
    below = [
        f"A network of {matrix.nodes:,} people and {matrix.edges:,} edges. Each cell: the share that the "
        "attack finds, its 95 % interval, and the share that it takes for somebody else. "
        "The darker, the more than a blind guess.",
        f"An attacker's second network has {digits(matrix.overlap)} % of the edges.",
    ]
    for letter, why in zip(ascii_lowercase, matrix.reasons(), strict=False):
        below.append(f"({letter}) {why}")
    letters = int((LEFT + ACROSS * len(matrix.attacks)) / LETTER)
    lines = [line for text in below for line in textwrap.wrap(text, letters)]
    return headline("What every attack achieves against every protection", lines, 17)
