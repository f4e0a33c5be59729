"""`shoal table measure`."""

from pathlib import Path

import pytest

from ..shell import refused, shoal


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("sample.csv").write_text("zip,age,ill\n02139,30,flu\n02139,30,flu\n02138,91,gout\n03601,20,cold\n")
    return "sample.csv"


def test_new_keys_stand_beside_those_of_the_contract(sample: str) -> None:
    words = ("--quasi", "zip,age", "--population-size", 40, "--threshold", 0.5, "--safe-harbor", "--json")
    found = shoal("table", "measure", sample, *words).json
    assert found["risk"]["at_risk"]["prosecutor"] == {"rows": 2, "share": 0.5}
    assert found["risk"]["uniqueness"]["sampling_fraction"] == 0.1
    assert found["risk"]["contribution"]["zip"]["alone"] == 0.75
    assert found["combinations"][0]["columns"] == "zip" and found["combinations_up_to"] == 2
    assert found["safe_harbor"]["holds"] is False


def test_tables_for_people_have_titles_and_hide_values(sample: str) -> None:
    run = shoal("table", "measure", sample, "--quasi", "zip,age", "--safe-harbor")
    for title in ("figures", "rows at risk", "alone in the population", "Safe Harbor"):
        assert title in run.out
    assert "02139" not in run.out and "cannot certify" in run.err


def test_a_project_file_may_say_it_too(sample: str) -> None:
    Path("shoal.toml").write_text(
        '[table]\nquasi = "zip"\n[table.measure]\nsafe-harbor = true\nthreshold = 1.0\n'
    )
    found = shoal("table", "measure", sample, "--config", "shoal.toml", "--json").json
    assert found["risk"]["at_risk"]["threshold"] == 1 and "safe_harbor" in found
    Path("shoal.toml").write_text('[table]\nquasi = "zip"\n[table.measure]\nsafe-harbor = "yes"\n')
    assert "true or false" in refused("table", "measure", sample, "--config", "shoal.toml")


def test_what_cannot_be_is_refused(sample: str) -> None:
    words = ("table", "measure", sample, "--quasi", "zip")
    assert "cannot hold" in refused(*words, "--population-size", 2)
    assert "give one of them" in refused(*words, "--population-size", 9, "--sampling-fraction", 0.5)
    assert "from 0 to 1" in refused(*words, "--threshold", 2)
    assert "'many' is not a whole number" in refused(*words, "--population-size", "many")
    assert "not -1" in refused(*words, "--combinations", -1)
