"""Draw the chart of docs/graph-attacks.md from docs/graph-matching.json.

Run it as `.venv/bin/python docs/images/graph_matching.py`. The figures come from
`python -m benchmarks graph-matching --only curves`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from shoal.core.chart_style import FONT, GRID, INK, LINE, QUIET, headline

HERE = Path(__file__).parent
COLOURS = {"percolation": "#0f766e", "propagation": "#d97706", "degree-profiles": "#4f46e5"}
COLUMNS = {
    "overlap": "share of the edges in both copies",
    "noise": "share of edges at random in each copy (overlap 80 %)",
    "seeds": "people known from the start",
}
ROWS = {"ca-GrQc": "ca-GrQc"}
WIDTH, HEIGHT = 230, 150


def main() -> None:
    told = json.loads((HERE.parent / "graph-matching.json").read_text("utf-8"))
    rows = [
        alt.hconcat(*[_cell(told["points"], network, curve) for curve in COLUMNS], spacing=18)
        for network in ROWS
    ]
    notes = (
        f"Mean of {told['rounds']} pairs of copies with 95 % intervals. Default: half of the edges in both,",
        f"{told['seeds']} people known (nobody for degree-profiles). Dashed: if all others were known.",
    )
    chart = alt.vconcat(*rows, spacing=16, title=headline("People named rightly", notes, 16))
    drawn = (
        chart.configure(font=FONT)
        .configure_axis(labelColor=QUIET, titleColor=QUIET, titleFontWeight="normal", gridColor=GRID)
        .configure_view(stroke=None)
        .configure_title(color=INK)
        .configure_legend(title=None, orient="bottom")
    )
    (HERE / "graph-attacks" / "matching.svg").write_text(vl_convert.vegalite_to_svg(drawn.to_dict()), "utf-8")


def _cell(points: list[dict[str, Any]], network: str, curve: str) -> alt.LayerChart:
    values = [
        {
            **point,
            "low": max(point["right"] - point["half"], 0.0),
            "high": min(point["right"] + point["half"], 1.0),
        }
        for point in points
        if (point["network"], point["curve"]) == (network, curve)
    ]
    if curve == "seeds":  # nobody is known to degree-profiles
        values = [point for point in values if point["attack"] != "degree-profiles"]
    scale = alt.Scale(type="log") if curve == "seeds" else alt.Scale()
    across = alt.X("at:Q", title=COLUMNS[curve], scale=scale, axis=alt.Axis(tickCount=5, grid=False))
    up = alt.Y("right:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=5))
    colour = alt.Color("attack:N", scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())))
    drawn = alt.Chart(alt.Data(values=values)).encode(x=across)
    limit = (
        alt.Chart(alt.Data(values=[point for point in values if point["attack"] == "percolation"]))
        .mark_line(color=LINE, strokeDash=[4, 3])
        .encode(x=across, y="limit:Q")
    )
    title = ROWS[network] if curve == next(iter(COLUMNS)) else ""
    return alt.layer(
        limit,
        drawn.mark_rule(opacity=0.5).encode(y=alt.Y("low:Q"), y2="high:Q", color=colour),
        drawn.mark_line(point=True).encode(y=up, color=colour),
        title=alt.Title(title, anchor="start", fontSize=12),
    ).properties(width=WIDTH, height=HEIGHT)


if __name__ == "__main__":
    main()
