"""A million rows and ten million: the whole command, file to verified file, against its targets."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

from benchmarks import clock, show
from benchmarks.people import DATA, QUASI, SENSITIVE, people

GIB = 1 << 30
TARGETS = {1_000_000: (10.0, 4 * GIB), 10_000_000: (90.0, 12 * GIB)}  # wall seconds, bytes
SHARES = (0.0, 0.05)


def run(rows: int | None = None, rounds: int | None = None) -> None:
    """Print one line per size and share of suppressed rows, and how the cost grows with the size."""
    sizes = sorted(TARGETS) if rows is None else [rows]
    costs = {(size, share): _measure(size, share, rounds) for size in sizes for share in SHARES}
    notes = [
        "margin: how many times less than the target, in wall seconds and in memory",
        f"load average {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores: above one per core, "
        "the wall seconds contain the work of others",
    ]
    if len(sizes) > 1:
        notes += [_growth(costs, sizes[0], sizes[-1], share) for share in SHARES]
    show.table(
        f"The whole command, CSV to verified CSV: {len(QUASI)} quasi-identifiers, one sensitive column, k=5",
        ["rows", "suppress", "wall s", "CPU s", "peak GiB", "target", "margin", "loss", "rows suppressed"],
        [_line(size, share, *measured) for (size, share), measured in costs.items()],
        notes,
    )


def _measure(rows: int, share: float, rounds: int | None) -> tuple[clock.Cost, dict[str, float]]:
    subject = people(rows)
    with tempfile.TemporaryDirectory(dir=DATA) as folder:
        output = Path(folder) / "released.csv"
        words = clock.protect_words(
            subject.table, output, QUASI, subject.hierarchies, 5, share, sensitive=(SENSITIVE,)
        )
        cost = clock.best_command(words, rounds or (3 if rows <= 1_000_000 else 1))
        manifest = json.loads(output.with_name(f"{output.name}.shoal.json").read_text("utf-8"))
        return cost, {"loss": manifest["losses"]["loss"], "suppressed": manifest["suppressed"]}


def _line(rows: int, share: float, cost: clock.Cost, found: dict[str, float]) -> list[str]:
    target, margin = "–", "–"
    if rows in TARGETS:
        seconds, peak = TARGETS[rows]
        target = f"{seconds:g} s, {peak // GIB} GiB"
        margin = f"{show.times(seconds, cost.wall)}, {show.times(peak, cost.peak)}"
    return [
        f"{rows:,}",
        f"{share:g}",
        f"{cost.wall:.1f}",
        f"{cost.cpu:.1f}",
        f"{cost.peak / GIB:.2f}",
        target,
        margin,
        f"{found['loss']:.6f}",
        f"{found['suppressed']:,.0f}",
    ]


def _growth(
    costs: dict[tuple[int, float], tuple[clock.Cost, dict[str, float]]], small: int, large: int, share: float
) -> str:
    less, more = costs[small, share][0], costs[large, share][0]
    return (
        f"{small:,} → {large:,} rows ({large // small}x) at suppress {share:g}: "
        f"CPU {more.cpu / less.cpu:.1f}x, wall {more.wall / less.wall:.1f}x, "
        f"memory {more.peak / less.peak:.1f}x"
    )
