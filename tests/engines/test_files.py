"""Files by extension, and everything that is refused at the door."""

from __future__ import annotations

import gzip
import io
import os
import random
import subprocess
import sys
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from patience import LONG, end
from shoal.core.errors import BadInput, BadParameter, BadTable, NotInstalled
from shoal.engines.files import read_frame, write_frame

FRAME = pl.DataFrame({"zip": ["02138", None], "age": [40, 41]})


def refusal(path: Path | str, **options: str | list[str]) -> str:
    with pytest.raises(BadInput) as caught:
        read_frame(path, **options)  # type: ignore[arg-type]
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("extension", [".parquet", ".arrow", ".feather", ".ipc", ".PARQUET"])
def test_parquet_and_arrow_keep_their_types(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"people{extension}"
    write_frame(FRAME, path)
    assert_frame_equal(read_frame(path), FRAME)


def test_the_stream_format_of_arrow_is_read_too(tmp_path: Path) -> None:
    FRAME.write_ipc_stream(tmp_path / "people.arrow")
    assert_frame_equal(read_frame(tmp_path / "people.arrow"), FRAME)


@pytest.mark.parametrize("extension", [".parquet", ".arrow"])
def test_categories_become_text(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"people{extension}"
    frame = pl.DataFrame({"sex": pl.Series(["f", "m", None], dtype=pl.Categorical)})
    frame.write_parquet(path) if extension == ".parquet" else frame.write_ipc(path)
    assert read_frame(path).schema == {"sex": pl.String}


@pytest.mark.parametrize("extension", [".parquet", ".arrow", ".csv"])
def test_columns_are_chosen_in_the_order_asked(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"people{extension}"
    write_frame(FRAME, path)
    assert read_frame(path, columns=["age", "zip"]).columns == ["age", "zip"]
    assert read_frame(path, columns=["age"]).columns == ["age"]
    assert refusal(path, columns=["zipp"]) == "no column 'zipp'; the table has zip, age"


def test_a_nested_column_is_refused(tmp_path: Path) -> None:
    pl.DataFrame({"visits": [[1, 2]]}).write_parquet(tmp_path / "people.parquet")
    message = refusal(tmp_path / "people.parquet")
    assert "column 'visits'" in message and "list" in message and "one plain value per cell" in message


def test_a_missing_file_is_named_with_its_folder(tmp_path: Path) -> None:
    message = refusal(tmp_path / "gone.csv")
    assert "gone.csv'" in message and str(tmp_path) in message and "check the name" in message


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == (
        f"'{tmp_path}' is a folder or a table in an engine, and this needs the rows of one file; give a "
        "file, or export it to one"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.csv"
    path.write_text("a\n1\n")
    path.chmod(0)
    assert "no permission to read" in refusal(path)


def test_lack_of_permission_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.csv"
    path.write_text("a\n1\n")

    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    assert refusal(path) == f"no permission to read '{path}'; ask its owner or run chmod u+r on it"


@pytest.mark.parametrize("extension", [".parquet", ".arrow"])
@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"\x00\xff" * 500, b"ARROW1\0\0" + b"\xff" * 99, b"a,b\n1,2\n"]
)
def test_a_damaged_binary_file_is_refused_in_one_sentence(
    tmp_path: Path, extension: str, content: bytes
) -> None:
    path = tmp_path / f"people{extension}"
    path.write_bytes(content)
    message = refusal(path)
    assert "people" in message and "check that the file is whole" in message


@pytest.mark.parametrize("extension", [".parquet", ".arrow"])
def test_a_binary_file_without_rows_is_refused(tmp_path: Path, extension: str) -> None:
    write_frame(FRAME.clear(), tmp_path / f"people{extension}")
    assert "has a header but no rows" in refusal(tmp_path / f"people{extension}")


@settings(max_examples=80, deadline=None)
@given(junk=st.binary(max_size=200), extension=st.sampled_from([".csv", ".parquet", ".arrow", ".csv.gz", ""]))
def test_no_bytes_whatever_escape_as_a_foreign_error(
    tmp_path_factory: pytest.TempPathFactory, junk: bytes, extension: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"junk{extension}"
    path.write_bytes(junk)
    try:
        read_frame(path)
    except BadTable as error:
        assert "\n" not in str(error)


@pytest.mark.parametrize("extension", [".parquet", ".arrow", ".csv", ".csv.gz"])
def test_a_few_damaged_bytes_never_escape_as_a_foreign_error(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"people{extension}"
    write_frame(pl.DataFrame({"zip": ["02138", "né", None] * 50, "age": [40, None, 41] * 50}), path)
    whole, chance = path.read_bytes(), random.Random(1)
    for _ in range(200):
        damaged = bytearray(whole[: chance.choice([len(whole), chance.randrange(len(whole))])])
        for place in chance.choices(range(len(damaged)), k=3) if damaged else ():
            damaged[place] = chance.randrange(256)
        path.write_bytes(damaged)
        try:
            read_frame(path)
        except BadTable as error:
            assert "\n" not in str(error)


def test_packed_text_is_read(tmp_path: Path) -> None:
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(b"zip;age\n02138;40\n"))
    assert read_frame(path).rows() == [("02138", "40")]
    path.write_bytes(gzip.compress(b"zip;age\n02138;40\n")[:-6])
    assert "is not a whole gzip file" in refusal(path)


def test_a_small_file_cannot_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.engines.files.LARGE", 1 << 20)
    rows = b"zip;age\n" + b"02138;40\n" * 3_000_000
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(rows))
    assert len(rows) > 100 * path.stat().st_size
    assert "unpacks to more than" in refusal(path) and "unpack it and give the unpacked file" in refusal(path)
    monkeypatch.setattr("shoal.engines.files.LARGE", 256 << 20)
    assert read_frame(path).height == 3_000_000


def test_a_parquet_file_says_itself_how_large_it_will_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shoal.engines.files.LARGE", 1 << 20)
    path = tmp_path / "people.parquet"
    pl.DataFrame({"text": ["0" * 60_000_000]}).write_parquet(path, compression="zstd", statistics=False)
    assert 100 * path.stat().st_size < 60_000_000
    assert "unpacks to more than" in refusal(path)


def test_standard_input_is_read_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"zip|age\n02138|40\n")))
    assert read_frame("-").rows() == [("02138", "40")]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert refusal("-") == "standard input is empty; give a file with a header line and rows"


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen(["/bin/sh", "-c", f"printf 'zip,age\\n02138,40\\n' > '{pipe}'"])
    try:
        assert read_frame(pipe).rows() == [("02138", "40")]
    finally:
        end(writer)


def test_a_parquet_table_with_dictionaries_from_arrow_becomes_text(tmp_path: Path) -> None:
    from pyarrow import parquet

    parquet.write_table(
        pa.table({"sex": pa.array(["f", "m"]).dictionary_encode()}), tmp_path / "people.parquet"
    )
    assert read_frame(tmp_path / "people.parquet").schema == {"sex": pl.String}


def test_an_unknown_encoding_and_a_bad_separator_are_parameters(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(BadParameter, match="no encoding 'utf-9'; try utf-8, windows-1252 or utf-16"):
        read_frame(path, encoding="utf-9")
    with pytest.raises(BadParameter, match="separator ';;' is not one plain character; give one of"):
        read_frame(path, separator=";;")


def test_text_is_read_and_every_kind_is_written_without_pyarrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for name in ("people.csv", "people.parquet", "people.arrow"):
        write_frame(FRAME, tmp_path / name)
    assert read_frame(tmp_path / "people.csv").rows() == [("02138", "40"), (None, "41")]
    for name in ("people.parquet", "people.arrow"):
        with pytest.raises(NotInstalled) as caught:
            read_frame(tmp_path / name)
        assert str(caught.value) == (
            f"reading '{tmp_path / name}' needs pyarrow, which is not installed; "
            "run pip install 'shoal[arrow]', or give CSV"
        )


def test_opening_the_door_does_not_load_arrow() -> None:
    code = "import sys, shoal.engines.files; sys.exit('pyarrow' in sys.modules or 'pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=LONG).returncode == 0


@pytest.mark.parametrize("scheme", ["mysql", "postgresql+psycopg", "jdbc:postgresql"])
def test_an_address_of_something_else_shows_no_password(scheme: str) -> None:
    for source in (f"{scheme}://me:geheim@h/d#t", Path(f"{scheme}://me:geheim@h/d#t")):
        with pytest.raises(BadInput) as caught:
            read_frame(source)
        assert "geheim" not in str(caught.value)
        with pytest.raises(BadInput) as caught:
            write_frame(pl.DataFrame({"a": [1]}), f"{source}.csv")
        assert "geheim" not in str(caught.value)
