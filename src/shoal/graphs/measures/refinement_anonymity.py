"""Who is told from others by friends, friends of friends, and so on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Measure
from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.graphs.appraisal.anonymity import Anonymity
from shoal.graphs.graph import Graph

LIMIT = 1_000_000_000  # entries to read and numbers to sort: some seconds
LEAST = 4  # rounds, however large the graph


@dataclass(frozen=True)
class Refinement:
    """Per question H_0, H_1, H_2 … who can be told apart by the answer, and whether more would tell more."""

    queries: tuple[Anonymity, ...]
    settled: bool

    @property
    def last(self) -> Anonymity:
        """By the farthest question: H* when settled."""
        return self.queries[-1]

    def to_json(self) -> dict[str, Json]:
        return {"settled": self.settled, "queries": [found.to_json() for found in self.queries]}


@dataclass(frozen=True)
class RefinementAnonymity(Measure[Graph, Refinement]):
    """How well people hide from somebody who knows their degree, then those of their friends, and so on.

    H_0 knows nothing, H_1 the degree, and H_i the answers to H_(i-1) of all friends, as often as they occur.
    It ends where one more round tells nobody else apart (H*), or after `rounds`. Answers are compared by
    64-bit hashes: two different ones are taken for the same by a chance of about 10^-6 for four million
    people and 10^-10 for fifty thousand.

    Hay et al., "Resisting structural re-identification in anonymized social networks", 2008.
    """

    name: ClassVar[str] = "refinement-anonymity"

    rounds: int | None = None

    def __post_init__(self) -> None:
        if self.rounds is not None and self.rounds < 1:
            raise BadParameter(f"refinement-anonymity(rounds={self.rounds}) knows nothing; take at least 1")

    def measure(self, graph: Graph) -> Refinement:
        """Per question, from H_0 on."""
        from shoal.graphs.appraisal import measure_kernels as kernels

        graph = graph.undirected()
        colours = np.zeros(graph.nodes, np.uint64)
        found = [Anonymity.of(colours)]
        most = self.rounds or max(LEAST, LIMIT // (1 + len(graph.targets) + 20 * graph.nodes))
        settled = not graph.nodes
        while not settled and len(found) <= most:
            colours = kernels.refine_colours(graph.offsets, graph.targets, colours)
            after = Anonymity.of(colours)
            settled = after.classes == found[-1].classes
            if not settled:
                found.append(after)
        return Refinement(tuple(found), settled)
