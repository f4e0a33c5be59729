"""How uncertain a class is among rows that look alike."""

import math
from collections import Counter

import polars as pl
import pytest
from hypothesis import given

from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.measures.class_entropy import ClassEntropy, class_counts
from tables.pairs import pair, pairs


def by_hand(frame: pl.DataFrame, columns: tuple[str, ...], target: str) -> tuple[float, float]:
    """Bits and outvoted rows, row by row."""
    groups: dict[tuple[object, ...], Counter[object]] = {}
    for row in frame.select(*columns, target).iter_rows():
        groups.setdefault(row[:-1], Counter())[row[-1]] += 1
    bits = outvoted = 0.0
    for found in groups.values():
        size = sum(found.values())
        outvoted += size - max(found.values())
        bits -= sum(many * math.log2(many / size) for many in found.values())
    return bits / max(frame.height, 1), outvoted


@given(pairs())
def test_the_figures_are_those_of_counting_by_hand(both: SideBySide) -> None:
    for frame in (both.original, both.released):
        for columns in (both.quasi, ()):
            found = class_counts(frame, columns, "note")
            bits, outvoted = by_hand(frame, columns, "note")
            assert found.bits == pytest.approx(bits, abs=1e-12)
            assert found.outvoted == pytest.approx(outvoted, abs=1e-9)


def test_coarser_rows_leave_more_open() -> None:
    rows = [("20", "F", "flu"), ("21", "F", "gout")]
    both = pair(rows, [("2*", "F", "flu"), ("2*", "F", "gout")])
    found = ClassEntropy().measure(both)
    assert (found.original, found.released) == (0.0, 1.0) and found.to_json() == {
        "original": 0.0,
        "released": 1.0,
    }


def test_a_missing_value_is_a_class_and_a_label_of_its_own() -> None:
    frame = pl.DataFrame({"q": [None, None, "a"], "c": [None, "x", "x"]})
    assert class_counts(frame, ("q",), "c").bits == pytest.approx(2 / 3)


def test_a_column_may_be_called_like_ours() -> None:
    frame = pl.DataFrame({"rows": ["a", "a"], "key0": ["x", "y"]})
    assert class_counts(frame, ("rows",), "key0").bits == 1
