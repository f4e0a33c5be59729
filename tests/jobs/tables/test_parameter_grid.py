"""Many settings from few words."""

from typing import Any

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.tables.parameter_grid import settings_in
from shoal.jobs.tables.requests import CompareTable
from shoal.tables.models.k_anonymity import KAnonymity


def labels(**options: Any) -> list[str]:
    return [setting.label for setting in settings_in(CompareTable(data="x.csv", **options))]


def test_lists_and_braces_make_a_grid() -> None:
    assert labels(k="2,5") == ["k=2", "k=5"]
    assert labels(k=5, model="l-diversity(l={2,3})") == ["k=5, l=2", "k=5, l=3"]
    assert labels(model="t-closeness(t={0.1,0.2},distance={equal,ordered})") == [
        "t=0.1, distance=equal",
        "t=0.1, distance=ordered",
        "t=0.2, distance=equal",
        "t=0.2, distance=ordered",
    ]


def test_several_models_are_asked_for_together() -> None:
    job = CompareTable(data="x.csv", model=("k-anonymity(k={2,3})", "l-diversity(l=2)"))
    assert [setting.models for setting in settings_in(job)] == [
        ("k-anonymity(k=2)", "l-diversity(l=2)"),
        ("k-anonymity(k=3)", "l-diversity(l=2)"),
    ]


def test_braces_around_whole_models_offer_one_or_the_other() -> None:
    found = labels(model="{k-anonymity(k=2),l-diversity(l=2,kind=entropy)}")
    assert found == ["k-anonymity(k=2)", "l-diversity(l=2,kind=entropy)"]
    assert labels(model="{l-diversity(l={2,4}),t-closeness(t=0.3)}") == [
        "l-diversity(l=2)",
        "l-diversity(l=4)",
        "t-closeness(t=0.3)",
    ]


def test_braces_in_quotes_are_a_value() -> None:
    assert labels(model='confidence-bounding(h=0.5,values="{a,b}")')[0].endswith('values="{a,b}")')


def test_nothing_that_differs_is_told_by_its_models() -> None:
    assert labels(model=KAnonymity(4)) == ["k-anonymity(k=4)"]


def test_methods_without_a_use_for_suppression_are_tried_once() -> None:
    job = CompareTable(data="x.csv", k=2, method=["optimal", "mondrian"], suppress="0,0.05")
    assert [(one.method, one.suppress, one.label) for one in settings_in(job)] == [
        ("optimal", 0.0, "k=2"),
        ("optimal", 0.05, "k=2, suppress=0.05"),
        ("mondrian", 0.0, "k=2"),
    ]
    assert len(labels(k=2, method="{optimal,heuristic}")) == 2
    assert len(labels(k=2, method="optimal(suppress=0.1)", suppress="0,0.05")) == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "no promise asked for"),
        ({"model": "l-diversity(l={2,3)"}, "a brace is open and none closed"),
        ({"model": "l-diversity(l=2})"}, "a brace is closed and none open"),
        ({"model": "l-diversity(l=}2,3{)"}, "a brace is closed and none open"),
        ({"model": "l-diversity(l={2,})"}, "hold nothing to try"),
        ({"k": 2, "method": []}, "no method to try"),
        ({"k": 2, "suppress": []}, "no share for --suppress to try"),
        ({"k": list(range(2, 600))}, "more than 500 settings"),
        ({"k": 2, "method": "magic", "suppress": "0,0.1"}, "no method 'magic'"),
        ({"k": "two"}, "not 'two'"),
        ({"k": 2, "suppress": "0,2"}, "2"),
        ({"k": 2, "seed": -1}, "seed"),
    ],
)
def test_what_makes_no_grid_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        labels(**options)
