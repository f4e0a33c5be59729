"""A synthetic graph from noisy degrees."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np

from shoal.core.errors import BadParameter, Unreachable
from shoal.core.extras import require
from shoal.core.part_syntax import spell
from shoal.core.progress import Watch
from shoal.core.randomness import generator
from shoal.core.sampling.exact_parameters import settle
from shoal.graphs.answering.privacy_parameters import Cost, Neighbours, public_people
from shoal.graphs.building.realisability import shortage
from shoal.graphs.graph import Graph, Int64
from shoal.graphs.mechanisms.degree_histogram import DegreeHistogram
from shoal.graphs.mechanisms.degree_sequence import DegreeSequence
from shoal.graphs.model_view import GraphModel, ModelView
from shoal.graphs.models.edge_differential_privacy import EdgeDifferentialPrivacy
from shoal.graphs.models.node_differential_privacy import NodeDifferentialPrivacy
from shoal.graphs.release import GraphMethod, GraphRelease

MOST_PEOPLE = 50_000_000
MOST_EDGES = 200_000_000
USUAL_BOUND = 50
Private = EdgeDifferentialPrivacy | NodeDifferentialPrivacy


@dataclass(frozen=True)
class NoisyDegrees(GraphMethod):
    """A made-up graph in which about as many people have each degree; nobody in it is anybody.

    Degrees get noise and inference (`degree-sequence`; with neighbours=node `degree-histogram` in the form
    at-least, where edges beyond `bound` per person are left out and people without edges are not counted).
    Then they are rounded, brought to what some graph has, and a random graph is drawn for them. All after the
    noise looks at the noisy numbers only. Who knows whom, communities and triangles are lost on purpose.

    ε and k come from the model when not given. Public are the number of people (for edges; `nodes` declares
    it) and the parameters; the number of edges is not, and neither are labels or what was cleaned. No seed.

    Hay, Li, Miklau, Jensen, "Accurate estimation of the degree distribution of private networks", 2009; for
    people, Day, Li, Lyu, "Publishing graph degree distribution with node differential privacy", 2016.
    """

    name: ClassVar[str] = "noisy-degrees"
    declared: ClassVar[bool] = True  # noise takes no seed
    reaches: ClassVar[tuple[str, ...]] = (EdgeDifferentialPrivacy.name, NodeDifferentialPrivacy.name)

    epsilon: Fraction | None = None
    k: int = 1
    neighbours: Neighbours = "edge"
    bound: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.epsilon is not None:
            settle(self, epsilon=None)
        if self.neighbours == "edge" and self.bound is not None:
            raise BadParameter(
                f"{self.name}(bound={self.bound}) is for neighbours=node; an edge moves two degrees by 1, "
                "however many there are"
            )
        self._mechanism(Cost(self.epsilon or Fraction(1), self.k, self.neighbours))

    def protect(self, graph: Graph, models: Sequence[GraphModel], watch: Watch | None = None) -> GraphRelease:
        """A graph that shares nothing with the original but noisy degrees."""
        require("queries", self.name)
        started = time.monotonic()
        cost = self._cost(models)
        mechanism = self._mechanism(cost)
        noisy = self._noisy(mechanism, graph)
        degrees = make_realisable(noisy)
        if int(degrees.sum()) > 2 * MOST_EDGES:
            raise self._drowned(mechanism, f"{int(degrees.sum()) // 2:,} edges")
        made = random_graph(degrees, generator(None))
        return GraphRelease(
            made,
            None,
            self.name,
            paired=False,
            guarantees=cost.guarantees,
            details={
                "noise_scale": float(mechanism.scale),
                "edge_ends_dropped": int(noisy.sum() - degrees.sum()),
            },
            seconds=time.monotonic() - started,
            notes=(
                "nobody in this graph is anybody: people have new numbers, and only degrees are kept",
                *(() if self.neighbours == "node" else (f"public: {public_people(self.nodes)}",)),
            ),
        )

    def fitted(self, models: Sequence[GraphModel]) -> NoisyDegrees:
        """For people a bound is declared without looking: more friends than most people have."""
        if self.neighbours == "edge" and any(isinstance(model, NodeDifferentialPrivacy) for model in models):
            return replace(self, neighbours="node", bound=USUAL_BOUND)
        return self

    def _noisy(self, mechanism: DegreeSequence | DegreeHistogram, graph: Graph) -> Int64:
        """Whole degrees in some order, from noisy numbers alone."""
        if isinstance(mechanism, DegreeSequence):
            return np.rint(mechanism.release(graph).values).astype(np.int64)
        told = mechanism.release(graph)
        if int(told.counts.sum()) > MOST_PEOPLE:
            raise self._drowned(mechanism, f"{int(told.counts.sum()):,} people")
        return np.repeat(told.degrees, told.counts)

    def _mechanism(self, cost: Cost) -> DegreeSequence | DegreeHistogram:
        if self.neighbours == "edge":
            return DegreeSequence(cost.epsilon, cost.k, self.nodes)
        return DegreeHistogram(cost.epsilon, cost.k, self.neighbours, self.bound, "at-least", self.nodes)

    def _drowned(self, mechanism: DegreeSequence | DegreeHistogram, what: str) -> Unreachable:
        return Unreachable(
            f"noise of scale {float(mechanism.scale):g} made up {what}, so nothing is left of the graph; "
            "raise epsilon" + ("" if self.bound is None else ", or lower the bound")
        )

    def _cost(self, models: Sequence[GraphModel]) -> Cost:
        """What will be spent: as given, or what the strictest model allows; refused before any noise."""
        asked = [self._known(model) for model in models]
        if self.epsilon is None and not asked:
            raise BadParameter(
                f"{self.name} needs an epsilon, as in {self.name}(epsilon=1), or a model that has one, as in "
                "edge-differential-privacy(epsilon=1)"
            )
        if self.epsilon is not None:
            cost = Cost(self.epsilon, self.k, self.neighbours)
        else:
            cost = min((self._wanted(model) for model in asked), key=lambda cost: cost.epsilon / cost.k)
        nobody = ModelView(Graph.of_edges(0, [], []), cost.guarantees)
        for model in asked:
            if not model.holds(nobody).all():
                raise Unreachable(
                    f"{self.name} with {cost.in_words} offers {model.level(nobody):g} of "
                    f"{spell(model)}; lower "
                    "its epsilon, or leave it out and the model's is taken"
                )
        return cost

    def _known(self, model: GraphModel) -> Private:
        if not isinstance(model, EdgeDifferentialPrivacy | NodeDifferentialPrivacy):
            raise BadParameter(
                f"{self.name} reaches edge-differential-privacy and node-differential-privacy, not "
                f"{spell(model)}; use another method"
            )
        if isinstance(model, NodeDifferentialPrivacy) and self.neighbours == "edge":
            raise BadParameter(
                f"{self.name} hides edges unless told otherwise; for {spell(model)} write "
                f"{self.name}(neighbours=node,bound=50), with a bound that you declare"
            )
        return model

    def _wanted(self, model: Private) -> Cost:
        """The most that a model lets it spend; on more edges or people at once, where the method says so."""
        if isinstance(model, NodeDifferentialPrivacy):
            return Cost(model.epsilon, self.k, "node")
        if self.neighbours == "node":  # a person out and in again is two steps
            return Cost(model.epsilon / (2 * model.k), self.k, "node")
        return Cost(model.epsilon, max(model.k, self.k), "edge")


def make_realisable(degrees: Int64) -> Int64:
    """Degrees that a simple graph has: the highest are lowered as far as the others cannot serve them.

    Degrees below 0 or above n - 1 are cut off. It always ends, because the sum falls with every round, and
    nobody having an edge is a graph.
    """
    found = np.clip(degrees, 0, max(0, len(degrees) - 1))
    while len(found):
        missing = shortage(found).missing
        if missing:
            found = level_highest(found, missing)
        elif int(found.sum()) % 2:
            found[int(np.argmax(found))] -= 1  # an edge has two ends
        else:
            break
    return found


def level_highest(degrees: Int64, less: int) -> Int64:
    """The highest brought down to one level, so that all together are less by a number."""
    low, high = 0, int(degrees.max())  # the lowest level that takes no more than that
    while low < high:
        middle = (low + high) // 2
        if int(np.maximum(degrees - middle, 0).sum()) <= less:
            high = middle
        else:
            low = middle + 1
    found = np.minimum(degrees, low)
    rest = min(less - int((degrees - found).sum()), int(found.sum()))
    found[np.flatnonzero(found == low)[:rest]] -= 1
    return found


ROUNDS = 5  # attempts per edge: after so many, 1 in 20,000 edges was never picked


def random_graph(degrees: Int64, chance: np.random.Generator) -> Graph:
    """A graph in which node i has degrees[i] edges; the degrees must be realisable.

    One graph is built by joining the highest first (Havel 1955, Hakimi 1962); then pairs of edges exchange
    their ends at random, which keeps degrees and forgets how it was built.
    """
    from shoal.graphs.methods.noisy_degrees import random_graph_kernels as kernels

    order = np.argsort(-degrees, kind="stable")
    sources, targets = kernels.highest_first(degrees[order])
    if len(sources) > 1:
        state = chance.integers(1, 2**63, 1, dtype=np.uint64)
        kernels.exchange(sources, targets, len(degrees), ROUNDS * len(sources), state)
    return Graph.of_edges(len(degrees), order[sources], order[targets])
