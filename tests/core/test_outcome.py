"""Outcomes become JSON and tables."""

import json
import math

import pytest

from shoal.core.outcome import Finding, Json, Outcome, Promise, Rate, Verdict, number


def test_what_is_unknown_or_unbounded_is_null() -> None:
    assert [number(value) for value in (None, math.inf, -math.inf, math.nan, 0.0, 2)] == [None] * 4 + [0.0, 2]


@pytest.mark.parametrize(
    ("hits", "targets", "low", "high"),
    [  # Wilson's interval by hand: centre (p + z²/2n)/(1 + z²/n)
        (0, 10, 0.0, 0.27753),
        (10, 10, 0.72247, 1.0),
        (5, 10, 0.23659, 0.76341),
        (1, 100, 0.00177, 0.05449),
    ],
)
def test_the_interval_of_a_rate(hits: int, targets: int, low: float, high: float) -> None:
    assert Rate(hits, targets).interval == pytest.approx((low, high), abs=1e-5)


def test_nobody_attacked_tells_nothing() -> None:
    assert (Rate(0, 0).value, Rate(0, 0).interval) == (0.0, (0.0, 1.0))


def test_a_verdict_holds_when_every_promise_does() -> None:
    good, bad = Promise("a", 3.0, True), Promise("b", math.inf, False, "b(x=1)")
    assert Verdict((good,)).holds and not Verdict((good, bad)).holds
    found = Verdict((good, bad), ("note",)).to_json()
    assert found["models"] == [
        {"name": "a", "level": 3.0, "holds": True, "model": "a"},
        {"name": "b", "level": None, "holds": False, "model": "b(x=1)"},
    ]
    assert Verdict((bad,)).to_tables()["promises"][1] == ["b(x=1)", "–", "NO"]


def test_a_finding_is_an_outcome() -> None:
    told: tuple[dict[str, Json], ...] = (
        {"who": {"name": "Bob"}, "learned": {"ill": "flu"}, "confidence": 1.0},
    )
    finding = Finding("linkage", Rate(1, 4), 0.25, told, "more k")
    assert isinstance(finding, Outcome)
    assert json.loads(json.dumps(finding.to_json()))["rate"] == 0.25
    assert finding.to_tables()["some of the people hit"][1] == ["Bob", "flu", "100%"]


def test_values_that_may_be_somebodys_are_told_in_words() -> None:
    told: tuple[dict[str, Json], ...] = (
        {"who": {"name": "Bob", "zip": None}, "learned": {"ill": ["flu", "cold", None]}, "confidence": 1 / 3},
    )
    shown = Finding("intersection", Rate(0, 4), 0.25, told, "").to_tables()["some of the people hit"]
    assert shown[1] == ["Bob, missing", "flu or cold or missing", "33%"]
    assert list(Finding("linkage", Rate(0, 4), 0.25, (), "").to_tables()) == ["attack"]
