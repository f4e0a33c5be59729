"""How often friends of a person are friends of each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Measure
from shoal.core.outcome import Json, Rate
from shoal.core.randomness import generator
from shoal.graphs.appraisal.estimate import Estimate
from shoal.graphs.appraisal.sampled_measure import SampledMeasure
from shoal.graphs.graph import Graph, Int64

LIMIT = 400_000_000  # steps for all triangles: a few seconds
PAIRS = 400_000  # of neighbours that are looked at beyond that: ±0.16 percentage points


@dataclass(frozen=True)
class Clusterings:
    """The three clustering coefficients in use."""

    cc: Estimate
    cc1: Estimate
    cc2: Estimate

    @property
    def exact(self) -> bool:
        return self.cc1.exact

    def to_json(self) -> dict[str, Json]:
        return {"cc": self.cc.to_json(), "cc1": self.cc1.to_json(), "cc2": self.cc2.to_json()}


@dataclass(frozen=True)
class Clustering(SampledMeasure, Measure[Graph, Clusterings]):
    """How likely two friends of a person know each other, from 0 to 1, in the three variants in use.

    `cc` is the mean over all people of the share of their pairs of friends who know each other; whoever has
    fewer than two friends counts as 0 (7.1). `cc2` is the mean over the others alone (7.3). `cc1` is the
    share of all pairs of friends of all people (7.2), which is what books call transitivity: three times the
    triangles over the paths of length two. Where nobody has two friends all are 0. In large graphs pairs of
    friends are drawn, with Wilson's 95 % interval.

    Watts & Strogatz, "Collective dynamics of 'small-world' networks", 1998; Kaiser, "Mean clustering
    coefficients", 2008; the draws: Seshadhri, Pinar, Kolda, "Triadic measures on graphs: the power of wedge
    sampling", 2013.
    """

    name: ClassVar[str] = "clustering"

    def measure(self, graph: Graph) -> Clusterings:
        """All three."""
        graph = graph.undirected()
        degrees = graph.degrees
        able = np.flatnonzero(degrees >= 2)
        if not len(able):
            return Clusterings(Estimate(0.0), Estimate(0.0), Estimate(0.0))
        pairs = degrees[able] * (degrees[able] - 1) // 2
        ends = np.cumsum(pairs)
        if (self.sample or 0) >= ends[-1] or self.whole(_work(graph), LIMIT):
            return _count(graph)
        drawn = self.sample or PAIRS
        chance = generator(self.seed)
        # A pair of friends with equal chance each, then a person with equal chance and one of their pairs.
        by_pair = able[np.searchsorted(ends, chance.integers(0, ends[-1], drawn), side="right")]
        by_node = able[chance.integers(0, len(able), drawn)]
        cc1, cc2 = (_closed_share(graph, centres, chance) for centres in (by_pair, by_node))
        return Clusterings(cc2.times(len(able) / graph.nodes), cc1, cc2)


def _work(graph: Graph) -> float:
    """Steps to find all triangles, at most: for every edge the smaller of its two degrees."""
    if graph.edges > LIMIT // 40:
        return float("inf")  # so many edges alone would cost more memory than it is worth
    degrees = graph.degrees
    return float(np.minimum(np.repeat(degrees, degrees), degrees[graph.targets]).sum()) / 2


def _count(graph: Graph) -> Clusterings:
    from shoal.graphs.appraisal import measure_kernels as kernels

    triangles = kernels.triangles_of(graph.offsets, graph.targets)
    able = graph.degrees >= 2
    pairs = graph.degrees[able] * (graph.degrees[able] - 1) // 2
    shares = float((triangles[able] / pairs).sum())
    return Clusterings(
        cc=Estimate(shares / graph.nodes),
        cc1=Estimate(int(triangles.sum()) / int(pairs.sum())),
        cc2=Estimate(shares / len(pairs)),
    )


def _closed_share(graph: Graph, centres: Int64, chance: np.random.Generator) -> Estimate:
    """The share of pairs of friends that are joined, one random pair for each of some people."""
    from shoal.graphs.appraisal import measure_kernels as kernels

    degrees = graph.degrees[centres]
    first = chance.integers(0, degrees)
    second = chance.integers(0, degrees - 1)
    second += second >= first
    rate = Rate(int(kernels.closed_pairs(graph.offsets, graph.targets, centres, first, second)), len(centres))
    return Estimate(rate.value, *rate.interval)
