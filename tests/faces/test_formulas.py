"""Releases that people open in a spreadsheet."""

import json
from pathlib import Path

import pytest

import shoal as library
from faces.shell import shoal

ROWS = ["zip,ill", *("1010,=HYPERLINK(evil)" for _ in range(4)), *("1020,-5" for _ in range(4)), "1010,'=x"]
FLAGS = ("--quasi", "zip", "--sensitive", "ill", "--model", "t-closeness(t=0.9)", "--k", 2, "--seed", 1)


@pytest.fixture(autouse=True)
def table() -> None:
    Path("cells.csv").write_text("\n".join(ROWS) + "\n", "utf-8")


def cells(path: str) -> set[str]:
    return {line.split(",")[1] for line in Path(path).read_text("utf-8").splitlines()[1:]}


def test_formulas_pass_unless_the_option_is_given() -> None:
    assert shoal("table", "protect", "cells.csv", "-o", "out.csv", *FLAGS).code == 0
    assert "=HYPERLINK(evil)" in cells("out.csv")
    assert shoal("table", "protect", "cells.csv", "-o", "out.csv", *FLAGS, "--escape-formulas").code == 0
    assert cells("out.csv") == {"'=HYPERLINK(evil)", "-5", "''=x"}


def test_verify_and_measure_understand_such_a_release() -> None:
    run = shoal(
        "table",
        "protect",
        "cells.csv",
        "-o",
        "out.csv",
        *FLAGS,
        "--escape-formulas",
        "--save-config",
        "p.toml",
    )
    assert run.code == 0, run.err
    manifest = json.loads(Path("out.csv.shoal.json").read_text("utf-8"))
    assert manifest["settings"]["escape_formulas"] is True
    assert "=HYPERLINK(evil)" in manifest["sensitive"]["ill"]["values"]
    checked = shoal("table", "verify", "out.csv", "--json")
    assert checked.code == 0 and [one["name"] for one in checked.json["models"]] == [
        "k-anonymity",
        "t-closeness",
    ]
    assert shoal("table", "measure", "out.csv", "--original", "cells.csv", "--json").code == 0
    assert "escape-formulas = true" in Path("p.toml").read_text("utf-8")
    before = Path("out.csv").read_bytes()
    assert shoal("table", "protect", "cells.csv", "--config", "p.toml").code == 0
    assert Path("out.csv").read_bytes() == before


def test_a_quasi_identifier_may_look_like_a_formula_too() -> None:
    Path("odd.csv").write_text("=zip,ill\n" + "+a,x\n+b,y\n" * 4, "utf-8")
    library.protect("odd.csv", output="out.csv", quasi="=zip", sensitive="ill", k=2, escape_formulas=True)
    assert Path("out.csv").read_text("utf-8").startswith("'=zip,ill\n'+")
    assert library.verify("out.csv").holds


def test_files_with_types_have_no_formulas() -> None:
    run = shoal("table", "protect", "cells.csv", "-o", "out.parquet", *FLAGS, "--escape-formulas")
    assert run.code == 2 and "leave it out, or write .csv" in run.err and not Path("out.parquet").exists()
