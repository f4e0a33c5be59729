"""Tables where they are: the whole command against the plain group-by and write of the same engine."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from benchmarks import clock, show
from benchmarks.people import DATA

GIB = 1 << 30
SIZES = (100_000, 1_000_000, 10_000_000)
QUASI = ("age", "zip", "sex", "school")
# 90 × 50 × 2 × 8 combinations: with more rows there are not more of them.
MAKE = """
import duckdb, pathlib, sys
rows, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True)
made = duckdb.connect()
made.execute("SET preserve_insertion_order = false")
made.execute(f'''COPY (SELECT
    (hash(range, 1) % 90)::SMALLINT AS age, (1000 + hash(range, 2) % 50)::SMALLINT AS zip,
    CASE WHEN hash(range, 3) % 2 = 0 THEN 'f' ELSE 'm' END AS sex, (hash(range, 4) % 8)::TINYINT AS school,
    'd' || (hash(range, 5) % 20) AS ill FROM range({rows}))
    TO '{folder}' (FORMAT parquet, PER_THREAD_OUTPUT true)''')
"""
PLAIN = {
    "folder": """
import duckdb, sys
plain = duckdb.connect()
rows = f"read_parquet('{sys.argv[1]}/*.parquet')"
plain.execute(f"SELECT {sys.argv[3]}, count(*) FROM {rows} GROUP BY ALL").fetchall()
plain.execute(
    f"COPY (SELECT {sys.argv[3]}, ill FROM {rows}) "
    f"TO '{sys.argv[2]}' (FORMAT parquet, PER_THREAD_OUTPUT true)"
)
""",
    "spark": """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config(
    "spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate()
spark.sparkContext.setLogLevel("OFF")
rows = spark.read.parquet(sys.argv[1])
names = sys.argv[3].split(",")
rows.groupBy(*names).count().toArrow()
rows.select(*names, "ill").write.parquet(sys.argv[2])
spark.stop()
""",
}


def run(rows: int | None = None, rounds: int | None = None, only: str = "") -> None:
    """Print one line per engine and size: what the command took, and how many times the plain work."""
    lines = []
    for engine in (name for name in PLAIN if only in name):
        for size in SIZES if rows is None else (rows,):
            lines.append(_line(engine, size, rounds or 1))
    show.table(
        f"protect inside the engine, k=5 over {', '.join(QUASI)}, against a plain group-by and write",
        ["engine", "rows", "wall s", "CPU s", "peak GiB", "plain wall s", "plain CPU s", "times in wall"],
        lines,
        [
            "peak is that of the largest process: for Spark the driver's Java with its executors, or Python",
            f"load average {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores: above one per core, "
            "the wall seconds contain the work of others",
        ],
    )


def _line(engine: str, rows: int, rounds: int) -> list[str]:
    DATA.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DATA) as folder:
        source = Path(folder) / "people"
        clock.best_command([sys.executable, "-c", MAKE, str(rows), str(source)], 1)
        ours, plain = [], []
        for turn in range(rounds):
            out, other = Path(folder) / f"release{turn}", Path(folder) / f"plain{turn}"
            ours.append(clock.best_command(_protect_words(engine, source, out), 1))
            words = [sys.executable, "-c", PLAIN[engine], str(source), str(other), ",".join(QUASI)]
            plain.append(clock.best_command(words, 1))
    own, their = min(ours, key=lambda cost: cost.wall), min(plain, key=lambda cost: cost.wall)
    return [
        engine,
        f"{rows:,}",
        f"{own.wall:.1f}",
        f"{own.cpu:.1f}",
        f"{own.peak / GIB:.2f}",
        f"{their.wall:.1f}",
        f"{their.cpu:.1f}",
        f"{own.wall / their.wall:.1f}",
    ]


def _protect_words(engine: str, source: Path, out: Path) -> list[str]:
    there = f"spark://local[2]{source}" if engine == "spark" else str(source)
    target = f"spark://local[2]{out}" if engine == "spark" else f"{out}/"
    words = [
        sys.executable,
        "-m",
        "shoal",
        "table",
        "protect",
        there,
        "-o",
        target,
        "--quasi",
        ",".join(QUASI),
    ]
    words += ["--sensitive", "ill", "--k", "5", "--method", "optimal", "--json"]
    return [*words, "--manifest", f"{out}.json"]
