"""Files that are whole or not there, and come back as they were."""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from patience import LONG
from shoal.core.errors import BadInput, BadParameter, BadTable
from shoal.engines.atomic_write import fingerprint, write_frame, write_text
from shoal.engines.files import read_frame

FRAME = pl.DataFrame({"zip": ["02138", None, ""], "age": [40, 41, None]})

# Zero bytes mark a binary file and surrogates are no characters; everything else must survive.
characters = st.one_of(
    st.sampled_from(list("ab,;|\t\"\r\n '\ufeff€")),
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
)
values = st.one_of(st.none(), st.text(characters, max_size=6))
names = st.lists(st.text(characters, min_size=1, max_size=6), min_size=1, max_size=4, unique=True)


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    columns = draw(names)
    height = draw(st.integers(1, 6))
    cells = st.lists(values, min_size=height, max_size=height)
    return pl.DataFrame({name: pl.Series(draw(cells), dtype=pl.String) for name in columns})


@settings(max_examples=160, deadline=None)
@example(frame=pl.DataFrame({"0": ["\n"]}), extension=".csv")
@given(frame=frames(), extension=st.sampled_from([".csv", ".tsv", ".csv.gz", ".parquet", ".arrow"]))
def test_any_text_comes_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, frame: pl.DataFrame, extension: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"round{extension}"
    write_frame(frame, path)
    assert_frame_equal(read_frame(path), frame)


@settings(max_examples=80, deadline=None)
@given(frame=frames(), separator=st.sampled_from([",", ";", "\t", "|"]))
def test_the_separator_of_any_written_table_is_detected(
    tmp_path_factory: pytest.TempPathFactory, frame: pl.DataFrame, separator: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "separated.csv"
    write_frame(frame, path, separator)
    assert_frame_equal(read_frame(path), frame)
    assert_frame_equal(read_frame(path, separator=separator), frame)


def test_missing_and_empty_differ_in_the_file(tmp_path: Path) -> None:
    write_frame(FRAME, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == b'zip,age\n02138,40\n,41\n"",\n'


def test_a_lone_column_keeps_its_missing_values(tmp_path: Path) -> None:
    write_frame(pl.DataFrame({"a": [None, "x", "", None]}), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == b'a\n\nx\n""\n\n'
    write_frame(pl.DataFrame({"n": [1, None, 3]}), tmp_path / "out.csv")
    assert read_frame(tmp_path / "out.csv")["n"].to_list() == ["1", None, "3"]


def test_the_extension_gives_the_separator_and_the_option_overrides(tmp_path: Path) -> None:
    write_frame(FRAME, tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text().startswith("zip\tage\n")
    write_frame(FRAME, tmp_path / "out.tsv", ";")
    assert (tmp_path / "out.tsv").read_text().startswith("zip;age\n")


def test_a_packed_file_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    write_frame(FRAME, tmp_path / "one.csv.gz")
    write_frame(FRAME, tmp_path / "two.csv.gz")
    assert fingerprint(tmp_path / "one.csv.gz") == fingerprint(tmp_path / "two.csv.gz")


def test_categories_are_written_as_text(tmp_path: Path) -> None:
    write_frame(FRAME.with_columns(pl.col("zip").cast(pl.Categorical)), tmp_path / "out.parquet")
    assert read_frame(tmp_path / "out.parquet").schema["zip"] == pl.String


def test_standard_output_takes_csv(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_frame(FRAME.head(1), "-")
    write_text("done\n", "-")
    assert capfdbinary.readouterr().out == b"zip,age\n02138,40\ndone\n"


def test_a_device_is_written_to_and_stays_a_device() -> None:
    write_frame(FRAME, "/dev/null")
    write_text("x", "/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)  # noqa: PTH116


def failing(*_: object, **__: object) -> Any:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("call", ["fsync", "replace", "write"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old")
    if call == "fsync":
        monkeypatch.setattr(os, "fsync", failing)
    elif call == "replace":
        monkeypatch.setattr(Path, "replace", failing)
    else:
        monkeypatch.setattr(pl.DataFrame, "write_csv", failing)
    with pytest.raises(BadParameter) as caught:
        write_frame(FRAME, path)
    assert str(caught.value) == (
        f"cannot write '{path}': No space left on device; choose another place or free some space"
    )
    monkeypatch.undo()
    assert [item.name for item in tmp_path.iterdir()] == ["out.csv"]
    assert path.read_text() == "old"


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "out.csv"
    path.write_text("old")
    monkeypatch.setattr(pl.DataFrame, "write_csv", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_frame(FRAME, path)
    assert [item.name for item in tmp_path.iterdir()] == ["out.csv"]
    assert path.read_text() == "old"


def test_a_killed_process_leaves_the_old_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text("old")
    code = (
        "import os, sys; from shoal.engines.atomic_write import write_in_place_of\n"
        "with write_in_place_of(sys.argv[1]) as stream: stream.write(b'half'); stream.flush(); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False, timeout=LONG).returncode == 9
    assert path.read_text() == "old"


def test_text_is_replaced_whole_and_keeps_its_mode_and_link(tmp_path: Path) -> None:
    path, link = tmp_path / "out.json", tmp_path / "link.json"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_text("née\n", link)
    assert path.read_text(encoding="utf-8") == "née\n"
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def refusal(frame: pl.DataFrame, target: Path | str, **options: str) -> str:
    with pytest.raises(BadInput) as caught:
        write_frame(frame, target, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_target_that_cannot_be_is_refused(tmp_path: Path) -> None:
    missing = tmp_path / "gone" / "out.csv"
    assert refusal(FRAME, missing) == (
        f"cannot write '{missing}': no folder '{tmp_path / 'gone'}'; create it or choose another"
    )
    assert refusal(FRAME, tmp_path) == f"'{tmp_path}' is a folder; give the name of a file to write"
    assert "unknown extension; use .csv" in refusal(FRAME, tmp_path / "out.xlsx")
    assert "unknown extension; use .csv" in refusal(FRAME, tmp_path / "out.parquet.gz")
    assert "is not one plain character" in refusal(FRAME, tmp_path / "out.csv", separator="::")
    assert "holds list values" in refusal(pl.DataFrame({"a": [[1]]}), tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_fingerprint_is_the_hash_of_the_bytes(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(b"abc")
    assert fingerprint(path) == f"sha256:{hashlib.sha256(b'abc').hexdigest()}"
    with pytest.raises(BadTable, match=r"cannot read '.*gone': No such file or directory; check the path"):
        fingerprint(tmp_path / "gone")
