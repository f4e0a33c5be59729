"""The lattice of solutions as a picture: safe, unsafe and optimal, the loss by colour; pick one, apply it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from shoal.faces.studio.desk import Desk
from shoal.faces.studio.theme import ACCENT
from shoal.faces.studio.widgets.charts import GRID, SOFT, chart
from shoal.faces.studio.widgets.text import chip, note, text

if TYPE_CHECKING:
    from shoal.faces.studio.runs import Run

CHEAP, DEAR = (38, 166, 154), (98, 88, 170)  # of the loss
UNSAFE = "#d65046"  # reads on light and dark
EDGED = 160  # nodes up to which lines are drawn
STATES = {
    "optimal": ("The best choice of levels that keeps the promise", "safe"),
    "safe": ("Keeps the promise", "safe"),
    "unsafe": ("Breaks the promise", "risk"),
    "undecided": ("Not looked at", "plain"),
}


def lattice(desk: Desk, run: Run, found: dict[str, Any]) -> None:
    """The picture, its legend, and what is picked."""
    nodes = found["solutions"]
    by_levels: dict[tuple[int, ...], dict[str, Any]] = {tuple(one["levels"]): one for one in nodes}
    columns, heights = found["columns"], found["heights"]
    released = (run.result or {}).get("levels")
    best = next((one for one in nodes if one["state"] == "optimal"), nodes[0])
    now = tuple(released[column] for column in columns) if released else tuple(best["levels"])
    picked = by_levels.get(now, best)
    with ui.element("div").classes("s-row"):
        for state, (_, tone) in STATES.items():
            if found["states"][state]:
                chip(f"{found['states'][state]:,} {state}", tone)  # type: ignore[arg-type]
        ui.label(found["words"]).classes("s-soft s-small")
    for told in found["notes"]:
        note(told, "warn")

    def pick(one: dict[str, Any]) -> None:
        nonlocal picked
        if one["levels"] != picked["levels"]:
            picked = one
            show()

    spots = _spots(nodes)
    chart(
        _options(nodes, spots, columns),
        f"{found['words']} {found['states']['safe']} are safe, {found['states']['unsafe']} unsafe.",
        height=min(120 + 46 * len({sum(one["levels"]) for one in nodes}), 560),
        click=lambda event: pick(nodes[event.data_index]) if event.data_index < len(nodes) else None,
    )
    _legend(nodes)
    with ui.element("div").classes("s-picked"):
        text("h3", "The choice you picked")
        selects = _selects(columns, heights, picked["levels"], lambda levels: pick(of_levels(levels)))
        told_of_it = ui.element("div").classes("s-stack").props('aria-live="polite"')

    def of_levels(levels: list[int]) -> dict[str, Any]:
        unknown = {"levels": levels, "state": "undecided", "loss": None, "suppressed": None}
        return by_levels.get(tuple(levels), unknown)

    def show() -> None:
        # The fields stay, so that whoever chooses by keyboard does not lose the place.
        for select, level in zip(selects, picked["levels"], strict=True):
            select.set_value(level)
        with told_of_it.clear():
            _picked(desk, found, picked)

    show()


def _selects(
    columns: list[str], heights: dict[str, int], levels: list[int], chosen: Callable[[list[int]], None]
) -> list[ui.select]:
    """A field for the level of each column."""
    selects: list[ui.select] = []
    with ui.element("div").classes("s-levels"):
        for column, level in zip(columns, levels, strict=True):
            options = {one: _level_name(one, heights[column]) for one in range(heights[column] + 1)}
            select = ui.select(options, label=column, value=level).props("outlined dense")
            select.on_value_change(lambda: chosen([int(one.value or 0) for one in selects]))
            selects.append(select)
    return selects


def _picked(desk: Desk, found: dict[str, Any], picked: dict[str, Any]) -> None:
    """What the choice costs, and the way to a release, or why there is none."""
    from shoal.faces.studio.pages.explore import apply_levels

    columns = found["columns"]
    words, tone = STATES[picked["state"]]
    with ui.element("div").classes("s-row"):
        chip(words, tone)  # type: ignore[arg-type]
        if picked["loss"] is not None:
            ui.label(f"{found['objective']} {picked['loss']:.3g}").classes("s-value")
        if picked["suppressed"] is not None:
            share = picked["suppressed"] / max(found["rows"], 1)
            ui.label(f"leaves out {picked['suppressed']:,} rows ({share:.1%})").classes("s-soft s-small")
    said = ui.element("div")
    levels = [f"{column}={level}" for column, level in zip(columns, picked["levels"], strict=True)]
    if picked["state"] == "unsafe":
        note(_why_unsafe(found, picked), "risk")
    else:
        ui.button("Release this choice", on_click=lambda: apply_levels(desk, levels, said)).props(
            "unelevated"
        ).style("align-self: flex-start")


def _why_unsafe(found: dict[str, Any], picked: dict[str, Any]) -> str:
    if picked["suppressed"] is not None and picked["suppressed"] > found["allowed"]:
        return (
            f"It would leave out {picked['suppressed']:,} rows, and {found['allowed']:,} are allowed. "
            "Choose higher levels, or allow more on the page Promise."
        )
    return "What would be left still breaks the promise. Choose higher levels."


def _level_name(level: int, height: int) -> str:
    return "as it is" if level == 0 else "hidden" if level == height else f"level {level} of {height}"


def _spots(nodes: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """Where each node stands: coarser ones higher up, those of one height side by side."""
    ranks: dict[int, list[int]] = defaultdict(list)
    for place, one in enumerate(nodes):
        ranks[sum(one["levels"])].append(place)
    spots: list[tuple[float, float]] = [(0.0, 0.0)] * len(nodes)
    for rank, members in ranks.items():
        members.sort(key=lambda place: nodes[place]["levels"], reverse=True)
        for at, place in enumerate(members):
            spots[place] = (at - (len(members) - 1) / 2, float(rank))
    return spots


def _options(
    nodes: list[dict[str, Any]], spots: list[tuple[float, float]], columns: list[str]
) -> dict[str, Any]:
    low, high = _range(nodes)
    many = max((sum(1 for _, y in spots if y == rank) for rank in {y for _, y in spots}), default=1)
    size = max(7, min(24, 620 // max(many, 1)))
    data = []
    for one, (x, y) in zip(nodes, spots, strict=True):
        told = ", ".join(f"{column} {level}" for column, level in zip(columns, one["levels"], strict=True))
        figures = (
            "" if one["loss"] is None else f"\nloss {one['loss']:.3g}, {one['suppressed']:,} rows left out"
        )
        data.append(
            {
                "value": [x, y],
                "name": f"{told}\n{one['state']}{figures}",
                "symbol": "diamond" if one["state"] == "unsafe" else "circle",
                "symbolSize": size * 1.5 if one["state"] == "optimal" else size,
                "itemStyle": _style(one, low, high),
            }
        )
    series: list[dict[str, Any]] = [{"type": "scatter", "data": data, "z": 3}]
    if len(nodes) <= EDGED:
        series += _edges(nodes, spots)
    hidden = {"show": False, "min": "dataMin", "max": "dataMax"}
    return {
        "tooltip": {"renderMode": "richText", "confine": True, "formatter": "{b}"},
        "grid": {"left": 24, "right": 24, "top": 24, "bottom": 24},
        "xAxis": {**hidden, "scale": True},
        "yAxis": {**hidden, "scale": True},
        "series": series,
    }


def _edges(nodes: list[dict[str, Any]], spots: list[tuple[float, float]]) -> list[dict[str, Any]]:
    """A line wherever one column goes one level up."""
    place = {tuple(one["levels"]): number for number, one in enumerate(nodes)}
    lines = []
    for levels, number in place.items():
        for column in range(len(levels)):
            above = place.get((*levels[:column], levels[column] + 1, *levels[column + 1 :]))
            if above is not None:
                lines.append({"coords": [list(spots[number]), list(spots[above])]})
    style = {"color": "#8a97a6", "opacity": 0.35, "width": 1}
    return [
        {
            "type": "lines",
            "coordinateSystem": "cartesian2d",
            "data": lines,
            "lineStyle": style,
            "silent": True,
            "z": 1,
        }
    ]


def _range(nodes: list[dict[str, Any]]) -> tuple[float, float]:
    losses = [one["loss"] for one in nodes if one["loss"] is not None and one["state"] in ("safe", "optimal")]
    return (min(losses), max(losses)) if losses else (0.0, 1.0)


def _style(one: dict[str, Any], low: float, high: float) -> dict[str, Any]:
    if one["state"] == "undecided":
        return {"color": GRID, "borderColor": SOFT, "borderType": "dotted", "borderWidth": 1}
    if one["state"] == "unsafe" or one["loss"] is None:
        return {"color": "rgba(214,80,70,0.12)", "borderColor": UNSAFE, "borderWidth": 1.5}
    share = (one["loss"] - low) / (high - low) if high > low else 0.0
    colour = "rgb({},{},{})".format(*(round(a + (b - a) * share) for a, b in zip(CHEAP, DEAR, strict=True)))
    if one["state"] == "optimal":
        return {"color": colour, "borderColor": "#e0a020", "borderWidth": 4}
    return {"color": colour, "borderColor": ACCENT, "borderWidth": 0}


def _legend(nodes: list[dict[str, Any]]) -> None:
    low, high = _range(nodes)
    ramp = "linear-gradient(90deg, rgb({},{},{}), rgb({},{},{}))".format(*CHEAP, *DEAR)
    with ui.element("div").classes("s-legend"):
        for style, shape, words in (
            ("background:rgb(38,166,154);border:3px solid #e0a020", "", "optimal"),
            (f"background:{ramp}", "s-ramp", f"safe, loss {low:.2g} to {high:.2g}"),
            (f"background:rgba(214,80,70,.12);border:1.5px solid {UNSAFE}", "s-square", "unsafe"),
        ):
            with ui.element("span"):
                ui.element("i").classes(shape).style(style)
                ui.label(words)
