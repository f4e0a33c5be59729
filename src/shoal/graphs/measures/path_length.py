"""How many steps people are apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Measure
from shoal.core.outcome import Json
from shoal.core.randomness import generator
from shoal.graphs.appraisal.components import Components
from shoal.graphs.appraisal.estimate import Estimate, mean_estimate
from shoal.graphs.appraisal.sampled_measure import SampledMeasure
from shoal.graphs.graph import Graph, Int64

TOGETHER = 64  # sources that walk at once, one bit each
LIMIT = 1_500_000_000  # entries to read: a few seconds
MOST = 1024  # sources to draw, where they are cheap


@dataclass(frozen=True)
class PathLengths:
    """The mean distance by both definitions in use."""

    average: Estimate
    reachable: Estimate

    @property
    def exact(self) -> bool:
        return self.reachable.exact

    def to_json(self) -> dict[str, Json]:
        return {"average": self.average.to_json(), "reachable": self.reachable.to_json()}


@dataclass(frozen=True)
class PathLength(SampledMeasure, Measure[Graph, PathLengths]):
    """How many steps two people are apart on average, along the shortest way.

    `average` counts 0 for two people without a way between them and divides by all pairs (7.4), so it falls
    when a graph falls apart. `reachable` is the mean over the pairs that have a way. Without any, both are 0.
    In large graphs the distances from some sources of the largest component are measured, and all others in
    full; the 95 % interval is Student's, over sources. Where there are too many others, sources are drawn in
    proportion to how many people they reach, so both means are met without bias. Where all sources happen to
    agree to the digit the interval has no width.

    Watts & Strogatz, "Collective dynamics of 'small-world' networks", 1998; sampling: Cochran, "Sampling
    techniques", 1977.
    """

    name: ClassVar[str] = "path-length"

    def measure(self, graph: Graph) -> PathLengths:
        """Both definitions."""
        graph = graph.undirected()
        return self.within(graph, Components.of(graph))

    def within(self, graph: Graph, components: Components) -> PathLengths:
        """The same where the components are known already."""
        joined = components.joined_pairs
        if not joined:
            return PathLengths(Estimate(0.0), Estimate(0.0))
        able = np.flatnonzero(graph.degrees)
        if (self.sample or 0) >= len(able) or self.whole(self._work(graph, able), LIMIT):
            found = Estimate(float(int(_sums(graph, able).sum()) / joined))
        else:
            found = self._drawn(graph, components, able)
        return PathLengths(found.times(joined / (graph.nodes * (graph.nodes - 1))), found)

    def _work(self, graph: Graph, able: Int64) -> float:
        """Entries to read for all distances, by trying a few sources that are spread evenly."""
        from shoal.graphs.appraisal import measure_kernels as kernels

        rounds = -(-len(able) // TOGETHER)
        least = rounds * len(graph.targets)
        if self.exact or self.sample is not None or least > LIMIT:
            return least
        tried, work = able[:: max(1, len(able) // TOGETHER)][:TOGETHER], np.zeros(1, np.int64)
        kernels.sums_of_distances(graph.offsets, graph.targets, tried, work)
        return rounds * int(work[0])

    def _drawn(self, graph: Graph, components: Components, able: Int64) -> Estimate:
        chance = generator(self.seed)
        affordable = TOGETHER * (LIMIT // (40 * len(graph.targets)))
        drawn = self.sample or max(TOGETHER, min(MOST, affordable))
        largest = components.which[able] == int(np.argmax(components.sizes))
        inside, rest = able[largest], able[~largest]
        if -(-len(rest) // TOGETHER) * graph.nodes <= LIMIT // 4:
            # A few far-away people weigh much and are hardly ever drawn: small pieces are measured in full.
            settled, pairs = int(_sums(graph, rest).sum()) if len(rest) else 0, components.joined_pairs
            if drawn >= len(inside):
                return Estimate((settled + int(_sums(graph, inside).sum())) / pairs)
            sums = _sums(graph, chance.choice(inside, drawn, replace=False)).astype(np.float64)
            found = mean_estimate(float(sums.sum()), float((sums**2).sum()), drawn, len(inside))
            return found.plus(settled / len(inside)).times(len(inside) / pairs)
        # Put back after every draw, so no correction for a finite population: a little too wide.
        others = components.sizes[components.which[able]] - 1
        ends = np.cumsum(others)
        sources = able[np.searchsorted(ends, chance.integers(0, ends[-1], drawn), side="right")]
        means = _sums(graph, sources) / (components.sizes[components.which[sources]] - 1)
        return mean_estimate(float(means.sum()), float((means**2).sum()), drawn)


def _sums(graph: Graph, sources: Int64) -> Int64:
    """Per source the sum of its distances."""
    from shoal.graphs.appraisal import measure_kernels as kernels

    work = np.zeros(1, np.int64)
    parts = [
        kernels.sums_of_distances(graph.offsets, graph.targets, sources[at : at + TOGETHER], work)
        for at in range(0, len(sources), TOGETHER)
    ]
    return np.concatenate(parts)
