"""Combinations against plain counting, special uniques included."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations as sets

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.packed_columns import CodedRows
from shoal.tables.measures import combinations
from shoal.tables.measures.combinations import Combinations

CELLS = st.sampled_from(["a", "b", "c", None])
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS, CELLS), min_size=1, max_size=15)
NAMES = "wxyz"


def coded(rows: Sequence[tuple[str | None, ...]]) -> CodedRows:
    frame = pl.DataFrame(rows, schema=dict.fromkeys(NAMES, pl.String), orient="row")
    return CodedRows.of(frame, list(NAMES))


def alone(rows: Sequence[tuple[str | None, ...]], places: tuple[int, ...]) -> set[int]:
    parts = [tuple(row[place] for place in places) for row in rows]
    counted = Counter(parts)
    return {number for number, part in enumerate(parts) if counted[part] == 1}


@given(ROWS)
def test_figures_are_those_of_plain_counting(rows: Sequence[tuple[str | None, ...]]) -> None:
    found = {one.columns: one for one in Combinations(3).measure(coded(rows)).riskiest}
    assert len(found) == 4 + 6 + 4
    for size in (1, 2, 3):
        for places in sets(range(4), size):
            one = found[tuple(NAMES[place] for place in places)]
            parts = Counter(tuple(row[place] for place in places) for row in rows)
            assert one.average_risk == len(parts) / len(rows)
            single = alone(rows, places)
            assert one.unique_rows == len(single)
            by_fewer = [alone(rows, fewer) for less in range(1, size) for fewer in sets(places, less)]
            assert one.minimal_uniques == len(single.difference(*by_fewer))


def test_the_riskiest_come_first_and_equals_in_order_of_columns() -> None:
    rows = [("a", "1", "p", None), ("b", "1", "q", None), ("c", "2", "p", None)]
    found = Combinations(listed=3).measure(coded(rows))
    assert found.counted == 14 and [one.columns for one in found.riskiest] == [("w",), ("w", "x"), ("w", "y")]
    assert found.minimal_uniques == {"w": 3, "x": 2, "y": 2, "z": 0}


def test_none_are_counted_if_none_are_asked_for() -> None:
    found = Combinations(0).measure(coded([("a", "b", "c", "a")]))
    assert found.riskiest == () and found.minimal_uniques == dict.fromkeys(NAMES, 0)
    with pytest.raises(BadParameter, match="not -1"):
        Combinations(-1)


def test_more_columns_than_there_are_is_all_of_them() -> None:
    assert Combinations(9).measure(coded([("a", "b", "c", "a")])).largest == 4


def test_where_it_would_take_long_fewer_columns_are_combined(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = coded([("a", "b", "c", "a"), ("b", "b", "c", "a")])
    for work, largest in ((28, 3), (27, 2), (19, 1), (1, 1)):
        monkeypatch.setattr(combinations, "AFFORDABLE", work)
        assert Combinations().measure(subject).largest == largest
