"""The third act of the demo: who knows whom, released so that a number of friends names nobody.

The network is made up. Somebody who knows how many friends a person has looks for the nodes with that many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from shoal import api, api_graphs
from shoal.core.outcome import Json, Tables
from shoal.graphs.appraisal.appraisal import GraphAppraisal
from shoal.graphs.formats.files import write_graph
from shoal.graphs.graph import Graph
from shoal.graphs.release import GraphRelease

PEOPLE, FRIENDSHIPS, K, SEED = 3_000, 12_000, 10, 2025
REFINED = ("anonymity_classes", "refinement", "queries", 2)  # H2 of Hay et al. 2008
CIRCLE = 25  # people who meet: friends of friends are friends more often than not


@dataclass(frozen=True, eq=False)
class SocialNetwork:
    """A network before and after: who is alone with a number of friends, and what it cost."""

    release: GraphRelease
    before: GraphAppraisal
    after: GraphAppraisal
    verified: bool

    def to_json(self) -> dict[str, Json]:
        """What the demo's document says of the network."""
        return {
            "release": {name: told for name, told in self.release.to_json().items() if name != "seconds"},
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "verified": self.verified,
        }

    def to_tables(self) -> Tables:
        """One line per figure, before and after."""
        before, after = self.before.to_json(), self.after.to_json()
        rows = [["what", "names removed", "protected"]]
        for told, path in (
            ("fewest people with the same number of friends", ("anonymity", "degree")),
            ("people alone with theirs", ("anonymity_classes", "degree", "alone")),
            ("… whose friends' numbers are known, too", (*REFINED, "alone")),
            ("edges", ("edges",)),
            ("clustering", ("clustering", "cc")),
            ("steps from one person to another", ("average_path_length_reachable",)),
        ):
            share = path[-1] == "alone"
            rows.append([told, *(_figures_text(side, path, share) for side in (before, after))])
        name = f"a network of patients, k-degree(k={K}): {self.release.added:,} edges added, none removed"
        return {name: rows}


def network(people: int = PEOPLE, friendships: int = FRIENDSHIPS, seed: int = SEED) -> Graph:
    """Circles of friends, and some people whom very many know."""
    chance = np.random.default_rng(seed)
    fame = (np.arange(people) + 5.0) ** -0.75
    known = chance.permutation(people)[chance.choice(people, (friendships, 2), p=fame / fame.sum())]
    # Half of the friendships are within a circle.
    near = chance.random(friendships) < 0.5
    known[near, 1] = known[near, 0] // CIRCLE * CIRCLE + chance.integers(0, CIRCLE, int(near.sum()))
    known = np.minimum(known, people - 1)
    return Graph.of_edges(people, known[:, 0], known[:, 1])


def write_network(place: str | Path) -> None:
    """The made-up network as a file."""
    write_graph(network(), place)


def play_network(place: Path, say: Callable[[str], None]) -> SocialNetwork:
    """Write a network, protect it, check the file, and measure both."""
    original, released, mapping = (
        place / name for name in ("network.csv", "network-release.csv", "network-who-is-who.csv")
    )
    write_network(original)
    say(f"Protecting a network of {PEOPLE:,} of them: everybody has as many friends as {K - 1} others.")
    release: GraphRelease = api.protect(
        api_graphs.read_graph(original),
        output=released,
        mapping=mapping,
        model=f"k-degree(k={K})",
        seed=SEED,
    )
    verdict = api.verify(released, model=f"k-degree(k={K})")
    return SocialNetwork(
        release=release,
        before=api.measure(api_graphs.read_graph(original), seed=SEED),
        after=api.measure(api_graphs.read_graph(released), seed=SEED),
        verified=verdict.holds,
    )


def _figures_text(figures: Json, path: tuple[str | int, ...], share: bool) -> str:
    for step in path:
        figures = figures[step]  # type: ignore[index]
    if isinstance(figures, dict):  # an estimate
        figures = figures["value"]
    if share:
        return f"{figures:.1%}"
    return f"{figures:,.3g}" if isinstance(figures, float) else f"{figures:,}"
