"""Trackers: the students of the textbook, and people behind a minimum size."""

import polars as pl
import pytest

from queries.attacked import scene
from shoal.core.errors import BadParameter
from shoal.queries.alternatives.minimum_size import MinimumSize
from shoal.queries.alternatives.plain import Plain
from shoal.queries.attacks.tracker import Tracker
from shoal.queries.declaration.declaration import Column, Table
from shoal.queries.endpoints.endpoint import Refused
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.question import Question, both, either, negated

# Thirteen students, in the manner of Denning, "Cryptography and data security", 1982, chapter 6.
STUDENTS = People.of(
    Table(
        "students",
        (Column("name"), Column("sex"), Column("major"), Column("points", "number", 0, 4)),
        "name",
    ),
    pl.DataFrame(
        {
            "name": [
                "Allen",
                "Baker",
                "Cook",
                "Davis",
                "Evans",
                "Frank",
                "Good",
                "Hall",
                "Iles",
                "Jones",
                "Kline",
                "Lane",
                "Moore",
            ],
            "sex": list("FFMFMMMFMFFMM"),
            "major": ["CS", "EE", "EE", "CS", "Bio", "EE", "CS", "Psy", "CS", "Bio", "Psy", "EE", "CS"],
            "points": [3.4, 2.5, 3.5, 4.0, 2.2, 3.0, 3.8, 2.8, 3.2, 3.8, 2.5, 3.0, 3.5],
        }
    ),
)
JONES = "sex = 'F' AND major = 'Bio'"


def test_the_individual_tracker_of_the_textbook() -> None:
    endpoint = MinimumSize(2).open(STUDENTS)
    with pytest.raises(Refused):
        endpoint.ask(Question(JONES, "sum", "points"), None)
    women, tracker = "sex = 'F'", both("sex = 'F'", negated("major = 'Bio'"))
    counts = [endpoint.ask(Question(who), None) for who in (women, tracker)]
    sums = [endpoint.ask(Question(who, "sum", "points"), None) for who in (women, tracker)]
    assert counts == [6, 5] and sums == pytest.approx([19.0, 15.2])
    assert sums[0] - sums[1] == pytest.approx(3.8)


def test_the_general_tracker_of_the_textbook() -> None:
    endpoint = MinimumSize(2).open(STUDENTS)
    tracker = "sex = 'M'"  # 4 ≤ 7 ≤ 13 - 4

    def ask(who: str) -> float:
        return endpoint.ask(Question(who, "sum", "points"), None)

    everybody = ask(tracker) + ask(negated(tracker))
    found = ask(either(JONES, tracker)) + ask(either(JONES, negated(tracker))) - everybody
    assert found == pytest.approx(3.8)


@pytest.mark.parametrize("kind", ["general", "individual"])
@pytest.mark.parametrize("secret", ["ill=flu", "income"])
def test_a_minimum_size_stops_no_tracker(kind: str, secret: str) -> None:
    way = MinimumSize(5)
    found = Tracker(kind, 12).attack(scene(way, secret=secret, known=("town", "sex")))  # type: ignore[arg-type]
    assert found.rate.hits == found.rate.targets == 12
    assert str(found.details["tracker"]).startswith("town" if kind == "general" else ("town", "sex"))


def test_without_a_condition_that_is_answered_nothing_is_learned() -> None:
    found = Tracker("general", 12).attack(scene(MinimumSize(31)))
    assert found.rate.value == 0.5 and found.details["tracker"] is None
    with pytest.raises(BadParameter, match="general and individual"):
        Tracker("double")  # type: ignore[arg-type]
    assert Tracker("general", 12).attack(scene(Plain())).rate.hits == 12
