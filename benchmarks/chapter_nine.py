"""Chapter 9 of the thesis again: what k-degree anonymity does to graphs, algorithm by algorithm.

Writes docs/chapter-nine.json, which docs/images/chapter_nine.py draws and docs/chapter-nine.md tells of.
The thesis's algorithms are taken as they are written; GreedySwap stops at the first sample without a swap.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from statistics import fmean, pvariance
from typing import Any

import numpy as np
import polars as pl

from benchmarks.networks import real
from shoal.core.errors import Unreachable
from shoal.graphs.building.target_degrees import Change, anonymous_degrees
from shoal.graphs.graph import Graph
from shoal.graphs.measures.clustering import Clustering
from shoal.graphs.measures.diameter import Diameter
from shoal.graphs.measures.path_length import PathLength
from shoal.graphs.measures.power_law import PowerLaw
from shoal.graphs.methods.relaxed import Relaxed
from shoal.graphs.methods.simultaneous import Simultaneous
from shoal.graphs.methods.supergraph import Supergraph
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.release import GraphRelease

RESULT = Path(__file__).parents[1] / "docs" / "chapter-nine.json"
GRAPHS = {"power": "power grid", "ca-GrQc": "co-authors GrQc", "email-Eu-core-directed": "e-mail Eu-core"}
LEVELS = (2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
RUNS = 5
FEW = 2  # runs of what takes long
PATIENCE = 300  # samples without a swap before GreedySwap stops
SOURCES = 500  # nodes from which path lengths are measured
FIGURES = ("diameter", "path_length", "density", "exponent", "clustering", "kept")


def algorithms(seed: int) -> dict[str, Supergraph | Relaxed | Simultaneous]:
    """The thesis's three, two of them with more patience, and Shoal's three."""
    return {
        "SuperGraph": Supergraph(probing=4, seed=seed),
        "Relaxed": Relaxed(construction="greedy-swap", patience=1, seed=seed),
        "SimulSwap": Simultaneous(construction="greedy-swap", patience=1, seed=seed),
        "Relaxed, patient": Relaxed(construction="greedy-swap", patience=PATIENCE, seed=seed),
        "SimulSwap, patient": Simultaneous(construction="greedy-swap", patience=PATIENCE, seed=seed),
        "supergraph": Supergraph(seed=seed),
        "relaxed": Relaxed(seed=seed),
        "simultaneous": Simultaneous(seed=seed),
    }


def run(rounds: int | None, only: str) -> None:
    """Measure everything and write it down; `only` names a graph, and then nothing is written."""
    paths = real()
    if not paths:
        print("chapter-nine needs the graphs of shared/data/graphs; they are not here")
        return
    started = time.monotonic()
    result: dict[str, Any] = {
        "command": "python -m benchmarks chapter-nine",
        "runs": rounds or RUNS,
        "sources": SOURCES,
        "patient_runs": min(rounds or RUNS, FEW),
        "patience": PATIENCE,
        "graphs": {},
    }
    for file, name in GRAPHS.items():
        if only in name:
            result["graphs"][name] = _graph(_read(paths[file]), rounds or RUNS)
    if not only:
        RESULT.write_text(json.dumps(_rounded(result), separators=(",", ":")) + "\n", "utf-8")
    print(f"{time.monotonic() - started:.0f} s" + ("" if only else f", written to {RESULT}"))


def _read(path: Path) -> Graph:
    separator = "," if path.suffix == ".csv" else " "
    ends = pl.read_csv(path, has_header=False, separator=separator, comment_prefix="#").to_numpy()[:, :2]
    labels, codes = np.unique(ends, return_inverse=True)
    codes = codes.reshape(ends.shape)
    return Graph.of_edges(len(labels), codes[:, 0], codes[:, 1])


def _graph(graph: Graph, runs: int) -> dict[str, Any]:
    told: dict[str, Any] = {"nodes": graph.nodes, "edges": graph.edges, "original": _measured(graph, 0)}
    told["cost"] = [
        {"k": k, "additions": _distance(graph, k, "raise"), "both": _distance(graph, k, "both")}
        for k in range(2, 101)
    ]
    told["points"] = []
    for k in LEVELS:
        for name in algorithms(0):
            point = _point(graph, k, name, min(runs, FEW) if "patient" in name else runs)
            told["points"].append({"k": k, "algorithm": name, **point})
            print(k, name, {key: round(value, 4) for key, value in point.get("mean", {}).items()}, flush=True)
    return told


def _point(graph: Graph, k: int, name: str, runs: int) -> dict[str, Any]:
    """Mean and variance over runs; nothing where probing found no graph."""
    seen, seconds = [], []
    for seed in range(runs):
        try:
            release = algorithms(seed)[name].protect(graph, [KDegree(k)])
        except Unreachable:
            continue
        assert KDegree(k).holds(release.seen()).all()
        seen.append({**_measured(release.graph, seed), "kept": _kept(release)})
        seconds.append(release.seconds)
    if not seen:
        return {"runs": 0}
    return {
        "runs": len(seen),
        "seconds": round(fmean(seconds), 3),
        "mean": {key: fmean(one[key] for one in seen) for key in FIGURES},
        "variance": {key: pvariance([one[key] for one in seen]) for key in FIGURES},
    }


def _kept(release: GraphRelease) -> float:
    assert release.removed is not None and release.original_edges is not None
    return 1 - release.removed / release.original_edges


def _measured(graph: Any, seed: int) -> dict[str, float]:
    """The figures of 7.3.2: cc of equation 7.1, path length of 7.4 (0 where there is no way)."""
    exponent = PowerLaw().measure(graph).exponent
    assert exponent is not None
    return {
        "diameter": float(Diameter().measure(graph).value),
        "path_length": PathLength(sample=SOURCES, seed=seed).measure(graph).average.value,
        "density": graph.density,
        "exponent": exponent,
        "clustering": Clustering().measure(graph).cc.value,
    }


def _distance(graph: Graph, k: int, change: Change) -> int:
    return int(np.abs(anonymous_degrees(graph.degrees, k, change) - graph.degrees).sum())


def _rounded(told: Any) -> Any:
    """Five digits are more than runs agree on."""
    if isinstance(told, dict):
        return {key: _rounded(value) for key, value in told.items()}
    if isinstance(told, list):
        return [_rounded(value) for value in told]
    return float(f"{told:.5g}") if isinstance(told, float) else told
