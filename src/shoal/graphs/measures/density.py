"""How many of the possible edges are there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.core.contract import Measure
from shoal.graphs.graph import Graph


@dataclass(frozen=True)
class Density(Measure[Graph, float]):
    """The share of all pairs of people that are joined, from 0 to 1; 0 where there is no pair.

    Wasserman & Faust, "Social network analysis", 1994.
    """

    name: ClassVar[str] = "density"

    def measure(self, graph: Graph) -> float:
        """The density, without direction."""
        return graph.undirected().density
