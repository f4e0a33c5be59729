"""One command: suggested roles, a release, a project file and a report, or nothing at all."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

from faces.shell import contents, refused, shoal
from shoal.jobs.config import load
from shoal.jobs.tables.requests import ProtectTable

WRITTEN = [
    "patients-release.csv",
    "patients-release.csv.shoal.json",
    "patients.shoal.toml",
    "patients-report.html",
]
ROLES = "--identifier name --quasi zip,age,sex --sensitive ill"


def test_yes_writes_a_release_a_project_file_and_a_report_and_says_ten_lines() -> None:
    run = shoal("table", "protect", "patients.csv", "--yes")
    assert run.code == 0, run.err
    assert sorted(contents()) == sorted(["patients.csv", *WRITTEN])
    lines = run.out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "released",
        "promise",
        "removed",
        "coarsened",
        "sensitive",
        "unchanged",
        "method",
        "attacks",
        "open",
        "files",
    ]
    assert "name (identifiers)" in lines[2] and "k-anonymity(k=5)" in lines[1]
    assert Path("patients-release.csv").read_text("utf-8").startswith("zip,age,sex,ill\n")
    assert shoal("table", "verify", "patients-release.csv").code == 0
    told = json.loads(Path("patients-release.csv.shoal.json").read_text("utf-8"))["decisions"]["columns"]
    assert set(told.values()) == {"suggestion"}
    page = Path("patients-report.html").read_text("utf-8")
    assert "Shoal suggested it, and it was accepted" in page


def test_what_nothing_is_known_about_is_left_out_and_listed() -> None:
    lines = Path("patients.csv").read_text("utf-8").splitlines()
    more = [f"{line},{'shelf' if place == 0 else 'ab'[place % 2]}" for place, line in enumerate(lines)]
    Path("patients.csv").write_text("\n".join(more) + "\n", "utf-8")
    run = shoal("table", "protect", "patients.csv", "--yes")
    assert run.code == 0, run.err
    why = (
        "shelf (nothing tells what they hold; look first: if shelf names nobody, --quasi shelf keeps it, "
        "coarsened, --insensitive as it is)"
    )
    assert run.out.splitlines()[2].endswith(f"name (identifiers); {why}")
    assert Path("patients-release.csv").read_text("utf-8").startswith("zip,age,sex,ill\n")
    assert "shelf" not in load(Path("patients.shoal.toml"), ProtectTable).get("insensitive", "")


def test_the_project_file_makes_such_a_release_again() -> None:
    assert shoal("table", "protect", "patients.csv", "--yes", "--json").code == 0
    run = shoal("table", "protect", "--config", "patients.shoal.toml", "-o", "again.csv", "--json")
    assert run.code == 0, run.err
    assert set(run.json["decided"].values()) == {"project file"}
    assert run.json["undeclared"] == [] and run.json["suppress"] == 0.05


def test_json_is_one_document_that_names_the_files() -> None:
    run = shoal("table", "protect", "patients.csv", "--yes", "--k", 3, "--json")
    assert run.json["files"] == WRITTEN
    assert [model["model"] for model in run.json["models"]] == ["k-anonymity(k=3)"]


def test_without_a_terminal_and_without_yes_one_sentence_says_what_to_add() -> None:
    sentence = refused("table", "protect", "patients.csv")
    assert (
        f"add --yes to accept what the columns suggest, or say {ROLES} --k 5 -o patients-release.csv"
        in sentence
    )


def test_the_flags_that_are_printed_can_be_pasted() -> None:
    flags = refused("table", "protect", "patients.csv").split(" or say ")[1].split()
    assert shoal("table", "protect", "patients.csv", *flags).code == 0


def test_files_that_exist_are_replaced_with_force_only() -> None:
    Path("patients-report.html").write_text("mine", "utf-8")
    sentence = refused("table", "protect", "patients.csv", "--yes")
    assert "'patients-report.html' exists already; give --force" in sentence
    assert shoal("table", "protect", "patients.csv", "--yes", "--force").code == 0
    assert Path("patients-report.html").read_text("utf-8") != "mine"


def test_what_cannot_be_reached_leaves_nothing_behind() -> None:
    refused("table", "protect", "patients.csv", "--yes", "--model", "l-diversity(l=50)", code=1)


def test_with_an_output_named_only_the_roles_are_accepted() -> None:
    run = shoal("table", "protect", "patients.csv", "--yes", "-o", "out.csv", "--quasi", "zip")
    assert run.code == 0, run.err
    assert sorted(contents()) == ["out.csv", "out.csv.shoal.json", "patients.csv"]
    told = json.loads(Path("out.csv.shoal.json").read_text("utf-8"))["decisions"]["columns"]
    assert (told["zip"], told["ill"]) == ("flags", "suggestion")


def at_a_terminal(answer: str, *words: str) -> tuple[int, str]:
    """Run the command at a terminal of its own, and answer its one question."""
    ours, theirs = pty.openpty()
    code = "from shoal.faces.cli import main; main()"
    child = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"COLUMNS": "120"},
    )
    os.close(theirs)
    seen, answered, until = b"", False, time.monotonic() + 150
    try:
        while time.monotonic() < until:
            if select.select([ours], [], [], 1)[0]:
                try:
                    got = os.read(ours, 65536)
                except OSError:  # the other end is closed
                    break
                if not got:
                    break
                seen += got
            if b"[y/N]" in seen and not answered:
                os.write(ours, answer.encode() + b"\n")
                answered = True
        return child.wait(timeout=60), seen.decode()
    finally:
        child.kill()
        os.close(ours)


def test_at_a_terminal_the_roles_are_shown_with_reasons_and_asked_about() -> None:
    code, seen = at_a_terminal("n", "table", "protect", "patients.csv")
    assert code == 2
    assert "suggested roles" in seen and "identifier" in seen and "patients-report.html" in seen
    assert list(contents()) == ["patients.csv"]
    code, seen = at_a_terminal("y", "table", "protect", "patients.csv")
    assert code == 0, seen
    assert sorted(contents()) == sorted(["patients.csv", *WRITTEN])


def test_a_project_file_of_its_own_reads_back() -> None:
    assert shoal("table", "protect", "patients.csv", "--yes").code == 0
    found = load("patients.shoal.toml", ProtectTable)
    assert (found["method"], found["suppress"], found["quasi"]) == ("auto", 0.05, ["zip", "age", "sex"])


def test_a_promise_that_the_file_cannot_show_is_not_called_checked_from_it() -> None:
    """`verify` of the same file said "cannot tell"."""
    rows = [f"a{row // 2}@example.org,{20 + row // 2 % 40},{'FM'[row // 2 % 2]}" for row in range(400)]
    Path("visits.csv").write_text("\n".join(["mail,age,sex", *rows]) + "\n", "utf-8")
    run = shoal("table", "protect", "visits.csv", "--yes")
    assert run.code == 0, run.err
    assert run.out.splitlines()[1].split(None, 1)[1] == (
        "k-anonymity(k=5): checked from the file; multir-k-anonymity(k=5,person=mail): checked while it was "
        "made, which the file alone cannot show"
    )


def test_attacks_are_counted_as_the_report_counts_them() -> None:
    """ "6 of 15 attacks tried" named four, and the report beside it spoke of 4 of 8."""
    lines = Path("patients.csv").read_text("utf-8").splitlines()
    more = [f"{line},{'income' if place == 0 else 1000 * (place % 7)}" for place, line in enumerate(lines)]
    Path("patients.csv").write_text("\n".join(more) + "\n", "utf-8")
    run = shoal("table", "protect", "patients.csv", "--yes")
    assert run.code == 0, run.err
    told = next(line for line in run.out.splitlines() if line.startswith("attacks"))
    counts, _, names = told.partition(" attacks tried still work")
    working, tried = (int(word) for word in counts.split()[1:] if word != "of")
    assert working == len([name for name in names.removeprefix(": ").split(", ") if name])
    assert f"{tried} of 16 attacks tried" in Path("patients-report.html").read_text("utf-8")
