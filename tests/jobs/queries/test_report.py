"""What an owner's report finds out of a project file."""

from pathlib import Path

import pytest

from faces.asking import project
from shoal.core.errors import BadParameter
from shoal.jobs.queries.project import open_project
from shoal.jobs.queries.report import report_query
from shoal.jobs.queries.requests import OwnerReport


def test_a_project_file_adds_what_is_declared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    config = project().absolute()
    with open_project(config, None) as database:
        database.ask("SELECT COUNT(*) AS n FROM patients", 1)
    told = report_query(OwnerReport(config=config, time_limit=1.0))
    assert told.title == "clinic" and "patients" in told.declared["clinic"]
    assert str(tmp_path) not in str(told.to_json())
    with pytest.raises(BadParameter, match="no data set nothing"):
        report_query(OwnerReport(config=config, dataset="nothing"))


def test_time_for_an_audit_is_above_nought() -> None:
    with pytest.raises(BadParameter, match="--time-limit"):
        OwnerReport(time_limit=0)
