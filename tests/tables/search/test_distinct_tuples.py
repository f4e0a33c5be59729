"""Encoding a table into distinct tuples loses nothing."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.hierarchy import Label
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.search import distinct_tuples as module
from shoal.tables.search.distinct_tuples import Tuples, leaf_codes, pack_codes
from shoal.tables.table import Table
from tables.builders import Case, Row, cases


def encoded(case: Case) -> Tuples:
    table = case.table()
    return Tuples.of(table, table.hierarchies, case.domains())


def assert_lossless(case: Case, found: Tuples) -> None:
    """Every row can be read back from its tuple, tuples are distinct, and all counts are right."""
    read_back = [
        tuple(hierarchy.leaves[code] for hierarchy, code in zip(found.hierarchies, codes, strict=True))
        for codes in found.codes.tolist()
    ]
    assert [read_back[number] for number in found.of_row.tolist()] == list(case.quasi)
    assert len(set(read_back)) == len(read_back)
    assert found.rows == case.rows
    assert dict(zip(read_back, found.sizes.tolist(), strict=True)) == Counter(case.quasi)
    for c, hierarchy in enumerate(case.hierarchies):
        per_leaf = Counter(row[c] for row in case.quasi)
        assert found.leaf_counts[c].tolist() == [per_leaf[leaf] for leaf in hierarchy.leaves]
    for c, name in enumerate(case.sensitive_names):
        wanted: dict[Row, Counter[Label]] = {}
        for quasi, sensitive in zip(case.quasi, case.sensitive, strict=True):
            wanted.setdefault(quasi, Counter())[sensitive[c]] += 1
        counts = found.sensitive[name]
        for number, (start, end) in enumerate(zip(counts.offsets[:-1], counts.offsets[1:], strict=True)):
            codes = counts.values[start:end]
            assert (np.diff(codes) > 0).all()
            own = {
                counts.domain.values[code]: n for code, n in zip(codes, counts.counts[start:end], strict=True)
            }
            assert own == wanted[read_back[number]]


@given(cases())
def test_every_row_can_be_read_back_from_its_tuple(case: Case) -> None:
    assert_lossless(case, encoded(case))


@given(cases(), st.integers(1, 30))
def test_keys_that_overflow_are_regrouped_and_lose_nothing(case: Case, largest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LARGEST_KEY", largest)
        assert_lossless(case, encoded(case))


def test_twenty_columns_with_a_thousand_leaves_each_do_not_collide() -> None:
    """1,000²⁰ is far beyond 64 bits; rows that differ in the first column only must stay apart."""
    leaves: list[Label] = [str(number) for number in range(1000)]
    hierarchy = Hierarchy.of_levels([leaves])
    first = [0, 1, 2, 1, 0, 999, 500]
    frame = pl.DataFrame({"q0": first, **{f"q{c}": [999] * len(first) for c in range(1, 20)}})
    names = tuple(frame.columns)
    found = Tuples.of(Table(frame, quasi=names), dict.fromkeys(names, hierarchy), {})
    assert found.codes[found.of_row, 0].tolist() == first
    assert sorted(found.sizes.tolist()) == [1, 1, 1, 2, 2]


@given(st.data())
def test_packed_keys_are_alike_exactly_where_rows_are(data: st.DataObject) -> None:
    widths = data.draw(st.lists(st.integers(1, 7), min_size=0, max_size=6))
    rows = data.draw(st.lists(st.tuples(*(st.integers(0, width - 1) for width in widths)), max_size=20))
    columns = [np.array([row[c] for row in rows], np.uint8) for c in range(len(widths))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LARGEST_KEY", data.draw(st.sampled_from([1, 7, 50, 2**62])))
        keys = pack_codes(columns, widths, len(rows)).tolist()
    assert all(key >= 0 for key in keys)
    for one, row in zip(keys, rows, strict=True):
        assert [other == one for other in keys] == [other == row for other in rows]


def test_columns_that_would_be_shifted_out_of_64_bits_are_regrouped_in_time() -> None:
    """2¹⁰ × 2³⁰ × 2³² is 2⁷²: without regrouping, 0 and 4 in the first column would be one key."""
    columns = [
        np.array(column, np.uint32) for column in ([0, 4, 0, 1023], [7, 7, 7, 0], [9, 9, 9, 2**32 - 1])
    ]
    keys = pack_codes(columns, [2**10, 2**30, 2**32], 4).tolist()
    assert keys[0] == keys[2]
    assert len(set(keys)) == 3
    assert min(keys) >= 0


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_missing_value_may_stand_anywhere_among_the_leaves(place: int) -> None:
    leaves: list[Label] = ["a", ""]
    leaves.insert(place, None)
    hierarchy = Hierarchy.of_levels([leaves])
    with_gap = leaf_codes(pl.Series("q", ["", None, "a", None]), hierarchy)
    assert [leaves[code] for code in with_gap.tolist()] == ["", None, "a", None]
    without = leaf_codes(pl.Series("q", ["", "a"]), hierarchy)
    assert [leaves[code] for code in without.tolist()] == ["", "a"]


def test_a_column_of_nothing_but_missing_values_has_one_code() -> None:
    nothing = pl.Series("q", [None, None], dtype=pl.String)
    assert leaf_codes(nothing, Hierarchy.of_levels([[None]])).tolist() == [0, 0]
    frame = pl.DataFrame({"q": nothing, "s": nothing})
    hierarchy = {"q": Hierarchy.of_levels([["a", None]])}
    found = Tuples.of(Table(frame, quasi=("q",), sensitive=("s",)), hierarchy, {"s": Domain.of(frame, "s")})
    assert found.sensitive["s"].counts.tolist() == [2]


def test_values_that_the_hierarchy_misses_are_refused_by_name() -> None:
    hierarchy = Hierarchy.of_levels([["a", None]])
    with pytest.raises(BadHierarchy, match="the hierarchy of 'zip' misses 'b' of the table"):
        leaf_codes(pl.Series("zip", ["a", "b", "b", None]), hierarchy)
    with pytest.raises(BadHierarchy, match="misses 'b', 'c', 'd' and 1 more values"):
        leaf_codes(pl.Series("zip", ["e", "d", "c", "b"]), hierarchy)


def test_a_missing_value_that_the_hierarchy_does_not_know_is_refused() -> None:
    with pytest.raises(BadHierarchy, match="the hierarchy of 'zip' misses None"):
        leaf_codes(pl.Series("zip", ["a", None]), Hierarchy.of_levels([["a", "b"]]))


def test_numbers_are_matched_by_their_text() -> None:
    hierarchy = Hierarchy.of_levels([["30", "4", "200"]])
    assert leaf_codes(pl.Series("q", [4, 200, 30]), hierarchy).tolist() == [1, 2, 0]


def test_more_leaves_than_a_byte_holds_keep_their_codes() -> None:
    leaves: list[Label] = [str(number) for number in range(70_000)]
    codes = leaf_codes(pl.Series("q", ["0", "255", "256", "65536", "69999"]), Hierarchy.of_levels([leaves]))
    assert codes.tolist() == [0, 255, 256, 65536, 69999]
