"""Group sizes and words; distributions are tested with `before_after`."""

import polars as pl

from shoal.tables.appraisal.column_change import sizes_of, word_of


def test_rows_by_the_size_of_their_group() -> None:
    frame = pl.DataFrame({"zip": ["1", "2", "2", "3", "3", "3"]})
    found = sizes_of(frame, ("zip",))
    assert dict(found.buckets) == {
        "1": 1, "2": 2, "3–4": 3, "5–9": 0, "10–19": 0, "20–49": 0, "50–99": 0, "100+": 0,
    }  # fmt: skip
    assert (found.groups, found.highest, found.average) == (3, 1.0, 0.5)
    assert sizes_of(frame.clear(), ("zip",)).highest == 0.0


def test_a_blank_has_a_word() -> None:
    assert word_of(None) == "(blank)" and word_of("a") == "a"
