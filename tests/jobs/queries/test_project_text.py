"""A question as a project file, and what has none."""

from pathlib import Path
from typing import Any

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.queries.project import project_of
from shoal.jobs.queries.project_text import project_text
from shoal.jobs.queries.question_requests import AskQuery

SQL = "SELECT COUNT(*) AS n FROM visits"


def test_odd_names_and_bounds_are_read_back_as_they_were_declared(tmp_path: Path) -> None:
    (tmp_path / "of May.csv").write_text("who,avdelning_å,cost\na,x,1\n")
    given: dict[str, Any] = {
        "data": {"visits": tmp_path / "of May.csv"},
        "unit": "who",
        "bounds": {"cost": "-1.5:120"},
        "keys": {"avdelning_å": 'x,"y'},
        "rows": 3,
    }
    job = AskQuery(sql=SQL, epsilon="0.5", **given, budget="0.7", ledger=tmp_path / "books.ledger")
    place = tmp_path / "shoal.toml"
    place.write_text(project_text(job, tmp_path, place.name), "utf-8")
    project = project_of(place)
    dataset = project.dataset(None)
    assert project.ledger == tmp_path / "books.ledger"
    assert (str(dataset.budget.epsilon), dataset.tables[0].rows) == ("7/10", 3)
    columns = {column.name: column for column in dataset.tables[0].columns}
    assert (columns["cost"].low, columns["cost"].high) == (-1.5, 120)
    assert columns["avdelning_å"].keys == ("x", '"y')
    assert not (tmp_path / "books.ledger").exists()


def test_a_question_without_a_lasting_budget_has_no_project_file() -> None:
    with pytest.raises(BadParameter, match="keeps a budget"):
        project_text(AskQuery(sql=SQL, epsilon="1"), Path(), "shoal.toml")
    with pytest.raises(BadParameter, match=r"that of 'other\.toml'"):
        project_text(AskQuery(sql=SQL, epsilon="1", config="other.toml"), Path(), "shoal.toml")
