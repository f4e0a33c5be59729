"""Two overlapping copies of one network: how many people a second network names, rightly and wrongly."""

from __future__ import annotations

import time

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

OVERLAP, SEEDS = 0.5, 150
NAMES = ("facebook_combined", "ca-AstroPh", "email-Enron", "ca-GrQc")
FRIENDS = 20  # of everybody on average, in made-up networks
PAPER = "Narayanan and Shmatikov 2009: 30.8 % right, 12.1 % wrong with 150 seeds, Flickr and Twitter"


def run(nodes: int | None, only: str) -> None:
    """Real networks beside this repository, or a made-up one of so many nodes."""
    given = _made_up(nodes) if nodes else _real(only)
    rows = [row for name, graph in given.items() for row in _measured(name, graph)]
    if not rows:
        print("the graphs of shared/data/graphs are not beside this repository; give --rows NODES")
        return
    header = ("network", "attack", "people", "right", "wrong", "CPU s")
    show.table(f"{OVERLAP:.0%} of the edges in both, {SEEDS} seeds", header, rows, [PAPER])


def _made_up(nodes: int) -> dict[str, Graph]:
    ends = networks.network(nodes, nodes * FRIENDS // 2)
    made = Graph.of_edges(nodes, ends["source"].to_numpy(), ends["target"].to_numpy())
    return {f"made up, {nodes:,}": made}


def _real(only: str) -> dict[str, Graph]:
    found = networks.real()
    return {
        name: shoal.read_graph(found[name]).undirected() for name in NAMES if only in name and name in found
    }


def _measured(name: str, graph: Graph) -> list[tuple[str, ...]]:
    chance = np.random.default_rng(1)
    known, other = two_copies(graph, OVERLAP, chance)
    known = Graph.of_edges(graph.nodes, *_ends(known))  # without the labels of the file
    places = chance.permutation(graph.nodes)
    release = Graph.of_edges(graph.nodes, *_ends(other)).moved(places)
    names = np.arange(graph.nodes).astype(str)
    truth = pl.DataFrame({"original": names, "label": places.astype(str)})
    scene = Scene(release, auxiliary=known, truth=truth, seed=1)
    attacks: tuple[Attack[Scene], ...] = (
        Percolation(seeds=SEEDS),
        Propagation(seeds=SEEDS),
        DegreeProfiles(),
    )
    rows: list[tuple[str, ...]] = []
    for attack in attacks:
        started = time.process_time()
        finding = attack.attack(scene)
        took = time.process_time() - started
        rate, wrong = finding.rate, finding.wrong or 0.0
        rows.append(
            (name, attack.name, f"{rate.targets:,}", f"{rate.value:.1%}", f"{wrong:.1%}", f"{took:.1f}")
        )
    return rows


def _ends(graph: Graph) -> tuple[np.ndarray[tuple[int], np.dtype[np.int32]], ...]:
    ends = graph.edge_list()
    return ends.sources, ends.targets
