"""What is not asked for is not made."""

import subprocess
import sys
from typing import Any

import typer

from faces.shell import shoal
from shoal.faces.cli.app import Late, app

ASKED = """
import sys
sys.argv = ["shoal", *sys.argv[1:]]
from shoal.faces.cli import main
try:
    main()
finally:
    heavy = ("shoal.jobs", "polars", "numpy")
    print(*(name for name in sys.modules if name.startswith(heavy)), file=sys.stderr)
"""


def loaded(*words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", ASKED, *words], capture_output=True, text=True, check=True, timeout=300
    )
    return set(done.stderr.split())


def test_help_makes_no_command_and_loads_no_request() -> None:
    assert not loaded("--help")


def test_the_help_of_a_command_loads_its_request_and_no_library() -> None:
    found = loaded("table", "protect", "--help")
    assert "shoal.jobs.tables.requests" in found
    assert not found & {"shoal.jobs.graphs.requests", "polars", "numpy"}


def test_a_late_command_is_the_one_of_its_module_with_its_own_help() -> None:
    commands: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    late = {name: command for name, command in commands.items() if isinstance(command, Late)}
    assert set(late) == {"graph", "query", "report", "studio", "table"}
    assert "protect" in late["table"].made.commands and late["table"].made is late["table"].made
    assert all(command.made.help == command.help for command in late.values())
    run = shoal("report", "--help")
    assert run.code == 0 and "shoal report [OPTIONS] [RELEASE]" in run.out and "can read and sign" in run.out
