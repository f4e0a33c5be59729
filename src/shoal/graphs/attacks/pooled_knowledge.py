"""Several people who pool what they know of themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.core.randomness import generator
from shoal.graphs.attacker_reasoning.colluders import NOBODY, Circle, find_circle
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.graph import Graph, Int64


@dataclass(frozen=True)
class PooledKnowledge(Attack[Scene]):
    """Finds the friends of some people who put together how many friends they have, and who these are.

    Each member knows the number of their friends and which of the others is among them; together they look
    for themselves in the release. Then a friend is found whom no other node is like: the only one whom just
    these members know. What the release shows between two such friends is learned on top: an edge that no
    member knew of.

    `people` names the members, as in `pooled-knowledge(people=Alice|Cathy)`. Without names, `trials` circles
    of `size` people are tried, each somebody and friends of theirs, all drawn at random. `slack` is how many
    edges of a member may have been added or removed, as far as the method does that. Targets are the friends
    of the members; a hit is one who is found, and `wrong` the share taken for somebody else.

    Lecture example of Alice, Cathy, Bob and Ed; Backstrom, Dwork, Kleinberg, "Wherefore art thou R3579X?",
    2007, for the passive attack.
    """

    name: ClassVar[str] = "pooled-knowledge"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "identifiability"
    sure: ClassVar[bool] = True
    counts: ClassVar[str] = "friends"

    people: tuple[str, ...] = ()
    size: int = 2
    trials: int = 100
    slack: int = 0

    def __post_init__(self) -> None:
        for word, least in (("size", 1), ("trials", 1), ("slack", 0)):
            if getattr(self, word) < least:
                raise BadParameter(
                    f"pooled-knowledge({word}={getattr(self, word)}) makes no circle; {word} is at least "
                    f"{least}"
                )

    def attack(self, scene: Scene) -> Finding:
        """Which friends some people find, and what they learn about them."""
        known, released = scene.known.undirected(), scene.graph.undirected()
        places = scene.places(scene.known)
        circles = [
            find_circle(known, released, scene, members, self.slack)
            for members in self._circles(known, scene.seed)
        ]
        tally = _Tally()
        for circle in circles:
            tally.add(circle, places, released, scene)
        return Finding(
            attack=self.name,
            rate=Rate(tally.hits, tally.friends),
            baseline=1 / max(released.nodes, 1),
            findings=tuple(tally.told[: scene.shown or None]),
            cure=(
                "no promise about one person's edges stops people who find themselves; k-grouping(k=5) hides "
                "who is who, and edge-differential-privacy whether an edge is there"
                if tally.hits
                else "nothing to cure: nobody was found by what these people know"
            ),
            details={
                "circles": len(circles),
                "circles_that_found_all_members": tally.whole,
                "members": tally.members,
                "members_found": tally.found,
                "edges_learned": tally.edges,
            },
            wrong=None if places is None else tally.wrong / max(tally.friends, 1),
        )

    def _circles(self, known: Graph, seed: int | None) -> Iterator[list[int]]:
        if self.people:
            yield [_node(known, name) for name in dict.fromkeys(self.people)]
            return
        chance = generator(seed)
        with_friends = np.flatnonzero(known.degrees >= max(self.size - 1, 1))
        if not len(with_friends):
            raise BadParameter(
                f"pooled-knowledge(size={self.size}) finds nobody with so many friends; give a smaller size"
            )
        for _ in range(self.trials):
            first = int(chance.choice(with_friends))
            others = chance.choice(known.neighbours(first), self.size - 1, replace=False)
            yield [first, *map(int, others)]


class _Tally:
    """What all circles found together."""

    def __init__(self) -> None:
        self.members = self.found = self.whole = self.friends = self.hits = self.wrong = self.edges = 0
        self.told: list[dict[str, Json]] = []

    def add(self, circle: Circle, places: Int64 | None, released: Graph, scene: Scene) -> None:
        nodes, right = circle.nodes, circle.friend_nodes != NOBODY
        sure = nodes != NOBODY
        if places is not None:
            self.wrong += int((right & (circle.friend_nodes != places[circle.friends])).sum())
            right &= circle.friend_nodes == places[circle.friends]
            sure &= nodes == places[circle.members]
        self.members += len(nodes)
        self.found += int(sure.sum())
        self.whole += bool(sure.all())
        self.friends += len(right)
        self.hits += int(right.sum())
        hit = circle.friend_nodes[right].tolist()
        self._tell(hit, released, scene, None if places is None else 1.0)

    def _tell(self, hit: Sequence[int], released: Graph, scene: Scene, sure: float | None) -> None:
        for node in hit:
            learned: dict[str, Json] = {"node": released.name(node)}
            self.told.append({"who": scene.who(node), "learned": learned, "confidence": sure})
        for one, other in combinations(hit, 2):
            if released.has(one, other):
                self.edges += 1
                ends = [str(name) for node in (one, other) for name in scene.who(node).values()]
                learned = {"edge": " – ".join(ends)}
                self.told.append({"who": scene.who(one), "learned": learned, "confidence": sure})


def _node(known: Graph, name: str) -> int:
    names = known.names().cast(str)
    found = names.index_of(name)
    if found is None:
        raise BadParameter(
            f"pooled-knowledge names '{name}', whom the network does not have; name people by their labels, "
            f"such as {', '.join(names.head(3).to_list())}"
        )
    return found
