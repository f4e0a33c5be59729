"""Processes that tests kill: one that has written a new table or folder without its name, and Spark's own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import patience

WRITES = """
import sys, time
from sqlglot import exp
from shoal.engines.address import address_of, output_address
from shoal.engines.sql_engine import connect

source, target = address_of(sys.argv[1]), output_address(sys.argv[2])
with connect([source], target) as engine:
    with engine.create(target, exp.select("*").from_(engine.table(source))):
        print("written", flush=True)
        time.sleep(600)
"""


@contextmanager
def mid_write(source: str, target: str, temporary: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that waits where all is written and nothing has its name; ended here, if not before."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITES, source, target],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert patience.line_of(process) == "written\n"
        yield process
    finally:
        patience.end(process)


def descendants(process: int, named: str) -> list[int]:
    """The processes under one, as the system knows them, whose command holds a word; eldest first."""
    children: dict[int, list[int]] = {}
    commands: dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                children.setdefault(parent, []).append(int(folder.name))
                commands[int(folder.name)] = (folder / "cmdline").read_bytes().decode(errors="replace")
    found, left = [], [process]
    while left:
        for child in sorted(children.get(left.pop(), [])):
            left.append(child)
            if named in commands.get(child, ""):
                found.append(child)
    return sorted(found)


def has_ended(process: int) -> bool:
    """Whether a process is gone, or waits for nothing but its parent."""
    try:
        return not Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return True
