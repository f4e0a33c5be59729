"""What is released keeps its promise, and whoever changes it is found out, from the files alone."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from faces.shell import ROLES, protect, refused, shoal


def lines_of(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".txt", ".csv.gz", ".parquet", ".arrow", ""])
@pytest.mark.parametrize("suppress", [0, 0.1])
def test_a_release_verifies_in_every_format(suffix: str, suppress: float) -> None:
    words = ("--k", 4, "--suppress", suppress, "--method", "optimal", "--json")
    run = protect("patients.csv", "-o", f"out{suffix}", *ROLES, *words)
    assert run.code == 0
    check = shoal("table", "verify", f"out{suffix}", "--json")
    assert check.code == 0 and check.json["models"] == run.json["models"] and check.err == ""
    losses = shoal("table", "measure", f"out{suffix}", "--original", "patients.csv", "--json").json["losses"]
    assert losses == run.json["losses"]


def append_a_unique_row(lines: list[str]) -> list[str]:
    return [*lines, "99999,1,X,flu"]


def change_a_quasi_identifier(lines: list[str]) -> list[str]:
    return [*lines[:-1], "00000," + lines[-1].split(",", 1)[1]]


def make_a_class_alike(lines: list[str]) -> list[str]:
    first = lines[1].rsplit(",", 1)[0]
    return [f"{first},flu" if line.startswith(first + ",") else line for line in lines]


def add_a_value_nobody_had(lines: list[str]) -> list[str]:
    return [*lines, lines[1].rsplit(",", 1)[0] + ",ebola"]


def empty_a_sensitive_cell(lines: list[str]) -> list[str]:
    return [*lines[:-1], lines[-1].rsplit(",", 1)[0] + ","]


def keep_two_rows(lines: list[str]) -> list[str]:
    return lines[:3]


def bring_the_names_back(lines: list[str]) -> list[str]:
    return [f"name,{lines[0]}", *(f"Person {place},{line}" for place, line in enumerate(lines[1:]))]


@pytest.mark.parametrize(
    "change",
    [
        append_a_unique_row,
        change_a_quasi_identifier,
        make_a_class_alike,
        add_a_value_nobody_had,
        empty_a_sensitive_cell,
        keep_two_rows,
        bring_the_names_back,
    ],
    ids=lambda change: change.__name__,
)
def test_tampering_is_found(release: Path, change: Callable[[list[str]], list[str]]) -> None:
    release.write_text("\n".join(change(lines_of(release))) + "\n", "utf-8")
    run = shoal("table", "verify", release, "--json")
    assert run.code == 1 and run.json["holds"] is False
    assert not all(model["holds"] for model in run.json["models"])
    assert "fingerprint differs" in run.err


def test_another_order_of_rows_is_noted_and_still_holds(release: Path) -> None:
    head, *rows = lines_of(release)
    release.write_text("\n".join([head, *sorted(rows)]) + "\n", "utf-8")
    run = shoal("table", "verify", release)
    assert run.code == 0 and "fingerprint differs" in run.err


def test_more_than_was_promised_can_be_asked(release: Path) -> None:
    assert shoal("table", "verify", release, "--k", 2).code == 0
    assert shoal("table", "verify", release, "--k", 60).code == 1
    assert shoal("table", "verify", release, "--k", 10**30).code == 1
    assert shoal("table", "verify", release, "--quasi", "zip,age,sex,ill", "--k", 3).code == 1


def rewritten(release: Path, **changes: Any) -> None:
    path = Path(f"{release}.shoal.json")
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **changes}), "utf-8")


def test_verify_trusts_no_figure_of_the_manifest(release: Path) -> None:
    release.write_text("\n".join(append_a_unique_row(lines_of(release))) + "\n", "utf-8")
    for lie in (
        {"levels": {"zip": 99, "age": 99, "sex": 99}},
        {"optimal": True, "released": 10**6, "suppressed": 0},
        {"losses": {}, "rows": 0, "method": "magic"},
    ):
        rewritten(release, **lie)
        assert shoal("table", "verify", release).code == 1


def test_a_manifest_without_a_distribution_is_noted(release: Path) -> None:
    rewritten(release, sensitive={})
    run = shoal("table", "verify", release)
    assert run.code == 0 and "no distribution of ill" in run.err


@pytest.mark.parametrize(
    "broken",
    ["", "null", "[]", "{}", "\0", '{"roles": 5}', '{"roles": {"identifier": [], "quasi": ["zip"]}}'],
)
def test_a_broken_manifest_is_refused(release: Path, broken: str) -> None:
    Path(f"{release}.shoal.json").write_text(broken, "utf-8")
    assert "is not a manifest" in refused("table", "verify", release)
    assert "is not a manifest" in refused("table", "measure", release)


@pytest.mark.parametrize(
    "changes",
    [
        {"models": []},
        {"models": "k-anonymity(k=3)"},
        {"models": [5]},
        {"models": ["magic"]},
        {"models": ["k-anonymity(k=3"]},
        {"roles": []},
        {"roles": {"identifier": [], "quasi": "zip", "sensitive": []}},
        {"roles": {"identifier": [], "quasi": ["nowhere"], "sensitive": []}},
        {"roles": {"identifier": [], "quasi": ["zip"], "sensitive": ["zip"]}},
        {"roles": {"identifier": [None], "quasi": ["zip"], "sensitive": []}},
        {"levels": "x"},
        {"levels": {"zip": "x"}},
        {"released": None},
        {"hashes": None},
        {"sensitive": 5},
        {"sensitive": {"ill": 5}},
        {"sensitive": {"ill": {"values": ["flu"], "rows": [], "ordered": False, "taxonomy": None}}},
        {"sensitive": {"ill": {"values": ["flu"], "rows": [0], "ordered": False, "taxonomy": None}}},
        {"sensitive": {"ill": {"values": ["flu"], "rows": [-1], "ordered": False, "taxonomy": None}}},
        {"sensitive": {"ill": {"values": ["flu"], "rows": [10**30], "ordered": False, "taxonomy": None}}},
        {"sensitive": {"ill": {"values": [["a"]], "rows": [1], "ordered": False, "taxonomy": None}}},
        {"sensitive": {"ill": {"values": ["a", "a"], "rows": [1, 1], "ordered": False, "taxonomy": None}}},
        {"sensitive": {"ill": {"values": ["a"], "rows": [1], "ordered": False, "taxonomy": [["b"]]}}},
    ],
)
def test_a_manifest_with_nonsense_is_refused(release: Path, changes: dict[str, Any]) -> None:
    rewritten(release, **changes)
    refused("table", "verify", release)


def test_a_release_without_a_quasi_identifier_of_its_manifest_is_refused(release: Path) -> None:
    release.write_text("\n".join(line.split(",", 1)[1] for line in lines_of(release)) + "\n", "utf-8")
    assert "no column 'zip'" in refused("table", "verify", release)


def test_the_manifest_holds_nothing_that_must_stay_secret(release: Path) -> None:
    text = Path(f"{release}.shoal.json").read_text("utf-8")
    found = json.loads(text)
    assert "seed" not in text
    released = {cell for line in lines_of(release)[1:] for cell in line.split(",")}
    for line in lines_of(Path("patients.csv"))[1:]:
        name, zip_code, age, _, _ = line.split(",")
        assert name not in text
        assert zip_code in released or f'"{zip_code}"' not in text
        assert age in released or f'"{age}"' not in text
    assert found["roles"]["identifier"] == ["name"]
    assert sum(found["sensitive"]["ill"]["rows"]) == 60  # before suppression
    assert set(found["hashes"]) == {"output"}, "a guess at the original could be checked by its fingerprint"
    assert "attack" in found["known_by"]


def test_the_original_is_never_altered() -> None:
    before = Path("patients.csv").read_bytes()
    protect("patients.csv", "-o", "out.csv", *ROLES, "--k", 3)
    shoal("table", "measure", "out.csv", "--original", "patients.csv")
    shoal("table", "attack", "linkage", "out.csv", "--external", "patients.csv")
    assert Path("patients.csv").read_bytes() == before


def test_a_column_that_nobody_spoke_of_is_not_let_out() -> None:
    words = ("patients.csv", "-o", "out.csv", "--quasi", "zip,age,sex", "--k", 3)
    run = protect(*words)
    assert "left out name,ill: nobody gave them a role" in run.err
    assert lines_of(Path("out.csv"))[0] == "zip,age,sex"
    run = protect(*words, "--undeclared", "keep")
    assert "removed 'name'" in run.err and "'ill' went out and may be sensitive" in run.err
    assert lines_of(Path("out.csv"))[0] == "zip,age,sex,ill"
    protect(*words, "--insensitive", "name,ill")
    assert lines_of(Path("out.csv"))[0] == "name,zip,age,sex,ill"


def test_linkage_finds_people_before_and_nobody_after(release: Path) -> None:
    words = ("--external", "patients.csv", "--json")
    before = shoal("table", "attack", "linkage", "patients.csv", "--quasi", "zip,age,sex", *words).json
    after = shoal("table", "attack", "linkage", release, *words).json
    assert before["hits"] > 50 and after["hits"] == 0
