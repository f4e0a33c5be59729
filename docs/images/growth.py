"""Draws how long a search takes as a table grows, from the figures that `python -m benchmarks growth` left.

Run it as `.venv/bin/python docs/images/growth.py`.
"""

import json
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

HERE = Path(__file__).parent
COLOURS = ["#0f766e", "#b45309", "#4338ca"]
WAYS = ["optimal", "heuristic", "local-recoding"]


def panel(lines: list[dict[str, Any]], across: str, title: str, **axis: Any) -> Any:
    """Seconds on an axis of powers of ten; a hollow dot is a search that did not end with a proof."""
    for line in lines:
        line["told"] = line["way"] != "optimal" or line["proved"]
    base = alt.Chart(alt.Data(values=lines)).encode(
        x=alt.X(f"{across}:Q", title=title, **axis),
        y=alt.Y("seconds:Q", title="CPU seconds", scale=alt.Scale(type="log")),
        color=alt.Color("way:N", title="method", scale=alt.Scale(domain=WAYS, range=COLOURS)),
    )
    hollow = alt.condition("datum.told", alt.value(1.0), alt.value(0.0))
    dots = base.mark_point(filled=True, size=70).encode(fillOpacity=hollow, strokeWidth=alt.value(2))
    return (base.mark_line() + dots).properties(width=280, height=220)


def main() -> None:
    """Both panels side by side."""
    found = json.loads((HERE.parent / "growth.json").read_text("utf-8"))
    rows = panel(
        found["rows"],
        "rows",
        "rows (9 columns)",
        scale=alt.Scale(type="log"),
        axis=alt.Axis(format="~s", values=[10**power for power in range(4, 8)]),
    )
    columns = panel(found["columns"], "columns", "columns (30,000 rows)", scale=alt.Scale(zero=False))
    chart = alt.hconcat(rows, columns).configure_view(stroke=None).configure(background="white", padding=12)
    (HERE / "growth.svg").write_text(vl_convert.vegalite_to_svg(chart.to_dict()), "utf-8")


if __name__ == "__main__":
    main()
