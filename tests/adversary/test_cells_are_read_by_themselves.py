"""One person's cell more or less: nobody else's cells may be read in another way because of it."""

from __future__ import annotations

import importlib.util
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas
import polars as pl
import pyarrow
import pytest

import shoal
from shoal.core.errors import BadTable
from shoal.engines.files import read_frame
from workbooks import workbook

SURE = 900  # an ε at which noise is 0, so that what the noise would cover shows
DAYS = ["2024-01-01", "2024-01-02"]
needs_it = pytest.mark.skipif(
    importlib.util.find_spec("fastexcel") is None, reason="fastexcel is not installed"
)


def counts(data: Any, keys: list[str]) -> list[int]:
    """How many rows each key has, and how many none of them."""
    answer = shoal.ask(
        "SELECT x, COUNT(*) AS n FROM t GROUP BY x",
        {"t": data},
        unit="id",
        keys={"x": keys},
        kind={"x": "text"},
        epsilon=SURE,
    )
    return [int(row[1] or 0) for row in answer.rows]


def moments(place: Path, *more: str) -> Path:
    rows = [f"{day} 00:00:00" for day in DAYS * 10] + [*more]
    return workbook(place, [["id", "x"], *([f"p{number}", text] for number, text in enumerate(rows))])


@needs_it
def test_a_time_of_day_in_a_workbook_leaves_the_days_of_others_as_they_are(tmp_path: Path) -> None:
    """One time of day made moments of all days of its column: declared days were nobody's any more."""
    assert counts(moments(tmp_path / "t.xlsx"), DAYS) == [10, 10, 0]
    assert counts(moments(tmp_path / "t.xlsx", "2024-01-01 12:30:00"), DAYS) == [10, 10, 1]


@needs_it
def test_a_release_with_noise_reads_days_of_a_workbook_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("".join(f"{day};*\n" for day in DAYS))
    released = []
    for more in ((), ("2024-01-01 12:30:00",)):
        made = shoal.protect(
            moments(tmp_path / "t.xlsx", *more),
            quasi="x",
            hierarchy={"x": str(tmp_path / "x.csv")},
            method=f"noisy-counts(epsilon={SURE})",
            model=f"differential-privacy(epsilon={SURE})",
        )
        released.append(made.released)
    assert released == [20, 20]


def test_a_byte_that_is_no_utf_8_does_not_change_the_texts_of_others(tmp_path: Path) -> None:
    """A long text in another encoding gave all texts that encoding; now the file has to be repaired."""
    text = "id,x\n" + "".join(f"p{number},Café\n" for number in range(5))
    (tmp_path / "t.csv").write_text(text, "utf-8")
    assert counts(tmp_path / "t.csv", ["Café"]) == [5, 0]
    (tmp_path / "t.csv").write_bytes(text.encode() + b"odd," + b"\xe9" * 20 + b"\n")
    with pytest.raises(BadTable, match="not utf-8"):
        counts(tmp_path / "t.csv", ["Café"])


def test_one_row_does_not_decide_what_separates_the_columns_of_all(tmp_path: Path) -> None:
    """Where the header has two marks equally often, one row without a comma made other columns of all."""
    place, text = tmp_path / "t.csv", "id;x,EUR\n" + "p0;1,5\n" * 3
    place.write_text(text, "utf-8")
    assert read_frame(place, private=True).columns == ["id;x", "EUR"]
    place.write_text(text + "odd;2\n", "utf-8")
    with pytest.raises(BadTable, match="1 field on line 5, but the header has 2"):
        read_frame(place, private=True)
    assert read_frame(place).columns == ["id", "x,EUR"]  # where nothing is hidden, rows may tell


def test_whole_numbers_that_a_missing_one_made_doubles_are_the_same_texts() -> None:
    """pandas writes a column of whole numbers as doubles as soon as one of them is missing."""
    ids, zips = [f"p{number}" for number in range(6)], [1010, 1020] * 3
    whole = pl.DataFrame({"id": ids, "x": zips})
    doubles = pl.DataFrame({"id": [*ids, "odd"], "x": pl.Series([*zips, None], dtype=pl.Float64)})
    assert counts(whole, ["1010", "1020"]) == [3, 3, 0]
    assert counts(doubles, ["1010", "1020"]) == [3, 3, 1]


@pytest.mark.parametrize("frame", [pl.DataFrame, pandas.DataFrame, pyarrow.table])
@pytest.mark.parametrize("kind", ["integer", "text"])
def test_one_decimal_leaves_the_units_of_others_as_they_are(frame: Any, kind: str) -> None:
    """A column of decimals has as many digits behind the point as whoever has most. One 7.5 made
    9007199254740993.0 of a unit, which might be a neighbour's, so that all rows were nobody's.
    """
    ids = [Decimal(2**53 + 1 + 2 * number) for number in range(8)]
    people = pl.DataFrame({"id": [str(one) for one in ids], "y": range(8)})
    found = []
    for units in (ids, [*ids, Decimal("7.5")]):
        answer = shoal.ask(
            "SELECT COUNT(*) AS n, COUNT(p.y) AS m FROM t LEFT JOIN p ON t.id = p.id",
            {"t": frame({"id": units, "x": list(range(len(units)))}), "p": people},
            unit="id",
            kind={"id": kind},
            epsilon=SURE,
        )
        found.append(answer.rows[0])
    assert found[0] == (8, 8)
    assert found[1] in ((8, 8), (9, 8))  # a unit with a fraction is nobody's where units are whole


def test_one_decimal_leaves_the_texts_of_others_as_they_are() -> None:
    cells = [Decimal(5), Decimal("7.10")] * 3
    tables = [
        pl.DataFrame({"id": [f"p{number}" for number in range(len(column))], "x": column})
        for column in (cells, [*cells, Decimal("1.255")], [Decimal(50), Decimal(0)])
    ]
    assert [counts(table, ["5", "7.1"]) for table in tables[:2]] == [[3, 3, 0], [3, 3, 1]]
    assert counts(tables[2], ["50", "0"]) == [1, 1, 0]
