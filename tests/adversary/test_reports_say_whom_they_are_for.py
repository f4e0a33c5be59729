"""A report made with the original confirms guesses at rows, so it says itself that it stays in the house."""

from pathlib import Path

import pytest

import shoal.report
from adversary.test_manifests_confirm_no_guess import (
    NEIGHBOURS,
    VICTIM,
    guesses,
    hierarchies,
    published,
    text_of,
)
from faces.shell import shoal as shell

KEEP = "not for publication"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def reported(guess: tuple[object, ...] | None) -> str:
    """The page about the release, made with an original whose last row is a guess, if there is one."""
    if guess is not None:
        Path("original.csv").write_text(text_of([*NEIGHBOURS, guess]), "utf-8")
    shoal.report.write_report(
        "release.csv",
        original=None if guess is None else "original.csv",
        output="report.html",
        attack=("homogeneity", "skewness"),
        made="2026-01-31",
    )
    return Path("report.html").read_text("utf-8")


def test_a_report_by_which_a_guess_can_be_confirmed_says_that_it_is_not_for_publication() -> None:
    published([*NEIGHBOURS, VICTIM], hierarchy=hierarchies())
    truth = reported(VICTIM)
    fitting = [guess for guess in guesses() if reported(guess) == truth]
    assert VICTIM in fitting and len(fitting) < len(list(guesses())), "nothing to warn of any more: say so"
    top = truth.split("<h2", 1)[0]
    assert KEEP in top and "shoal report release.csv" in truth
    assert KEEP not in reported(None)


def test_the_one_command_tells_what_to_publish_and_what_to_keep() -> None:
    Path("people.csv").write_text(text_of([*NEIGHBOURS, VICTIM] * 3), "utf-8")
    told = shell("table", "protect", "people.csv", "--yes")
    assert told.code == 0
    line = next(line for line in told.out.splitlines() if line.startswith("files"))
    publish, keep = line.split("keep", 1)
    assert "people-release.csv" in publish and "people-report.html" not in publish
    assert "people-report.html" in keep and "people.shoal.toml" in keep
    assert KEEP in Path("people-report.html").read_text("utf-8")
