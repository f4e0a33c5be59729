"""The sorted degrees with noise and constrained inference."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from shoal.core.mechanism import Mechanism
from shoal.core.part_syntax import spell
from shoal.core.sampling.noise import check_scale, laplace_noise
from shoal.core.sampling.noise_accuracy import laplace_error, laplace_interval
from shoal.graphs.answering import constrained_inference
from shoal.graphs.answering.noisy_results import NoisySequence
from shoal.graphs.answering.privacy_parameters import Cost, check_cost, check_nodes, people, public_people
from shoal.graphs.graph import Graph

_CONFIDENCE = Fraction(95, 100)


@dataclass(frozen=True)
class DegreeSequence(Mechanism[Graph, NoisySequence]):
    """How many edges people have, in ascending order and without names, as if any edge might not be there.

    Each degree gets whole Laplace noise of the scale 2k/ε: an edge moves two degrees by 1, and sorting brings
    sequences only closer. Then the nearest sequence that never falls is taken, within 0 and n - 1, which
    takes most of the noise off where many have the same degree. It sees the noisy numbers only and costs
    nothing. The number of people is public: declare it as `nodes` where the file lists edges only, because
    there a person's last edge takes the person along. When there are more, those with fewest edges are left
    out, and nobody is told. Directed graphs lose their direction first.

    Hay, Li, Miklau, Jensen, "Accurate estimation of the degree distribution of private networks", 2009.
    """

    name: ClassVar[str] = "degree-sequence"
    example: ClassVar[str] = "epsilon=0.5"

    epsilon: Fraction
    k: int = 1
    nodes: int | None = None
    rounded: bool = False

    def __post_init__(self) -> None:
        check_cost(self)
        check_nodes(self)
        check_scale(self.scale)

    @property
    def sensitivity(self) -> int:
        """How far all sorted degrees together move: 2 for each edge."""
        return 2 * self.k

    @property
    def scale(self) -> Fraction:
        """Of the noise."""
        return self.sensitivity / self.epsilon

    def release(self, graph: Graph) -> NoisySequence:
        """The degrees as drawn and as inferred."""
        number = people(graph, self.nodes)
        degrees = np.zeros(max(number, graph.nodes), np.int64)
        degrees[len(degrees) - graph.nodes :] = np.sort(graph.undirected().degrees)
        # Of more people than declared the largest degrees stay; a part moves no farther than the whole.
        degrees = degrees[len(degrees) - number :]
        noisy = degrees + laplace_noise(self.scale, number)
        values = np.clip(constrained_inference.never_falling(noisy), 0, max(0, number - 1))
        return NoisySequence(
            spell(self),
            np.rint(values) if self.rounded else values,
            noisy,
            laplace_error(self.scale),
            laplace_interval(self.scale, _CONFIDENCE),
            Cost(self.epsilon, self.k),
            (public_people(self.nodes),),
        )
