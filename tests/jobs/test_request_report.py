"""What is asked of any report is checked when it is asked."""

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.graphs.requests import ReportGraph
from shoal.jobs.tables.requests import ReportTable


@pytest.mark.parametrize("report", [ReportGraph, ReportTable])
@pytest.mark.parametrize(
    ("wrong", "cause"),
    [
        ({"data": "-"}, "a report is about a file with a fingerprint"),
        ({"data": "net.csv", "time_limit": 0}, "--time-limit is a number of seconds above 0, not 0"),
    ],
)
def test_what_no_report_can_be_about_is_refused_at_once(
    report: type[ReportGraph | ReportTable], wrong: dict[str, object], cause: str
) -> None:
    with pytest.raises(BadParameter, match=cause):
        report(**wrong)  # type: ignore[arg-type]
