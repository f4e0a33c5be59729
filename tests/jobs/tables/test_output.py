"""A release on disk is whole and kept, or not there."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal import verbs
from shoal.core.errors import BadParameter
from shoal.engines.atomic_write import check_place
from shoal.jobs import ProtectTable
from shoal.jobs.tables import output as writing
from shoal.jobs.tables.output import check_project_file

TEXT = "zip,ill\n" + "1,flu\n1,cold\n2,flu\n2,cold\n" * 3


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(TEXT, "utf-8")
    return tmp_path


def protect(**more: Any) -> None:
    shoal.protect("in.csv", quasi="zip", sensitive="ill", k=2, output="out.csv", seed=1, **more)


def names() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def test_a_release_and_its_manifest_and_nothing_else() -> None:
    protect()
    assert names() == ["in.csv", "out.csv", "out.csv.shoal.json"]


def test_a_file_that_does_not_read_back_is_never_let_out(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("out.csv").write_text("old", "utf-8")

    def damaged(*_: Any) -> pl.DataFrame:
        return pl.DataFrame({"zip": [str(row) for row in range(12)], "ill": ["flu", "cold"] * 6})

    monkeypatch.setattr(writing, "read_frame", damaged)
    with pytest.raises(verbs.BrokenPromise, match="withheld"):
        protect()
    assert names() == ["in.csv", "out.csv"] and Path("out.csv").read_text("utf-8") == "old"


@pytest.mark.parametrize("step", ["write_frame", "read_frame", "record", "fingerprint", "write_text"])
def test_a_crash_at_any_step_leaves_the_old_release(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    protect()
    before = {name: Path(name).read_bytes() for name in names()}

    def crash(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, step, crash)
    with pytest.raises(KeyboardInterrupt):
        protect(suppress=0.5)
    assert {name: Path(name).read_bytes() for name in names()} == before


def test_a_full_disk_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "write_text", full)
    with pytest.raises(BadParameter, match=r"cannot write 'out\.csv': No space left on device"):
        protect()
    assert names() == ["in.csv"]


def test_a_distribution_is_told_only_where_a_model_compares_with_it() -> None:
    for model, columns in (("l-diversity(l=2)", []), ("t-closeness(t=0.9)", ["ill"])):
        protect(model=model)
        assert list(json.loads(Path("out.csv.shoal.json").read_text("utf-8"))["sensitive"]) == columns


def test_the_mode_of_an_older_release_stays() -> None:
    protect()
    Path("out.csv").chmod(0o600)
    protect()
    assert Path("out.csv").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("output", "cause"),
    [("", "empty"), (".", "folder"), ("no/out.csv", "no folder 'no'"), ("in.csv", "other files")],
)
def test_places_where_nothing_can_be_written(output: str, cause: str) -> None:
    with pytest.raises(BadParameter, match=cause):
        check_place(output, ["in.csv"])


def test_places_that_are_free() -> None:
    taken: Sequence[Any] = [None, "-", 5, "nowhere.csv", "in.csv"]
    for output in ("-", "new.csv", Path("new.csv")):
        check_place(output, taken)


def test_a_hard_link_is_the_same_file() -> None:
    Path("twin.csv").hardlink_to("in.csv")
    with pytest.raises(BadParameter, match="other files"):
        check_place("twin.csv", ["in.csv"])


def test_a_project_file_replaces_no_other() -> None:
    job = ProtectTable(data="in.csv", output="out.csv", hierarchy={"zip": "zip.csv"})
    check_project_file("shoal.toml", job)
    for taken in ("in.csv", "out.csv", "out.csv.shoal.json", "zip.csv"):
        with pytest.raises(BadParameter, match="other files"):
            check_project_file(taken, job)


def test_a_record_goes_where_it_is_told_and_over_no_input() -> None:
    Path("records").mkdir()
    protect(manifest="records/mine.json")
    assert sorted(path.name for path in Path().iterdir()) == ["in.csv", "out.csv", "records"]
    assert shoal.verify("out.csv", manifest="records/mine.json").holds
    for place in ("in.csv", "out.csv", "nowhere/mine.json"):
        with pytest.raises(BadParameter):
            protect(manifest=place)
    with pytest.raises(BadParameter, match="a record is of a file"):
        shoal.protect("in.csv", quasi="zip", k=2, output="-", manifest="mine.json")
    assert Path("in.csv").read_text("utf-8") == TEXT
