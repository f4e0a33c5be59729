"""The same question through Python, the command line and HTTP; and what processes do to one ledger."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import shoal as library
from faces.asking import COUNT, DECLARED, GROUPED, project
from faces.shell import shoal
from patience import LONG, all_done, until
from shoal.jobs.queries.owner import add, ledger_at
from shoal.jobs.queries.project import open_service, project_of
from shoal.queries.service.run import server

pytest.importorskip("uvicorn")


@dataclass(frozen=True)
class Place:
    url: str
    token: str


@contextmanager
def service(config: Path) -> Iterator[Place]:
    opened = open_service(project_of(config))
    made = server(opened, port=0)
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    try:
        until(lambda: made.started, "the service")
        with ledger_at(config, None) as ledger:
            token = add(ledger, "ada", "clinic", "3").token
        yield Place(f"http://127.0.0.1:{made.servers[0].sockets[0].getsockname()[1]}", token)
    finally:
        made.should_exit = True
        all_done([thread])
        opened.close()


def test_python_command_line_and_http_give_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {
        "unit": "name",
        "bounds": {"age": (0, 120)},
        "keys": {"sex": "F,M", "ill": "flu,cancer,heart,hiv"},
        "rows": 1,
    }
    answers: list[dict[str, Any]] = [
        library.ask(GROUPED, {"patients": "patients.csv"}, epsilon="0.5", **given).to_json()
    ]
    answers.append(shoal("query", "ask", GROUPED, *DECLARED, "--epsilon", "0.5", "--json").json)
    config = project()
    with library.open_database(config=config) as database:
        answers.append(database.ask(GROUPED, epsilon=0.5).to_json())
    with service(config) as place:
        client = library.connect(place.url, place.token)
        answers.append(client.ask(GROUPED, epsilon=0.5).to_json())
        monkeypatch.setenv("SHOAL_TOKEN", place.token)
        there = ("--service", place.url, "--json")
        again = shoal("query", "ask", GROUPED, *there, "--epsilon", "0.5").json
        assert again["archived"] is True and again["rows"] == answers[-1]["rows"]
        estimate = shoal("query", "ask", GROUPED, *there, "--epsilon", 1, "--estimate").json
        assert estimate["cost"]["epsilon"] == 1
        (state,) = shoal("query", "budget", *there).json["budgets"]
        assert state["remaining"]["epsilon"] == 2.5
        assert shoal("query", "log", *there).json["entries"][0]["analyst"] == "ada"
        refused = shoal("query", "ask", COUNT, *there, "--epsilon", 3)
        assert refused.code == 1 and "ε=3" in refused.err
        wrong = shoal("query", "ask", "SELECT name FROM patients", *there, "--epsilon", 1)
        assert wrong.code == 2 and wrong.out == ""
    for answer in answers:
        assert answer["columns"] == ["sex", "n", "age"]
        assert [row[0] for row in answer["rows"]] == ["F", "M", None]
        assert answer["error"]["n"] == answers[0]["error"]["n"]
        assert answer["spent"] == {"epsilon": 0.5, "delta": 0}
        assert answer["query"] == answers[0]["query"]


def test_the_token_file_serves_as_well_as_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOAL_TOKEN", raising=False)
    with service(project()) as place:
        Path("token").write_text(place.token, "utf-8")
        there = ("--service", place.url, "--token-file", "token")
        assert shoal("query", "ask", COUNT, *there, "--epsilon", 1, "--json").json["columns"] == ["n"]


def test_racing_processes_cannot_overspend() -> None:
    command = [sys.executable, "-c", "from shoal.faces.cli import main; main()", "query", "ask"]
    flags = [str(word) for word in (*DECLARED, "--epsilon", 1, "--budget", 2, "--json")]
    racing = [
        subprocess.Popen(
            [*command, f"SELECT COUNT(*) AS n{number} FROM patients", *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(3)
    ]
    told = [process.communicate(timeout=LONG) for process in racing]
    codes = sorted(process.returncode for process in racing)
    assert codes == [0, 0, 1], told
    state, _ = shoal("query", "budget", "--json").json["budgets"]
    assert state["spent"]["epsilon"] == 2 and state["remaining"]["epsilon"] == 0
    assert shoal("query", "check", "--json").json["holds"] is True
