"""The commands as a whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import shoal as library
from faces.shell import shoal


def test_version() -> None:
    run = shoal("--version")
    assert (run.code, run.out) == (0, f"{library.__version__}\n")


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("table", "--help"), ("catalog", "--help")])
def test_help_is_an_answer(words: tuple[str, ...]) -> None:
    run = shoal(*words)
    assert run.code == 0 and run.out.startswith("Usage:") and run.err == ""


def test_the_catalog_is_for_people_too() -> None:
    run = shoal("catalog")
    assert run.code == 0 and "k-anonymity" in run.out and "linkage" in run.out


def test_one_part_is_told_by_its_name() -> None:
    run = shoal("catalog", "mondrian")
    assert run.code == 0 and "2006" in run.out and "docs/methods/mondrian.md" in run.out
    assert shoal("catalog", "--kind", "step", "--json").json["models"] == []
    assert shoal("catalog", "mondrain").code == 2


def test_a_pipe_is_as_wide_as_columns_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (80, 60, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = shoal("catalog").out.splitlines()
        assert max(map(len, lines)) <= width
        assert any("negative-positive-disclosure" in line for line in lines), "a name stays whole"
    monkeypatch.delenv("COLUMNS")
    assert max(map(len, shoal("catalog").out.splitlines())) > 120


def test_remarks_can_be_silenced_and_work_be_told(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("name,age\n" + "".join(f"Ann Smith {n},{n % 3}\n" for n in range(12)))
    words = ("table", "protect", path, "-o", tmp_path / "out.csv", "--quasi", "age", "--k", 2)
    usual, quiet, verbose = shoal(*words), shoal(*words, "--quiet"), shoal(*words, "--verbose")
    assert usual.code == quiet.code == verbose.code == 0
    assert "left out name: nobody gave it a role" in usual.err and quiet.err == ""
    assert "12 rows" in verbose.err and "protecting by" in verbose.err
    both = shoal(*words, "--quiet", "--verbose")
    assert both.code == 2 and "exclude each other" in both.err


def test_a_shell_can_complete_commands_and_flags() -> None:
    def completed(words: str, place: int) -> list[str]:
        asked = {"_SHOAL_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(place)}
        done = subprocess.run(
            [sys.executable, "-m", "shoal"],
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, **asked},
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.split()

    assert completed("shoal ta", 1) == ["table"]
    assert "--quasi" in completed("shoal table protect --q", 3)
    script = subprocess.run(  # not --show-completion, which asks whose child it is
        [sys.executable, "-m", "shoal"],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "_SHOAL_COMPLETE": "source_bash"},
    )
    assert script.returncode == 0 and "_SHOAL_COMPLETE" in script.stdout


def test_a_command_that_used_duckdb_leaves_without_complaints() -> None:
    work = (
        "import sys, duckdb\nfrom shoal.faces.cli.app import main\n"
        "duckdb.connect().execute('SELECT 1').fetchall()\nsys.argv = ['shoal', '--version']\nmain()\n"
    )
    done = subprocess.run([sys.executable, "-c", work], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
