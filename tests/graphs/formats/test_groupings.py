"""Groupings as rows."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadGraph
from shoal.graphs.formats.groupings import HEADER, from_frame, is_grouping, to_frame
from shoal.graphs.grouping import Grouping


def told(grouping: Grouping) -> list[list[int]]:
    return [part.tolist() for part in (grouping.sizes, grouping.sources, grouping.targets, grouping.weights)]


@st.composite
def groupings(draw: st.DrawFn) -> Grouping:
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=12))
    pairs = [(one, other) for one in range(len(sizes)) for other in range(one, len(sizes))]
    chosen = []
    for one, other in draw(st.lists(st.sampled_from(pairs), unique=True)):
        possible = sizes[one] * (sizes[one] - 1) // 2 if one == other else sizes[one] * sizes[other]
        if possible:
            chosen.append((one, other, draw(st.integers(1, possible))))
    ends = np.array(sorted(chosen), np.int64).reshape(-1, 3)
    return Grouping(
        np.array(sizes, np.int64), ends[:, 0].astype(np.int32), ends[:, 1].astype(np.int32), ends[:, 2].copy()
    )


@given(groupings())
def test_a_grouping_comes_back_from_its_rows(grouping: Grouping) -> None:
    frame = to_frame(grouping)
    assert is_grouping(frame.columns)
    assert told(from_frame(frame, "'x'")) == told(grouping)
    assert told(from_frame(frame.cast(pl.String), "'x'")) == told(grouping)


def test_rows_in_any_order_and_with_any_names_are_read() -> None:
    rows = [("b", 2, "a", 3, 4), ("c", 1, None, None, None), ("a", 3, "a", 3, 2)]
    found = from_frame(pl.DataFrame(rows, schema=[*HEADER], orient="row"), "'x'")
    assert told(found) == [[3, 2, 1], [0, 0], [0, 1], [2, 4]]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([("a", 2, "b", 3, 7)], "7 edges run between 'a' and 'b', where 1 to 6 can"),
        ([("a", 2, "a", 2, 2)], "2 edges run inside group 'a', where 1 to 1 can"),
        ([("a", 2, "b", 3, 0)], "0 edges"),
        ([("a", 2, "b", 3, 1), ("b", 4, None, None, None)], "the sizes 3 and 4"),
        ([("a", 2, "b", 3, 1), ("b", 3, "a", 2, 1)], "twice"),
        ([("a", 2, "b", None, 1)], "row 1 of 'x' is not complete"),
        ([("a", None, None, None, None)], "row 1 of 'x' is not complete"),
        ([("a", 2, None, None, 3)], "row 1 of 'x' is not complete"),
        ([(None, 2, "b", 2, 3)], "row 1 of 'x' names no source group"),
        ([("a", 0, None, None, None)], "a group has 1 or more"),
        ([("a", "x", None, None, None)], "'x' in column source_size"),
        ([], "has no groups"),
    ],
)
def test_rows_that_contradict_each_other_are_refused(rows: list[tuple[object, ...]], sentence: str) -> None:
    frame = pl.DataFrame(
        [[None if value is None else str(value) for value in row] for row in rows],
        schema=dict.fromkeys(HEADER, pl.String),
        orient="row",
    )
    with pytest.raises(BadGraph, match=sentence):
        from_frame(frame, "'x'")
