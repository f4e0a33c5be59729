"""What the browser does and what a copy of it does is one and the same job, on every page."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from faces.studio.browser import people
from faces.studio.released import ROLES
from faces.studio.test_networks import network_in
from faces.studio.test_questions import DECLARED, table_in
from faces.test_copies import caught, plain, typed
from shoal.faces.cli.app import app
from shoal.faces.studio import network_tasks, question_tasks, release_tasks, tasks
from shoal.faces.studio.history import write_json
from shoal.faces.studio.lists import add_list
from shoal.faces.studio.project import Project, TableFolder
from shoal.faces.studio.questions import Source
from shoal.faces.studio.settings import Settings
from shoal.jobs.queries.ask import ask_query
from shoal.jobs.queries.question_requests import AskQuery
from shoal.report import document

SETTINGS = Settings(
    roles=ROLES, model=("k-anonymity(k=3)",), suppress=0.1, hierarchy={"age": "interval(width=10,levels=3)"}
)


class Carried(Exception):
    """A worker was about to carry out a request."""


def carried_out(work: Callable[[], object]) -> Any:
    """The request that a worker carries out, caught before it does."""
    seen: list[Any] = []

    def catch(job: Any, *_: Any) -> None:
        seen.append(job)
        raise Carried

    with (
        mock.patch("shoal.jobs.run", catch),
        mock.patch.object(document, "make_report", catch),
        mock.patch("shoal.jobs.tables.inspect.inspect_table", catch),
        mock.patch("shoal.jobs.queries.ask.ask_query", catch),
        pytest.raises(Carried),
    ):
        work()
    return seen[0]


def copied(copies: list[dict[str, str]], folder: Path) -> Iterator[Any]:
    """The requests that the copies make: by a shell, by Python, and by a project file where there is one."""
    command, python, toml = (one["text"] for one in copies)
    yield caught(lambda: app(typed(command)[1:], standalone_mode=False))
    yield caught(lambda: exec(python, {}))
    (folder / "shoal.toml").write_text(toml, "utf-8")
    yield caught(lambda: app(typed(toml.splitlines()[0].removeprefix("# "))[1:], standalone_mode=False))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TableFolder:
    made = Project(tmp_path / "project").add("people.csv", lambda place: place.write_text(people()))
    write_json(made.folder / ".studio" / "inspection.json", {"columns": {name: {} for name in ROLES}})
    voters = tmp_path / "voters.csv"
    voters.write_text("name,zip\nPerson 1,1101\n")
    add_list(made, "voters.csv", voters)
    monkeypatch.chdir(made.folder)
    return made


@pytest.mark.parametrize("what", ["data", "run", "explore", "diff", "mapping", "report"])
def test_every_page_about_a_table_copies_the_job_that_it_carries_out(table: TableFolder, what: str) -> None:
    folder, settings = str(table.folder), SETTINGS.to_json()
    release = str(table.folder / "runs" / "001" / "release.csv")
    work: dict[str, Callable[[], object]] = {
        "data": lambda: tasks.inspect(folder),
        "run": lambda: tasks.protect(folder, settings, str(Path(release).parent)),
        "explore": lambda: release_tasks.explore(folder, settings),
        "diff": lambda: release_tasks.diff(folder, release, settings, 0, 15),
        "mapping": lambda: release_tasks.mapping(folder, release, settings),
        "report": lambda: release_tasks.report(folder, release, settings),
    }
    done = plain(carried_out(work[what]))
    done = {word: value for word, value in done.items() if word not in ("first", "show")}  # the page in view
    for job in copied(release_tasks.copies(folder, settings, what, release), table.folder):
        assert {word: _located(value) for word, value in plain(job).items() if word in done} == {
            word: _located(value) for word, value in done.items()
        }


def test_an_attack_on_a_table_copies_the_job_that_it_carries_out(table: TableFolder) -> None:
    release = str(table.folder / "release.csv")
    lists = {"external": str(table.folder / ".studio" / "lists" / "voters.csv")}
    given = (str(table.folder), release, SETTINGS.to_json(), "linkage", lists)
    done = carried_out(lambda: release_tasks.attack(*given))
    for job in copied(release_tasks.attack_copies(*given), table.folder):
        assert _told(job) == _told(done)


@pytest.mark.parametrize(
    ("verb", "part"), [("measure", ""), ("protect", "k-degree(k=3)"), ("attack", "degree"), ("report", "")]
)
def test_networks_copy_the_job_that_they_carry_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, part: str
) -> None:
    network = network_in(tmp_path)
    network.release.write_text("source,target\n1,2\n")
    network.manifest.write_text("{}")
    network.mapping.write_text("original,label\n1,2\n")
    monkeypatch.chdir(network.folder)
    folder = str(network.folder)
    work: dict[str, Callable[[], object]] = {
        "measure": lambda: network_tasks.look(folder),
        "protect": lambda: network_tasks.protect(folder, part),
        "attack": lambda: network_tasks.attack(folder, part),
        "report": lambda: network_tasks.report(folder),
    }
    done = carried_out(work[verb])
    if verb == "protect":  # written beside the release before it, and then put in its place
        done = replace(done, output=str(network.release))
    for job in copied(network_tasks.copies(folder, verb, part), network.folder):
        assert _told(job) == _told(done)


def test_a_question_copies_the_job_that_it_carries_out(tmp_path: Path) -> None:
    source, sql = Source.of_table(table_in(tmp_path), DECLARED), "SELECT COUNT(*) AS n FROM people"
    done = plain(carried_out(lambda: question_tasks.ask(source, sql, "0.25", False)))
    command, python, _ = (one["text"] for one in question_tasks.copies(source, sql, "0.25"))
    told = {**done, "ledger": str(done["ledger"])}
    for run in (lambda: app(typed(command)[1:], standalone_mode=False), lambda: exec(python, {})):
        job = plain(caught(run))
        assert {**job, "ledger": str(job["ledger"])} == told


def test_the_project_file_of_a_question_pays_from_the_same_ledger(tmp_path: Path) -> None:
    source, sql = Source.of_table(table_in(tmp_path), DECLARED), "SELECT COUNT(*) AS n FROM people"
    assert source.ledger is not None
    before = question_tasks.copies(source, sql, "0.25")[2]["text"]
    ask_query(source.question(sql, "0.25"))
    toml = question_tasks.copies(source, sql, "0.25")[2]["text"]
    assert tomllib.loads(before) == tomllib.loads(toml)
    place = source.ledger.parent / "shoal.toml"
    place.write_text(toml)
    head = toml.splitlines()[0]
    assert head == f"# shoal query ask '{sql}' --epsilon 0.25 --config shoal.toml"
    replied: Any = ask_query(AskQuery(sql=sql, epsilon="0.25", config=place))
    assert replied.outcome.to_json()["remaining"]["epsilon"] == 0.5


def test_a_service_has_a_project_file_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOAL_TOKEN", "secret")
    source = Source(("visits",), service="http://127.0.0.1:1", token="secret", dataset="clinic")
    command, python, toml = question_tasks.copies(source, "SELECT 1", "1")
    assert "secret" not in command["text"] + python["text"]
    assert "that of the service" in toml["refusal"]


def _told(job: Any) -> dict[str, Any]:
    return {word: _located(value) for word, value in plain(job).items()}


def _located(value: Any) -> Any:
    """Paths in full, however a face names them."""
    if isinstance(value, Path) or (isinstance(value, str) and value.endswith((".csv", ".html", ".pdf"))):
        return str(Path(value).resolve())
    return value
