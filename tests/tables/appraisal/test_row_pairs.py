"""What became of each row, as far as both files tell."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

import shoal

METHODS = ("local-recoding", "mondrian", "cell-suppression")


def table(rows: int, secrets: int) -> pl.DataFrame:
    chance = random.Random(7)
    return pl.DataFrame(
        {
            "name": [f"P{number}" for number in range(rows)],
            "age": [str(chance.randint(20, 69)) for _ in range(rows)],
            "zip": [f"1{chance.randint(0, 9)}{chance.randint(0, 9)}" for _ in range(rows)],
            "income": [str(chance.randint(1, secrets)) for _ in range(rows)],
        }
    )


def found_for(folder: Path, rows: pl.DataFrame, method: str, suppress: float) -> shoal.BeforeAfter:
    original, release = folder / "original.csv", folder / f"{method}.csv"
    rows.write_csv(original)
    shoal.protect(
        original,
        output=release,
        identifier="name",
        quasi="age,zip",
        sensitive="income",
        k=3,
        method=method,
        suppress=suppress,
    )
    return shoal.diff(release, original, show=rows.height)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("suppress", [0.0, 0.1])
def test_rows_with_values_of_their_own_are_found_in_the_release(
    tmp_path: Path, method: str, suppress: float
) -> None:
    rows = table(150, 100_000)
    found = found_for(tmp_path, rows, method, suppress)
    paired = [pair for pair in found.rows if pair.after is not None]
    assert len(paired) == found.rows_after and {pair.fate for pair in paired} == {"released"}
    left = [pair.fate for pair in found.rows if pair.after is None]
    assert left == ["suppressed"] * (found.rows_before - found.rows_after)
    released = Counter(shoal.read_table(tmp_path / f"{method}.csv").frame.rows())
    assert Counter(pair.after[1:] for pair in paired) == released  # type: ignore[index]


def test_where_several_groups_fit_every_cell_says_what_it_may_have_become(tmp_path: Path) -> None:
    rows = table(150, 2)
    found = found_for(tmp_path, rows, "local-recoding", 0.0)
    released = shoal.read_table(tmp_path / "local-recoding.csv").frame
    unknown = [pair for pair in found.rows if pair.fate == "unknown"]
    assert unknown and any("several groups fit" in note for note in found.notes)
    for pair in unknown:
        assert pair.after is None and pair.possible is not None
        name, age, code, income = pair.possible
        assert name == () and income == (pair.before[3],)
        assert max(len(age), len(code)) > 1
        assert set(age) <= set(released["age"].to_list())
        assert set(code) <= set(released["zip"].to_list())
    told = found.to_tables()["rows"]
    assert any(" or " in cell or "one of " in cell for row in told[1:] for cell in row)


def test_that_a_row_may_have_been_left_out_is_said_once(tmp_path: Path) -> None:
    rows = pl.concat(
        [table(60, 2), pl.DataFrame({"name": ["X"], "age": ["97"], "zip": ["900"], "income": ["1"]})]
    )
    found = found_for(tmp_path, rows, "local-recoding", 0.1)
    fates = {pair.fate for pair in found.rows}
    said = [note for note in found.notes if "were left out" in note]
    assert len(said) == ("perhaps" in fates)
