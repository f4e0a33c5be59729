"""The picture of a comparison."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.appraisal.tradeoff import RISKS, UTILITIES, Point, TradeOff
from shoal.tables.appraisal.tradeoff_chart import (
    HEIGHT,
    WIDTH,
    Scale,
    _box,
    _labels,
    _meet,
    _together,
    picture,
)
from tables.appraisal.test_tradeoff import curve, point


def drawn(found: TradeOff) -> list[dict[str, Any]]:
    """Everything that the layers of a picture draw."""
    return [value for values in picture(found)["datasets"].values() for value in values]


def test_settings_that_came_out_alike_are_one_point_with_all_labels() -> None:
    found = curve(point("k=2", 0.1, 0.3), point("k=5", 0.1, 0.3), point("k=9", 0.05, 0.4))
    texts = {one["text"] for one in drawn(found) if "text" in one}
    assert texts == {"k=2, 5", "k=9"}
    assert json.dumps(picture(found)).count("worth a look") == 1


def test_labels_are_put_together() -> None:
    assert _together(["k=2", "k=5", "k=10"]) == "k=2, 5, 10"
    assert _together(["k=2", "k=2, suppress=0.05"]) == "k=2"
    assert _together(["k=2, l=3", "k=5, l=3"]) == "k=2, l=3, k=5, l=3"
    assert _together([f"k={k}" for k in range(2, 9)]) == "k=2, 3, 4, 5, …"


@given(st.lists(st.tuples(st.floats(0.001, 1), st.floats(0, 1)), min_size=1, max_size=25))
def test_no_label_covers_another(figures: list[tuple[float, float]]) -> None:
    found = curve(*(point(f"k={place}", *pair) for place, pair in enumerate(figures)))
    across = Scale.over([risk for risk, _ in figures], RISKS["marketer"], WIDTH, True)
    up = Scale.over([loss for _, loss in figures], UTILITIES["loss"], HEIGHT, False)
    labels = _labels(found.points, across, up)
    assert labels or len(figures) > 1
    boxes = [
        _box(one["text"], one["at"], across.pixel(one["risk"]), up.pixel(one["utility"])) for one in labels
    ]
    for place, box in enumerate(boxes):
        small = (box[0] + 0.01, box[1] + 0.01, box[2] - 0.01, box[3] - 0.01)
        assert not any(_meet(small, other) for other in boxes[:place])


@pytest.mark.parametrize(
    "values", [[0.5], [0.0], [0.0, 0.0], [0.01, 0.5], [0.7, 0.71], [1e-8, 1e9], [5e-324], [1e300]]
)
def test_every_value_has_its_place(values: list[float]) -> None:
    for risky in (True, False):
        scale = Scale.over(values, UTILITIES["discernibility"], 100, risky)
        for value in values:
            assert 0 <= scale.pixel(value) <= 100
            assert scale.value(scale.pixel(value)) == pytest.approx(value)


def test_what_cannot_be_reached_or_has_no_figure_is_not_drawn_but_told() -> None:
    gone = Point("k=99", "optimal", 0.0, (), False, "no way", 10)
    found = curve(point("k=2", 0.5, 0.1), gone, point("k=3", None, 0.1))
    assert {one["setting"] for one in drawn(found) if "setting" in one} == {"k=2"}
    assert "Not reached: k=99." in json.dumps(picture(found)["title"])


def test_the_better_corner_depends_on_the_figure() -> None:
    assert "upper left" in json.dumps(picture(curve(point("k=2", 0.5, 0.1), utility="precision"))["title"])
    assert "lower left" in json.dumps(picture(curve(point("k=2", 0.5, 0.1)))["title"])
