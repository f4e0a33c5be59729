"""`diff`: what it needs; what it tells is tested with `before_after`."""

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter
from shoal.jobs.tables.diff import levels_of


def test_an_original_without_the_columns_is_refused() -> None:
    rows = pl.DataFrame({"zip": ["1", "1"]})
    with pytest.raises(BadParameter, match="the original has no column 'zip'; it has age"):
        shoal.diff(rows, rows.rename({"zip": "age"}), quasi="zip")


def test_levels_come_from_a_manifest() -> None:
    with pytest.raises(BadParameter, match="no manifest beside the release"):
        levels_of(None)


def test_frames_can_be_compared_without_a_manifest() -> None:
    before = pl.DataFrame({"zip": ["101", "102"], "ill": ["a", "b"]})
    after = before.with_columns(zip=pl.lit("10*"))
    found = shoal.diff(after, before, quasi="zip", hierarchy={"zip": "mask()"})
    assert [pair.after for pair in found.rows] == [("10*", "a"), ("10*", "b")]
