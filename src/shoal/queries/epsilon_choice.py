"""What an ε means: how far off answers are, and how much surer of somebody a reader can become.

Nothing here looks at rows or spends anything: errors follow from what is declared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shoal.core.errors import Unreachable
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables, number
from shoal.core.rounded_figures import per_cent, round_figure
from shoal.core.sampling.zcdp_conversion import simple_epsilon

LEAST, MOST = -4, 2  # powers of ten between which an ε is looked for: 0.0001 to 100
UNLIKELY = Fraction(1, 10**6)  # how often the odds may be worse where squares add up
LADDER = tuple(map(Fraction, ("0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1", "2", "5", "10")))
FIGURES = 3  # digits of an ε that is found


@dataclass(frozen=True)
class Odds:
    """How sure somebody can become, from any answer, that one person is in the data.

    With ε-differential privacy no answer is more than e^ε times as likely with a person as without, so
    that by Bayes' rule odds change by at most that factor. Where squares of ε add up the factor is larger one
    time in a million at the most: the tail of the privacy loss, by which Bun & Steinke 2016 come from ρ to ε
    and δ. It holds for zCDP and for μ-Gaussian differential privacy, which is μ²/2-zCDP.
    """

    before: float
    most: float
    least: float
    factor: float
    unlikely: float = 0.0  # how often it may be worse

    @classmethod
    def of(cls, epsilon: Fraction, before: float, squared: bool = False) -> Odds:
        """The odds for the ε of one question."""
        loss = float(simple_epsilon(epsilon**2 / 2, UNLIKELY / 2) if squared else epsilon)
        odds = math.log(before) - math.log1p(-before)
        return cls(
            before,
            _share(odds + loss),
            _share(odds - loss),
            math.exp(loss) if loss < 700 else math.inf,
            float(UNLIKELY) if squared else 0.0,
        )

    @property
    def words(self) -> str:
        """One sentence for everybody."""
        rare = f", but for one time in {1 / self.unlikely:,.0f}" if self.unlikely else ""
        return (
            f"Somebody who was {per_cent(self.before)} sure that you are in the data is at most "
            f"{per_cent(self.most)} sure after the answer, and at least {per_cent(self.least)}{rare}."
        )

    def to_json(self) -> dict[str, Json]:
        return {
            "before": self.before,
            "most": self.most,
            "least": self.least,
            "factor": number(self.factor),
            "unlikely": self.unlikely,
            "in_words": self.words,
        }


@dataclass(frozen=True)
class Point:
    """One ε: the expected error, half the width of a 95 % interval where it is known, and the odds."""

    epsilon: Fraction
    error: float
    within: float | None
    odds: Odds

    def to_json(self) -> dict[str, Json]:
        return {
            "epsilon": float(self.epsilon),
            "error": number(self.error),
            "within": number(self.within),
            "belief": self.odds.most,
        }


@dataclass(frozen=True)
class EpsilonChoice(Shown):
    """What `shoal query epsilon` tells. No row was read for it, and nothing was spent."""

    about: str  # the question, or what else is answered
    column: str | None
    chosen: Point
    wanted: tuple[str, float] | None  # ("within", 50.0); None when ε was given
    curve: tuple[Point, ...]
    accounting: str
    sensitivity: float | None = None  # None for questions, which may have several
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal query epsilon --json` prints."""
        return {
            "about": self.about,
            "column": self.column,
            "wanted": None if self.wanted is None else dict([self.wanted]),
            **{name: value for name, value in self.chosen.to_json().items() if name != "belief"},
            "odds": self.chosen.odds.to_json(),
            "accounting": self.accounting,
            "sensitivity": self.sensitivity,
            "curve": [point.to_json() for point in self.curve],
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        before = per_cent(self.chosen.odds.before)
        lines = [
            [
                f"{float(point.epsilon):g}" + (" ◄" if point.epsilon == self.chosen.epsilon else ""),
                _text(point.error),
                "–" if point.within is None else _text(point.within),
                per_cent(point.odds.most),
            ]
            for point in self.curve
        ]
        head = ["ε", "off by about", "95 % within ±", f"sure of you, from {before}, at most"]
        return {
            "the choice": [["ε", f"{float(self.chosen.epsilon):g}"], *([*one] for one in self.words.items())],
            f"by ε{'' if self.column is None else f', column {self.column}'}": [
                head,
                *lines,
            ],
        }

    @property
    def words(self) -> dict[str, str]:
        """What it means, in plain words."""
        off = f"Answers are off by about {_text(self.chosen.error)}"
        if self.chosen.within is not None:
            off += f", and 95 of 100 by at most {_text(self.chosen.within)}"
        return {"error": f"{off}.", "odds": self.chosen.odds.words}

    def to_chart(self) -> dict[str, Any]:
        """Error, belief and the two densities: a Vega-Lite document."""
        from shoal.queries.epsilon_chart import epsilon_picture

        return epsilon_picture(self)


def smallest_epsilon(error: Callable[[Fraction], float], wanted: float) -> Fraction:
    """The smallest ε of three digits whose error is no larger than wanted, by bisection.

    The error must not grow with ε. An ε that buys no noise at all (too large a scale) counts as too small.
    """
    low, high = 0, (MOST - LEAST) * 900  # `low` may be enough, `high` is the end of the scale
    if error(_rung(high)) > wanted:
        raise Unreachable(
            f"even ε = {float(_rung(high)):g}, which hides nobody, is off by more than {wanted:g}; "
            "live with more, or ask about fewer groups and tighter bounds"
        )
    while low < high:
        middle = (low + high) // 2
        if error(_rung(middle)) <= wanted:
            high = middle
        else:
            low = middle + 1
    return _rung(low)


def _rung(place: int) -> Fraction:
    """The numbers of three digits from 10^LEAST on, in their order."""
    power, digits = divmod(place, 900)
    return (100 + digits) * Fraction(10) ** (LEAST + power - FIGURES + 1)


def _share(odds: float) -> float:
    """The probability of log odds."""
    inside = min(36.0, max(-700.0, odds))  # beyond, a double would say that somebody is certain
    return 1 / (1 + math.exp(-inside))


def _text(value: float) -> str:
    return f"{round_figure(value):,.12g}"
