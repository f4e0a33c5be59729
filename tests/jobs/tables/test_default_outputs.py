"""Files that belong together are all written, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.tables.default_outputs import Places, all_or_none


def test_a_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    with pytest.raises(RuntimeError, match="half way"), all_or_none([one, two], force=False):
        one.write_text("new", "utf-8")
        raise RuntimeError("half way")
    assert not list(tmp_path.iterdir())


def test_what_exists_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("old", "utf-8")
    two.write_text("old", "utf-8")
    with (
        pytest.raises(BadParameter, match=r"one', '.*two' exist already; give --force"),
        all_or_none([one, two], False),
    ):
        raise AssertionError("nothing may be done")
    assert one.read_text("utf-8") == "old"


def test_with_force_a_failure_brings_the_old_files_back(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("old", "utf-8")
    with pytest.raises(RuntimeError, match="half way"), all_or_none([one, two], force=True):
        one.write_text("new", "utf-8")
        two.write_text("new", "utf-8")
        raise RuntimeError("half way")
    assert [path.name for path in tmp_path.iterdir()] == ["one"]
    assert one.read_text("utf-8") == "old"


def test_with_force_the_new_files_stay(tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.write_text("old", "utf-8")
    with all_or_none([one], force=True):
        one.write_text("new", "utf-8")
    assert [path.read_text("utf-8") for path in tmp_path.iterdir()] == ["new"]


def test_the_names_follow_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("people.csv.gz", "people.parquet", "a.b.csv", "people"):
        Path(name).write_text("", "utf-8")
    assert Places.beside("people.csv.gz").release == Path("people-release.csv")
    assert Places.beside("people.parquet").project == Path("people.shoal.toml")
    assert Places.beside("a.b.csv").report == Path("a.b-report.html")
    assert Places.beside("people").release == Path("people-release.csv")
    for source in ("-", None, "nowhere.csv", "https://example.org/people.csv"):
        with pytest.raises(BadParameter, match=r"give -o OUT\.csv"):
            Places.beside(source)
