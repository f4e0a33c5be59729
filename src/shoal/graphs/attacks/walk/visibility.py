"""How far planted accounts stand out to somebody who looks for such before the release."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from shoal.core.outcome import Json
from shoal.graphs.attacks.walk.plant import Plant
from shoal.graphs.graph import Graph

LOOKED_AT = 200  # people with as many friends, for comparison


def visibility(plant: Plant, known: Graph, chance: np.random.Generator) -> dict[str, Json]:
    """The accounts beside people who have as many friends.

    Friends of an account rarely know each other, which lowers its clustering; where edges have a direction,
    nobody outside links back to an account, and few others have many friends and no arrow to them.
    """
    low, high = int(plant.sought.degrees.min()), int(plant.sought.degrees.max())
    degrees = plant.graph.degrees[: known.nodes]
    alike = np.flatnonzero((degrees >= low) & (degrees <= high))
    some = chance.choice(alike, min(LOOKED_AT, len(alike)), replace=False)
    told: dict[str, Json] = {
        "share_of_people_with_as_many_friends": len(alike) / max(known.nodes, 1),
        "clustering_of_accounts": _clustering(plant.graph, plant.members.tolist()),
        "clustering_of_people_alike": _clustering(plant.graph, some.tolist()),
    }
    if known.directed:
        no_arrows_in = np.bincount(known.targets, minlength=known.nodes) == 0
        told["arrows_to_an_account_from_outside"] = 0
        told["people_alike_without_arrows_in"] = int((no_arrows_in & (known.degrees >= low)).sum())
    return told


def _clustering(graph: Graph, nodes: list[int]) -> float:
    """How often two friends of somebody know each other, on average over some people."""
    shares = []
    for node in nodes:
        pairs = list(combinations(graph.neighbours(node).tolist(), 2))
        shares.append(sum(graph.has(one, other) for one, other in pairs) / max(len(pairs), 1))
    return float(np.mean(shares)) if shares else 0.0
