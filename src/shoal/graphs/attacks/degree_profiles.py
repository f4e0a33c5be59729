"""Somebody with a second network who knows nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.contract import Attack, Need, Threat
from shoal.core.outcome import Finding
from shoal.graphs.attacker_reasoning.scene import Scene
from shoal.graphs.matching.likelihood_matching import match_people
from shoal.graphs.matching.second_network import SecondNetwork, check_confidence


@dataclass(frozen=True)
class DegreeProfiles(Attack[Scene]):
    """Names people from a second network without knowing anybody.

    It begins with the fifty people with many friends whose friends' numbers of friends stand out most in both
    networks, and goes on as percolation does. None of the fifty is taken for certain: whoever does not fit
    once more people are matched is let go.

    Ding, Ma, Wu, Xu, "Efficient random graph matching via degree profiles", 2021.
    """

    name: ClassVar[str] = "degree-profiles"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "identifiability"

    confidence: float = 0.9
    overlap: float = 0.8

    def __post_init__(self) -> None:
        check_confidence(self.name, self.confidence)

    def attack(self, scene: Scene) -> Finding:
        """Whom a second network names to somebody who knows nobody."""
        second = SecondNetwork.of(scene, self.name, 0, "profiles", self.overlap)
        found = match_people(second.people, second.release, second.seeds, self.confidence, fixed=False)
        return second.finding(self.name, found, scene, second.limit(self.confidence))
