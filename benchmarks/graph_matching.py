"""Two overlapping copies of one network: how many people a second network names, rightly and wrongly.

`python -m benchmarks graph-matching` tells of real networks, with `--rows` of a made-up one, and with
`--only curves` by overlap, noise and number of seeds, for the chart of docs/graph-attacks.md.
"""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
import polars as pl

import shoal
from benchmarks import networks, show
from shoal.core.contract import Attack
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacks.degree_profiles import DegreeProfiles
from shoal.graphs.attacks.percolation import Percolation
from shoal.graphs.attacks.propagation.propagation import Propagation
from shoal.graphs.graph import Graph
from shoal.graphs.matching.overlapping_copies import two_copies

OVERLAP, SEEDS, ROUNDS = 0.5, 150, 5
NAMES = ("facebook_combined", "ca-AstroPh", "email-Enron", "ca-GrQc")
FRIENDS = 20  # of everybody on average, in made-up networks
PAPER = "Narayanan and Shmatikov 2009: 30.8 % right, 12.1 % wrong with 150 seeds, Flickr and Twitter"
# Student's t for 95 %, by the number of rounds.
T = {2: 12.7, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
CURVES: dict[str, list[dict[str, Any]]] = {
    "overlap": [{"overlap": value} for value in (0.3, 0.4, 0.5, 0.6, 0.8)],
    "noise": [{"noise": value, "overlap": 0.8} for value in (0.0, 0.2, 0.4)],
    "seeds": [{"seeds": value} for value in (10, 50, 150, 500)],
}
CURVES_OF, CURVES_ROUNDS = ("ca-GrQc",), 2
CURVES_FILE = Path(__file__).parents[1] / "docs" / "graph-matching.json"


@dataclass(frozen=True)
class Outcome:
    """What one attack achieved on one pair of copies, and at what price."""

    people: int
    right: float
    wrong: float
    limit: float | None  # the share that would be right if all others were known
    cpu: float
    wall: float


def run(nodes: int | None, rounds: int | None, only: str) -> None:
    """Real networks beside this repository, or a made-up one of so many nodes."""
    if only == "curves":
        _write_curves(rounds or CURVES_ROUNDS)
        return
    rounds = rounds or (1 if nodes else ROUNDS)
    given = _made_up(nodes) if nodes else _real(only)
    rows = [row for name, graph in given for row in _rows(name, graph, rounds)]
    if not rows:
        print("the graphs of shared/data/graphs are not beside this repository; give --rows NODES")
        return
    header = ("network", "attack", "people", "right %", "wrong %", "all others known %", "CPU s", "wall s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    notes = [
        PAPER,
        f"mean of {rounds} with 95 % interval; peak {peak:.1f} GiB, load {os.getloadavg()[0]:.0f}",
    ]
    show.table(f"{OVERLAP:.0%} of the edges in both, {SEEDS} seeds", header, rows, notes)


def _made_up(nodes: int) -> Iterator[tuple[str, Graph]]:
    ends = networks.network(nodes, nodes * FRIENDS // 2)
    yield f"made up, {nodes:,}", Graph.of_edges(nodes, ends["source"].to_numpy(), ends["target"].to_numpy())


def _real(only: str, names: tuple[str, ...] = NAMES) -> Iterator[tuple[str, Graph]]:
    found = networks.real()
    for name in names:
        if only in name and name in found:
            yield name, shoal.read_graph(found[name]).undirected()


def _rows(name: str, graph: Graph, rounds: int) -> list[tuple[str, ...]]:
    made = [_measure(graph, seed) for seed in range(1, rounds + 1)]
    rows: list[tuple[str, ...]] = []
    for attack in made[0]:
        outcomes = [each[attack] for each in made]
        limits = [outcome.limit for outcome in outcomes if outcome.limit is not None]
        rows.append(
            (
                name,
                attack,
                f"{outcomes[0].people:,}",
                _interval([outcome.right for outcome in outcomes]),
                _interval([outcome.wrong for outcome in outcomes]),
                _interval(limits) if limits else "",
                f"{fmean(outcome.cpu for outcome in outcomes):.1f}",
                f"{fmean(outcome.wall for outcome in outcomes):.1f}",
            )
        )
    return rows


def _interval(shares: list[float]) -> str:
    if len(shares) == 1:
        return f"{shares[0]:.1%}".rstrip("%")
    return f"{100 * fmean(shares):.1f} ± {100 * _half(shares):.1f}"


def _half(shares: list[float]) -> float:
    """Half the width of the 95 % interval of a mean."""
    return T.get(len(shares), 1.96) * stdev(shares) / sqrt(len(shares))


def _measure(
    graph: Graph, seed: int, overlap: float = OVERLAP, noise: float = 0.0, seeds: int = SEEDS
) -> dict[str, Outcome]:
    """All three attacks on two copies, drawn anew for each seed."""
    chance = np.random.default_rng(seed)
    known, other = two_copies(graph, overlap, chance, noise)
    known = Graph.of_edges(graph.nodes, *_ends(known))  # without the labels of the file
    places = chance.permutation(graph.nodes)
    release = Graph.of_edges(graph.nodes, *_ends(other)).moved(places)
    names = np.arange(graph.nodes).astype(str)
    truth = pl.DataFrame({"original": names, "label": places.astype(str)})
    scene = Scene(release, auxiliary=known, truth=truth, seed=seed)
    attacks: tuple[Attack[Scene], ...] = (
        Propagation(seeds=seeds),
        Percolation(seeds=seeds),
        DegreeProfiles(),
    )
    found = {}
    for attack in attacks:
        cpu, wall = time.process_time(), time.perf_counter()
        finding = attack.attack(scene)
        limit = finding.details.get("right_if_all_others_were_known")
        found[attack.name] = Outcome(
            finding.rate.targets,
            finding.rate.value,
            finding.wrong or 0.0,
            limit if isinstance(limit, float) else None,
            time.process_time() - cpu,
            time.perf_counter() - wall,
        )
    return found


def _write_curves(rounds: int) -> None:
    """How the attacks fare by overlap, noise and number of seeds, for the chart."""
    points = []
    for name, graph in _real("", CURVES_OF):
        for curve, settings in CURVES.items():
            for setting in settings:
                made = [_measure(graph, seed, **setting) for seed in range(1, rounds + 1)]
                for attack in made[0]:
                    shares = [each[attack].right for each in made]
                    limits = [each[attack].limit or 0.0 for each in made]
                    points.append(
                        {
                            "network": name,
                            "curve": curve,
                            "at": setting[curve],
                            "attack": attack,
                            "right": round(fmean(shares), 4),
                            "half": round(_half(shares), 4) if rounds > 1 else 0.0,
                            "wrong": round(fmean(each[attack].wrong for each in made), 4),
                            "limit": round(fmean(limits), 4),
                        }
                    )
                    print(points[-1], flush=True)
        told = {"rounds": rounds, "overlap": OVERLAP, "seeds": SEEDS, "points": points}
        CURVES_FILE.write_text(json.dumps(told, indent=1) + "\n", "utf-8")


def _ends(graph: Graph) -> tuple[np.ndarray[tuple[int], np.dtype[np.int32]], ...]:
    ends = graph.edge_list()
    return ends.sources, ends.targets
