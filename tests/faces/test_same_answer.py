"""The same job through Python and the command line gives one answer."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal as library
from faces.shell import ROLES, protect, shoal

PYTHON: dict[str, Any] = {"identifier": "name", "quasi": "zip,age,sex", "sensitive": "ill"}


def without_time(found: dict[str, Any]) -> dict[str, Any]:
    tried = [{**one, "seconds": None} for one in found["tried"]]
    return {key: value for key, value in found.items() if key != "seconds"} | {"tried": tried}


def test_protect() -> None:
    words = (
        "--k",
        3,
        "--model",
        "l-diversity(l=2,kind=entropy)",
        "--suppress",
        0.1,
        "--objective",
        "entropy",
    )
    run = protect("patients.csv", "-o", "one.csv", *ROLES, *words, "--json")
    release = library.protect(
        "patients.csv",
        output="two.csv",
        k=3,
        model="l-diversity(l=2,kind=entropy)",
        suppress=0.1,
        objective="entropy",
        seed=1,
        **PYTHON,
    )
    assert without_time(run.json) == without_time(release.to_json())
    assert Path("one.csv").read_bytes() == Path("two.csv").read_bytes()
    one, two = (Path(f"{name}.csv.shoal.json").read_text("utf-8") for name in ("one", "two"))
    assert one == two


def test_a_frame_and_a_file_give_one_answer() -> None:
    frame = pl.read_csv("patients.csv", infer_schema=False)
    before = frame.clone()
    from_frame = library.protect(frame, k=3, seed=1, **PYTHON)
    from_file = library.protect("patients.csv", k=3, seed=1, **PYTHON)
    assert from_frame.table.frame.equals(from_file.table.frame)
    assert frame.equals(before)
    from_arrow = library.protect(frame.to_arrow(), k=3, seed=1, **PYTHON)
    assert from_arrow.table.frame.equals(from_file.table.frame)


def test_verify_measure_inspect_and_attack(release: Path) -> None:
    answers: list[tuple[tuple[object, ...], Any]] = [
        (("verify", release), library.verify(release)),
        (("verify", release, "--k", 40), library.verify(release, k=40)),
        (("measure", release), library.measure(release)),
        (
            ("measure", release, "--original", "patients.csv"),
            library.measure(release, original="patients.csv"),
        ),
        (("inspect", "patients.csv"), library.inspect("patients.csv")),
        (
            ("attack", "linkage", "patients.csv", "--quasi", "zip,age", "--external", "patients.csv"),
            library.attack("patients.csv", "linkage", quasi="zip,age", external="patients.csv"),
        ),
    ]
    for words, outcome in answers:
        assert shoal("table", *words, "--json").json == outcome.to_json()


def test_a_project_file_is_the_same_job_too() -> None:
    run = protect("patients.csv", "-o", "one.csv", *ROLES, "--k", 3, "--save-config", "shoal.toml", "--json")
    again = shoal("table", "protect", "--config", "shoal.toml", "--json")
    assert set(again.json["decided"].values()) == {"project file"}
    assert without_time(run.json | {"decided": {}}) == without_time(again.json | {"decided": {}})


@pytest.mark.parametrize("suppress", [0.2, pytest.param(0.0, marks=pytest.mark.slow)])
def test_what_was_lost_is_what_protect_said_for_every_objective(suppress: float) -> None:
    for objective in ("loss", "precision", "discernibility", "average-class-size", "entropy"):
        release = library.protect(
            "patients.csv",
            k=4,
            output="out.csv",
            objective=objective,
            suppress=suppress,
            method="optimal",
            **PYTHON,
        )
        assert library.measure("out.csv", original="patients.csv").losses == release.losses
        assert library.measure(release, original="patients.csv").losses == release.losses


def test_labels_that_stand_on_several_levels_are_counted_where_they_were_released() -> None:
    Path("hierarchy.csv").write_text("a;a;a;*\nb;a;a;*\nc;c;a;*\n", "utf-8")
    Path("letters.csv").write_text("x\na\nb\nb\nc\n", "utf-8")
    for k in (1, 2, 4):
        release = library.protect(
            "letters.csv", quasi="x", hierarchy={"x": "hierarchy.csv"}, k=k, output="out.csv", suppress=0.25
        )
        found = library.measure("out.csv", original="letters.csv", hierarchy={"x": "hierarchy.csv"})
        assert found.losses == release.losses
