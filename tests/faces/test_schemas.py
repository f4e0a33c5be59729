"""What every command really prints with --json, against its schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from faces.asking import COUNT, DECLARED, GROUPED, project
from faces.networks import network
from faces.shell import ROLES, Run, shoal
from shoal.jobs.queries.serve import Serving
from shoal.jobs.schemas import schema_of

QUASI = ("--quasi", "zip,age,sex")
TABLES: list[tuple[str, tuple[object, ...]]] = [
    ("catalog", ()),
    ("catalog", ("mondrian",)),
    ("table inspect", ("patients.csv",)),
    ("table protect", ("patients.csv", "-o", "o.csv", *ROLES, "--k", 3, "--suppress", 0.1)),
    ("table protect", ("patients.csv", "-o", "o.csv", *ROLES, "--k", 3, "--method", "mondrian")),
    ("table compare", ("patients.csv", *ROLES, "--k", "2,40", "--suppress", "0,0.1")),
    ("table verify", ("patients.csv", *QUASI, "--k", 1)),
    ("table measure", ("patients.csv", *QUASI)),
    ("table measure", ("patients.csv", *QUASI, "--original", "patients.csv", "--safe-harbor")),
    ("table attack", ("linkage", "patients.csv", *QUASI, "--external", "patients.csv")),
    ("table attack", ("homogeneity", "patients.csv", *QUASI, "--sensitive", "ill")),
    ("table hierarchy", ("patients.csv", "--column", "age")),
    ("query ask", (COUNT, *DECLARED, "--epsilon", 1)),
    ("query ask", (GROUPED, *DECLARED, "--epsilon", 1)),
    ("query ask", (COUNT, *DECLARED, "--epsilon", 1, "--estimate")),
    ("query epsilon", (COUNT, *DECLARED, "--within", 50)),
    ("query epsilon", ("--sensitivity", 1, "--epsilon", 0.5)),
    ("query mechanism", ("laplace(epsilon=1)", "--value", 12)),
    ("query learn", ("k-means(k=2,epsilon=1)", "patients.csv", "--bounds", "age=0:120")),
    ("query audit", ("laplace", "--epsilon", 1, "--samples", 1000)),
    ("query attack", ("differencing(targets=4)", *DECLARED[:4], "--secret", "ill=flu")),
    ("query compare", (*DECLARED[:4], "--secret", "ill=flu", "--against", "plain", "--questions", 2)),
]


def fits(run: Run, command: str) -> None:
    schema: Any = schema_of(command.split())
    errors = [
        f"{list(error.path)}: {error.message}" for error in Draft202012Validator(schema).iter_errors(run.json)
    ]
    assert not errors, "\n".join(errors)


@pytest.mark.parametrize(
    ("command", "words"), TABLES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_commands_print_what_their_schema_says(command: str, words: tuple[object, ...]) -> None:
    run = shoal(*command.split(), *words, "--json")
    assert run.code in (0, 1), run.err
    fits(run, command)


def test_a_report_prints_what_its_schema_says(release: Path) -> None:
    fits(shoal("report", release, "-o", "report.html", "--original", "patients.csv", "--json"), "report")


def test_graph_commands_print_what_their_schema_says() -> None:
    Path("net.csv").write_text(network())
    protected = shoal("graph", "protect", "net.csv", "-o", "out.csv", "--k", 2, "--json")
    assert protected.code == 0, protected.err
    fits(protected, "graph protect")
    fits(shoal("graph", "verify", "out.csv", "--json"), "graph verify")
    fits(shoal("graph", "measure", "out.csv", "--json"), "graph measure")
    fits(shoal("graph", "attack", "degree", "out.csv", "--original", "net.csv", "--json"), "graph attack")
    asked = shoal("graph", "ask", "net.csv", "triangles(epsilon=1)", "--json")
    assert asked.code == 0, asked.err
    fits(asked, "graph ask")


def test_what_owners_of_a_ledger_see_is_what_the_schemas_say() -> None:
    project()
    asked = shoal("query", "ask", COUNT, "--config", "shoal.toml", "--epsilon", 0.5, "--json")
    assert asked.code == 0, asked.err
    fits(asked, "query ask")
    for command in ("query budget", "query log", "query check", "query analysts"):
        run = shoal(*command.split(), "--config", "shoal.toml", "--json")
        assert run.code == 0, run.err
        fits(run, command)


def test_a_schema_is_printed_by_the_command_line() -> None:
    run = shoal("schema", "table", "protect")
    assert run.code == 0 and run.json == schema_of(["table", "protect"])
    assert shoal("schema", "table", "protct").code == 2


def test_a_service_tells_where_it_listens_as_its_schema_says() -> None:
    told = Serving("http://127.0.0.1:8765", ("clinic",), None, False).to_json()
    Draft202012Validator(schema_of(["query", "serve"])).validate(told)
