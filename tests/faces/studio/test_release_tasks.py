"""What workers do for the pages about releases, without a browser: it is what the command line does."""

from __future__ import annotations

from pathlib import Path

import pytest

import shoal
from faces.studio.browser import people
from faces.studio.released import SETTINGS, released
from shoal.core.errors import BadParameter
from shoal.faces.studio import release_tasks
from shoal.faces.studio.project import TableFolder


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> TableFolder:
    return released(tmp_path_factory.mktemp("tasks") / "project", "people", people())


def given(table: TableFolder) -> tuple[str, str, dict[str, object]]:
    return str(table.folder), str(table.runs.release(table.runs.done[0])), SETTINGS.to_json()


def test_the_lattice_and_a_choice_of_it(table: TableFolder) -> None:
    found = release_tasks.explore(str(table.folder), SETTINGS.to_json())
    told = table.runs.done[0].result
    assert found["optimal"] == told["levels"] and found["words"].startswith("All")
    method = release_tasks.method_with_levels([f"{name}={level}" for name, level in told["levels"].items()])
    again = shoal.protect(
        str(table.file), identifier="name", quasi="zip,age", sensitive="ill", k=3, suppress=0.1, method=method
    )
    assert again.levels == told["levels"]


def test_a_release_beside_its_original(table: TableFolder) -> None:
    found = release_tasks.diff(*given(table), 10, 5)
    assert len(found["rows"]) == 5 and found["first"] == 10
    assert found["rows_before"] == 60 and set(found["changes"]) == {"zip", "age", "ill"}


def test_an_attack_before_and_after_and_the_group(table: TableFolder, tmp_path: Path) -> None:
    voters = tmp_path / "voters.csv"
    voters.write_text("name,zip,age\nPerson 1,1101,21\nPerson 2,1202,22\n", "utf-8")
    found = release_tasks.attack(*given(table), "linkage", {"external": str(voters)})
    assert found["before"]["hits"] == 2 and found["after"]["hits"] == 0
    who = found["before"]["findings"][0]["who"]
    group = release_tasks.group(*given(table), str(voters), who)
    assert group["many"] >= 3 and len(group["columns"]) == 3
    assert {"linkage", "homogeneity"} <= {one["name"] for one in release_tasks.attacks()}


def test_the_mapping_stays_with_the_owner(table: TableFolder) -> None:
    told = release_tasks.mapping(*given(table))
    assert not told["publishable"] and "must not be published" in told["notes"][0]
    assert (table.runs.release(table.runs.done[0]).parent / "mapping.csv").is_file()


def test_an_attack_can_be_copied(table: TableFolder) -> None:
    command, python, toml = release_tasks.attack_copies(
        *given(table), "homogeneity", {"external": "voters.csv"}
    )
    assert command["text"].startswith("shoal table attack homogeneity") and "voters.csv" in python["text"]
    assert "[table.attack]" in toml["text"]


@pytest.mark.parametrize("what", ["data", "promise", "explore", "report"])
def test_every_page_can_be_copied(table: TableFolder, what: str) -> None:
    folder, release, settings = given(table)
    for copy in release_tasks.copies(folder, settings, what, release):
        assert bool(copy["text"]) != bool(copy["refusal"])
        assert copy["form"] in ("command", "python", "toml")


def test_a_curve_over_k(table: TableFolder) -> None:
    points = release_tasks.curve(str(table.folder), SETTINGS.to_json())["points"]
    assert [one["k"] for one in points] == list(release_tasks.KS)
    risks = [one["risk"] for one in points if one["risk"] is not None]
    assert risks == sorted(risks, reverse=True)


def test_what_an_attack_lacks_is_said_in_one_sentence(table: TableFolder) -> None:
    with pytest.raises(BadParameter, match="linkage needs a list of people"):
        release_tasks.attack(*given(table), "linkage", {})


@pytest.mark.slow
def test_the_report_lies_beside_the_release(table: TableFolder) -> None:
    assert release_tasks.report(*given(table))["holds"]
    place = table.runs.release(table.runs.done[0]).parent
    assert (place / "report.html").is_file() and (place / "report.pdf").read_bytes().startswith(b"%PDF")


def test_a_report_says_with_its_promises_whether_attacks_succeed(table: TableFolder) -> None:
    told = release_tasks.report(*given(table))
    page = table.runs.release(table.runs.done[0]).parent / "report.html"
    assert told["holds"] and told["head"] in page.read_text("utf-8")
    assert (told["tone"] == "good") == ("some attacks succeed" not in told["head"])


def test_only_people_of_the_list_are_looked_up_on_it(table: TableFolder, tmp_path: Path) -> None:
    voters = tmp_path / "voters.csv"
    voters.write_text("name,zip,age\nPerson 1,1101,21\n", "utf-8")
    found = release_tasks.attack(*given(table), "linkage", {"external": str(voters)})
    assert set(found["listed"]) == {"name", "zip", "age"}  # who is told by an illness has no button
    assert not release_tasks.attack(*given(table), "homogeneity", {})["listed"]
