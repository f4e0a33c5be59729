"""The passive attack of Narayanan and Shmatikov: a second network, a few people known, the rest follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, get_args

import numpy as np

from shoal.core.contract import Attack, Need, Threat
from shoal.core.deadline import OutOfTime, check_time
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding
from shoal.core.progress import tell
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.attacks.propagation import propagation_kernels as kernels
from shoal.graphs.graph import Graph, Int32
from shoal.graphs.matching.matching import NOBODY, Matching, inverse, rows_of
from shoal.graphs.matching.second_network import SecondNetwork, SeedsBy

MOST_ROUNDS = 200
CHUNK = 10_000  # nodes, a second or less, between two looks at the time


@dataclass(frozen=True)
class Propagation(Attack[Scene]):
    """Names people from a second network, by the cosine of their friends who are matched already.

    A node is matched with the one of the largest cosine if that stands out by `threshold` deviations from the
    second best (eccentricity), and if the same is found with the networks exchanged; everybody is looked at
    again in each round, whoever is matched already, too. In directed networks friends count in both
    directions, and whom somebody points to only where both were crawled. Known are the people of `--seeds`,
    or `seeds` people drawn from the truth; `seeds_by` is for attackers who know nobody: `profiles` (friends'
    numbers of friends), `cliques` (with everybody's number of friends and how many they share) or `cosines`
    (of the circles of those with the most followers). Without an auxiliary network, one is drawn from the
    original with a share `overlap` of its edges.

    Narayanan and Shmatikov, "De-anonymizing social networks", 2009; Narayanan, Shi, Rubinstein, "Link
    prediction by de-anonymization", 2011.
    """

    name: ClassVar[str] = "propagation"
    example: ClassVar[str] = "seeds=3"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "identifiability"

    seeds: int = 150
    seeds_by: SeedsBy = "known"
    threshold: float = 0.5
    overlap: float = 0.8

    def __post_init__(self) -> None:
        if self.seeds_by not in get_args(SeedsBy):
            raise BadParameter(
                f"propagation(seeds_by={self.seeds_by}) is no way to begin; give one of "
                f"{', '.join(get_args(SeedsBy))}"
            )
        if self.threshold < 0:
            raise BadParameter(
                f"propagation(threshold={self.threshold:g}) lets the second best win; give 0 or more"
            )

    def attack(self, scene: Scene) -> Finding:
        """Whom a second network names."""
        second = SecondNetwork.of(scene, self.name, self.seeds, self.seeds_by, self.overlap)
        fixed = (second.seeds != NOBODY) & second.fixed
        found = spread(second.people, second.release, second.seeds, fixed, self.threshold)
        return second.finding(self.name, found, scene)


def spread(left: Graph, right: Graph, known: Int32, fixed: kernels.Mask, threshold: float) -> Matching:
    """Extend a matching until looking at everybody once more changes nothing, or the time is over.

    In between only those are looked at whose friends changed: what a second look would tell of the others
    hardly differs, and the last look is at everybody.
    """
    here, there = rows_of(left), rows_of(right)
    nodes, back = known.copy(), inverse(known, right.nodes)
    counts = kernels.count_known(here, nodes), kernels.count_known(there, back)
    size = max(left.nodes, right.nodes)
    scratch = np.zeros(size, np.int64), np.empty(size, np.int32)
    stale, everybody = np.ones(left.nodes, np.bool_), True
    for done in range(MOST_ROUNDS):
        changed = 0
        for start in range(0, left.nodes, CHUNK):
            try:
                check_time()
            except OutOfTime:
                return Matching(nodes, done, complete=False)
            changed += kernels.propagate(
                here,
                there,
                left.directed,
                nodes,
                back,
                *counts,
                fixed,
                stale,
                threshold,
                start,
                min(start + CHUNK, left.nodes),
                scratch,
            )
        tell(len(Matching(nodes)), 0, f"round {done + 1}: people matched")
        if not changed and everybody:
            return Matching(nodes, done + 1)
        everybody = not changed
        stale |= everybody
    return Matching(nodes, MOST_ROUNDS)
