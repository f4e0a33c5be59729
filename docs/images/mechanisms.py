"""Draw the pictures of the methods that noise, coins or a proof stand behind, from real output on the demo.

Run it as `.venv/bin/python docs/images/mechanisms.py`. Four of the methods take no seed, so their pictures
differ a little from run to run.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import altair as alt
import numpy as np
import polars as pl

import shoal
from methods import FILL, INK, LINE, people, save
from shoal.demo.story import tell
from shoal.tables.appraisal.comparison import generalise, recoding_between
from shoal.tables.appraisal.losses import losses
from shoal.tables.methods.optimal import Optimal
from shoal.tables.methods.retention import Retention
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.table import Table

GREY = "#cbd5e1"
Cells = dict[tuple[str, ...], int]


class Demo:
    """The demo's patients, and what a method makes of declared columns of theirs."""

    def __init__(self, folder: str, rows: int) -> None:
        tell(folder, rows, lambda _: None)
        Path(folder, "sex.csv").write_text("F;*\nM;*\n", "utf-8")
        self.frame = pl.read_csv(f"{folder}/patients.csv", infer_schema=False)
        self.hierarchies = {column: f"{folder}/{column}.csv" for column in ("sex", "occupation", "diagnosis")}

    def counts(self, quasi: list[str], method: str, model: str) -> tuple[Cells, Cells]:
        """Rows per cell, of the patients on the same levels and of the release."""
        columns = [*quasi, "diagnosis"]
        hierarchies = {column: self.hierarchies[column] for column in columns}
        asked: dict[str, Any] = {"quasi": quasi, "sensitive": "diagnosis", "hierarchy": hierarchies}
        data = self.frame.select(columns)
        release = shoal.protect(data, method=method, model=model, **asked)
        top = {column: "1" for column in columns if f"{column}:1" in method}
        for column in top:
            lines = [text.split(";") for text in Path(hierarchies[column]).read_text("utf-8").splitlines()]
            data = data.with_columns(pl.col(column).replace({labels[0]: labels[1] for labels in lines}))
        return _cells(data), _cells(release.table.frame.select(columns))


def _cells(frame: pl.DataFrame) -> Cells:
    counted = frame.group_by(frame.columns).agg(pl.len().alias("rows")).sort(frame.columns)
    return {tuple(row[:-1]): row[-1] for row in counted.iter_rows()}


def noisy_counts(demo: Demo) -> None:
    """True and released counts of every cell."""
    method = "noisy-counts(epsilon=0.5,levels=diagnosis:1,threshold=3)"
    true, made = demo.counts(["sex"], method, "differential-privacy(epsilon=0.5)")
    values = [
        {"cell": ", ".join(cell), "what": what, "rows": counts.get(cell, 0)}
        for cell in sorted({*true, *made})
        for what, counts in (("in the table", true), ("in the release", made))
    ]
    chart = (
        alt.Chart(alt.Data(values=values))
        .mark_bar()
        .encode(
            x=alt.X("rows:Q", title="rows"),
            y=alt.Y("cell:N", title=None, axis=alt.Axis(labelLimit=260)),
            yOffset=alt.YOffset("what:N", sort=["in the table", "in the release"]),
            color=_colours(["in the table", "in the release"], [GREY, LINE]),
        )
    )
    save(chart.properties(width=320, height=24 * len(values) // 2), "noisy-counts")


def retention(demo: Demo) -> None:
    """Counts of one column before, after, and estimated back."""
    true, made = demo.counts(
        ["sex"], "retention(rho=0.3,levels=diagnosis:1)", "d-gamma-privacy(d=0.1,gamma=0.9)"
    )
    groups = sorted({cell[-1] for cell in true})
    before, after = (
        np.array([sum(rows for cell, rows in counts.items() if cell[-1] == group) for group in groups])
        for counts in (true, made)
    )
    back = Retention(0.3).estimate(after)
    names = ["in the table", "in the release", "estimated from the release"]
    values = [
        {"group": group, "what": what, "rows": float(counts[place])}
        for place, group in enumerate(groups)
        for what, counts in zip(names, (before, after, back), strict=True)
    ]
    chart = (
        alt.Chart(alt.Data(values=values))
        .mark_bar()
        .encode(
            x=alt.X("rows:Q", title="rows"),
            y=alt.Y("group:N", title=None, axis=alt.Axis(labelLimit=260)),
            yOffset=alt.YOffset("what:N", sort=names),
            color=_colours(names, [GREY, LINE, FILL]),
        )
    )
    save(chart.properties(width=320, height=40 * len(groups)), "retention")


def sampled_generalisation(demo: Demo) -> None:
    """Every cell as a dot: rows in the table, rows in the release."""
    method = "sampled-generalisation(beta=0.1,k=20,levels=occupation:1|diagnosis:1)"
    true, made = demo.counts(["sex", "occupation"], method, "differential-privacy(epsilon=1,delta=0.000001)")
    dots = [{"table": rows, "release": made.get(cell, 0)} for cell, rows in true.items()]
    most = max(true.values())
    points = (
        alt.Chart(alt.Data(values=dots))
        .mark_circle(size=28, color=LINE, opacity=0.8)
        .encode(
            x=alt.X("table:Q", title="rows of a cell in the table"),
            y=alt.Y("release:Q", title="rows of it in the release"),
        )
    )
    slope = [{"table": 0, "release": 0}, {"table": most, "release": most / 10}]
    line = alt.Chart(alt.Data(values=slope)).mark_line(color=GREY).encode(x="table:Q", y="release:Q")
    floor = alt.Chart(alt.Data(values=[{"release": 20, "text": "k = 20"}])).encode(y="release:Q")
    rule = floor.mark_rule(color=INK, strokeDash=[4, 4])
    text = floor.mark_text(align="right", dy=-7, color=INK).encode(x=alt.value(420), text="text:N")
    save((line + rule + text + points).properties(width=420, height=240), "sampled-generalisation")


def synthetic(demo: Demo) -> None:
    """Every cell as a dot: rows in the table, rows in the synthetic one."""
    true, made = demo.counts(["sex", "occupation"], "synthetic", "differential-privacy(epsilon=1)")
    dots = [{"table": true.get(cell, 0), "release": made.get(cell, 0)} for cell in {*true, *made}]
    most = max(true.values())
    points = (
        alt.Chart(alt.Data(values=dots))
        .mark_circle(size=28, color=LINE, opacity=0.8)
        .encode(
            x=alt.X("table:Q", title="rows of a cell in the table"),
            y=alt.Y("release:Q", title="rows of it in the synthetic table"),
        )
    )
    slope = [{"table": 0, "release": 0}, {"table": most, "release": most}]
    line = alt.Chart(alt.Data(values=slope)).mark_line(color=GREY).encode(x="table:Q", y="release:Q")
    save((line + points).properties(width=420, height=240), "synthetic")


def optimal(table: Table, suppress: float = 0.05, k: int = 10) -> None:
    """Every combination of two columns' levels: what it loses, which can be, and which is best."""
    two = table.with_roles(quasi=("age", "town"), insensitive=("hours",))
    hierarchies = {column: table.hierarchies[column] for column in two.quasi}
    best = Optimal(suppress=suppress, seed=1).protect(two, [KAnonymity(k)])
    values = []
    for levels in product(*(range(hierarchy.height + 1) for hierarchy in hierarchies.values())):
        told = dict(zip(hierarchies, levels, strict=True))
        frame = two.frame.with_columns(
            generalise(two.frame[column], hierarchies[column], level) for column, level in told.items()
        )
        kept = frame.filter(pl.len().over(two.quasi) >= k)
        fits = kept.height >= (1 - suppress) * frame.height
        value: dict[str, Any] = {**told, "state": "breaks the promise", "text": "–"}
        if fits:
            lost = losses(recoding_between(two, two.with_frame(kept), hierarchies, told), k)["loss"]
            chosen = told == dict(best.levels or {})
            value |= {"state": "the best" if chosen else "keeps it", "text": f"{lost:.3f}"}
        values.append(value)
    base = alt.Chart(alt.Data(values=values)).encode(
        x=alt.X("age:O", title="level of age", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("town:O", title="level of town", sort="descending"),
    )
    states = ["breaks the promise", "keeps it", "the best"]
    cells = base.mark_rect(stroke="white").encode(
        color=_colours(states, ["#f1f5f9", FILL, "#5eead4"], "state")
    )
    frames = base.transform_filter("datum.state == 'the best'").mark_rect(
        fill=None, stroke=INK, strokeWidth=2
    )
    words = base.mark_text(color=INK).encode(text="text:N")
    save((cells + frames + words).properties(width=360, height=130), "optimal")


def _colours(domain: list[str], colours: list[str], field: str = "what") -> Any:
    scale = alt.Scale(domain=domain, range=colours)
    return alt.Color(f"{field}:N", title=None, scale=scale, legend=alt.Legend(orient="bottom"))


def main() -> None:
    optimal(people())
    with TemporaryDirectory() as folder:
        noisy_counts(Demo(folder, 600))
    with TemporaryDirectory() as folder:
        demo = Demo(folder, 20_000)
        retention(demo)
        sampled_generalisation(demo)
        synthetic(demo)


if __name__ == "__main__":
    main()
