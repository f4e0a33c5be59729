"""How long a search takes as a table grows: in rows from ten thousand on, and in columns from six to thirty.

Rows are those of `people`, nine quasi-identifiers, encode + optimal search. Columns are the made-up ones of
`wide`, 30,000 rows: the optimal search as long as a minute will do, and local recoding for any width.
Proofs are those of k = 5 on the survey of `wide`, 73,489 rows, the search alone; with how far off it is where
the time ends it (`--only proof`).
`docs/images/growth.py` draws what the last whole run left in `docs/growth.json`.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import shoal
from benchmarks import clock, show
from benchmarks.adult import Setting, measured
from benchmarks.people import people
from benchmarks.wide import ROWS, SURVEY_ROWS, made_up, survey
from shoal.tables.measures.loss import Loss
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.exact_search import exact_search
from shoal.tables.search.lattice import Lattice
from shoal.tables.table import Table

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
MOST_PROVED = 20_000_000  # nodes; beyond that a minute proves nothing
WIDTHS = (6, 8, 10, 12, 16, 20, 24, 30)
KEPT = Path(__file__).parents[1] / "docs" / "growth.json"
SUPPRESS = 0.05
PATIENCE = 60.0  # seconds for a proof
# Columns, and the share of rows that may be left out.
PROOFS = (*((columns, SUPPRESS) for columns in (9, 10, 11, 12, 13, 14)), (12, 1.0))
LONGEST_PROOF = 1800.0  # seconds
Line = dict[str, float | str | bool]


def run(rows: int | None = None, only: str = "") -> None:
    """Print both tables; without `rows` and `only` their figures are kept for the chart."""
    by_rows = [_rows(size) for size in ([rows] if rows else SIZES)] if only in "rows" else []
    widths = WIDTHS[:2] if rows else WIDTHS
    by_columns = (
        [line for columns in widths for line in _columns(columns, rows or ROWS)] if only in "columns" else []
    )
    if only in "proof":
        for columns, suppress in PROOFS[:2] if rows else PROOFS:
            _print_proof(columns, rows or SURVEY_ROWS, suppress)
    for title, lines in (("rows", by_rows), ("columns", by_columns)):
        if lines:
            show.table(
                f"Growth in {title}: CPU seconds, k = 5, {SUPPRESS:.0%} may be left out",
                [title, "way", "CPU s", "loss", "proved"],
                [
                    [
                        f"{line[title]:,}",
                        str(line["way"]),
                        f"{line['seconds']:.2f}",
                        f"{line['loss']:.4f}",
                        "yes" if line["proved"] else "–",
                    ]
                    for line in lines
                ],
                [f"load average {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores"],
            )
    if rows is None and not only:
        KEPT.write_text(json.dumps({"rows": by_rows, "columns": by_columns}, indent=1) + "\n", "utf-8")


def _print_proof(columns: int, rows: int, suppress: float) -> None:
    """One table per proof: the longest take long, and whoever ends them has seen the others."""
    wide = survey(columns, rows)
    table = Table(wide.frame, quasi=tuple(wide.frame.columns), hierarchies=wide.hierarchies)
    lattice = Lattice(Tuples.of(table, wide.hierarchies, {}))
    started = time.process_time()
    limit = math.floor(rows * suppress + 1e-9)
    found = exact_search(lattice, [KAnonymity(5)], Loss(), limit, ends=True).run(LONGEST_PROOF)
    seconds = time.process_time() - started
    assert found is not None
    show.table(
        f"Proof for {columns} columns, {rows:,} rows, k = 5, {suppress:.0%} may be left out",
        ["nodes", "looked at", "CPU s", "loss", "no less than", "proved"],
        [
            [
                f"{math.prod(lattice.shape):,}",
                f"{found.evaluated:,}",
                f"{seconds:.2f}",
                f"{found.cost:.6f}",
                f"{found.bound:.6f}",
                "yes" if found.optimal else "–",
            ]
        ],
        [f"load average {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores"],
    )


def _rows(size: int) -> Line:
    setting = Setting(("k-anonymity(k=5)",), SUPPRESS, None, (0, 0))
    # Spawned: a forked child of Polars hangs. In a process of its own, so that memory is given back.
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(measured, people(size), setting, 1).result(clock.LONGEST)
    return {
        "rows": size,
        "way": "optimal",
        "seconds": found.warm,
        "loss": found.result.cost,
        "proved": found.result.optimal,
    }


def _columns(columns: int, rows: int) -> list[Line]:
    table = made_up(columns, rows)
    nodes = math.prod(hierarchy.height + 1 for hierarchy in table.hierarchies.values())
    ways = {"local-recoding": "local-recoding", "heuristic": "heuristic"}
    if nodes <= MOST_PROVED:
        ways["optimal"] = f"optimal(time-limit={PATIENCE:g})"
    lines: list[Line] = []
    for way, method in ways.items():
        started = time.process_time()
        release = shoal.protect(
            table.frame,
            quasi=table.frame.columns,
            hierarchy=table.hierarchies,
            k=5,
            method=method,
            suppress=SUPPRESS,
            seed=1,
        )
        seconds = time.process_time() - started
        proved = way == "optimal" and release.optimal is True
        lines.append(
            {
                "columns": columns,
                "way": way,
                "seconds": seconds,
                "loss": release.losses["loss"],
                "proved": proved,
            }
        )
    return lines
