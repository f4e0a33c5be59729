"""`shoal studio` refuses what cannot be served before anything is started."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from faces.shell import shoal


def test_a_file_that_is_not_there_is_one_sentence() -> None:
    run = shoal("studio", "nowhere.csv", "--no-browser")
    assert (run.code, run.err.count("\n")) == (2, 1)
    assert "no file 'nowhere.csv'" in run.err


def test_a_port_that_is_taken_is_told_with_the_cure() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        run = shoal("studio", "--port", taken.getsockname()[1], "--no-browser")
    assert run.code == 2
    assert "give another one with --port" in run.err


def test_without_the_extra_nothing_is_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.core.extras._there", lambda module: module != "nicegui")
    run = shoal("studio", "--no-browser")
    assert run.code == 2
    assert "pip install 'shoal[studio]'" in run.err
    assert not (folder / "shoal-studio").exists()
