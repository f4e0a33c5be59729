"""`shoal table attack`."""

from pathlib import Path

import pytest

from ..shell import refused, shoal


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("release.csv").write_text("zip,ill\n1,flu\n2,flu\n2,gout\n3,cold\n")
    return "release.csv"


def test_people_are_named_on_the_command_line(release: str) -> None:
    run = shoal(
        "table", "attack", "linkage", release, "--quasi", "zip", "--json",
        "--target", "name=Ann,zip=1", "--target", "name=Cid,zip=3",
    )  # fmt: skip
    assert run.code == 0 and run.json["hits"] == run.json["targets"] == 2
    assert run.json["cured"]["hits"] == 0
    one = shoal(
        "table", "attack", "linkage", release, "--quasi", "zip", "--json", "--show", 1,
        "--target", "name=Ann,zip=1", "--target", "name=Cid,zip=3",
    )  # fmt: skip
    assert len(run.json["findings"]) == 2 and len(one.json["findings"]) == 1


def test_a_missing_table_or_list_is_asked_for(release: str) -> None:
    assert "no table given" in refused("table", "attack", "linkage")
    assert "--external FILE" in refused("table", "attack", "linkage", release, "--quasi", "zip")
    assert "0 for all" in refused(
        "table", "attack", "linkage", release, "--quasi", "zip", "--target", "zip=1", "--show", -1
    )


def test_a_project_file_names_the_attack_too(release: str) -> None:
    Path("shoal.toml").write_text(
        '[table]\nquasi = ["zip"]\nsensitive = ["ill"]\n'
        f'[table.attack]\nfile = "{release}"\nattack = "homogeneity"\n'
    )
    run = shoal("table", "attack", "--config", "shoal.toml", "--json")
    assert (run.code, run.json["attack"], run.json["hits"]) == (0, "homogeneity", 2)
    Path("shoal.toml").write_text(f'[table.attack]\nfile = "{release}"\n')
    assert "no attack named" in refused("table", "attack", "--config", "shoal.toml")
