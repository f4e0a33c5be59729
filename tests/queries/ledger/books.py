"""What the tests of the ledger share: fresh places, and processes that reserve."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import psycopg

from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import open_ledger

SCRIPT = Path(__file__).with_name("reserving.py")
PLENTY = Cost(10**15, 10**15)


def fresh_database(address: str) -> str:
    """The address of an empty database on a server."""
    name = f"ledger_{uuid4().hex}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"{address.rpartition('/')[0]}/{name}"


def opened(place: str, limit: Cost = PLENTY, analysts: tuple[str, ...] = ("ada",)) -> Ledger:
    """A ledger with one data set, `people`, and analysts who may spend all of it."""
    ledger = open_ledger(place)
    ledger.open("people", limit, "refuse", "approximate")
    for analyst in analysts:
        ledger.grant("people", analyst, limit)
    return ledger


def reserving(place: str, rounds: int, threads: int = 1, analyst: str = "ada") -> subprocess.Popen[bytes]:
    """A process that reserves from `people`; its verdicts come line by line."""
    command = [sys.executable, str(SCRIPT), place, "people", analyst, str(rounds), str(threads)]
    # Without a buffer: `communicate` would not see what `readline` had read ahead.
    return subprocess.Popen(command, bufsize=0, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def reserved(lines: bytes) -> set[int]:
    """The numbers of the entries that a process was promised."""
    whole = lines.decode().split("\n")[:-1]
    return {int(line.split()[1]) for line in whole if line.startswith("reserved ")}
