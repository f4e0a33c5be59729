"""Draw docs/images/top-down.svg from a real release of the demo: `python docs/images/top_down.py`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import altair as alt
import polars as pl
import vl_convert

import shoal
from shoal.demo.story import tell
from shoal.tables.hierarchies import hierarchy_of
from shoal.tables.hierarchies.leaf_order import LeafOrder

QUASI = ["birth_date", "occupation", "sex", "zip"]


def cut() -> pl.DataFrame:
    """Every label of every column: where it begins and ends, as a share of the rows."""
    with TemporaryDirectory() as folder:
        tell(folder, 20_000, lambda _: None)
        patients = pl.read_csv(f"{folder}/patients.csv", infer_schema=False)
        given = {"occupation": f"{folder}/occupation.csv"}
        orders = {
            column: LeafOrder.of(hierarchy_of(given.get(column, "suggest()"), patients[column], column))
            for column in QUASI
        }
        release = shoal.protect(
            patients,
            identifier=["patient_id", "name"],
            quasi=QUASI,
            sensitive=["diagnosis"],
            insensitive=["income"],
            hierarchy=given,
            model="lkc(L=2,K=20,C=0.5)",
            method="top-down(score=weighted)",
            class_column="diagnosis",
            seed=1,
        )
    found = []
    for column, order in orders.items():
        counted = release.table.frame[column].value_counts(name="rows")
        places = [order.stretch_of(label) or (0, 0) for label in counted[column]]
        begin = 0
        for place, (_, label, rows) in enumerate(
            sorted(zip(places, counted[column], counted["rows"], strict=True))
        ):
            share = rows / release.released
            found.append((column, label if share > 0.08 else "", begin, begin + share, place % 2))
            begin += share
    return pl.DataFrame(found, ["column", "label", "from", "to", "shade"], orient="row")


def main() -> None:
    base = alt.Chart(alt.Data(values=cut().to_dicts())).encode(
        x=alt.X(
            "from:Q",
            title="share of the rows",
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(format="%", grid=False),
        ),
        x2="to:Q",
        y=alt.Y("column:N", title=None, sort=QUASI, axis=alt.Axis(ticks=False, domain=False)),
    )
    bars = base.mark_rect(height=26, stroke="white", strokeWidth=0.4).encode(
        color=alt.Color("shade:N", scale=alt.Scale(range=["#93c5fd", "#bfdbfe"]), legend=None)
    )
    names = base.mark_text(fontSize=10, color="#1f2937", align="left", dx=4).encode(text="label:N")
    chart = (bars + names).properties(width=640, height=150).configure_view(stroke=None)
    svg = vl_convert.vegalite_to_svg(chart.to_dict())
    Path(__file__).with_name("top-down.svg").write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
