"""The picture of a comparison: every setting as a point, the front as a line, labels that do not collide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from shoal.core.chart_style import FONT, GRID, INK, LINE, QUIET, headline
from shoal.core.extras import require
from shoal.tables.appraisal.tradeoff import Axis, Point, TradeOff

# Okabe & Ito 2008: told apart by everybody. Shapes differ too, for paper without colour.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#1f2937")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
WIDTH, HEIGHT = 660, 400
LETTER, TALL, GAP = 6.1, 13.0, 9.0  # of a label in pixels: a letter, a line, its distance from the point
TINY = 1e-9  # figures closer than that are drawn as one
WIDE_RATIO = 10  # from here on a scale by powers shows more than one by steps


@dataclass(frozen=True)
class Scale:
    """Where a figure lies on an axis of so many pixels."""

    low: float
    high: float
    powers: bool
    pixels: float

    @classmethod
    def over(cls, values: Sequence[float], axis: Axis, pixels: float, risky: bool) -> Scale:
        """A scale on which all values have room around them."""
        low, high = min(values), max(values)
        if low > TINY and high / low >= WIDE_RATIO and (risky or not axis.share):
            margin = (high / low) ** 0.08
            return cls(low / margin, high * margin, True, pixels)
        room = max((high - low or abs(high) or 1.0) * 0.1, TINY * max(abs(high), 1.0))
        begin = 0.0 if low >= 0 and low - 4 * room <= 0 else low - room
        return cls(begin, high + room, False, pixels)

    def pixel(self, value: float) -> float:
        if self.powers:
            return self.pixels * math.log(value / self.low) / math.log(self.high / self.low)
        return self.pixels * (value - self.low) / (self.high - self.low)

    def value(self, pixel: float) -> float:
        share = pixel / self.pixels
        if self.powers:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + share * (self.high - self.low)


def picture(curve: TradeOff) -> dict[str, Any]:
    """The curve as a Vega-Lite document."""
    require("report", "a chart")
    import altair as alt

    shown = _distinct(curve)
    across = Scale.over([point.risk or 0.0 for point in shown], curve.risk, WIDTH, True)
    up = Scale.over([point.utility or 0.0 for point in shown], curve.utility, HEIGHT, False)
    methods = list(dict.fromkeys(point.method for point in curve.points))
    x = _axis("x", curve.risk, across, "safer is to the left")
    y = _axis("y", curve.utility, up, f"{'more' if curve.utility.more_is_better else 'less'} is better")
    # Those of the front come last and so lie on top.
    marks = sorted((_mark(curve, point) for point in shown), key=lambda mark: bool(mark["front"]))
    line = (
        alt.Chart(alt.InlineData(values=[mark for mark in marks if mark["front"]]))
        .mark_line(color=LINE, strokeWidth=1.6, aria=False)
        .encode(x=x, y=y, order=alt.Order("risk:Q"))
    )
    legend = None if len(methods) == 1 else alt.Legend(title=None, orient="top", symbolOpacity=1)
    colours = alt.Scale(domain=methods, range=[COLOURS[i % len(COLOURS)] for i in range(len(methods))])
    shapes = alt.Scale(domain=methods, range=[SHAPES[i % len(SHAPES)] for i in range(len(methods))])
    dots = (
        alt.Chart(alt.InlineData(values=marks))
        .mark_point(filled=True, size=95, opacity=1, stroke="white", strokeWidth=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("method:N", scale=colours, legend=legend),
            shape=alt.Shape("method:N", scale=shapes, legend=legend),
            opacity=alt.condition("datum.front", alt.value(1.0), alt.value(0.45)),
            tooltip=[alt.Tooltip(f"{name}:N") for name in ("setting", "risk", "utility", "left out")],
        )
    )
    words = [
        alt.Chart(alt.InlineData(values=[label for label in _labels(shown, across, up) if label["at"] == at]))
        .mark_text(font=FONT, fontSize=11, align=at, baseline="middle", aria=False)
        .encode(
            x=x,
            y=y,
            text="text:N",
            color=alt.condition("datum.front", alt.value(INK), alt.value(QUIET)),
        )
        for at in ("left", "right", "center")
    ]
    chart = (
        alt.layer(line, dots, *words)
        .properties(width=WIDTH, height=HEIGHT, title=_title(curve), background="white", padding=24)
        .configure_view(stroke=None)
        .configure_axis(
            labelFont=FONT, titleFont=FONT, labelColor=QUIET, titleColor=INK, gridColor=GRID,
            domainColor=LINE, tickColor=LINE, labelFontSize=11, titleFontSize=12,
            titleFontWeight="normal", titlePadding=10,
        )
        .configure_legend(labelFont=FONT, labelFontSize=12, labelColor=INK, offset=8)
    )  # fmt: skip
    made: dict[str, Any] = chart.to_dict()
    return made


def _axis(channel: str, axis: Axis, scale: Scale, hint: str) -> Any:
    import altair as alt

    form = "~%" if axis.share else "~s"
    kind = alt.X if channel == "x" else alt.Y
    return kind(
        f"{'risk' if channel == 'x' else 'utility'}:Q",
        title=f"{axis.title} ({hint})",
        scale=alt.Scale(
            type="log" if scale.powers else "linear", domain=[scale.low, scale.high], nice=False, zero=False
        ),
        axis=alt.Axis(format=form, values=_ticks(scale)) if scale.powers else alt.Axis(format=form),
    )


def _ticks(scale: Scale) -> list[float]:
    """1, 2 and 5 and their tenths and tens, as far as the scale goes."""
    powers = range(math.floor(math.log10(scale.low)), math.ceil(math.log10(scale.high)) + 1)
    steps = (1, 2, 5) if scale.high / scale.low < 1000 else (1,)
    ticks = [float(f"{step}e{power}") for power in powers for step in steps]
    return [tick for tick in ticks if scale.low <= tick <= scale.high]


def _distinct(curve: TradeOff) -> list[Point]:
    """The points that can be drawn; settings of a method that came out alike are one, with all the labels."""
    alike: dict[tuple[str, float, float], list[Point]] = {}
    for point in curve.points:
        if point.risk is not None and point.utility is not None:
            alike.setdefault((point.method, point.risk, point.utility), []).append(point)
    return [replace(same[0], label=_together([point.label for point in same])) for same in alike.values()]


def _together(labels: Sequence[str]) -> str:
    """Several labels as one: k=2, k=5 and k=10 are k=2, 5, 10."""
    # Where k=5 is, k=5 with some suppression that changed nothing adds nothing.
    found = [
        label for label in dict.fromkeys(labels) if not any(label.startswith(f"{one}, ") for one in labels)
    ]
    name = found[0].partition("=")[0]
    rest = [label.removeprefix(f"{name}=") for label in found[1:]]
    if not any(sign in label for label in rest for sign in "=,"):
        found[1:] = rest
    return ", ".join(found[:4]) + (", …" if len(found) > 4 else "")


def _mark(curve: TradeOff, point: Point) -> dict[str, Any]:
    return {
        "risk": point.risk,
        "utility": point.utility,
        "method": point.method,
        "front": point.front,
        "setting": curve.setting(point),
        "left out": f"{(point.suppressed or 0) / point.rows:.2%} of the rows",
    }


def _title(curve: TradeOff) -> Any:

    reached = sum(point.reached for point in curve.points)
    best = len({(point.method, point.risk, point.utility) for point in curve.front})
    corner = "upper" if curve.utility.more_is_better else "lower"
    below = [
        f"{curve.rows:,} rows. The {corner} left is best; the line joins the settings that no other beats in "
        "both. Pale points are beaten."
    ]
    lost = [curve.setting(point) for point in curve.points if not point.reached]
    if lost:
        some = "; ".join(lost[:3]) + ("; …" if len(lost) > 3 else "")
        below.append(f"Not reached: {some}.")
    return headline(
        f"{reached} {'way' if reached == 1 else 'ways'} to release this table, {best} worth a look",
        below,
        18,
        12.5,
    )


Box = tuple[float, float, float, float]


def _labels(points: Sequence[Point], across: Scale, up: Scale) -> list[dict[str, Any]]:
    """A place beside its point for every label that finds one; those of the front choose first."""
    spots = [(across.pixel(point.risk or 0.0), up.pixel(point.utility or 0.0)) for point in points]
    taken: list[Box] = [(x - 6, y - 6, x + 6, y + 6) for x, y in spots]
    best = sorted(spot for point, spot in zip(points, spots, strict=True) if point.front)
    taken += [box for one, other in pairwise(best) for box in _along(one, other)]
    found: list[dict[str, Any]] = []
    for point, (x, y) in sorted(zip(points, spots, strict=True), key=lambda pair: not pair[0].front):
        for at, left, middle in _places(x, y):
            box = _box(point.label, at, left, middle)
            inside = box[0] >= 0 and box[2] <= WIDTH + 20 and box[1] >= 0 and box[3] <= HEIGHT
            if inside and not any(_meet(box, other) for other in taken):
                taken.append(box)
                found.append(
                    {
                        "text": point.label,
                        "at": at,
                        "front": point.front,
                        "risk": across.value(left),
                        "utility": up.value(middle),
                    }
                )
                break
    return found


def _places(x: float, y: float) -> list[tuple[str, float, float]]:
    """Where a label may stand: right, left, below, above, and then in the corners."""
    return [
        ("left", x + GAP, y),
        ("right", x - GAP, y),
        ("center", x, y + GAP + 4),
        ("center", x, y - GAP - 4),
        ("left", x + GAP - 3, y + GAP),
        ("right", x - GAP + 3, y + GAP),
        ("left", x + GAP - 3, y - GAP),
        ("right", x - GAP + 3, y - GAP),
    ]


def _along(one: tuple[float, float], other: tuple[float, float]) -> list[Box]:
    """Small boxes along a piece of the line, but for its ends, where the points are."""
    steps = int(math.dist(one, other) // 6)
    spots = [
        (one[0] + (other[0] - one[0]) * step / steps, one[1] + (other[1] - one[1]) * step / steps)
        for step in range(2, steps - 1)
    ]
    return [(x - 1, y - 1, x + 1, y + 1) for x, y in spots]


def _box(text: str, at: str, x: float, y: float) -> Box:
    wide = len(text) * LETTER
    left = {"left": x, "right": x - wide, "center": x - wide / 2}[at]
    return (left, y - TALL / 2, left + wide, y + TALL / 2)


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
