"""How many people have each degree, with noise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from shoal.core.errors import BadParameter
from shoal.core.mechanism import Mechanism
from shoal.core.part_syntax import spell
from shoal.core.sampling.noise import check_scale, laplace_noise
from shoal.core.sampling.noise_accuracy import laplace_error, laplace_interval
from shoal.graphs.answering import constrained_inference
from shoal.graphs.answering.degree_truncation import truncated_degrees
from shoal.graphs.answering.noisy_results import NoisyHistogram
from shoal.graphs.answering.privacy_parameters import (
    Cost,
    Neighbours,
    check_cost,
    check_neighbours,
    check_nodes,
    people,
    public_people,
)
from shoal.graphs.graph import Graph, Int64

_CONFIDENCE = Fraction(95, 100)


@dataclass(frozen=True)
class DegreeHistogram(Mechanism[Graph, NoisyHistogram]):
    """How many people have each degree, as if any one edge (or person with all edges) might not be there.

    An edge moves two people, and each leaves one cell for another: the scale is 4k/ε. With
    `form=at-least` the numbers are those of people with so many edges or more; an edge moves two of these by
    1, so 2k/ε. Degrees above `bound` count as the bound (n - 1 when not given). The number of people is
    public; declare it as `nodes` where the file lists edges only.

    With neighbours=node edges beyond `bound` per person are left out first, and the scale is
    k(2·bound + 1)/ε, or 2k·bound/ε for at-least. Then the number of people is not public, and people without
    edges are not counted. The bound is declared, never read off the graph.

    For edges: Hay, Li, Miklau, Jensen, "Accurate estimation of the degree distribution of private networks",
    2009. For people: Day, Li, Lyu, "Publishing graph degree distribution with node differential privacy",
    2016.
    """

    name: ClassVar[str] = "degree-histogram"
    example: ClassVar[str] = "epsilon=0.5"

    epsilon: Fraction
    k: int = 1
    neighbours: Neighbours = "edge"
    bound: int | None = None
    form: Literal["cells", "at-least"] = "cells"
    nodes: int | None = None

    def __post_init__(self) -> None:
        check_cost(self)
        check_neighbours(self)
        check_nodes(self)
        if self.form not in ("cells", "at-least"):
            raise BadParameter(f"{self.name} knows form=cells and form=at-least, not '{self.form}'")
        if self.neighbours == "node" and self.nodes is not None:
            raise BadParameter(
                f"{self.name}(neighbours=node) does not count people without edges, so nodes={self.nodes} "
                "says nothing; leave it out"
            )
        check_scale(self.scale)

    @property
    def sensitivity(self) -> int:
        """How far all numbers together move."""
        cells = self.form == "cells"
        if self.neighbours == "edge":
            return self.k * (4 if cells else 2)
        bound = self.bound or 0
        return self.k * (2 * bound + 1 if cells else 2 * bound)

    @property
    def scale(self) -> Fraction:
        """Of the noise."""
        return self.sensitivity / self.epsilon

    def release(self, graph: Graph) -> NoisyHistogram:
        """Noisy numbers and the counts made of them."""
        total = None if self.neighbours == "node" else people(graph, self.nodes)
        true = self.numbers(graph)
        noisy = true + laplace_noise(self.scale, len(true))
        first = 0 if self.form == "cells" and self.neighbours == "edge" else 1
        node = self.neighbours == "node"
        return NoisyHistogram(
            spell(self),
            self.form,
            np.arange(first, first + len(noisy)),
            self._counts(noisy, total),
            noisy,
            laplace_error(self.scale),
            laplace_interval(self.scale, _CONFIDENCE),
            Cost(self.epsilon, self.k, self.neighbours),
            () if node else (public_people(self.nodes),),
            (f"edges beyond {self.bound} per person are left out, and people without edges",) if node else (),
        )

    def numbers(self, graph: Graph) -> Int64:
        """The true numbers, before noise: never to be told."""
        if self.neighbours == "node":
            assert self.bound is not None
            degrees, top = truncated_degrees(graph, self.bound), self.bound
            missing = 0
        else:
            degrees = graph.undirected().degrees
            total = people(graph, self.nodes)
            top = max(0, total - 1) if self.bound is None else self.bound
            missing = total - graph.nodes  # below 0 where too few were declared: an edge moves no more
        cells = np.bincount(np.minimum(degrees, top), minlength=top + 1)
        cells[0] += missing
        if self.form == "at-least":
            return np.cumsum(cells[:0:-1])[::-1]
        return cells[1:] if self.neighbours == "node" else cells

    def _counts(self, noisy: Int64, total: int | None) -> Int64:
        """People per degree: whole, 0 or more, and no more of them than there are."""
        if self.form == "cells":
            return constrained_inference.shares_of(
                noisy, max(0, int(noisy.sum())) if total is None else total
            )
        most = np.inf if total is None else float(total)
        falling = np.rint(np.clip(constrained_inference.never_rising(noisy), 0, most)).astype(np.int64)
        return -np.diff(falling, append=0)
