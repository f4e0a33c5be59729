"""The passive attack: people who are in the network find themselves in the release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.core.randomness import generator
from shoal.graphs.attacker_reasoning.colluders import NOBODY, find_friends
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacker_reasoning.tolerant_search import Sought, recover
from shoal.graphs.graph import Graph, Int64


@dataclass(frozen=True)
class Coalition(Attack[Scene]):
    """Finds people who know each other and look for themselves in the release, and then friends of theirs.

    A coalition is somebody and `size` - 1 friends of theirs, drawn at random. Together they know who of them
    knows whom, how many friends each has and shares with each other, and in which sets others know them;
    where the method changes edges, the search allows for as few changes as explain the release. The rate is
    the share of `trials` in which all members find themselves, `wrong` the share in which they take
    somebody else for themselves; the details tell how many friends of theirs are found on top. `sizes=3|4|5`
    tells the rate of each such size besides.

    Backstrom, Dwork, Kleinberg, "Wherefore art thou R3579X?", 2007, section 4; thesis section 8.9.
    """

    name: ClassVar[str] = "coalition"
    example: ClassVar[str] = "size=3,trials=4"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "identifiability"
    sure: ClassVar[bool] = True
    slow: ClassVar[bool] = True
    counts: ClassVar[str] = "coalitions"

    size: int = 5
    trials: int = 30
    sizes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for size in (self.size, *self.sizes):
            if size < 2:
                raise BadParameter(f"coalition(size={size}) is no coalition; size is at least 2")
        if self.trials < 1:
            raise BadParameter(f"coalition(trials={self.trials}) tries nothing; trials is at least 1")

    def attack(self, scene: Scene) -> Finding:
        """In how many trials people find themselves, and whom they find then."""
        known, released = scene.known.undirected(), scene.graph.undirected()
        chance, places = generator(scene.seed), scene.places(scene.known)
        trials = [
            _tried(known, released, scene, places, members)
            for members in self._drawn(known, self.size, chance)
        ]
        hits = sum(trial.right for trial in trials)
        friends = sum(len(trial.friends) for trial in trials)
        found = [node for trial in trials if trial.right for node in trial.friends if node != NOBODY]
        return Finding(
            attack=self.name,
            rate=Rate(hits, len(trials)),
            baseline=1 / max(released.nodes, 1),
            findings=tuple(
                {
                    "who": scene.who(node),
                    "learned": {"node": released.name(node)},
                    "confidence": None if places is None else 1.0,
                }
                for node in found[: scene.shown or None]
            ),
            cure=(
                "no promise about degrees stops people who know each other: release groups (k-grouping), or "
                "a made-up network (edge-differential-privacy)"
                if hits
                else "nothing to cure: nobody found themselves"
            ),
            details={
                "members": self.size,
                "friends": friends,
                "friends_found": len(found) / max(friends, 1),
                "nodes_of_the_search_tree": float(np.mean([trial.tree for trial in trials])),
                **({"by_size": self._by_size(known, released, scene, places, chance)} if self.sizes else {}),
            },
            wrong=None if places is None else sum(trial.wrong for trial in trials) / len(trials),
        )

    def _by_size(
        self,
        known: Graph,
        released: Graph,
        scene: Scene,
        places: Int64 | None,
        chance: np.random.Generator,
    ) -> dict[str, Json]:
        told: dict[str, Json] = {}
        for size in self.sizes:
            trials = [
                _tried(known, released, scene, places, members)
                for members in self._drawn(known, size, chance)
            ]
            rate = Rate(sum(trial.right for trial in trials), len(trials))
            told[str(size)] = {"rate": rate.value, "interval": list(rate.interval)}
        return told

    def _drawn(self, known: Graph, size: int, chance: np.random.Generator) -> Iterator[Int64]:
        sociable = np.flatnonzero(known.degrees >= size - 1)
        if not len(sociable):
            raise BadParameter(
                f"coalition(size={size}) finds nobody with so many friends; give a smaller size"
            )
        for _ in range(self.trials):
            first = int(chance.choice(sociable))
            friends = chance.choice(known.neighbours(first), size - 1, replace=False)
            yield np.array([first, *friends.tolist()], np.int64)


@dataclass(frozen=True, eq=False)
class _Trial:
    """Whether a coalition found itself or somebody else, and the nodes of friends, -1 where not found."""

    right: bool
    wrong: bool
    friends: list[int]
    tree: int


def _tried(known: Graph, released: Graph, scene: Scene, places: Int64 | None, members: Int64) -> _Trial:
    found = recover(released, Sought.of(known, members), scene.adds, scene.removes)
    right = found.found if places is None else bool((found.nodes == places[members]).all())
    friends = np.setdiff1d(np.concatenate([known.neighbours(int(one)) for one in members]), members)
    nodes = np.full(len(friends), NOBODY)
    if found.found:
        nodes = find_friends(known, released, scene, members, found.nodes, friends)
        if places is not None:
            nodes = np.where(nodes == places[friends], nodes, NOBODY)
    return _Trial(right, found.found and not right, nodes.tolist(), found.tree)
