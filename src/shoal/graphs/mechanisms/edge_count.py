"""The number of edges with noise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from shoal.core.errors import BadParameter
from shoal.core.mechanism import Mechanism
from shoal.core.part_syntax import spell
from shoal.core.sampling.noise import check_scale, laplace_noise
from shoal.core.sampling.noise_accuracy import laplace_error, laplace_interval
from shoal.graphs.answering.degree_truncation import truncated_degrees
from shoal.graphs.answering.noisy_results import NoisyCount
from shoal.graphs.answering.privacy_parameters import Cost, Neighbours, check_cost, check_neighbours
from shoal.graphs.graph import Graph

_CONFIDENCE = Fraction(95, 100)


@dataclass(frozen=True)
class EdgeCount(Mechanism[Graph, NoisyCount]):
    """How many edges there are, as if any one edge (or person with all edges) might not be there.

    An edge moves the number by 1, so that the noise has the scale k/ε. A person (neighbours=node) may have
    any number of edges: there those beyond `bound` per person are left out first, and the scale is
    k · bound/ε. The bound is declared, never read off the graph; when it is too low the answer is too low,
    and nobody is told by how much. Nothing but the parameters is public.

    Kasiviswanathan, Nissim, Raskhodnikova, Smith, "Analyzing graphs with node differential privacy", 2013;
    the way to leave edges out, Day, Li, Lyu 2016.
    """

    name: ClassVar[str] = "edge-count"
    example: ClassVar[str] = "epsilon=0.5"

    epsilon: Fraction
    k: int = 1
    neighbours: Neighbours = "edge"
    bound: int | None = None

    def __post_init__(self) -> None:
        check_cost(self)
        check_neighbours(self)
        if self.neighbours == "edge" and self.bound is not None:
            raise BadParameter(
                f"{self.name}(bound={self.bound}) is for neighbours=node; "
                "an edge moves the number by 1 anyway"
            )
        check_scale(self.scale)

    @property
    def sensitivity(self) -> int:
        """How far the number moves."""
        return self.k if self.neighbours == "edge" else self.k * (self.bound or 0)

    @property
    def scale(self) -> Fraction:
        """Of the noise."""
        return self.sensitivity / self.epsilon

    def release(self, graph: Graph) -> NoisyCount:
        """The number, never below 0, with its error and interval."""
        if self.bound is None:
            true = graph.undirected().edges
        else:
            true = int(truncated_degrees(graph, self.bound).sum()) // 2
        # Below 0 there is nothing: what is cut to 0 comes closer to the truth, and the interval stays right.
        value = max(0, true + int(laplace_noise(self.scale, 1)[0]))
        margin = int(laplace_interval(self.scale, _CONFIDENCE))
        notes = () if self.bound is None else (f"edges beyond {self.bound} per person are not in it",)
        return NoisyCount(
            spell(self),
            "edges",
            value,
            laplace_error(self.scale),
            max(0, value - margin),
            value + margin,
            Cost(self.epsilon, self.k, self.neighbours),
            (),
            notes,
        )
