"""Risk against usefulness, and the front."""

import json

from hypothesis import given
from hypothesis import strategies as st

from shoal.core.outcome import Promise
from shoal.tables.appraisal.tradeoff import RISKS, UTILITIES, Axis, Point, TradeOff, front, useful

FIGURES = st.one_of(st.none(), st.integers(0, 6).map(float))


def point(label: str, risk: float | None, utility: float | None, method: str = "optimal") -> Point:
    return Point(
        label,
        method,
        0.0,
        (Promise("k-anonymity", 5, True, "k-anonymity(k=5)"),),
        rows=10,
        released=9,
        losses={} if utility is None else {"loss": utility, "average_class_size": float("inf")},
        risk=risk,
        utility=utility,
    )


def curve(*points: Point, utility: str = "loss") -> TradeOff:
    return TradeOff.of(points, RISKS["prosecutor-highest"], UTILITIES[utility], 10)


@given(st.lists(st.tuples(FIGURES, FIGURES), max_size=12), st.booleans())
def test_the_front_is_what_nobody_beats(figures: list[tuple[float | None, float | None]], more: bool) -> None:
    marks = front(figures, more)
    known = [(risk, -cost if more else cost) for risk, cost in figures if None not in (risk, cost)]  # type: ignore[operator]
    for (risk, utility), mark in zip(figures, marks, strict=True):
        if risk is None or utility is None:
            assert not mark
            continue
        cost = -utility if more else utility
        beaten = any(
            (r < risk and c <= cost) or (r <= risk and c < cost)  # type: ignore[operator]
            for r, c in known
        )
        assert mark is not beaten
    assert any(marks) == bool(known)


def test_the_front_is_named_from_the_least_risk_on() -> None:
    found = curve(point("k=2", 0.5, 0.1), point("k=5", 0.2, 0.3), point("k=9", 0.2, 0.4))
    assert [one.label for one in found.front] == ["k=5", "k=2"]
    document = found.to_json()
    assert document["front"] == ["k=5", "k=2"]
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_methods_are_named_where_there_are_several() -> None:
    found = curve(point("k=2", 0.5, 0.1), point("k=2", 0.5, 0.05, "mondrian"))
    assert found.to_json()["front"] == ["mondrian, k=2"]


def test_a_setting_that_cannot_be_reached_is_a_point_without_figures() -> None:
    gone = Point("k=9", "optimal", 0.0, (Promise("k-anonymity", None, None),), False, "no way", 10)
    found = curve(point("k=2", 0.5, 0.1), gone)
    told = found.to_json()["points"]
    assert isinstance(told, list) and told[1]["reached"] is False and told[1]["reason"] == "no way"
    assert told[1]["risk"] is told[1]["losses"] is told[1]["released"] is None
    assert found.to_tables()["not reached"][1] == ["k=9", "no way"]
    assert "not reached" not in curve(point("k=2", 0.5, 0.1)).to_tables()


def test_every_axis_finds_its_figure_or_says_that_there_is_none() -> None:
    one = point("k=2", 0.5, 0.1)
    assert useful(one, "loss") == 0.1 and useful(one, "suppressed") == 0.1
    assert useful(one, "average-class-size") is None  # without bounds
    for name in ("workload-error", "information-gain", "classifier-accuracy", "precision"):
        assert useful(one, name) is None
    assert Axis("x", "x").text(None) == "–" and Axis("x", "x", share=False).text(1234.5) == "1,234.5"
