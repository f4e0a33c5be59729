from pathlib import Path
from typing import Any

import polars as pl

from shoal.jobs.tables.report import report_table
from shoal.jobs.tables.report_request import ReportTable


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
