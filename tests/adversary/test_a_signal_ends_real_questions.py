"""SIGTERM while an engine works on a real question: on DuckDB and on PostgreSQL."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from adversary.hospital import NAME, frames, in_postgres
from queries.service.houses import Address
from queries.service.test_run import free_port, wait_for

WAIT = 120.0
# On DuckDB the question would take minutes; on PostgreSQL it waits for somebody else's lock.
HEAVY = " + ".join(f"CASE WHEN note LIKE '%a{n}%b%c%d%' THEN 1 ELSE 0 END" for n in range(40))
CHILD = """
import json, pathlib, sys
folder, port, address, token, path = sys.argv[1:]
sys.path[:0] = json.loads(path)
from fractions import Fraction
import polars as pl
from adversary.hospital import NAME, dataset, frames, pid
from shoal.queries.service import run
from shoal.queries.service.service import Service
from shoal.queries.service.settings import Settings
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.postgres_store import PostgresStore
if address:
    store = PostgresStore(dataset(), address, schema="adversary")
else:
    store = DuckStore(dataset(), threads=1)
    people = range(150_000)
    notes = ["ab" * 400 + str(number) for number in people]
    everybody = {"pid": [pid(number) for number in people], "hiv": ["no"] * len(people)}
    store.load("patients", pl.DataFrame({**everybody, "age": [30] * len(people), "note": notes}))
service = Service(folder, None, Settings(deadline=3600.0))
service.register(dataset(), store=store)
pathlib.Path(token).write_text(service.add("ada", "analyst", NAME, Fraction(5)))
run.serve(service, port=int(port))
"""


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
def test_a_signal_ends_the_process_while_an_engine_works(
    tmp_path: Path, engine: str, request: pytest.FixtureRequest
) -> None:
    address = request.getfixturevalue("postgres") if engine == "postgres" else ""
    if address:
        in_postgres(address, frames()).close()
    at, token = Address(free_port()), tmp_path / "token"
    given = [str(tmp_path / "house"), str(at.port), address, str(token), json.dumps(sys.path)]
    process = subprocess.Popen([sys.executable, "-c", CHILD, *given], stderr=subprocess.PIPE)
    other = psycopg.connect(address) if address else None
    try:
        wait_for(process, at)
        ada = token.read_text()
        if other is not None:
            other.execute("LOCK TABLE adversary.patients IN ACCESS EXCLUSIVE MODE")
        answered: list[int] = []
        thread = threading.Thread(target=_asked, args=(at, ada, answered), daemon=True)
        thread.start()
        until = time.monotonic() + WAIT
        while not _begun(at, ada) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.5)
        assert answered == []
        os.kill(process.pid, signal.SIGTERM)
        _, told = process.communicate(timeout=40)  # ten seconds, and thirty for a machine that others use
        assert b"Traceback" not in told, told.decode()
        assert 200 not in answered
    finally:
        if other is not None:
            other.close()
        process.kill()
        process.communicate(timeout=60)


def _asked(at: Address, token: str, answered: list[int]) -> None:
    with suppress(OSError, http.client.HTTPException):  # it is cut off
        answered.append(at.ask(token, f"SELECT SUM({HEAVY}) FROM patients", "0.01", NAME).status)


def _begun(at: Address, token: str) -> bool:
    log = at.call("GET", f"/log?dataset={NAME}", token).json["entries"]
    return any(entry["kind"] == "reserve" for entry in log)
