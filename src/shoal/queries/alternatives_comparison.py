"""Ways to answer side by side: how far off their counts are, what they refuse, and what attackers learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.core.chart_style import FONT, GRID, INK, QUIET, headline
from shoal.core.notebook import Shown
from shoal.core.outcome import Finding, Json, Tables, number

SAFE, OPEN = "#0f766e", "#b91c1c"


@dataclass(frozen=True)
class Compared:
    """One way to answer: its promise, its error, and the attack that achieved most against it."""

    alternative: str
    loss: float | None  # the ε that it promises about a secret
    error: float | None  # root of the mean square over the counts that were answered
    refused: int
    best: Finding
    weakness: str

    def to_json(self) -> dict[str, Json]:
        return {
            "alternative": self.alternative,
            "epsilon": self.loss,
            "error": None if self.error is None else number(self.error),
            "refused": self.refused,
            "attack": self.best.attack,
            "rate": self.best.rate.value,
            "interval": list(self.best.rate.interval),
            "baseline": self.best.baseline,
            "weakness": self.weakness,
        }


@dataclass(frozen=True)
class Comparison(Shown):
    """What `shoal query compare` tells."""

    epsilon: float
    people: int
    questions: int
    rows: tuple[Compared, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        return {
            "epsilon": self.epsilon,
            "people": self.people,
            "questions": self.questions,
            "alternatives": [row.to_json() for row in self.rows],
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        head = ["way to answer", "promise", "error of a count", "refused", "best attack", "right", "weakness"]
        return {
            f"{self.questions} counts about {self.people:,} people": [
                head,
                *(
                    [
                        row.alternative,
                        "none" if row.loss is None else f"ε = {row.loss:g}",
                        "–" if row.error is None else f"{row.error:.4g}",
                        f"{row.refused:,}",
                        row.best.attack,
                        f"{row.best.rate.value:.0%}",
                        row.weakness,
                    ]
                    for row in self.rows
                ),
            ]
        }

    def to_chart(self) -> dict[str, Any]:
        """Error and exposure beside each other: a Vega-Lite document."""
        import altair as alt

        values = [
            {
                "way": row.alternative.partition("(")[0],
                "error": row.error,
                "rate": row.best.rate.value,
                "low": row.best.rate.interval[0],
                "high": row.best.rate.interval[1],
                "attack": row.best.attack,
                "colour": OPEN if row.loss is None else SAFE,
            }
            for row in self.rows
        ]
        order = [str(value["way"]) for value in values]
        base = alt.Chart(alt.InlineData(values=values)).encode(
            y=alt.Y("way:N", sort=order, title=None, axis=alt.Axis(labelLimit=260, labelFontSize=12)),
            color=alt.Color("colour:N", scale=None),
        )
        error = base.mark_bar(size=16).encode(x=alt.X("error:Q", title="error of a count (root mean square)"))
        figures = base.mark_text(align="left", dx=4, color=INK, fontSize=11).encode(
            x="error:Q", text=alt.Text("error:Q", format=".2~f"), color=alt.value(INK)
        )
        bare = base.encode(y=alt.Y("way:N", sort=order, title=None, axis=alt.Axis(labels=False)))
        rate = bare.mark_bar(size=16).encode(
            x=alt.X("rate:Q", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=5),
                    title="people about whom the best attack is right")
        )  # fmt: skip
        ranges = bare.mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q", color=alt.value(INK))
        coin = (
            alt.Chart(alt.InlineData(values=[{}]))
            .mark_rule(strokeDash=[4, 4], color=QUIET)
            .encode(x=alt.datum(0.5))
        )
        height = 28 * len(values)
        chart = (
            alt.hconcat(
                alt.layer(error, figures).properties(width=260, height=height),
                alt.layer(rate, ranges, coin).properties(width=260, height=height),
                title=headline(
                    "What each way to answer costs, and what it stops",
                    [
                        f"{self.questions} counts about {self.people:,} people. Green promises "
                        f"ε = {self.epsilon:g}; red promises nothing.",
                        "A blind guess is right about half of the people (dashed).",
                    ],
                    16,
                ),
            )
            .configure(font=FONT)
            .configure_axis(gridColor=GRID, labelColor=QUIET, titleColor=QUIET, domain=False, ticks=False)
            .configure_view(stroke=None)
        )
        document: dict[str, Any] = chart.to_dict()
        return document
