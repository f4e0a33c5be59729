"""No mechanism on graphs does worse than it promised on a worst pair, and halved noise is caught."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shoal import catalog
from shoal.core.part_syntax import spell
from shoal.graphs.graph import Graph
from shoal.graphs.mechanisms.degree_histogram import DegreeHistogram
from shoal.graphs.mechanisms.degree_sequence import DegreeSequence
from shoal.graphs.mechanisms.edge_count import EdgeCount
from shoal.graphs.mechanisms.triangles.triangles import Triangles
from statistical.audit import Draws, epsilon_from_below

ONE = Fraction(1)


@dataclass(frozen=True)
class Case:
    """A mechanism on two neighbours; what in an answer tells them apart; how many draws that takes."""

    mechanism: Any
    here: Graph
    there: Graph
    number: int
    broken: int = 2  # the broken one has its noise divided by this

    def draws(self, graph: Graph, thinner: int) -> Draws:
        mechanism = dataclasses.replace(self.mechanism, epsilon=self.mechanism.epsilon * thinner)
        telling = self.telling()
        return np.array([telling(mechanism.release(graph)) for _ in range(self.number)])

    def telling(self) -> Callable[[Any], int]:
        """The number itself; of many, the logarithm of the likelihood ratio, which no event can beat."""
        if hasattr(self.mechanism.release(self.here), "value"):
            return lambda told: int(told.value)
        numbers = getattr(self.mechanism, "numbers", lambda graph: np.sort(graph.degrees))
        one, other = numbers(self.here), numbers(self.there)
        return lambda told: int((np.abs(told.noisy - one) - np.abs(told.noisy - other)).sum())


def path(nodes: int, closed: bool = False) -> Graph:
    """Everybody has two edges; unless it is closed, two people have one."""
    places = np.arange(nodes if closed else nodes - 1)
    return Graph.of_edges(nodes, places, (places + 1) % nodes)


OPEN, RING = path(8), path(8, closed=True)
EMPTY, PAIRS = Graph.of_edges(6, [], []), Graph.of_edges(6, [0, 2, 4], [1, 3, 5])
# Somebody with three edges to people who have one each: all change cells when they leave.
HUB, GONE = Graph.of_edges(8, [0, 1, 2, 6, 6, 6], [3, 4, 5, 0, 1, 2]), Graph.of_edges(8, [0, 1, 2], [3, 4, 5])
CLIQUE = Graph.of_edges(12, *np.triu_indices(12, 1))
FEWER = Graph.of_edges(12, *(ends[1:] for ends in np.triu_indices(12, 1)))

PAIR = OPEN, RING, 3000, 12


def made(part: catalog.Part) -> Any:
    return catalog.make("mechanism", f"{part.name}({part.cls.example})")


CASES = [
    Case(DegreeSequence(ONE), OPEN, RING, 4000),
    Case(DegreeSequence(ONE, k=3), EMPTY, PAIRS, 6000, broken=4),
    Case(DegreeHistogram(ONE), OPEN, RING, 5000),
    Case(DegreeHistogram(ONE, form="at-least"), OPEN, RING, 3000),
    Case(DegreeHistogram(ONE, neighbours="node", bound=3), HUB, GONE, 3000, broken=3),
    Case(DegreeHistogram(ONE, neighbours="node", bound=3, form="at-least"), HUB, GONE, 5000, broken=3),
    Case(EdgeCount(ONE), OPEN, RING, 2000),
    Case(EdgeCount(ONE, neighbours="node", bound=3), HUB, GONE, 4000),
    # A choice by rungs pays twice, for the rung and for the sum; here only the first is used.
    Case(Triangles(ONE), CLIQUE, FEWER, 2000, broken=6),
]
# What has no case of its own is audited by its example, with ε = 1.
OURS = [part for part in catalog.Catalog.whole().parts if part.kind == "mechanism" and part.noun == "graph"]
CASES += [
    Case(dataclasses.replace(made(part), epsilon=ONE), *PAIR)
    for part in OURS
    if part.cls not in {type(case.mechanism) for case in CASES}
]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: spell(case.mechanism))
def test_a_mechanism_never_exceeds_its_promise_and_halved_noise_is_caught(case: Case) -> None:
    right = epsilon_from_below(case.draws(case.here, 1), case.draws(case.there, 1))
    assert right <= 1, "the promise is broken"
    broken = epsilon_from_below(case.draws(case.here, case.broken), case.draws(case.there, case.broken))
    assert broken > 1, "this test would not have noticed"


def test_every_mechanism_on_graphs_is_audited_and_none_takes_a_seed() -> None:
    parts = [catalog.find("mechanism", name) for name in catalog.names("mechanism")]
    ours = {part for part in parts if part.__module__.startswith("shoal.graphs")}
    assert {type(case.mechanism) for case in CASES} == ours
    for part in ours:
        told = {*inspect.signature(part).parameters, *inspect.signature(part.release).parameters}
        assert not told & {"seed", "generator", "chance", "rng"}
