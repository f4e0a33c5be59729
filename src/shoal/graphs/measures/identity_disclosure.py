"""How surely somebody is found who is known by the number of friends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.contract import Measure
from shoal.core.outcome import Json
from shoal.graphs.graph import Graph
from shoal.graphs.measures.degree_anonymity import DegreeAnonymity


@dataclass(frozen=True)
class IdentityRisk:
    """The chance to point at the right person, as a mean over all people and for the worst off."""

    mean: float
    worst: float

    def to_json(self) -> dict[str, Json]:
        return {"mean": self.mean, "worst": self.worst}


@dataclass(frozen=True)
class IdentityDisclosure(Measure[Graph, IdentityRisk]):
    """The chance of finding a person among all those with the same number of friends.

    Whoever knows a person's degree is left with the people of that degree as candidates, and picks the right
    one with a chance of one over their number. The mean over all people is the number of degrees that occur
    over the number of people.

    Hay et al., "Resisting structural re-identification in anonymized social networks", 2008.
    """

    name: ClassVar[str] = "identity-disclosure"

    def measure(self, graph: Graph) -> IdentityRisk:
        """By degree alone."""
        found = DegreeAnonymity().measure(graph)
        if not graph.nodes:
            return IdentityRisk(0.0, 0.0)
        return IdentityRisk(found.classes / graph.nodes, 1 / found.level)
