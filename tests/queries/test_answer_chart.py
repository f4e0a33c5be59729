"""The picture of an answer."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from patience import LONG
from shoal.core.errors import BadParameter
from shoal.queries.answer_chart import GROUPS, PANELS, picture, svg
from shoal.queries.results import Answer

from .test_results import answer


def datasets(chart: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The data of every panel."""
    names = [
        (panel.get("data") or panel["layer"][0].get("data") or chart["data"])["name"]
        for panel in chart["vconcat"]
    ]
    return [chart["datasets"][name] for name in names]


def counts(number: int, key: Any = str) -> Answer:
    rows = tuple((key(place), 10 + place) for place in range(number))
    return replace(
        answer(),
        columns=("key", "n"),
        rows=rows,
        error={"key": None, "n": 2.0},
        interval=tuple((None, (n - 5.0, n + 5.0)) for _, n in rows),
    )


def marks(chart: dict[str, Any]) -> set[str]:
    return {layer["mark"]["type"] for panel in chart["vconcat"] for layer in panel["layer"]}


def test_every_noisy_column_is_a_panel_with_whiskers() -> None:
    chart = answer().to_chart()
    assert marks(chart) == {"bar", "rule", "tick"}
    assert len(chart["vconcat"]) == 2
    first = datasets(chart)[0]
    assert first[0] == {"group": "flu", "value": 1234, "low": 1222.0, "high": 1246.0, "told": "1,234 ± 12"}
    assert first[2]["group"] == "missing"
    json.dumps(chart, allow_nan=False)


def test_a_key_that_is_a_number_makes_points() -> None:
    chart = picture(counts(5, int))
    assert marks(chart) == {"point", "rule", "tick"}
    assert [mark["group"] for mark in datasets(chart)[0]] == [0, 1, 2, 3, 4]


def test_many_groups_and_columns_are_cut_and_the_picture_says_so() -> None:
    chart = picture(counts(GROUPS + 3))
    assert len(datasets(chart)[0]) == GROUPS
    assert any(f"{GROUPS} of {GROUPS + 3} groups" in line for line in chart["title"]["subtitle"])
    names = tuple(f"n{place}" for place in range(PANELS + 2))
    wide = replace(answer(), columns=names, rows=((1,) * len(names),), interval=(((0.0, 2.0),) * len(names),))
    chart = picture(wide)
    assert len(chart["vconcat"]) == PANELS
    assert any(f"{PANELS} of {PANELS + 2} columns" in line for line in chart["title"]["subtitle"])


def test_groups_without_their_key_stay_several() -> None:
    bare = replace(answer(), columns=("n",), rows=((1,), (2,)), interval=(((0.0, 2.0),), ((1.0, 3.0),)))
    assert len({mark["group"] for mark in datasets(picture(bare))[0]}) == 2


def test_nothing_noisy_is_nothing_to_draw() -> None:
    with pytest.raises(BadParameter, match="no noisy numbers"):
        picture(replace(answer(), columns=("key",), rows=(("a",),), interval=((None,),)))
    with pytest.raises(BadParameter, match="no noisy numbers"):
        picture(replace(answer(), rows=(), interval=()))


def test_it_is_drawn_without_network_and_text_stays_text() -> None:
    rows = (("<script>alert(1)</script>", 5),)
    drawn = svg(replace(answer(), columns=("k", "n"), rows=rows, interval=((None, (1.0, 9.0)),)))
    assert drawn.startswith("<svg")
    assert "<script" not in drawn
    assert "&lt;script&gt;" in drawn


def test_altair_is_not_loaded_before_something_is_drawn() -> None:
    code = "import sys, shoal.queries.results, shoal.queries.answer_chart; sys.exit('altair' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=LONG).returncode == 0
