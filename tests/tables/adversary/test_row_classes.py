"""The rows of a release by what an outsider sees."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.adversary.row_classes import RowClasses
from shoal.tables.domains import Domain

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
