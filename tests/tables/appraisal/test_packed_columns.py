"""Columns as numbers, packed and counted, against plain counting."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.appraisal import packed_columns
from shoal.tables.appraisal.packed_columns import CodedRows, alone, class_sizes, code_values, pack_columns

CELLS = st.sampled_from(["a", "b", "", "*", None, "null"])
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=30)


def frame_of(rows: list[tuple[str | None, ...]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict.fromkeys("xyz", pl.String), orient="row")


@given(ROWS)
def test_equal_numbers_are_equal_values_and_missing_is_a_value(rows: list[tuple[str | None, ...]]) -> None:
    values = [row[0] for row in rows]
    codes = code_values(pl.Series(values, dtype=pl.String)).tolist()
    assert len(set(zip(values, codes, strict=True))) == len(set(values)) == len(set(codes))


@given(ROWS, st.sampled_from([4, 0]))
def test_classes_are_those_of_plain_counting(rows: list[tuple[str | None, ...]], dense: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed_columns, "DENSE", dense)  # once by a direct table, once by sorting
        subject = CodedRows.of(frame_of(rows), ["x", "y", "z"])
        assert subject.height == len(rows) and len(subject) == len(set(rows))
        for chosen in [(0,), (1,), (0, 2), (0, 1, 2)]:
            counted = Counter(tuple(row[place] for place in chosen) for row in rows)
            assert sorted(subject.sizes(chosen).tolist()) == sorted(counted.values())
            assert subject.classes(chosen) == len(counted)
            single = sum(count == 1 for count in counted.values())
            assert int(subject.alone(chosen).sum()) == single
        assert subject.sizes(()).tolist() == [len(rows)] and subject.classes(()) == 1


def test_keys_too_large_for_64_bits_are_numbered_anew() -> None:
    wide = np.array([0, 3_000_000_000, 3_000_000_000, 1])
    key = pack_columns([wide, wide, wide])
    assert len(set(key.tolist())) == 3 and key[1] == key[2]
    assert sorted(class_sizes(key).tolist()) == [1, 1, 2]


def test_an_entry_that_stands_for_several_rows_is_not_alone() -> None:
    key, rows = np.array([5, 9, 9]), np.array([2, 1, 1])
    assert alone(key, rows).tolist() == [False, False, False]
    assert alone(key, np.array([1, 1, 1])).tolist() == [True, False, False]
    far = np.array([5, 10**12, 10**12])
    assert alone(far, rows).tolist() == [False, False, False]
    assert class_sizes(far, rows).tolist() == [2, 2]
