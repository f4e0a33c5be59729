"""What a killed process leaves: no half release, and nothing that the next run does not find."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

import polars as pl
import psycopg
import pytest
from sqlglot import exp

import patience
from engine_places import place_of
from killed_runs import mid_write
from postgres_server import running
from shoal import protect
from shoal.core.errors import BadTable
from shoal.engines.address import Address
from shoal.engines.leftovers import SPILL, TRIAL, HeldFolder, sweep
from shoal.engines.sql_engine import connect

PEOPLE = pl.DataFrame({"age": [20 + at % 5 for at in range(100)], "ill": ["flu", "cold"] * 50})


def test_a_sweep_takes_what_nobody_holds_and_nothing_else(tmp_path: Path) -> None:
    alive, dead = HeldFolder(tmp_path, TRIAL), HeldFolder(tmp_path, TRIAL)
    (dead.path / "rows").write_text("1")
    dead.release()
    for name in (".shoal-mine", ".shoal-0123456789ab.tmp", ".shoal_0123456789abcdef", "0123456789ab"):
        (tmp_path / name).mkdir()
    (tmp_path / ".shoal-abcdefabcdef").symlink_to(tmp_path / ".shoal-mine")
    (tmp_path / ".shoal-aaaaaaaaaaaa").write_text("a file")
    before = {path.name for path in tmp_path.iterdir()}
    assert sweep(tmp_path, TRIAL) == [dead.path]
    assert {path.name for path in tmp_path.iterdir()} == before - {dead.path.name}
    alive.remove()
    assert not alive.path.exists()
    assert sweep(tmp_path, TRIAL) == []
    assert sweep(tmp_path / "nowhere", TRIAL) == []


@pytest.mark.parametrize("kind", ["duckdb", "folder", "postgresql"])
def test_a_process_killed_in_mid_write_leaves_no_half_table(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary, data = tmp_path / "temporary", tmp_path / "data"
    temporary.mkdir()
    data.mkdir()
    place = place_of(kind, request, data)
    source, target = place.put(PEOPLE), place.new()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with mid_write(source, target, temporary) as process:
        if kind == "folder":
            # While it runs, nobody takes its folders away.
            assert not sweep(data, TRIAL)
            assert not sweep(temporary, SPILL)
        process.kill()
    record = tmp_path / "record.json"
    release = protect(source, output=target, quasi="age", sensitive="ill", k=5, manifest=record)
    assert release.released == PEOPLE.height
    told = [note for note in release.notes if "which a run that was killed had left" in note]
    assert len(told) == (kind == "folder")
    assert not [*data.rglob("*shoal*"), *temporary.iterdir()]


@pytest.mark.slow
def test_a_backend_killed_in_mid_write_is_one_sentence_and_leaves_nothing() -> None:
    with running(durable=True) as url:  # else the crash may take the table with it
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE people AS SELECT generate_series(1, 9) AS a")
        source, target = (Address("postgresql", url, (name,)) for name in ("people", "release"))
        with connect([source], target) as engine:
            rows = exp.select("*").from_(engine.table(source))
            (own,) = engine.frame(exp.select(exp.alias_(exp.Anonymous(this="pg_backend_pid"), "a"))).row(0)
            with (
                pytest.raises(BadTable, match="; check that the server") as caught,
                engine.create(target, rows),
            ):
                os.kill(own, signal.SIGKILL)
                engine.frame(rows)
            assert "\n" not in str(caught.value)
        said: list[str] = []
        try:
            patience.until(lambda: _read_again(source, target, said), "the server to recover")
        except AssertionError as error:
            raise AssertionError(f"{error}; last it said: {said[-1]}") from None


def _read_again(source: Address, target: Address, said: list[str]) -> bool:
    """Whether the rows can be read, with nothing under the release's name.

    A server ends all its processes when one was killed; until it has seen that, it lets people in.
    """
    try:
        with connect([source]) as engine:
            engine.check_new(target)
            engine.frame(exp.select("*").from_(engine.table(source)))
    except BadTable as error:
        said.append(str(error))
        return False
    return True
