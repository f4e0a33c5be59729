"""The rows of a release by what an outsider sees."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.appraisal.packed_columns import LARGEST, pack_columns
from shoal.tables.attacker_reasoning.row_classes import RowClasses, code
from shoal.tables.model_inputs.sensitive_domains import Domain

cells = st.sampled_from(["a", "b", "", None])


@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=12))
def test_rows_are_together_exactly_when_they_look_alike(rows: list[tuple[str | None, ...]]) -> None:
    frame = pl.DataFrame(rows, schema=dict.fromkeys("xys", pl.String), orient="row")
    found = RowClasses.of(frame, ["x", "y"])
    for row, number in zip(rows, found.of_row.tolist(), strict=True):
        assert found.labels.row(number) == row[:2]
        assert found.sizes[number] == sum(other[:2] == row[:2] for other in rows)
        assert all(rows[place][:2] == row[:2] for place in found.rows_of(number))
    counts = found.values(frame["s"], Domain.of(frame, "s"))
    for number in range(len(found)):
        inside = slice(counts.offsets[number], counts.offsets[number + 1])
        told = {
            counts.domain.values[code]: count
            for code, count in zip(
                counts.values[inside].tolist(), counts.counts[inside].tolist(), strict=True
            )
        }
        alike = [row[2] for row in rows if row[:2] == found.labels.row(number)]
        assert told == {value: alike.count(value) for value in set(alike)}


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=12))
def test_columns_of_numbers_combine_without_losing_their_order(rows: list[tuple[str | None, ...]]) -> None:
    frame = pl.DataFrame(rows, schema=dict.fromkeys("xy", pl.String), orient="row")
    codes, kinds = zip(*(code(frame[column]) for column in "xy"), strict=True)
    assert all(
        names.gather(found).equals(frame[c]) for found, names, c in zip(codes, kinds, "xy", strict=True)
    )
    keys = pack_columns([codes[0] * (LARGEST // 4), codes[1]])  # so many numbers that they are counted anew
    for one, key in zip(rows, keys.tolist(), strict=True):
        assert [key == other for other in keys.tolist()] == [one == other for other in rows]
    assert sorted(range(len(rows)), key=lambda row: keys[row]) == sorted(
        range(len(rows)), key=lambda row: (codes[0][row], codes[1][row])
    )
    found = RowClasses.of(frame, "xy")
    assert [found.of_row.tolist().index(number) for number in range(len(found))] == found.first_row.tolist()
