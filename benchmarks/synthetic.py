"""Synthetic tables: how far their three-column marginals are from the original's, and seconds.

Side by side with SmartNoise's MST and AIM, when SMARTNOISE names a Python that has `smartnoise-synth`: it
pins versions of its own, so it lives in an environment of its own. All columns are categorical and the
domain is that of the hierarchies (SmartNoise reads it from the data, for free).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

import shoal
from benchmarks import show
from benchmarks.people import QUASI, adult
from shoal.engines.files import read_frame, write_frame

DELTA = 1e-9
CONTENDERS = {
    "synthetic": ("synthetic", 0.0),
    "synthetic, δ": ("synthetic", DELTA),
    "synthetic(selection=tree)": ("synthetic(selection=tree)", 0.0),
    "synthetic(selection=tree), δ": ("synthetic(selection=tree)", DELTA),
}
HOUR = 3600
PEERS = ("mst", "aim")
THEIRS = """
import sys, time, warnings
warnings.filterwarnings("ignore")
import pandas as pd
from snsynth import Synthesizer
name, source, target = sys.argv[1:]
frame = pd.read_csv(source, dtype=str)
begun = time.process_time()
made = Synthesizer.create(name, epsilon=1.0, delta=1e-9)
drawn = made.fit_sample(frame, categorical_columns=list(frame.columns), preprocessor_eps=0.0)
drawn.to_csv(target, index=False)
print("seconds", time.process_time() - begun)
"""


def distance(original: pl.DataFrame, made: pl.DataFrame, order: int = 3) -> float:
    """The average total variation distance of all marginals of so many columns."""
    found = []
    for columns in combinations(original.columns, order):
        counts = [
            frame.group_by(columns).agg(pl.len() / frame.height) for frame in (original, made.cast(pl.String))
        ]
        both = counts[0].join(counts[1], on=columns, how="full", suffix="_made")
        found.append((both["len"].fill_null(0) - both["len_made"].fill_null(0)).abs().sum() / 2)
    return float(sum(found) / len(found))


def run(rows: int | None, rounds: int | None, only: str) -> None:
    """Every way to make a synthetic table."""
    subject = adult(rows)
    frame = read_frame(subject.table).select(QUASI).cast(pl.String)
    lines = []
    for name, (method, delta) in CONTENDERS.items():
        if only not in name:
            continue
        figures = [_ours(subject, frame, method, delta) for _ in range(rounds or 3)]
        lines.append(_line(name, figures))
    python = os.environ.get("SMARTNOISE")
    for name in PEERS if python else ():
        if only in name:
            lines.append(_line(f"smartnoise-synth {name}, δ", [_theirs(str(python), name, frame)]))
    notes = [] if python else ["SMARTNOISE=/path/to/python measures smartnoise-synth beside it"]
    show.table(
        f"Synthetic tables: {frame.height:,} rows, {frame.width} columns, ε = 1 (where it says δ, {DELTA:g})",
        ["method", "distance of 3 columns", "of 1 column", "CPU seconds"],
        lines,
        notes,
    )


def _line(name: str, figures: list[tuple[float, float, float]]) -> list[str]:
    three, single, seconds = (sum(column) / len(figures) for column in zip(*figures, strict=True))
    return [name, f"{three:.4f}", f"{single:.4f}", f"{seconds:.1f}"]


def _ours(subject: Any, frame: pl.DataFrame, method: str, delta: float) -> tuple[float, float, float]:
    *quasi, sensitive = QUASI
    begun = time.process_time()
    release = shoal.protect(
        str(subject.table),
        quasi=quasi,
        sensitive=sensitive,
        hierarchy={column: str(subject.hierarchies[column]) for column in QUASI},
        method=method,
        model=f"differential-privacy(epsilon=1,delta={delta})",
    )
    seconds = time.process_time() - begun
    made = release.to_polars().select(QUASI)
    return distance(frame, made), distance(frame, made, 1), seconds


def _theirs(python: str, name: str, frame: pl.DataFrame) -> tuple[float, float, float]:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.csv", Path(folder) / "out.csv"
        write_frame(frame, source)
        done = subprocess.run(
            [python, "-c", THEIRS, name, str(source), str(target)],
            capture_output=True,
            text=True,
            check=False,
            timeout=HOUR,
        )
        if done.returncode:
            print(done.stderr[-500:], file=sys.stderr)
            return float("nan"), float("nan"), float("nan")
        made = read_frame(target).select(QUASI)
        seconds = float(done.stdout.rsplit("seconds", 1)[1])
        return distance(frame, made), distance(frame, made, 1), seconds
