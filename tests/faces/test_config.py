"""The project file: everything a command line can say, so that a release can be made again."""

from pathlib import Path

import pytest

from faces.shell import ROLES, protect, refused, shoal

FULL = """
[table]
file = "patients.csv"
identifier = "name"
quasi = ["zip", "age", "sex"]
sensitive = ["ill"]

[table.hierarchy]
age = "interval(width=10)"

[table.protect]
output = "out.csv"
model = ["k-anonymity(k=3)", "l-diversity(l=2)"]
suppress = 0.1
time_limit = 30
seed = 5
"""


def test_a_saved_project_makes_the_same_release_from_any_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("hierarchies").mkdir()
    Path("project/deep").mkdir(parents=True)
    Path("hierarchies/sex.csv").write_text("M;*\nF;*\n", "utf-8")
    family = "child,parent\nflu,light\ncancer,heavy\nheart,heavy\nhiv,heavy\n"
    Path("hierarchies/ill.csv").write_text(family, "utf-8")
    words = ["--hierarchy", "sex=hierarchies/sex.csv", "--hierarchy", "age=interval(width=10)"]
    words += ["--hierarchy", "ill=parents(file=hierarchies/ill.csv)", "--model", "l-diversity(l=2)"]
    words += [
        "--model",
        "t-closeness(t=0.6,distance=hierarchical)",
        "--suppress",
        "0.1",
        "--time-limit",
        "60",
    ]
    run = protect("patients.csv", "-o", "one.csv", *ROLES, *words, "--save-config", "project/shoal.toml")
    assert run.code == 0, run.err
    assert str(folder) not in Path("project/shoal.toml").read_text("utf-8")  # paths are relative to the file
    assert shoal("table", "protect", "--config", "project/shoal.toml", "-o", "two.csv").code == 0
    monkeypatch.chdir("project/deep")
    assert shoal("table", "protect", "--config", "../shoal.toml", "-o", "three.csv").code == 0
    one = Path("../../one.csv").read_bytes()
    assert one == Path("../../two.csv").read_bytes() == Path("three.csv").read_bytes()
    Path("../../one.csv").unlink()
    assert shoal("table", "protect", "--config", "../shoal.toml").code == 0
    assert Path("../../one.csv").read_bytes() == one


def test_every_command_reads_the_same_project() -> None:
    Path("shoal.toml").write_text(FULL, "utf-8")
    config = ("--config", "shoal.toml")
    assert shoal("table", "inspect", *config).code == 0
    assert shoal("table", "protect", *config).code == 0
    assert shoal("table", "verify", "out.csv", *config).code == 0
    assert shoal("table", "measure", "out.csv", "--original", "patients.csv", *config).code == 0
    assert shoal("table", "attack", "linkage", "out.csv", "--external", "patients.csv", *config).code == 0


def test_verify_by_a_project_finds_the_identifier_that_came_back() -> None:
    Path("shoal.toml").write_text(FULL, "utf-8")
    run = shoal("table", "verify", "patients.csv", "--config", "shoal.toml", "--k", 1, "--json")
    assert run.code == 1 and run.json["models"][-1]["name"] == "no-identifiers"


def test_flags_override_the_project() -> None:
    Path("shoal.toml").write_text(FULL, "utf-8")
    run = shoal("table", "protect", "--config", "shoal.toml", "-o", "own.csv", "--json")
    assert [model["name"] for model in run.json["models"]] == ["k-anonymity", "l-diversity"]
    assert Path("own.csv").exists() and not Path("out.csv").exists()
    run = shoal("table", "protect", "--config", "shoal.toml", "--k", 7, "--json")
    assert [model["model"] for model in run.json["models"]] == ["k-anonymity(k=7)"]
    words = (
        "--model",
        "l-diversity(l=3)",
        "--quasi",
        "age",
        "--insensitive",
        "zip,sex",
        "--method",
        "optimal",
        "--json",
    )
    run = shoal("table", "protect", "--config", "shoal.toml", *words)
    assert [model["model"] for model in run.json["models"]] == ["l-diversity(l=3)"]
    assert list(run.json["levels"]) == ["age"]


def test_a_flag_adds_a_hierarchy_to_those_of_the_project() -> None:
    Path("shoal.toml").write_text(FULL, "utf-8")
    words = ("--hierarchy", "zip=flat()", "--save-config", "new.toml")
    assert shoal("table", "protect", "--config", "shoal.toml", *words).code == 0
    text = Path("new.toml").read_text("utf-8")
    assert '"age" = "interval(width=10)"' in text and '"zip" = "flat()"' in text


def test_a_byte_order_mark_is_no_fault() -> None:
    Path("shoal.toml").write_text("\ufeff" + FULL, "utf-8")
    assert shoal("table", "protect", "--config", "shoal.toml").code == 0


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "no section [table]"),
        ("[tabel]\nfile='x'\n", "it has tabel"),
        ("table = 5\n", "[table] must be a section"),
        ("[table]\nprotect = 5\n", "[table.protect] must be a section"),
        ("[table]\nfrob = 5\n", "no setting 'frob'"),
        ("[table.protetc]\nk = 5\n", "no setting 'protetc'"),
        ("[table.protect]\nfrob = 5\n", "no setting 'frob'"),
        ("[table.protect]\nk = 'x'\n", "k = 'x' is not a whole number"),
        ("[table.protect]\nk = true\n", "whole number"),
        ("[table.protect]\nk = 2.5\n", "whole number"),
        ("[table.protect]\nsuppress = '1'\n", "is not a number"),
        ("[table.protect]\nmodel = [5]\n", "is not a list"),
        ("[table.protect]\nfile = 5\n", "is not a text"),
        ("[table.protect]\nhierarchy = 'x'\n", "is not a section"),
        ("[table.protect.hierarchy]\nage = 5\n", "is not a section"),
        ("[table]\nquasi = [1]\n", "is not a list"),
        ("[table\n", "as TOML"),
        ("x = " + "[" * 5000, "as TOML"),
    ],
)
def test_a_project_that_cannot_be_read_is_refused(text: str, cause: str) -> None:
    Path("shoal.toml").write_text(text, "utf-8")
    assert cause in refused("table", "protect", "--config", "shoal.toml", "-o", "out.csv")


def test_a_project_that_is_no_text_is_refused() -> None:
    Path("shoal.toml").write_bytes(b"\xff\xfe\x00")
    assert "as TOML" in refused("table", "protect", "--config", "shoal.toml")
    assert "as TOML" in refused("table", "protect", "--config", ".")
