"""Networks of millions: the whole command, the degree programme, real graphs against their bound, peers.

The public implementations of k-degree anonymity are scripts, not packages: none can be installed from the
registry, so their figures are those of `shared/REFERENCES.md`, on the same graphs.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import shoal
from benchmarks import clock, networks, show
from shoal.catalog import Catalog

GIB = 1 << 30
K = 10
MILLION, MILLIONS = (1_048_435, 3_663_990), (4_400_000, 77_000_000)
TARGETS = {MILLION: (10.0, None), MILLIONS: (60.0, 8 * GIB)}  # CPU seconds of the whole command, bytes
PROGRAMME = (4_400_000, 1.0, (5, 50, 500))  # nodes, CPU seconds, k
NEIGHBOURS = (5_000, 15_000, 120.0, 5)  # nodes, edges, seconds, k
MARGIN = 0.05  # edges above the bound
ABSENT = "the graphs of shared/data/graphs are not beside this repository; nothing to measure"


@dataclass(frozen=True)
class Peer:
    """What somebody else's program did with a graph, as shared/REFERENCES.md tells it."""

    name: str
    graph: str
    seconds: float
    did: str


@dataclass(frozen=True)
class Made:
    """A release by the whole command."""

    cost: clock.Cost
    record: dict[str, Any]
    output: Path


PEERS = (
    Peer("graph-k-degree-anonymity", "power", 7.2, "+16 −8"),
    Peer("graph-k-degree-anonymity", "facebook_combined", 20.6, "+2,317 −1,296"),
    Peer("AnonymiGraph", "power", 900.0, "nothing in that time"),
    Peer("AnonymiGraph", "facebook_combined", 21.6, "+1,788 −1,434"),
    Peer("k-degree-anonymity", "facebook_combined", 2.8, "replaces 93 %"),
    Peer("K-degree-Anonymity", "email-Enron", 177.0, "replaces 97 %"),
    Peer("UMGA (Java)", "power", 1.0, "k smaller than asked"),
    Peer("UMGA (Java)", "email-Enron", 4.7, "k smaller than asked"),
)


def run(rows: int | None = None, rounds: int | None = None, only: str = "") -> None:
    """All of it, or the parts with a text in their name; `rows` is a number of nodes to take instead."""
    if not only or only in "command":
        command(rows, rounds or 1)
    if not only or only in "programme":
        programme(rows or PROGRAMME[0], rounds or 3)
    if not only or only in "bound":
        bound()
    if not only or only in "peers":
        peers(rounds or 3)
    if not only or only in "neighbourhood":
        neighbourhood(rows, rounds or 1)
    if not only or only in "grouping":
        grouping(rows, rounds or 1)
    if not only or only in "walk":
        walk(rows, rounds or 5)


def command(nodes: int | None, rounds: int) -> None:
    """`shoal graph protect`, file to verified file, against its targets."""
    sizes = [(nodes, nodes * 7 // 2)] if nodes else list(TARGETS)
    lines = []
    for size in sizes:
        with _folder() as folder:
            made = _released(networks.written(*size, folder), f"k-degree(k={K})", rounds, folder)
        seconds, peak = TARGETS.get(size, (None, None))
        target = "–" if seconds is None else f"{seconds:g} s" + (f", {peak // GIB} GiB" if peak else "")
        margin = "–" if seconds is None else show.times(seconds, made.cost.cpu)
        lines.append([*_sizes(made), *_cost(made.cost), target, margin, *_edges(made)])
    show.table(
        f"The whole command, CSV to verified CSV, generated power-law networks, k-degree(k={K})",
        ["nodes", "edges", "CPU s", "wall s", "peak GiB", "target", "margin", "added", "bound", "removed"],
        lines,
        ["margin: how many times less than the target, in CPU seconds", _load()],
    )


def programme(nodes: int, rounds: int) -> None:
    """Target degrees alone."""
    from shoal.graphs.building.target_degrees import Change, anonymous_degrees

    _, target, sizes = PROGRAMME
    known = networks.degrees(nodes, 35.0)
    changes: tuple[Change, ...] = ("raise", "lower", "both")
    lines = []
    for k in sizes:
        for change in changes:
            spent = clock.timed(lambda k=k, change=change: anonymous_degrees(known, k, change), rounds)  # type: ignore[misc]
            moved = int(abs(spent.result - known).sum())
            lines.append(
                [f"k={k}, {change}", f"{spent.warm:.3f}", show.times(target, spent.warm), f"{moved:,}"]
            )
    show.table(
        f"The degree programme on {nodes:,} nodes, best of {rounds} (target {target:g} s)",
        ["setting", "CPU s", "margin", "degrees moved in all"],
        lines,
    )


def bound() -> None:
    """Every real graph: how many edges more than the fewest possible, and that none is lost."""
    from shoal.graphs.building.target_degrees import anonymous_degrees

    lines = []
    for name, path in networks.real().items():
        graph: Any = shoal.read_graph(path)
        for k in (5, 50):
            if k > graph.nodes:
                continue
            made: Any = shoal.protect(graph, model=f"k-degree(k={k})", method="supergraph", seed=1)
            half = -(-int((anonymous_degrees(graph.degrees, k, "raise") - graph.degrees).sum()) // 2)
            above = made.added / made.bound - 1 if made.bound else 0.0
            verdict = "yes" if above <= MARGIN and made.removed == 0 else "NO"
            figures = [graph.nodes, graph.edges, made.added, half, made.bound, made.removed]
            lines.append([f"{name}, k={k}", *(f"{figure:,}" for figure in figures), f"{above:.2%}", verdict])
    show.table(
        f"Edges added by supergraph against the bound (target: {MARGIN:.0%} above it, none removed)",
        ["graph", "nodes", "edges", "added", "half of L1", "bound", "removed", "above", "met"],
        lines,
        ["half of L1: what the nearest degrees need; bound: what hubs that lack partners need as well"]
        if lines
        else [ABSENT],
    )


def peers(rounds: int) -> None:
    """The graphs that others were tried on, at k=5: our whole command beside their figures."""
    lines = []
    graphs = networks.real()
    for name in sorted({peer.graph for peer in PEERS} & set(graphs)):
        with _folder() as folder:
            made = _released(graphs[name], "k-degree(k=5)", rounds, folder)
        cost = made.cost.cpu
        seconds = shoal.protect(graphs[name], model="k-degree(k=5)", method="supergraph", seed=1).seconds
        for peer in PEERS:
            if peer.graph == name:
                ours = [f"{cost:.2f}", f"{seconds:.3f}", "+{added:,} −{removed:,}".format(**made.record)]
                ratios = [show.times(peer.seconds, cost), show.times(peer.seconds, seconds)]
                lines.append([f"{name}: {peer.name}", *ours, f"{peer.seconds:g}", peer.did, *ratios])
    show.table(
        "Beside the public implementations, k=5",
        [
            "graph and peer",
            "Shoal, command CPU s",
            "method s",
            "edges",
            "theirs s",
            "edges",
            "ratio",
            "of method",
        ],
        lines,
        ["theirs: as told in shared/REFERENCES.md, not measured in this run; none is in the package registry"]
        if lines
        else [ABSENT],
    )


def neighbourhood(nodes: int | None, rounds: int) -> None:
    """k-neighbourhood anonymity."""
    if "neighbourhood" not in {part.name for part in Catalog.whole().parts if part.kind == "method"}:
        show.table("k-neighbourhood", ["method"], [["neighbourhood is not in the catalog"]])
        return
    size, edges, target, k = NEIGHBOURS
    size, edges = (nodes, 3 * nodes) if nodes else (size, edges)
    with _folder() as folder:
        made = _released(networks.written(size, edges, folder), f"k-neighbourhood(k={k})", rounds, folder)
    margin, (added, _, removed) = show.times(target, made.cost.wall), _edges(made)
    show.table(
        f"The whole command, k-neighbourhood(k={k}), a generated power-law network (target {target:g} s)",
        ["nodes", "edges", "CPU s", "wall s", "peak GiB", "margin", "added", "removed"],
        [[*_sizes(made), *_cost(made.cost), margin, added, removed]],
    )


def grouping(nodes: int | None, rounds: int) -> None:
    """Groups of at least ten."""
    from shoal.graphs.formats.files import read_graph

    size, edges = (nodes, nodes * 7 // 2) if nodes else MILLION
    with _folder() as folder:
        made = _released(networks.written(size, edges, folder), f"k-grouping(k={K})", rounds, folder)
        groups: Any = read_graph(made.output).graph
    figures = [f"{groups.groups:,}", f"{groups.log_worlds:,.0f}", f"{groups.sure_edges:,}"]
    show.table(
        f"The whole command, k-grouping(k={K}), a generated power-law network",
        ["nodes", "edges", "CPU s", "wall s", "peak GiB", "groups", "log worlds", "sure edges"],
        [[*_sizes(made), *_cost(made.cost), *figures]],
    )


def walk(nodes: int | None, rounds: int) -> None:
    """Planted accounts found again in a network that was not changed; new labels change no search."""
    import resource

    import numpy as np

    from shoal.graphs.attacker_reasoning.scene import Remade
    from shoal.graphs.attacks.walk.plant import plant
    from shoal.graphs.attacks.walk.walk import find_plant
    from shoal.graphs.graph import Graph

    size = (nodes, nodes * 7 // 2) if nodes else MILLIONS
    ends = networks.network(*size)
    graph = Graph.of_edges(size[0], ends["source"].to_numpy(), ends["target"].to_numpy())
    del ends
    lines, chance = [], np.random.default_rng(1)
    for low, high in ((10, 20), (20, 60)):
        found, trees, seconds = 0, [], []
        for _ in range(rounds):
            planted = plant(graph, 7, low, high, 10, chance)
            places = np.arange(planted.graph.nodes)
            trial = find_plant(planted, Remade(planted.graph, places, adds=False, removes=False))
            found += trial.right
            trees.append(trial.recovery.tree)
            seconds.append(trial.seconds)
            del planted, trial
        longest = f"{max(seconds[1:]):.2f}"  # the first compiles
        lines.append([f"[{low}, {high}]", f"{found} of {rounds}", f"{max(trees):,}", longest, "5 s"])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / GIB
    show.table(
        f"Seven planted accounts and ten targets found again, {size[0]:,} nodes and {graph.edges:,} edges",
        ["friends outside", "found", "largest tree", "longest search, wall s", "target"],
        lines,
        [f"peak {peak:.2f} GiB, making the network included", _load()],
    )


def _folder() -> tempfile.TemporaryDirectory[str]:
    networks.DATA.mkdir(exist_ok=True)
    return tempfile.TemporaryDirectory(dir=networks.DATA)


def _released(data: Path, model: str, rounds: int, folder: str) -> Made:
    """What the whole command took, and what it says of its release (more than the manifest does)."""
    output = Path(folder) / "released.csv"
    words = [*clock.SHOAL, "graph", "protect", str(data), "-o", str(output), "--model", model, "--seed", "1"]
    words.append("--json")
    cost = clock.best_command(words, rounds)
    return Made(cost, json.loads(cost.said), output)


def _sizes(made: Made) -> Sequence[str]:
    return f"{made.record['nodes']:,}", f"{made.record['edges_before']:,}"


def _cost(cost: clock.Cost) -> Sequence[str]:
    return f"{cost.cpu:.1f}", f"{cost.wall:.1f}", f"{cost.peak / GIB:.2f}"


def _edges(made: Made) -> Sequence[str]:
    return tuple(
        "–" if made.record[name] is None else f"{made.record[name]:,}"
        for name in ("added", "bound", "removed")
    )


def _load() -> str:
    return f"load average {os.getloadavg()[1]:.1f} on {os.cpu_count()} cores"
