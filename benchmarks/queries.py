"""Private answers against the plain query in DuckDB, noise by the million, questions per second over HTTP.

The plain query is what a user would run without privacy, on the same rows in the same DuckDB.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl

from benchmarks import serving, show
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.ledger import open_ledger
from shoal.queries.session import Session
from shoal.queries.stores.duckdb_store import DuckStore

ROWS = 10_000_000
REGIONS = tuple(f"r{number:02d}" for number in range(16))
QUESTIONS = {
    "count": "SELECT COUNT(*) FROM people",
    "count where": "SELECT COUNT(*) FROM people WHERE age > {n}",
    "mean": "SELECT AVG(income) FROM people",
    "sum where": "SELECT SUM(income) FROM people WHERE age > {n}",
    "group by (16)": "SELECT region, COUNT(*) FROM people GROUP BY region",
    "mean by group": "SELECT region, AVG(income) FROM people GROUP BY region",
    "variance": "SELECT VAR_SAMP(income) FROM people",
    "median": "SELECT MEDIAN(income) FROM people",
    "count distinct unit": "SELECT COUNT(DISTINCT id) FROM people",
    "group by two (1,952)": "SELECT region, age, COUNT(*) FROM people GROUP BY region, age",
    "group by age (121)": "SELECT age, COUNT(*) FROM people GROUP BY age",
    "mean by age": "SELECT age, AVG(income) FROM people GROUP BY age",
    "median by group": "SELECT region, MEDIAN(income) FROM people GROUP BY region",
}


def run(rows: int | None, rounds: int | None, only: str) -> None:
    """All of it, or the parts with a text in their name."""
    if not only or only in "overhead":
        overhead(rows or ROWS, rounds or 5)
    if not only or only in "contributions":
        contributions(rows or ROWS, rounds or 3)
    if not only or only in "noise":
        noise()
    if not only or only in "service":
        serving.run(rows)


def declared() -> Dataset:
    """One row for every person."""
    columns = (
        Column("id", "integer"),
        Column("age", "integer", 0, 120),
        Column("income", "number", 0, 200_000),
        Column("region", keys=REGIONS),
    )
    return Dataset("bench", (Table("people", columns, unit="id"),), Budget(Fraction(10**6)))


def frame(rows: int) -> pl.DataFrame:
    chance = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "id": np.arange(rows),
            "age": chance.integers(0, 100, rows),
            "income": chance.gamma(2, 15_000, rows),
            "region": pl.Series(chance.integers(0, 16, rows))
            .cast(pl.String)
            .str.pad_start(2, "0")
            .str.head(2),
        }
    ).with_columns(("r" + pl.col("region")).alias("region"))


def overhead(rows: int, rounds: int) -> None:
    """Processor time of a private answer beside the plain one, in turn; the best of both."""
    data = frame(rows)
    plain = duckdb.connect()
    plain.execute("CREATE TABLE people AS SELECT * FROM data")
    began = time.perf_counter()
    store = DuckStore(declared())
    store.load("people", data)
    loaded = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as folder:
        session = Session(declared(), store, open_ledger(str(Path(folder) / "ledger.sqlite")))
        session.grant("owner")
        table = [["question", "plain ms", "private ms", "ratio", "added ms"]]
        for name, question in QUESTIONS.items():
            times: tuple[list[float], list[float]] = ([], [])
            for number in range(rounds + 1):
                text = question.format(n=20 + number)
                times[0].append(_worked(partial(_plain, plain, text)))
                epsilon = Fraction(1) + Fraction(number, 1000)  # another price: never from the archive
                times[1].append(_worked(partial(session.ask, text, epsilon)))
            one, other = (min(part[1:]) * 1000 for part in times)
            table.append([name, f"{one:.1f}", f"{other:.1f}", f"{other / one:.2f}", f"{other - one:.1f}"])
    show.table(
        f"private against plain, processor time, {rows:,} rows (loaded in {loaded:.1f} s), durable ledger",
        table[0],
        table[1:],
    )


def contributions(rows: int, rounds: int) -> None:
    """Up to three visits a person of which two count: the honest setting."""
    columns = (Column("id", "integer"), Column("region", keys=tuple(f"r{n:02d}" for n in range(16))))
    declared = Dataset("bench", (Table("visits", columns, unit="id", rows=2),), Budget(Fraction(10**6)))
    data = frame(rows).with_columns(pl.Series("id", np.random.default_rng(2).integers(0, rows // 2, rows)))
    plain = duckdb.connect()
    plain.execute("CREATE TABLE visits AS SELECT id, region FROM data")
    bounded = (
        "SELECT region, COUNT(*) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id) AS n FROM visits) "
        "WHERE n <= 2 GROUP BY region"
    )
    began = time.perf_counter()
    store = DuckStore(declared)
    store.load("visits", data)
    loaded = time.perf_counter() - began
    with tempfile.TemporaryDirectory() as folder:
        session = Session(declared, store, open_ledger(str(Path(folder) / "ledger.sqlite")))
        session.grant("owner")
        question = "SELECT region, COUNT(*) FROM visits GROUP BY region"
        ours = [
            _timed(partial(session.ask, question, Fraction(1) + Fraction(n, 1000))) for n in range(rounds)
        ]
        free = [_timed(lambda: plain.execute(question).fetchall()) for _ in range(rounds)]
        theirs = [_timed(lambda: plain.execute(bounded).fetchall()) for _ in range(1)]
    best = [min(part) * 1000 for part in (free, theirs, ours)]
    show.table(
        f"at most two rows a person, {rows:,} rows (loaded and cut in {loaded:.1f} s)",
        ["plain, unbounded ms", "plain, bounded by a window ms", "private ms"],
        [[f"{value:.1f}" for value in best]],
    )


def noise() -> None:
    """A million draws."""
    from shoal.core.sampling.noise import gaussian_noise, laplace_noise

    table = [["noise", "10⁶ draws, s", "one draw, µs"]]
    for name, draw in (("discrete Laplace", laplace_noise), ("discrete Gaussian", gaussian_noise)):
        draw(Fraction(10), 10_000)
        many = _timed(partial(draw, Fraction(10), 1_000_000))
        single = statistics.median(_timed(partial(draw, Fraction(10), 1)) for _ in range(200))
        table.append([name, f"{many:.2f}", f"{single * 1e6:.0f}"])
    show.table("exact noise (OpenDP: 8.5 s and 15 s for 10⁶, REFERENCES.md)", table[0], table[1:])


def _plain(connection: duckdb.DuckDBPyConnection, text: str) -> list[Any]:
    return connection.execute(text).fetchall()


def _worked(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
