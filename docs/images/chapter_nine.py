"""Draw the charts of docs/chapter-nine.md from docs/chapter-nine.json.

Run it as `.venv/bin/python docs/images/chapter_nine.py`. The figures come from
`python -m benchmarks chapter-nine`.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from shoal.core.chart_style import FONT, GRID, INK, LINE, QUIET, headline

HERE = Path(__file__).parent
TEAL, AMBER, BLUE = "#0f766e", "#d97706", "#4f46e5"
ROWS = {
    "as the thesis wrote them": {"SuperGraph": TEAL, "Relaxed": AMBER, "SimulSwap": BLUE},
    "Shoal's defaults": {"supergraph": TEAL, "relaxed": AMBER, "simultaneous": BLUE},
}
PATIENT = {"Relaxed": "Relaxed, patient", "SimulSwap": "SimulSwap, patient"}
FIGURES = {
    "diameter": ("9-14-diameter", "Diameter", "the longest of all shortest ways"),
    "path_length": ("9-15-path-length", "Average path length", "equation 7.4: 0 where there is no way"),
    "density": ("9-16-density", "Density", "share of all possible edges"),
    "exponent": ("9-17-power-law", "Power-law exponent", "Clauset et al., from degree 3 on"),
    "clustering": ("9-18-clustering", "Clustering coefficient", "equation 7.1"),
    "kept": ("kept", "Original edges that are still there", "share of the original's edges"),
}
WIDTH, HEIGHT = 220, 150


def main() -> None:
    told = json.loads((HERE.parent / "chapter-nine.json").read_text("utf-8"))
    for figure in FIGURES:
        _save(_chart(told, figure), FIGURES[figure][0])
    _save(_cost(told), "9-6-cost")


def _chart(told: dict[str, Any], figure: str) -> alt.VConcatChart:
    """A column for each graph, a row for the thesis and one for Shoal, on the same scale."""
    rows = []
    for place, (title, colours) in enumerate(ROWS.items()):
        cells = [
            _cell(graph, figure, colours, name if place == 0 else "", title if column == 0 else "")
            for column, (name, graph) in enumerate(told["graphs"].items())
        ]
        rows.append(alt.hconcat(*cells, spacing=18).resolve_scale(color="shared"))
    _, text, below = FIGURES[figure]
    notes = (
        f"{below}; mean of {told['runs']} runs, the band is one standard deviation; grey: the original",
        f"dotted: GreedySwap that stops only after {told['patience']} samples without a swap "
        f"({told['patient_runs']} runs)",
    )
    chart = alt.vconcat(*rows, spacing=14, title=headline(text, notes, 16)).resolve_scale(color="independent")
    return _styled(chart)


def _cell(
    graph: dict[str, Any], figure: str, colours: dict[str, str], above: str, left: str
) -> alt.LayerChart:
    named = {**{name: name for name in colours}}
    named |= {patient: name for name, patient in PATIENT.items() if name in colours}
    values = [
        {
            "k": point["k"],
            "value": point["mean"][figure],
            "low": point["mean"][figure] - math.sqrt(point["variance"][figure]),
            "high": point["mean"][figure] + math.sqrt(point["variance"][figure]),
            "algorithm": named[point["algorithm"]],
            "patient": point["algorithm"] not in colours,
        }
        for point in graph["points"]
        if point["algorithm"] in named and point["runs"]
    ]
    shown = [point for point in graph["points"] if point["runs"]]
    original = 1.0 if figure == "kept" else graph["original"][figure]
    seen = [point["mean"][figure] for point in shown] + [original]
    room = 0.05 * (max(seen) - min(seen))
    scale = alt.Scale(domain=[min(seen) - room, max(seen) + room], nice=False)
    colour = alt.Color(
        "algorithm:N",
        title=None,
        scale=alt.Scale(domain=list(colours), range=list(colours.values())),
        legend=alt.Legend(orient="right"),
    )
    base = alt.Chart(alt.Data(values=values)).encode(
        x=alt.X("k:Q", title="k", scale=alt.Scale(domain=[0, 100])), color=colour
    )
    y = alt.Y("value:Q", title=left or None, scale=scale, axis=alt.Axis(tickCount=5))
    band = base.mark_area(opacity=0.15, clip=True).encode(
        y=alt.Y("low:Q", scale=scale), y2="high:Q", detail="patient:N"
    )
    plain = base.transform_filter("!datum.patient").mark_line(strokeWidth=2).encode(y=y)
    dotted = base.transform_filter("datum.patient").mark_line(strokeWidth=1.5, strokeDash=[2, 3]).encode(y=y)
    rule = alt.Chart(alt.Data(values=[{"value": original}])).mark_rule(color=LINE, strokeWidth=2).encode(y=y)
    title = alt.Title(above, fontSize=12, color=INK, font=FONT) if above else alt.Title("", fontSize=1)
    return (rule + band + dotted + plain).properties(width=WIDTH, height=HEIGHT, title=title)


def _cost(told: dict[str, Any]) -> alt.HConcatChart:
    """Figure 9.6: how far degrees must move, by additions alone and by both."""
    names = {"additions": "additions only", "both": "additions and deletions"}
    cells = []
    for name, graph in told["graphs"].items():
        values = [
            {"k": point["k"], "distance": point[kind], "change": names[kind]}
            for point in graph["cost"]
            for kind in names
        ]
        chart = (
            alt.Chart(alt.Data(values=values))
            .mark_line(strokeWidth=2)
            .encode(
                x=alt.X("k:Q", title="k", scale=alt.Scale(domain=[0, 100])),
                y=alt.Y("distance:Q", title="L1 distance" if not cells else None),
                color=alt.Color(
                    "change:N",
                    title=None,
                    scale=alt.Scale(domain=list(names.values()), range=[AMBER, TEAL]),
                    legend=alt.Legend(orient="bottom"),
                ),
            )
        )
        title = alt.Title(name, fontSize=12, color=INK, font=FONT)
        cells.append(chart.properties(width=WIDTH, height=HEIGHT, title=title))
    text = "What k-anonymous degrees cost at least"
    below = "L1 distance from the original degrees to the nearest of which each occurs k times"
    return _styled(alt.hconcat(*cells, spacing=18, title=headline(text, below, 16)))


def _styled(chart: Any) -> Any:
    return (
        chart.configure(background="white", padding=12)
        .configure_view(stroke=None)
        .configure_axis(
            gridColor=GRID, domainColor=LINE, tickColor=LINE, labelColor=QUIET, titleColor=QUIET,
            labelFont=FONT, titleFont=FONT, titleFontWeight="normal",
        )
        .configure_legend(labelFont=FONT, labelColor=INK)
    )  # fmt: skip


def _save(chart: Any, name: str) -> None:
    path = HERE / "chapter-nine" / f"{name}.svg"
    path.write_text(vl_convert.vegalite_to_svg(chart.to_dict()), "utf-8")


if __name__ == "__main__":
    main()
