"""The active attack: accounts that were planted before the release are found again in it."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.core.randomness import generator
from shoal.graphs.attacker_reasoning.colluders import NOBODY, nearest_nodes
from shoal.graphs.attacker_reasoning.scene import Remade, Scene
from shoal.graphs.attacker_reasoning.tolerant_search import Recovery, recover
from shoal.graphs.attacks.walk.plant import Plant, plant
from shoal.graphs.attacks.walk.visibility import visibility
from shoal.graphs.graph import Graph, Int64


@dataclass(frozen=True)
class Walk(Attack[Scene]):
    """Finds accounts again that were planted before the release, and the people to whom they were linked.

    Played on your own network (the original where it is given, else the file): `k` accounts join it, each
    with `d0` to `d1` friends outside, on a path with random edges besides, so that no two of them can change
    places. Each of `targets` people is linked to a set of accounts of their own. Then the network is
    protected as the release was (or as `--method` and `--model` say), and the accounts are looked for by a
    search tree, pruned where degrees or edges among the accounts do not fit; where the method changes edges,
    the search allows for as few changes as explain the release. From the accounts follow the targets, and
    what the release shows between two targets is learned.

    The rate is the share of `trials` in which all accounts were found; `wrong` is the share in which
    somebody else was taken for them. `sizes=3|5|7` tells the rate of each such k besides. `delta` chooses the
    k for which uniqueness is proved, (2 + delta) times the binary logarithm of the number of people.

    Backstrom, Dwork, Kleinberg, "Wherefore art thou R3579X?", 2007; thesis chapter 8.
    """

    name: ClassVar[str] = "walk"
    example: ClassVar[str] = "k=5,d0=3,d1=6,targets=3,trials=2"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "identifiability"
    sure: ClassVar[bool] = True
    slow: ClassVar[bool] = True
    counts: ClassVar[str] = "trials"

    k: int = 7
    d0: int = 10
    d1: int = 20
    targets: int = 10
    trials: int = 15
    sizes: tuple[int, ...] = ()
    delta: float | None = None

    def __post_init__(self) -> None:
        least = {"k": 2, "d0": 1, "targets": 1, "trials": 1}
        for word, value in [(word, getattr(self, word)) for word in least] + [("k", k) for k in self.sizes]:
            if value < least[word]:
                raise BadParameter(f"walk({word}={value}) plants nothing; {word} is at least {least[word]}")
        if self.d1 < self.d0:
            raise BadParameter(f"walk(d0={self.d0},d1={self.d1}): d1 is at least d0")
        if self.delta is not None and not self.delta > 0:
            raise BadParameter(f"walk(delta={self.delta:g}): delta is above 0, as in 0.1")

    def attack(self, scene: Scene) -> Finding:
        """In how many trials the accounts are found again, and what they learn then."""
        if scene.protect is None:
            raise BadParameter("walk plays how the release is made; give --method, or keep the manifest")
        known = scene.known.undirected()
        chance = generator(scene.seed)
        k = self.k if self.delta is None else math.ceil((2 + self.delta) * math.log2(max(known.nodes, 2)))
        trials = list(self._trials(known, scene, k, chance))
        found = sum(trial.right for trial in trials)
        told = [line for number, trial in enumerate(trials, 1) for line in trial.told(scene, number)]
        return Finding(
            attack=self.name,
            rate=Rate(found, len(trials)),
            baseline=1 / max(known.nodes, 1),
            findings=tuple(told[: scene.shown or None]),
            cure=(
                "no promise about degrees or neighbourhoods stops it: know your accounts before you publish, "
                "release groups (k-grouping), or a made-up network (edge-differential-privacy)"
                if found
                else "nothing to cure: the planted accounts were not found again"
            ),
            details={
                "protected_by": scene.protected_by,
                "accounts": k,
                **_summary(trials),
                **visibility(trials[0].plant, scene.known, chance),
                **({"by_size": self._by_size(known, scene, chance)} if self.sizes else {}),
            },
            wrong=sum(trial.wrong for trial in trials) / len(trials),
        )

    def _by_size(self, known: Graph, scene: Scene, chance: np.random.Generator) -> dict[str, Json]:
        """The rate over the number of accounts, as figure 8.2 has it."""
        told: dict[str, Json] = {}
        for k in self.sizes:
            trials = list(self._trials(known, scene, k, chance))
            rate = Rate(sum(trial.right for trial in trials), len(trials))
            tree = float(np.mean([trial.recovery.tree for trial in trials]))
            seconds = float(np.mean([trial.seconds for trial in trials]))
            interval = list(rate.interval)
            told[str(k)] = {"rate": rate.value, "interval": interval, "tree": tree, "seconds": seconds}
        return told

    def _trials(self, known: Graph, scene: Scene, k: int, chance: np.random.Generator) -> Iterator[Trial]:
        assert scene.protect is not None
        targets = min(self.targets, math.comb(k, min(3, k)))
        for _ in range(self.trials):
            planted = plant(known, k, self.d0, self.d1, targets, chance)
            made = scene.protect(planted.graph, int(chance.integers(2**31)))
            yield find_plant(planted, made)


@dataclass(frozen=True, eq=False)
class Trial:
    """A plant, the release of the network with it, and what was found there."""

    plant: Plant
    made: Remade
    recovery: Recovery
    nodes: Int64  # of the targets, -1 where they were not found
    seconds: float

    @property
    def right(self) -> bool:
        """Whether all accounts were found, and nobody else."""
        places = self.made.places
        return places is not None and bool((self.recovery.nodes == places[self.plant.members]).all())

    @property
    def wrong(self) -> bool:
        """Whether somebody else was taken for them."""
        return self.recovery.found and not self.right

    @property
    def hits(self) -> Sequence[int]:
        """The targets that were found, by their number."""
        places = self.made.places
        if places is None:
            return []
        return np.flatnonzero((self.nodes != NOBODY) & (self.nodes == places[self.plant.targets])).tolist()

    @property
    def pairs(self) -> int:
        """Pairs of targets of which the release tells whether they know each other."""
        found = int((self.nodes != NOBODY).sum())
        return found * (found - 1) // 2

    @property
    def right_pairs(self) -> int:
        """Those of them where it tells the truth of the original."""
        before, after = self.plant.graph, self.made.graph.undirected()
        return sum(
            before.has(int(self.plant.targets[one]), int(self.plant.targets[other]))
            == after.has(int(self.nodes[one]), int(self.nodes[other]))
            for one, other in combinations(self.hits, 2)
        )

    def told(self, scene: Scene, number: int) -> Iterator[dict[str, Json]]:
        """What was learned of targets: how many friends they have, and who of them know each other."""
        released = self.made.graph.undirected()

        def called(target: int) -> str:
            return scene.known.name(int(self.plant.targets[target]))

        for target in self.hits:
            who: dict[str, Json] = {"trial": number, "target": target + 1}
            if scene.truth is not None:
                who = {"name": called(target)}
            friends = int(released.degrees[self.nodes[target]])
            yield {"who": who, "learned": {"friends": friends}, "confidence": 1.0}
            for other in self.hits:
                if other > target and released.has(int(self.nodes[target]), int(self.nodes[other])):
                    ends = f"{called(target)} – {called(other)}"
                    edge = ends if scene.truth is not None else f"to target {other + 1}"
                    yield {"who": who, "learned": {"edge": edge}, "confidence": 1.0}


def find_plant(planted: Plant, made: Remade) -> Trial:
    """Look for the accounts in the release, and then for the people to whom they were linked."""
    released = made.graph.undirected()
    began = time.perf_counter()
    recovery = recover(released, planted.sought, made.adds, made.removes)
    nodes = np.full(len(planted.targets), NOBODY)
    if recovery.found:
        nodes = nearest_nodes(released, recovery.nodes, planted.codes, made.adds, made.removes)
    return Trial(planted, made, recovery, nodes, time.perf_counter() - began)


def _summary(trials: Sequence[Trial]) -> dict[str, Json]:
    """Figures of all trials together."""
    targets = sum(len(trial.plant.targets) for trial in trials)
    pairs = sum(trial.pairs for trial in trials)
    return {
        "targets": targets,
        "targets_found": sum(len(trial.hits) for trial in trials) / targets,
        "pairs_told": pairs,
        "pairs_told_rightly": sum(trial.right_pairs for trial in trials) / max(pairs, 1),
        "changes_allowed": max(trial.recovery.changes for trial in trials),
        "nodes_of_the_search_tree": float(np.mean([trial.recovery.tree for trial in trials])),
        "seconds_of_a_search": float(np.mean([trial.seconds for trial in trials])),
    }
