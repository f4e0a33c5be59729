"""A DuckDB file of edges made k-degree anonymous by commands whose engine may hold less than the table."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb

from benchmarks import clock, show
from benchmarks.edge_tables import K, write
from benchmarks.people import DATA

SIZES = ((1_000_000, 0), (1_000_000, 60), (4_000_000, 150))  # rows, and MB for the engine
_LABEL, _CELL = 20, 16  # characters of a label, and what DuckDB holds for it besides
_MB, _MIB, _EVERY = 10**6, 1 << 20, 0.05
SPILLED = "spilled"  # a file: how many bytes were on disk at most
_HEADER = [
    *("rows", "table MB", "file MB", "limit MB", "spilled MB", "peak MiB", "CPU s", "wall s"),
    *("edges", "added"),
]


def run(rows: int | None = None, only: str = "") -> None:
    """Print one line per number of rows and limit; without a limit it is the usual one."""
    DATA.mkdir(parents=True, exist_ok=True)
    cases = [case for case in SIZES if rows in (None, case[0])] or [(rows or 0, 0)]
    cases = [case for case in cases if only in ("limited" if case[1] else "usual")]
    show.table(
        f"protect a DuckDB file of edges, k={K}, whole command: Chung-Lu, exponent 2.4",
        _HEADER,
        [_line(*case) for case in cases],
        [
            "table MB: two labels of 20 characters an edge, as DuckDB holds them; "
            "limit MB: what DuckDB may hold of anything",
            "peak MiB: of the whole process, Python and the plan included; verify was run after each",
            f"load average {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores",
        ],
    )


def limited() -> None:
    """In a process of its own: the command line, in a folder, with an engine that may hold so many MB."""
    from shoal.engines.duckdb_engine import DuckEngine
    from shoal.faces.cli import main

    folder, limit = Path(sys.argv.pop(1)), int(sys.argv.pop(1))
    os.chdir(folder)
    tempfile.tempdir = str(folder)
    usual = DuckEngine.__init__

    def small(self: DuckEngine, sources: Any, output: Any = None) -> None:
        usual(self, sources, output, f"{limit}MB")

    if limit:  # else the usual third of the machine's
        setattr(DuckEngine, "__init__", small)  # noqa: B010  mypy lets nobody assign it
    threading.Thread(target=_watch, args=(folder,), daemon=True).start()
    main()


def _watch(folder: Path) -> None:
    """How much lies in the folders for spilling, at most, until the process ends."""
    most = 0
    while True:
        held = 0
        for path in folder.glob("shoal-spill-*/*"):
            with suppress(OSError):  # it is gone again
                held += path.stat().st_size
        if held > most:
            most = held
            (folder / SPILLED).write_text(str(most))
        time.sleep(_EVERY)


def _line(rows: int, limit: int) -> list[str]:
    with tempfile.TemporaryDirectory(dir=DATA) as name:
        folder = Path(name)
        file = folder / "edges.duckdb"
        (folder / "parts").mkdir()
        write(folder / "parts", rows)
        with duckdb.connect(str(file)) as made:
            ends = ", ".join(f"printf('person-%013d', {end}) AS {end}" for end in ("source", "target"))
            made.execute(f"CREATE TABLE e AS SELECT {ends} FROM read_parquet('{folder}/parts/*.parquet')")
            found = made.execute("SELECT count(*) FROM e").fetchone()
        assert found is not None
        size = file.stat().st_size
        start = [
            sys.executable,
            "-c",
            "from benchmarks.edge_files import limited; limited()",
            name,
            str(limit),
        ]
        start += ["graph"]
        release = f"duckdb:///{folder}/release.duckdb#r"
        cost = clock.command([*start, "protect", f"duckdb:///{file}#e", "-o", release, "--k", str(K)])
        spilled = folder / SPILLED
        held = int(spilled.read_text()) if spilled.exists() else 0
        told = json.loads((folder / "r.shoal.json").read_text())
        clock.command([*start, "verify", release])  # ends with an error where the promise is broken
    figures = [f"{amount / _MB:.0f}" for amount in (2 * (_LABEL + _CELL) * found[0], size)]
    return [
        *(f"{found[0]:,}", *figures, str(limit or "usual"), f"{held / _MB:.0f}", f"{cost.peak / _MIB:.0f}"),
        *(f"{cost.cpu:.1f}", f"{cost.wall:.1f}", f"{told['edges_before']:,}"),
        f"{told['edges_after'] - told['edges_before']:,}",
    ]
