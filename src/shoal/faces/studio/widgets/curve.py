"""Risk against loss: what each k would cost, and where the runs stand."""

from __future__ import annotations

import re
from typing import Any

from nicegui import ui

from shoal.faces.studio.desk import Desk
from shoal.faces.studio.theme import ACCENT, SERIES
from shoal.faces.studio.widgets.charts import SOFT, axis, chart
from shoal.faces.studio.widgets.text import figure, note


def curve(desk: Desk, found: dict[str, Any]) -> None:
    """A line over k with a slider along it."""
    points = [one for one in found["points"] if one["risk"] is not None and one["utility"] is not None]
    if not points:
        note("No k could be reached with these settings. Allow more rows to be left out.", "warn")
        return
    made = chart(
        {
            "tooltip": {"renderMode": "richText", "confine": True, "formatter": "{b}"},
            "grid": {"left": 12, "right": 24, "top": 36, "bottom": 36, "containLabel": True},
            "legend": {"textStyle": {"color": SOFT}, "top": 0},
            "xAxis": axis("loss", type="value", nameLocation="middle", nameGap=26),
            "yAxis": axis("highest risk", type="value"),
            "series": [
                _series("values of k", 8, SERIES[0], _line(points), "line"),
                _series("your runs", 13, SERIES[2], _dots(desk)),
                {**_series("chosen k", 20, ACCENT, []), "z": 5},
            ],
        },
        f"Risk against loss for {len(points)} values of k",
        320,
    )
    ks = [one["k"] for one in points]
    told = ui.element("div").classes("s-columns s-figures").props('aria-live="polite"')

    def move(place: int) -> None:
        one = points[place]
        made.options["series"][2]["data"] = [
            {"value": [one["utility"], one["risk"]], "name": f"k = {one['k']}"}
        ]
        made.update()
        with told.clear():
            figure(f"k = {one['k']}", "every row looks like that many")
            figure(f"{one['risk']:.1%}", "highest risk of being found")
            figure(f"{one['utility']:.3f}", "loss, from 0 to 1")
            figure(f"{one['suppressed']:,}", "rows left out")

    slider = ui.slider(min=0, max=len(points) - 1, step=1, value=_start(desk, ks))
    slider.props('snap markers aria-label="Value of k"').classes("s-fill")
    slider.on_value_change(lambda event: move(int(event.value)))
    slider.move(target_index=-1)
    move(int(slider.value))


def _series(name: str, size: int, colour: str, data: list[Any], kind: str = "scatter") -> dict[str, Any]:
    return {"name": name, "type": kind, "symbolSize": size, "color": colour, "data": data}


def _dots(desk: Desk) -> list[dict[str, Any]]:
    """The runs that promise a k."""
    dots = []
    for run in desk.table.runs.done:
        loss, risk = run.result.get("losses", {}).get("loss"), _risk_of(run.result)
        if loss is not None and risk is not None:
            dots.append(
                {"value": [loss, risk], "name": f"run {run.number}: risk {risk:.1%}, loss {loss:.3f}"}
            )
    return dots


def _line(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            "value": [one["utility"], one["risk"]],
            "name": f"k = {one['k']}: risk {one['risk']:.1%}, loss {one['utility']:.3f}",
        }
        for one in points
    ]


def _start(desk: Desk, ks: list[int]) -> int:
    """The k that is set now, or the one next to it."""
    models = " ".join(desk.table.settings.model)
    set_now = [int(k) for k in re.findall(r"\(k=(\d+)", models)]
    wanted = set_now[0] if set_now else 5
    return min(range(len(ks)), key=lambda place: abs(ks[place] - wanted))


def _risk_of(result: dict[str, Any]) -> float | None:
    """The highest risk of a run: one by the size of its smallest group, which a promise of k tells."""
    levels = [model["level"] for model in result.get("models", []) if "(k=" in (model.get("model") or "")]
    return 1 / levels[0] if levels and levels[0] else None
