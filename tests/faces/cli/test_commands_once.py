"""A flag that is given twice counts twice, or not at all."""

from pathlib import Path

import pytest

from faces.shell import patients, refused, shoal


@pytest.mark.parametrize("flag", ["--quasi", "--sensitive", "--identifier", "--insensitive"])
def test_columns_named_flag_by_flag_are_not_forgotten(flag: str) -> None:
    patients()
    told = refused("table", "protect", "patients.csv", "-o", "out.csv", "--k", 2, flag, "zip", flag, "age")
    assert f"{flag} is given 2 times" in told and "a,b,c" in told
    assert not Path("out.csv").exists()


def test_of_two_lists_none_is_passed_over() -> None:
    patients()
    words = ("table", "attack", "linkage", "patients.csv", "--quasi", "zip")
    assert "--external is given 2 times" in refused(*words, "--external", "a.csv", "--external", "b.csv")


def test_repeatable_flags_and_switches_may_be_repeated() -> None:
    patients()
    run = shoal(
        *("table", "verify", "patients.csv", "--quasi", "zip", "--sensitive", "ill", "--json", "--json"),
        *("--model", "k-anonymity(k=1)", "--model", "l-diversity(l=1)"),
    )
    assert run.code == 0
