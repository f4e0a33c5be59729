"""Private answers against plain queries in Spark on two threads: the first of a session, and those after."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path

import duckdb

from benchmarks import clock, show
from benchmarks.people import DATA
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.ledger import open_ledger
from shoal.queries.session import Session

ROWS = 10_000_000
REGIONS = tuple(f"r{number:02d}" for number in range(16))
QUESTIONS = {
    "count": "SELECT COUNT(*) FROM visits WHERE age > {n}",
    "group by (16)": "SELECT region, COUNT(*) FROM visits WHERE age > {n} GROUP BY region",
}

_COLUMNS = (("private", "plain"), ("cold", "warm"), ("wall", "CPU"))


def run(rows: int | None = None, rounds: int | None = None) -> None:
    """Print one line per question: wall and CPU seconds, Java's included, cold and warm."""
    rows, rounds = rows or ROWS, rounds or 2
    DATA.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DATA) as name:
        lines = [_line(Path(name), what, rows, rounds) for what in QUESTIONS]
    show.table(
        f"{rows:,} visits of {rows // 2:,} people, at most two a person count, Parquet in Spark, local[2]",
        ["question", *(f"{who} {when} {unit} s" for who, when, unit in product(*_COLUMNS))],
        lines,
        [
            f"cold: the first of a session, whose Java has started; warm: the median of {rounds} more",
            f"load average {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores",
        ],
    )


def _line(folder: Path, what: str, rows: int, rounds: int) -> list[str]:
    place = folder / "visits"
    if not place.exists():
        made = f"SELECT hash(range, 1) % {rows // 2} AS id, (hash(range, 2) % 100)::INT AS age, "
        made += f"'r' || lpad((hash(range, 3) % 16)::VARCHAR, 2, '0') AS region FROM range({rows})"
        duckdb.execute(f"COPY ({made}) TO '{place}' (FORMAT parquet, PER_THREAD_OUTPUT true)")
    cells = [what]
    for who in ("private", "plain"):
        # A Java of its own for each, so that the first question is cold.
        words = [sys.executable, "-c", "from benchmarks.spark_questions import asked; asked()"]
        words += [who, str(place), QUESTIONS[what], str(rounds)]
        done = subprocess.run(words, stdout=subprocess.PIPE, check=True, timeout=clock.LONGEST)
        times = json.loads(done.stdout)
        for part in (times[:1], times[1:]):
            cells += [f"{statistics.median(each):.1f}" for each in zip(*part, strict=True)]
    return cells


def asked() -> None:
    """In a process of its own: what every question took."""
    from pyspark.sql import SparkSession

    from shoal.queries.stores.spark_store import SparkStore

    who, place, question, rounds = sys.argv[1:]
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    gateway = spark.sparkContext._gateway
    assert gateway is not None
    spark.sql(f"CREATE TABLE visits USING parquet LOCATION '{place}'")
    columns = (Column("id", "integer"), Column("age", "integer", 0, 120), Column("region", keys=REGIONS))
    declared = Dataset("bench", (Table("visits", columns, unit="id", rows=2),), Budget(Fraction(10**6)))
    with tempfile.TemporaryDirectory() as ledger:
        store = SparkStore(declared, spark, {"visits": "visits"})
        session = Session(declared, store, open_ledger(str(Path(ledger) / "ledger.sqlite")))
        session.grant("owner")
        times = []
        for number in range(1 + int(rounds)):
            text = question.format(n=20 + number)
            private, plain = partial(session.ask, text, Fraction(1)), spark.sql(text).collect
            times.append(_timed(private if who == "private" else plain, gateway.proc.pid))
    print(json.dumps(times))
    spark.stop()


def _timed(work: Callable[[], object], java: int) -> tuple[float, float]:
    wall, used = time.perf_counter(), time.process_time() + _cpu(java)
    work()
    return time.perf_counter() - wall, time.process_time() + _cpu(java) - used


def _cpu(process: int) -> float:
    """CPU seconds of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
