"""A release in which one column undoes what was done to another is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter
from shoal.jobs.tables.report import report_table
from shoal.jobs.tables.requests import ReportTable

STATES = ("single", "married", "divorced", "widowed", "separated")


def staff(rows: int = 310) -> pl.DataFrame:
    """As in a well-known table of employees: a code beside its description."""
    marital = [number * 7 % 5 if number % 61 else 4 for number in range(rows)]
    return pl.DataFrame({
        "age": [20 + number * 7 % 45 for number in range(rows)],
        "MaritalDesc": [STATES[code] for code in marital],
        "MaritalStatusID": marital,
        "desk": [number * 13 % 7 for number in range(rows)],
        "pay": [1000 + number * 31 % 997 for number in range(rows)],
    })  # fmt: skip


def protected(**roles: Any) -> Any:
    """With so large a k that both columns are coarsened."""
    usual: dict[str, Any] = {"quasi": "age,MaritalDesc", "sensitive": "pay", "k": 100, "suppress": 0}
    return shoal.protect(staff(), **{**usual, "hierarchy": {"MaritalDesc": "mask()"}, **roles})


def test_a_code_beside_the_description_that_it_stands_for_is_refused_by_name() -> None:
    with pytest.raises(BadParameter, match=r"'MaritalStatusID' gives away 'MaritalDesc'.*--quasi MaritalS"):
        protected(insensitive="MaritalStatusID,desk")


def test_either_cure_works_and_other_columns_are_left_alone() -> None:
    release = protected(quasi="age,MaritalDesc,MaritalStatusID", insensitive="desk")
    assert "MaritalStatusID" in release.table.quasi
    release = protected(insensitive="desk", identifier="MaritalStatusID")
    assert release.table.columns == ["age", "MaritalDesc", "desk", "pay"]


def test_a_sensitive_column_that_tells_is_remarked() -> None:
    release = protected(sensitive="MaritalStatusID", insensitive="desk", identifier="pay")
    assert any("'MaritalStatusID' gives away 'MaritalDesc' in 100%" in note for note in release.notes)


def test_what_is_not_coarsened_cannot_be_given_away() -> None:
    release = protected(quasi="MaritalDesc", k=2, insensitive="MaritalStatusID,desk,age")
    assert set(release.table.frame["MaritalDesc"]) == set(STATES)


def test_a_report_sees_that_one_column_gives_another_away_in_a_release_made_elsewhere(tmp_path: Path) -> None:
    code = [row * 7 % 5 for row in range(300)]
    frame = pl.DataFrame(
        {
            "StatusID": [str(one) for one in code],
            "Status": ["abcde"[one] for one in code],
            "sex": ["FM"[row % 2] for row in range(300)],
            "ill": [str(row % 3) for row in range(300)],
        }
    )
    original, release = tmp_path / "staff.csv", tmp_path / "release.csv"
    frame.write_csv(original)
    frame.with_columns(Status=pl.lit("*")).write_csv(release)
    given: dict[str, Any] = {"quasi": "Status,sex", "sensitive": "ill", "k": 5, "attack": ("linkage",)}
    found = report_table(ReportTable(data=str(release), original=str(original), **given))
    assert found.given_away == ("StatusID gives away Status, which was made coarser, in 300 rows",)
    found = report_table(ReportTable(data=str(release), **{**given, "attack": ("downcoding",)}))
    assert found.given_away == () and "--original" in found.trials[0].reason
    # Half of the detail is still there, and the release alone shows that the code goes with it.
    halves = frame.with_columns(Status=pl.col("Status").replace({"a": "ab", "b": "ab", "c": "cde"}))
    halves.write_csv(release)
    (told,) = report_table(ReportTable(data=str(release), **given)).given_away
    assert told.startswith("StatusID determines Status in 100.0% of the released rows")
