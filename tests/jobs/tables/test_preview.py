"""Rows a page at a time."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.jobs.tables.preview import LONGEST, keep_rows, rows_between, write_rows
from shoal.jobs.tables.requests import InspectTable


def test_any_stretch_of_rows_is_read_from_what_was_kept(tmp_path: Path) -> None:
    frame = pl.DataFrame({"n": range(1000), "t": ["x" * 500, None] * 500})
    place = tmp_path / "deep" / "rows.arrow"
    assert keep_rows(InspectTable(data=frame), place) == 1000
    assert rows_between(place, 998, 5) == [["998", "x" * (LONGEST - 1) + "…"], ["999", None]]
    assert rows_between(place, 5000, 5) == []
    assert rows_between(place, -3, 1) == [["0", "x" * (LONGEST - 1) + "…"]]


def test_a_table_without_rows_has_none_to_show(tmp_path: Path) -> None:
    write_rows(pl.DataFrame({"a": pl.Series([], dtype=pl.String)}), tmp_path / "rows.arrow")
    assert rows_between(tmp_path / "rows.arrow", 0, 10) == []
