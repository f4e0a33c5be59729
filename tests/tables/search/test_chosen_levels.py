"""Levels that somebody chose."""

from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter, Unreachable

ROWS = {"age": ["21", "22", "31", "32", "33", "34"], "zip": ["101", "102"] * 3, "ill": list("abcabc")}
ASKED: dict[str, Any] = {
    "quasi": "age,zip",
    "sensitive": "ill",
    "hierarchy": {"age": "interval(width=10,levels=3)", "zip": "mask()"},
}


def test_a_chosen_node_is_what_is_released() -> None:
    release = shoal.protect(pl.DataFrame(ROWS), k=2, suppress=0.0, levels="age=1,zip=3", **ASKED)
    assert release.levels == {"age": 1, "zip": 3} and release.method == "optimal"
    assert all(promise.holds for promise in release.promises)
    assert release.optimal is None and not release.minimal


def test_columns_that_nobody_chose_are_searched() -> None:
    free = shoal.protect(pl.DataFrame(ROWS), k=2, suppress=0.0, method="optimal", **ASKED)
    part = shoal.protect(pl.DataFrame(ROWS), k=2, suppress=0.0, levels={"age": 2}, **ASKED)
    assert part.levels is not None and part.levels["age"] == 2
    assert part.losses["loss"] >= free.losses["loss"]


def test_a_node_that_breaks_the_promise_is_refused_with_the_reason() -> None:
    with pytest.raises(Unreachable, match="with age=0, zip=0 no row could be released"):
        shoal.protect(pl.DataFrame(ROWS), k=2, suppress=0.0, levels="age=0,zip=0", **ASKED)
    with pytest.raises(Unreachable, match=r"with age=1, zip=0 keeps the promise .*--suppress 0.334 would do"):
        shoal.protect(pl.DataFrame(ROWS), k=2, suppress=0.0, levels="age=1,zip=0", **ASKED)


@pytest.mark.parametrize(
    ("levels", "sentence"),
    [
        ("age=9", "'age' has the levels 0 to 2, not 9"),
        ("size=1", "'size', which is no quasi-identifier; there is age, zip"),
        ("age", "takes COLUMN=LEVEL"),
        ("age=1,age=2", "names 'age' twice"),
        ("age=-1", "takes COLUMN=LEVEL"),
    ],
)
def test_levels_that_there_are_not_are_refused(levels: str, sentence: str) -> None:
    with pytest.raises(BadParameter, match=sentence):
        shoal.protect(pl.DataFrame(ROWS), k=2, levels=levels, **ASKED)


def test_a_method_without_levels_refuses_them() -> None:
    with pytest.raises(BadParameter, match="mondrian chooses no level"):
        shoal.protect(pl.DataFrame(ROWS), k=2, levels="age=1", method="mondrian", **ASKED)
