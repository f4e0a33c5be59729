"""What comes here from an engine, and how much memory each side holds, as rows and as distinct rows grow."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks import show
from benchmarks.people import DATA

POSTGRES = "SHOAL_BENCHMARK_POSTGRES"  # the address of a database to make tables in
QUASI = ("age", "zip", "sex", "school")
# Rows, and how many zip codes: 90 × zip codes × 2 × 8 combinations are possible.
CASES = ((100_000, 5), (1_000_000, 5), (10_000_000, 5), (1_000_000, 50), (1_000_000, 500))
ROLES = {"SparkSubmit": "driver", "CoarseGrainedExecutorBackend": "executor"}
_PASSED = "SHOAL_BENCHMARK_PASSED"  # where the measured command says what it counted
_MIB, _EVERY = 1 << 20, 0.1
_HEADER = [
    *("engine", "rows", "distinct rows", "MB here", "MB there", "bytes a distinct row"),
    *("Python MiB", "driver Java MiB", "executor MiB", "rows read", "shuffled MB", "executor CPU s"),
]
_ROWS = """SELECT (hash(range, 1) % 90)::SMALLINT AS age, (1000 + hash(range, 2) % {zips})::SMALLINT AS zip,
    CASE WHEN hash(range, 3) % 2 = 0 THEN 'f' ELSE 'm' END AS sex, (hash(range, 4) % 8)::TINYINT AS school,
    'd' || (hash(range, 5) % 20) AS ill FROM range({rows})"""


def run(rows: int | None = None, only: str = "") -> None:
    """Print one line per engine and table."""
    lines = []
    cases = [case for case in CASES if rows in (None, case[0])] or [(rows or 0, 5)]
    for engine in (name for name in ("spark", "postgresql") if only in name):
        if engine == "postgresql" and not os.environ.get(POSTGRES):
            print(f"  no PostgreSQL: {POSTGRES} names none")
            continue
        lines += [_line(engine, *case) for case in cases]
    show.table(
        "protect in an engine of its own processes, k=5: bytes that come here and go there, memory at most",
        _HEADER,
        lines,
        [
            "Spark with two workers, a core and 1 GiB each; its bytes are those of Arrow, PostgreSQL's those "
            "of COPY",
            "rows read, shuffled and executor CPU are of the whole command, by Spark's event log",
            f"load average {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores",
        ],
    )


def counted() -> None:
    """The command line of Shoal in this process; a file says what passed the door of the engine."""
    from shoal.engines import postgres_engine
    from shoal.engines.postgres_text import csv, parts
    from shoal.engines.spark_engine import SparkEngine
    from shoal.faces.cli import main
    from shoal.jobs.tables import engine_protect
    from shoal.tables.in_engine.distinct_rows import distinct_rows

    passed = {"here": 0, "there": 0, "distinct": 0}
    batches, lend = SparkEngine.batches, SparkEngine.lend

    def counted_batches(self: SparkEngine, tree: Any) -> Iterator[Any]:
        for part in batches(self, tree):
            passed["here"] += int(part.estimated_size())
            yield part

    def counted_lend(self: SparkEngine, frame: Any, like: Any = None) -> Any:
        passed["there"] += int(frame.estimated_size())
        return lend(self, frame, like)

    def counted_parts(copy: Any) -> Iterator[bytes]:
        for part in parts(copy):
            passed["here"] += len(part)
            yield part

    def counted_csv(frame: Any, mark: str) -> bytes:
        text = csv(frame, mark)
        passed["there"] += len(text)
        return text

    def counted_rows(*given: Any) -> Any:
        found = distinct_rows(*given)
        passed["distinct"] = found.frame.height
        return found

    changed: tuple[tuple[Any, str, Any], ...] = (
        (SparkEngine, "batches", counted_batches),
        (SparkEngine, "lend", counted_lend),
        (postgres_engine, "parts", counted_parts),
        (postgres_engine, "csv", counted_csv),
        (engine_protect, "distinct_rows", counted_rows),
    )
    for owner, name, counting in changed:
        setattr(owner, name, counting)
    try:
        main()
    finally:
        Path(os.environ[_PASSED]).write_text(json.dumps(passed))


def _line(engine: str, rows: int, zips: int) -> list[str]:
    DATA.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DATA) as folder:
        work = _spark if engine == "spark" else _postgres
        found = work(Path(folder), rows, zips)
    figures = [f"{found[key] / 1e6:.2f}" for key in ("here", "there")]
    memory = [_shown(found[role] / _MIB) for role in ("python", "driver", "executor")]
    done = [f"{found['read']:,}", _shown(found["shuffled"] / 1e6), f"{found['cpu'] / 1e9:.1f}"]
    each = f"{(found['here'] + found['there']) / found['distinct']:.0f}"
    return [engine, f"{rows:,}", f"{found['distinct']:,}", *figures, each, *memory, *done]


def _shown(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 10 else f"{figure:.1f}"


def _spark(folder: Path, rows: int, zips: int) -> Counter[str]:
    import duckdb
    import pyspark

    source, conf, log = folder / "people", folder / "conf", folder / "log"
    for each in (source, conf, log):
        each.mkdir()
    select = _ROWS.format(rows=rows, zips=zips)
    duckdb.execute(f"COPY ({select}) TO '{source}' (FORMAT parquet, PER_THREAD_OUTPUT true)")
    (conf / "spark-defaults.conf").write_text(
        f"spark.eventLog.enabled true\nspark.eventLog.dir file://{log}\nspark.eventLog.compress false\n"
    )
    there = f"spark://local-cluster[2,1,1024]{folder}"
    more = {"SPARK_HOME": str(Path(pyspark.__file__).parent), "SPARK_CONF_DIR": str(conf)}
    return _run(f"{there}/people", f"{there}/release", folder, more) + _logged(log)


def _postgres(folder: Path, rows: int, zips: int) -> Counter[str]:
    import psycopg

    url, name = os.environ[POSTGRES], f"people_{secrets.token_hex(4)}"
    drawn = (
        f"SELECT (random() * 89)::int AS age, (1000 + random() * {zips - 1})::int AS zip, "
        "CASE WHEN random() < 0.5 THEN 'f' ELSE 'm' END AS sex, (random() * 7)::int AS school, "
        f"'d' || (random() * 19)::int AS ill FROM generate_series(1, {rows})"
    )
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE {name} AS {drawn}".encode())
        try:
            return _run(f"{url}#{name}", f"{url}#{name}_release", folder, {})
        finally:
            connection.execute(f"DROP TABLE IF EXISTS {name}, {name}_release".encode())


def _run(source: str, target: str, folder: Path, more: dict[str, str]) -> Counter[str]:
    """What passed the door, and the most memory of each kind of process; of executors that of the largest."""
    words = [sys.executable, "-c", "from benchmarks.crossing import counted; counted()"]
    words += ["table", "protect", source, "-o", target, "--quasi", ",".join(QUASI), "--sensitive", "ill"]
    words += ["--k", "5", "--method", "optimal", "--manifest", f"{folder}/record.json"]
    peaks: dict[str, int] = {}
    with (folder / "said").open("w") as said:
        passed = folder / "passed"
        process = subprocess.Popen(
            words, env={**os.environ, **more, _PASSED: str(passed)}, stdout=said, stderr=said
        )
        while process.poll() is None:
            for role, held in _memory(process.pid):
                peaks[role] = max(peaks.get(role, 0), held)
            time.sleep(_EVERY)
    if process.returncode:
        raise RuntimeError((folder / "said").read_text()[-2000:])
    return Counter({**peaks, **json.loads(passed.read_text())})


def _memory(process: int) -> Iterator[tuple[str, int]]:
    """The memory that a process and all those under it hold, each by what it is."""
    left = [process]
    while left:
        each = left.pop()
        with suppress(OSError):  # it has ended meanwhile
            folder = Path(f"/proc/{each}")
            words = (folder / "cmdline").read_text(errors="replace")
            held = int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            yield next((role for word, role in ROLES.items() if word in words), "python"), held
            for task in (folder / "task").iterdir():
                left += map(int, (task / "children").read_text().split())


def _logged(folder: Path) -> Counter[str]:
    """Rows that were read, bytes that were shuffled and the CPU of executors, by Spark's own log."""
    found: Counter[str] = Counter()
    for path in folder.rglob("events*"):
        for line in path.read_text("utf-8").splitlines():
            event = json.loads(line)
            done = event.get("Task Metrics") if event.get("Event") == "SparkListenerTaskEnd" else None
            if done:
                # Bytes are not counted where Parquet is read in several ranges at once.
                found["read"] += done["Input Metrics"]["Records Read"]
                found["shuffled"] += done["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                found["cpu"] += done["Executor CPU Time"]
    return found
