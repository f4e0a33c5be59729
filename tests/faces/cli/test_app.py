"""The commands as a whole."""

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
    assert run.code == 0 and "k-anonymity" in run.out and "record linkage" in run.out
