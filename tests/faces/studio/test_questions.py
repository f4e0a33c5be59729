"""What an owner declares is kept beside the table, and a question is the request of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from faces.studio.browser import people
from shoal.faces.studio.project import Project, TableFolder
from shoal.faces.studio.questions import LEDGER, Declaration, Source
from shoal.jobs.queries.question_requests import AskQuery


def table_in(folder: Path) -> TableFolder:
    return Project(folder / "project").add("people.csv", lambda place: place.write_text(people()))


DECLARED = Declaration("name", 1, "1", {"age": "0:120"}, {"ill": "flu,gout"})


def test_a_declaration_is_found_again(tmp_path: Path) -> None:
    table = table_in(tmp_path)
    assert Declaration.of(table) == Declaration()
    DECLARED.save(table)
    assert Declaration.of(TableFolder(table.folder)) == DECLARED


def test_a_question_is_the_request_of_the_command_line(tmp_path: Path) -> None:
    table = table_in(tmp_path)
    source, sql = Source.of_table(table, DECLARED), "SELECT COUNT(*) FROM people"
    given: dict[str, Any] = {
        "data": {"people": str(table.file)},
        "unit": "name",
        "bounds": {"age": "0:120"},
        "keys": {"ill": "flu,gout"},
        "rows": 1,
    }
    ledger = table.folder / LEDGER
    assert source.question(sql, "0.5") == AskQuery(sql=sql, epsilon="0.5", **given, budget="1", ledger=ledger)
    ledger.touch()  # from here on the ledger tells the budget, and nothing else does
    assert source.question(sql, "0.5").budget is None


def test_a_service_gets_the_question_and_nobody_sees_the_token() -> None:
    source = Source(("visits",), service="http://127.0.0.1:1", token="secret", dataset="clinic")
    job = source.question("SELECT 1", "1", estimate=True)
    assert (job.service, job.token, job.dataset, job.estimate) == (
        "http://127.0.0.1:1",
        "secret",
        "clinic",
        True,
    )
    assert "secret" not in repr(source)
