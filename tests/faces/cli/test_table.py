"""Every command of CONTRACT.md has the flags that stand there."""

import pytest

from faces.shell import ROLES, shoal

FLAGS = {
    "inspect": "--separator --config --json",
    "protect": "-o --identifier --quasi --sensitive --insensitive --hierarchy --model --k --method "
    "--suppress --objective --class-column --time-limit --seed --separator --config --save-config --json",
    "verify": "--quasi --sensitive --model --config --json",
    "measure": "--quasi --sensitive --original --population --hierarchy --config --json",
    "attack": "--external --quasi --config --json",
}


@pytest.mark.parametrize("verb", FLAGS)
def test_the_flags_of_the_contract_are_there(verb: str) -> None:
    text = shoal("table", verb, "--help").out
    for flag in FLAGS[verb].split():
        assert f"{flag} " in text or f"{flag}," in text, flag


def test_remarks_of_a_release_are_told_once_and_on_standard_error() -> None:
    words = ("--quasi", "zip,age,sex", "--k", 3)
    run = shoal("table", "protect", "patients.csv", "-o", "out.csv", *words, "--json")
    assert run.err.count("left out name,ill") == 1
    assert run.json["notes"] == [line.removeprefix("shoal: ") for line in run.err.splitlines()]


def test_a_release_on_standard_output_is_nothing_but_the_table() -> None:
    run = shoal("table", "protect", "patients.csv", "-o", "-", *ROLES, "--k", 3, "--suppress", 0)
    assert run.out.splitlines()[0] == "zip,age,sex,ill" and len(run.out.splitlines()) == 61


def test_the_cure_of_an_attack_is_told() -> None:
    words = ("--quasi", "zip", "--external", "patients.csv")
    assert "k-anonymity" in shoal("table", "attack", "linkage", "patients.csv", *words).err
