"""`mapping`: from hierarchies alone, never from rows that were left out."""

from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter

LADDER = "101;1*;*\n102;1*;*\n201;2*;*\n301;3*;*\n"


@pytest.fixture(autouse=True)
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = pl.DataFrame({"zip": ["101", "102", "101", "102", "201"], "age": ["1", "1", "1", "1", "7"]})
    rows.write_csv("original.csv")
    Path("zip.csv").write_text(LADDER, "utf-8")
    shoal.protect(
        "original.csv", output="release.csv", quasi="zip,age", k=2, suppress=0.2, levels="zip=1,age=0",
        hierarchy={"zip": "zip.csv", "age": "flat()"},
    )  # fmt: skip


def test_what_a_file_declares_does_not_depend_on_anybody() -> None:
    found = shoal.map_values("release.csv", hierarchy={"zip": "zip.csv"}, publishable=True, output="map.csv")
    assert [one.column for one in found.columns] == ["zip"] and found.publishable
    assert dict(found.columns[0].labels) == {"101": "1*", "102": "1*", "201": "2*", "301": "3*"}
    assert Path("map.csv").read_text("utf-8").count("yes") == 4
    # Other rows, suppressed ones too, and the mapping stays the same.
    rows = pl.read_csv("original.csv", infer_schema=False)
    rows.head(4).write_csv("original.csv")
    again = shoal.map_values("release.csv", hierarchy={"zip": "zip.csv"}, publishable=True)
    assert again == found


def test_values_from_the_data_are_for_the_owner() -> None:
    found = shoal.map_values(
        "release.csv", original="original.csv", hierarchy={"zip": "zip.csv", "age": "flat()"}
    )
    may = {one.column: one.publishable for one in found.columns}
    assert may == {"zip": True, "age": False} and not found.publishable
    with pytest.raises(BadParameter, match="no file declares the values of 'age'"):
        shoal.map_values("release.csv", hierarchy={"zip": "zip.csv"})


def test_groups_with_labels_of_their_own_have_no_mapping() -> None:
    shoal.protect("original.csv", output="m.csv", quasi="zip,age", k=2, method="mondrian")
    with pytest.raises(BadParameter, match="mondrian gives every group labels of its own"):
        shoal.map_values("m.csv", original="original.csv")
    Path("release.csv.shoal.json").unlink()
    with pytest.raises(BadParameter, match="no manifest"):
        shoal.map_values("release.csv", original="original.csv")
