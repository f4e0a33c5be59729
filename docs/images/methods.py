"""Draws the pictures of docs/methods from real output on the demo's made-up patients.

Run it as `.venv/bin/python docs/images/methods.py`.
"""

from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import vl_convert

from shoal.tables.hierarchies import Hierarchy, suggest
from shoal.tables.methods.auto import Auto
from shoal.tables.methods.cell_suppression import CellSuppression
from shoal.tables.methods.heuristic.heuristic import Heuristic
from shoal.tables.methods.local_recoding import LocalRecoding
from shoal.tables.methods.mondrian.mondrian import Mondrian
from shoal.tables.methods.optimal import Optimal
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.table import Table

HERE = Path(__file__).parent
INK, LINE, FILL = "#1f2937", "#0f766e", "#99f6e4"


def people(rows: int = 300) -> Table:
    """Ages and weekly hours that go together, and a town."""
    import numpy as np

    chance = np.random.default_rng(4)
    age = np.clip(chance.gamma(9, 4.6, rows), 17, 90).astype(int)
    hours = np.clip(chance.normal(52 - np.abs(age - 42) * 0.7, 9), 1, 80).astype(int)
    town = chance.choice(["Ahl", "Berg", "Cleve", "Dorn", "Elm"], rows, p=[0.4, 0.3, 0.15, 0.1, 0.05])
    frame = pl.DataFrame({"age": age, "hours": hours, "town": town}).cast(pl.String)
    hierarchies = {column: suggest(frame[column], column).hierarchy for column in frame.columns}
    return Table(frame, quasi=tuple(frame.columns), hierarchies=hierarchies)


def save(chart: Any, name: str) -> None:
    chart = chart.configure_view(stroke=None).configure(background="white", padding=12)
    (HERE / f"{name}.svg").write_text(vl_convert.vegalite_to_svg(chart.to_dict()), "utf-8")


def mondrian(table: Table) -> None:
    """The rectangles of two columns of numbers."""
    two = table.with_roles(quasi=("age", "hours"), insensitive=("town",))
    frame = Mondrian(seed=1).protect(two, [KAnonymity(10)]).table.frame.select("age", "hours").unique()
    ends = [[*map(float, label.strip("[]").split(", "))] for column in frame for label in column]
    half = len(ends) // 2
    boxes = [
        {"x": x[0] - 0.5, "x2": x[-1] + 0.5, "y": y[0] - 0.5, "y2": y[-1] + 0.5}
        for x, y in zip(ends[:half], ends[half:], strict=True)
    ]
    dots = table.frame.select(pl.col("age", "hours").cast(pl.Int64)).to_dicts()
    rectangles = (
        alt.Chart(alt.Data(values=boxes))
        .mark_rect(fill=FILL, opacity=0.5, stroke=LINE)
        .encode(x=alt.X("x:Q", title="age"), x2="x2:Q", y=alt.Y("y:Q", title="hours"), y2="y2:Q")
    )
    points = alt.Chart(alt.Data(values=dots)).mark_circle(size=7, color=INK).encode(x="age:Q", y="hours:Q")
    save((rectangles + points).properties(width=420, height=260), "mondrian")


def bars(values: list[dict[str, Any]], name: str) -> None:
    base = alt.Chart(alt.Data(values=values)).encode(
        x=alt.X("loss:Q", title="loss", scale=alt.Scale(domain=[0, 1])),
        y=alt.Y("what:N", title=None, sort=None, axis=alt.Axis(labelLimit=260)),
    )
    text = base.mark_text(align="left", dx=4, color=INK).encode(text=alt.Text("loss:Q", format=".3f"))
    save((base.mark_bar(color=LINE) + text).properties(width=320, height=28 * len(values)), name)


def loss(method: Any, table: Table, k: int = 10) -> float:
    return float(method.protect(table, [KAnonymity(k)]).losses["loss"])


def auto(table: Table) -> None:
    """What auto tried and what it took, as it tells it."""
    release = Auto(suppress=0.05, seed=1).protect(table, [KAnonymity(10)])
    tried = [
        {"what": f"{one.method}{', taken' * (one.method == release.method)}", "loss": one.cost}
        for one in release.tried
    ]
    bars(tried, "auto")


def main() -> None:
    table = people()
    auto(table)
    mondrian(table)
    bars(
        [
            {"what": "optimal, nothing suppressed", "loss": loss(Optimal(seed=1), table)},
            {"what": "optimal, 20 % suppressed", "loss": loss(Optimal(suppress=0.2, seed=1), table)},
            {"what": "local-recoding(rounds=3)", "loss": loss(LocalRecoding(rounds=3, seed=1), table)},
            {"what": "local-recoding", "loss": loss(LocalRecoding(seed=1), table)},
        ],
        "local-recoding",
    )
    wide = wide_table()
    bars(
        [
            {"what": "everything at *", "loss": 1.0},
            {"what": "heuristic", "loss": loss(Heuristic(seed=1), wide, 5)},
            {"what": "heuristic, 10 % suppressed", "loss": loss(Heuristic(suppress=0.1, seed=1), wide, 5)},
        ],
        "heuristic",
    )
    release = CellSuppression(seed=1).protect(table, [KAnonymity(3)]).table.frame.head(24)
    cells = [
        {"row": row, "column": column, "text": value, "hidden": value == "*"}
        for column in release.columns
        for row, value in enumerate(release[column].to_list())
    ]
    base = alt.Chart(alt.Data(values=cells)).encode(
        x=alt.X("column:N", title=None, sort=None, axis=alt.Axis(orient="top", labelAngle=0)),
        y=alt.Y("row:O", axis=None),
    )
    colour = alt.Color(
        "hidden:N", legend=None, scale=alt.Scale(domain=[False, True], range=["#f1f5f9", FILL])
    )
    grid = base.mark_rect(stroke="white").encode(color=colour) + base.mark_text(color=INK).encode(
        text="text:N"
    )
    save(grid.properties(width=240, height=380), "cell-suppression")


def wide_table() -> Table:
    """Twenty columns of four values: more than three thousand million nodes."""
    import numpy as np

    chance = np.random.default_rng(2)
    taste = chance.random(2000)
    hierarchy = Hierarchy.of_levels([list("abcd"), list("xxyy")])
    columns = {
        f"q{c:02}": np.array(list("abcd"))[
            np.minimum((3 * taste**3 + chance.random(2000) ** 8).astype(int), 3)
        ]
        for c in range(20)
    }
    frame = pl.DataFrame(columns)
    return Table(frame, quasi=tuple(frame.columns), hierarchies=dict.fromkeys(frame.columns, hierarchy))


if __name__ == "__main__":
    main()
