"""Draws the charts of docs/findings.md from the figures of `python -m benchmarks findings`.

Run it as `.venv/bin/python docs/images/findings.py`; it needs the Adult table beside the repository.
"""

import sys
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from benchmarks.findings import KS, Subject, homogeneous, intersected  # noqa: E402

INK, LINE, FILL, WARN = "#1f2937", "#0f766e", "#94a3b8", "#b45309"


def save(chart: Any, name: str) -> None:
    chart = chart.configure_view(stroke=None).configure(background="white", padding=12)
    (HERE / f"{name}.svg").write_text(vl_convert.vegalite_to_svg(chart.to_dict()), "utf-8")


def lines(values: list[dict[str, Any]], colours: dict[str, str], title: str, name: str) -> None:
    """Shares against k, every line with its name at its left end."""
    x = alt.X("k:O", title="k", axis=alt.Axis(labelAngle=0))
    y = alt.Y("share:Q", title=title, axis=alt.Axis(format=".0%", tickCount=5))
    colour = alt.Color(
        "what:N",
        title=None,
        sort=[*colours],
        scale=alt.Scale(domain=[*colours], range=[*colours.values()]),
        legend=alt.Legend(orient="right", labelLimit=320, labelColor=INK),
    )
    base = alt.Chart(alt.Data(values=values)).encode(x=x, y=y, color=colour)
    save(
        (base.mark_line(strokeWidth=2) + base.mark_point(filled=True, size=50)).properties(
            width=360, height=240
        ),
        name,
    )


def main() -> None:
    subject = Subject.of()
    if subject.generated:
        raise SystemExit(
            "the Adult table is not beside the repository; charts of made-up people would mislead"
        )
    told = {"two or three values left": FILL, "certain, both releases": WARN, "certain, one release": LINE}
    values = []
    for k in KS:
        found = intersected(subject, [f"k-anonymity(k={k})"], "mondrian")
        assert found is not None
        for what, part in zip(told, (found.partial, found.perfect, found.alone), strict=True):
            values.append({"k": k, "what": what, "share": part / found.people})
    lines(values, told, "share of the 5,000 people in both", "findings-intersection")
    models: dict[str, tuple[tuple[str, ...], float]] = {
        "k alone, 60 % sure": ((), 0.6),
        "k and entropy l = 3, 60 % sure": (("l-diversity(l=3,kind=entropy)",), 0.6),
        "k alone, certain": ((), 1.0),
        "k and t = 0.3, 60 % sure": (("t-closeness(t=0.3)",), 0.6),
    }
    values = [
        {
            "k": k,
            "what": what,
            "share": homogeneous(subject, (f"k-anonymity(k={k})", *more), "mondrian", sure),
        }
        for what, (more, sure) in models.items()
        for k in KS
    ]
    colours = dict(zip(models, (FILL, "#2563eb", WARN, LINE), strict=True))
    lines(values, colours, "share of the people", "findings-homogeneity")


if __name__ == "__main__":
    main()
