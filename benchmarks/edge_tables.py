"""k-degree anonymity of an edge table that stays in an engine: how what is held here grows with the edges."""

from __future__ import annotations

import tempfile
import time
import tracemalloc
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks import show
from shoal.engines.address import Address
from shoal.engines.sql_engine import connect
from shoal.graphs.in_engine.degree_plan import marks_of, plan_edges, population, sizes_of
from shoal.graphs.in_engine.edge_table import EdgeTable

SIZES = (100_000, 1_000_000, 10_000_000)
K = 10
_FILES = 8
_HEADER = [
    *("edges", "nodes", "degrees", "nodes here", "pairs asked", "added", "rounds"),
    *("engine CPU s", "plan CPU s", "plan MiB"),
]


@dataclass(frozen=True)
class Planned:
    """What one release took."""

    nodes: int
    edges: int
    degrees: int  # different ones
    here: int  # nodes that came here
    asked: int  # pairs that were looked up
    added: int
    rounds: int
    engine: float  # CPU seconds of cleaning and numbering
    plan: float  # CPU seconds of the plan, look-ups included
    held: int  # bytes at most that the plan held here


def run(rows: int | None = None) -> None:
    """Print one line per number of edges."""
    lines = []
    for edges in SIZES if rows is None else (rows,):
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), edges)
            found = planned(Path(folder))
        lines.append(
            [
                *(f"{number:,}" for number in (found.edges, found.nodes, found.degrees, found.here)),
                *(f"{number:,}" for number in (found.asked, found.added, found.rounds)),
                f"{found.engine:.1f}",
                f"{found.plan:.1f}",
                f"{found.held / 2**20:.1f}",
            ]
        )
    show.table(
        f"A folder of Parquet made k-degree anonymous in DuckDB, k={K}: Chung-Lu, exponent 2.4",
        _HEADER,
        lines,
        ["plan MiB: what Python and NumPy held at most for the plan; the engine's memory is its own"],
    )


def write(folder: Path, edges: int) -> None:
    """So many rows with ends drawn by weight, in several files."""
    chance = np.random.default_rng(1)
    nodes = max(10, edges // 5)
    weights = np.cumsum(np.arange(1, nodes + 1) ** (-1 / 1.4))
    for part in range(_FILES):
        draws = chance.random((edges // _FILES, 2)) * weights[-1]
        ends = np.searchsorted(weights, draws)
        pl.DataFrame({"source": ends[:, 0], "target": ends[:, 1]}).write_parquet(folder / f"{part}.parquet")


def planned(folder: Path) -> Planned:
    """The plan for a folder; nothing is written."""
    source = Address("folder", str(folder))
    asked = [0]
    with connect([source]) as engine:
        began = time.process_time()
        table = EdgeTable.of(engine, engine.table(source), "the folder", "key")
        cleaned = time.process_time()

        def existing(pairs: pl.DataFrame) -> pl.DataFrame:
            asked[0] += pairs.height
            return table.existing(pairs)

        tracemalloc.start()
        try:
            histogram = table.histogram()
            sizes = sizes_of(histogram, K)
            people = population(sizes, table.some_nodes(marks_of(sizes)))
            plan = plan_edges(people, table.node_count, K, existing, 1)
            held = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    counts = (table.node_count, table.edge_count, histogram.height, plan.nodes)
    times = cleaned - began, time.process_time() - cleaned
    return Planned(*counts, asked[0], plan.pairs.height, plan.rounds, *times, held)
