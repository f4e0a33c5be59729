"""The picture of degrees."""

from __future__ import annotations

from typing import Any

import pytest

from graphs.measures.builders import graph_of, skewed_graph
from shoal.core.errors import BadParameter
from shoal.graphs.appraisal.appraisal import appraise
from shoal.graphs.appraisal.degree_chart import picture, svg

STAR = graph_of(6, [(0, at) for at in range(1, 5)])


def points(chart: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = chart["datasets"][chart["data"]["name"]]
    return found


def test_a_point_says_how_many_have_at_least_so_many_friends() -> None:
    found = points(picture(appraise(STAR)))
    assert [(one["degree"], one["people"], one["exactly"]) for one in found] == [(1, 5, 4), (4, 1, 1)]


def test_before_and_after_are_two_lines_told_apart_without_colour() -> None:
    chart = picture(appraise(STAR, graph_of(6, [(0, 1)])))
    assert {one["version"] for one in points(chart)} == {"before", "after"}
    assert chart["encoding"]["strokeDash"]["field"] == "version"
    assert chart["title"]["text"] == "3 edges added, 0 removed of 1"


def test_people_without_friends_are_mentioned_because_they_are_not_drawn() -> None:
    assert "Not drawn: 1 person without friends." in picture(appraise(STAR))["title"]["subtitle"]


def test_the_picture_is_drawn_here() -> None:
    drawn = svg(appraise(skewed_graph(300, 2000, 1), skewed_graph(300, 1500, 2)))
    assert drawn.startswith("<svg") and "people with at least so many" in drawn


def test_nothing_to_draw_is_said() -> None:
    with pytest.raises(BadParameter, match="nothing to draw"):
        picture(appraise(graph_of(3, [])))
