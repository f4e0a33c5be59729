"""A file of two megabytes that holds two gigabytes, given to every command that reads files."""

import gzip
from pathlib import Path

import pytest

from faces.shell import shoal

MEGABYTE = 1 << 20


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def bomb(name: str, head: bytes, line: bytes) -> None:
    """One line again and again, 600 MB of them in less than one."""
    block = line * (MEGABYTE // len(line))
    with gzip.open(name, "wb", compresslevel=9) as stream:
        stream.write(head)
        for _ in range(600):
            stream.write(block)
    assert Path(name).stat().st_size < 3 * MEGABYTE


def test_a_bomb_is_refused_in_one_sentence_by_tables_graphs_and_queries() -> None:
    bomb("bomb.csv.gz", b"zip,age\n", b"02138,40\n")
    commands = (
        ("table", "inspect", "bomb.csv.gz"),
        ("table", "protect", "bomb.csv.gz", "-o", "out.csv", "--quasi", "zip,age", "--k", 2),
        ("graph", "measure", "bomb.csv.gz"),
        (
            "query",
            "ask",
            "SELECT COUNT(*) FROM t",
            "--data",
            "t=bomb.csv.gz",
            "--unit",
            "zip",
            "--epsilon",
            1,
        ),
    )
    for words in commands:
        run = shoal(*words)
        assert run.code == 2 and "unpacks to more than" in run.err, (words, run.err)
        assert len(run.err.strip().splitlines()) == 1 and "Traceback" not in run.err
    assert not Path("out.csv").exists()
