"""Charts in a page: drawn on a canvas by ECharts, which NiceGUI brings; no value becomes HTML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from shoal.faces.studio.theme import SERIES

SOFT = "#7d8b98"  # reads on light and dark
GRID = "#8a97a633"
# On the canvas: a tooltip as HTML would be the one place where a value could become markup.
TOOLTIP = {"trigger": "axis", "renderMode": "richText", "confine": True}
LONGEST = 22


def chart(
    options: dict[str, Any], words: str, height: int = 280, click: Callable[[Any], None] | None = None
) -> Any:
    """A chart, and in words what it shows, for those who do not see it."""
    made = ui.echart(
        {"animation": False, "textStyle": {"fontFamily": "Roboto"}, **options}, on_point_click=click
    )
    made.classes("s-chart").style(f"height: {height}px")
    made.props["role"] = "img"
    made.props["aria-label"] = words
    return made


def short(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"


def axis(name: str = "", **more: Any) -> dict[str, Any]:
    """An axis in soft colours."""
    return {
        "name": name,
        "nameTextStyle": {"color": SOFT},
        "axisLabel": {"color": SOFT, "fontSize": 11, **more.pop("axisLabel", {})},
        "axisLine": {"lineStyle": {"color": GRID}},
        "splitLine": {"lineStyle": {"color": GRID}},
        "axisTick": {"show": False},
        **more,
    }


def pair_bars(
    labels: Sequence[str], before: Sequence[int], after: Sequence[int], words: str, height: int
) -> None:
    """Original against release, label by label."""
    chart(
        {
            "color": [SERIES[0], SERIES[1]],
            "tooltip": TOOLTIP,
            "grid": {"left": 8, "right": 12, "top": 8, "bottom": 8, "containLabel": True},
            "xAxis": axis(type="value"),
            "yAxis": axis(type="category", inverse=True, data=[short(label) for label in labels]),
            "series": [
                {
                    "name": "original",
                    "type": "bar",
                    "data": list(before),
                    "barGap": "0%",
                    "barCategoryGap": "35%",
                },
                {"name": "release", "type": "bar", "data": list(after)},
            ],
        },
        words,
        height,
    )


def columns_chart(labels: Sequence[str], before: Sequence[int], after: Sequence[int], words: str) -> None:
    """The same as columns, for labels in an order."""
    chart(
        {
            "color": [SERIES[0], SERIES[1]],
            "tooltip": TOOLTIP,
            "legend": {"textStyle": {"color": SOFT}, "top": 0},
            "grid": {"left": 8, "right": 8, "top": 34, "bottom": 28, "containLabel": True},
            "xAxis": axis("", type="category", data=list(labels)),
            "yAxis": axis("", type="value"),
            "series": [
                {"name": "original", "type": "bar", "data": list(before), "barGap": "0%"},
                {"name": "release", "type": "bar", "data": list(after)},
            ],
        },
        words,
        260,
    )
