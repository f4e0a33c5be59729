"""Somebody with a second network who knows a few people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.contract import Attack, Need, Threat
from shoal.core.outcome import Finding
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.matching.likelihood_matching import match_people
from shoal.graphs.matching.second_network import SecondNetwork, check_confidence


@dataclass(frozen=True)
class Percolation(Attack[Scene]):
    """Names people from a second network, starting from a few who are known.

    Friends of people who are matched are matched next, where they are the likeliest pair in both directions:
    each shared friend counts as much as it tells, and each friend whom only one of the two has counts
    against them. `confidence` is how sure a pair must be against all other candidates. Known are the people
    of `--seeds`, or `seeds` people drawn from the truth; where neither is there, it begins with those whom
    their friends' numbers of friends give away. Without an auxiliary network, one is drawn from the original
    with a share `overlap` of its edges. `wrong` is the share of people who were taken for somebody else.

    Yartseva and Grossglauser, "On the performance of percolation graph matching", 2013; Korula and Lattanzi,
    "An efficient reconciliation algorithm for social networks", 2014.
    """

    name: ClassVar[str] = "percolation"
    example: ClassVar[str] = "seeds=3"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "identifiability"

    seeds: int = 30
    confidence: float = 0.9
    overlap: float = 0.8

    def __post_init__(self) -> None:
        check_confidence(self.name, self.confidence)

    def attack(self, scene: Scene) -> Finding:
        """Whom a second network names."""
        second = SecondNetwork.of(scene, self.name, self.seeds, "known", self.overlap)
        found = match_people(second.people, second.release, second.seeds, self.confidence, fixed=second.fixed)
        return second.finding(self.name, found, scene, second.limit(self.confidence))
