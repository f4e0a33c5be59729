"""A first line names columns, or it is refused; names that occur twice get a number and a remark."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadTable
from shoal.engines.files import read_frame
from shoal.engines.header import check_header, unique_names

PEOPLE = ["Ann,34,02138,flu", "Bob,51,02139,gout", "Cid,34,02138,flu", "Dan,29,02140,flu", "Eve,34,02139,flu"]


@given(st.lists(st.sampled_from(["a", "b", "a_2", "b_2", "a_2_2"]), max_size=8))
def test_names_occur_once_and_first_ones_stay(names: list[str]) -> None:
    found = unique_names(names, "t")
    assert len(set(found)) == len(found) == len(names)
    for place, name in enumerate(names):
        if name not in names[:place]:
            assert found[place] == name


def test_a_file_with_a_name_twice_is_read_with_a_remark(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "twice.csv"
    path.write_text('\n"zip",age,zip\n1,2,3\n4,5,6\n')
    with caplog.at_level(logging.WARNING, "shoal"):
        frame = read_frame(path)
    assert frame.columns == ["zip", "age", "zip_2"] and frame.rows() == [("1", "2", "3"), ("4", "5", "6")]
    assert "has two columns named 'zip'; the later one is called 'zip_2'" in caplog.text


def test_a_first_column_that_counts_the_rows_gets_a_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "index.csv"
    path.write_text(",zip,row number\n0,1,2\n1,4,5\n2,4,5\n")
    with caplog.at_level(logging.WARNING, "shoal"):
        frame = read_frame(path)
    assert frame.columns == ["row number", "zip", "row number_2"]
    assert "has no name and counts the rows; it is called 'row number'" in caplog.text


@pytest.mark.parametrize("first", ["0 1 3", "2 3 4", "00 01 02", "a b c", "1 2", "1  3", "٠ ١ ٣"])
def test_another_column_without_a_name_is_refused(first: str, tmp_path: Path) -> None:
    path = tmp_path / "nameless.csv"
    path.write_text(",zip\n" + "".join(f"{value},02138\n" for value in first.split(" ")), "utf-8")
    with pytest.raises(BadTable, match=r"column 1 of .* has no name"):
        read_frame(path)


def test_a_name_over_several_lines_may_be_there_twice(tmp_path: Path) -> None:
    path = tmp_path / "twice.csv"
    path.write_text('"a\nb",c,"a\nb"\n1,2,3\n')
    assert read_frame(path).rows() == [("1", "2", "3")]


def test_a_file_without_header_is_refused_and_nobody_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bare.csv"
    path.write_text("\n".join(PEOPLE) + "\n")
    with pytest.raises(BadTable, match="seems to have no header") as caught:
        read_frame(path)
    assert "Ann" not in str(caught.value) and "34" not in str(caught.value)
    path.write_text("name,age,zip,ill\n" + "\n".join(PEOPLE) + "\n")
    assert read_frame(path).height == 5


@pytest.mark.parametrize(
    "names",
    [
        ["place", "2019", "2020", "2021"],
        ["0", "1", "2", "3"],
        ["name", "age", "2020", "ill"],
        ["a", "b", "c", "d"],
        ["1990", "2000", "2010", "2020"],
    ],
)
def test_years_and_places_may_be_names(names: list[str]) -> None:
    check_header(names, [["1", "2", "3", "4"], ["5", "6", "7", "8"], ["9", "1", "2", "3"]], "t")


def test_texts_that_come_again_below_are_no_names() -> None:
    rows = [["f", "flu", "north"], ["m", "flu", "south"], ["f", "gout", "north"], ["m", "gout", "south"]]
    with pytest.raises(BadTable, match="no header"):
        check_header(rows[0], rows * 2, "t")
    check_header(["sex", "ill", "north"], rows * 2, "t")


def test_dates_and_addresses_are_no_names() -> None:
    rows = [["2001-02-03", "ann@example.org"], ["2002-02-03", "bob@example.org"], ["2003-01-01", "c@d.org"]]
    with pytest.raises(BadTable, match="no header"):
        check_header(["2000-01-01", "x@example.org"], rows, "t")
    check_header(["day", "mail"], rows, "t")
    check_header(["2000-01-01", "x@example.org"], rows[:2], "t")  # too few to tell


def test_the_command_line_passes_the_remark_on(tmp_path: Path) -> None:
    path = tmp_path / "twice.csv"
    path.write_text("zip,age,zip\n1,2,3\n4,5,6\n")
    asked = [sys.executable, "-m", "shoal", "table", "inspect", str(path), "--json"]
    loud = subprocess.run(asked, capture_output=True, text=True, timeout=120)
    assert loud.returncode == 0 and "shoal: " in loud.stderr and "is called 'zip_2'" in loud.stderr
    quiet = subprocess.run([*asked, "--quiet"], capture_output=True, text=True, timeout=120)
    assert quiet.returncode == 0 and quiet.stderr == "" and quiet.stdout == loud.stdout
    verbose = subprocess.run([*asked, "--verbose"], capture_output=True, text=True, timeout=120)
    assert "2 rows" in verbose.stderr and verbose.stdout == loud.stdout


def test_thousands_of_columns_of_one_name_are_told_apart() -> None:
    """Every name was looked for among all before it, once for each number: 2,000 columns took a minute."""
    names = unique_names(["a"] * 20_000 + ["a_3"], "t")
    assert names[:4] == ["a", "a_2", "a_4", "a_5"] and len(set(names)) == 20_001
