"""ε-differential privacy of edges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from shoal.core.contract import AttackKind, Mask
from shoal.core.sampling.exact_parameters import settle, whole
from shoal.graphs.graph import Graph
from shoal.graphs.model_view import GraphModel, ModelView

ROUNDING = 1e-12


@dataclass(frozen=True)
class EdgeDifferentialPrivacy(GraphModel):
    """With or without any k edges, every release is about as likely: by a factor of at most e^ε.

    Nobody learns whether two people know each other, whatever else they know; how many edges somebody has is
    hidden only up to about k. Neighbouring graphs have the same people. A property of the method that made a
    release, not of its edges: it holds for what `noisy-degrees` made, as the record of the release says, and
    no file can prove it. A promise of ε for j edges is one of ε·k/j for k, and one of ε for any person with
    all edges is one of 2kε for k edges (take a person out, and put them back with another edge).

    Hay, Li, Miklau, Jensen, "Accurate estimation of the degree distribution of private networks", 2009.
    """

    name: ClassVar[str] = "edge-differential-privacy"
    example: ClassVar[str] = "epsilon=0.5"
    asks: ClassVar[Mapping[str, str]] = {
        "epsilon": "the privacy loss ε; smaller is safer, 1 is usual",
        "k": "friendships that are hidden together",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("table linkage", "probabilistic")
    mechanisms: ClassVar[tuple[str, ...]] = ("noisy-degrees",)
    usual_method: ClassVar[str | None] = "noisy-degrees"
    rank: ClassVar[int] = 4
    any_knowledge: ClassVar[bool] = True

    epsilon: Fraction
    k: int = 1

    def __post_init__(self) -> None:
        settle(self, epsilon=None)
        whole(self, k=1)

    def in_words(self) -> str:
        edges = "one edge" if self.k == 1 else f"{self.k:,} edges"
        factor = math.exp(float(self.epsilon))
        return (
            f"With or without {edges}, any release is about as likely: by a factor of at most {factor:.3g}."
        )

    def level(self, view: ModelView) -> float:
        """The ε that any k edges have."""
        told = view.guarantees
        if told.get("delta", 1.0) > 0:
            return math.inf
        by_edge = told["epsilon"] / told["edges"] if {"epsilon", "edges"} <= told.keys() else math.inf
        by_node = (
            2 * told["node_epsilon"] / told["nodes"] if {"node_epsilon", "nodes"} <= told.keys() else math.inf
        )
        return self.k * min(by_edge, by_node)

    def holds(self, view: ModelView) -> Mask:
        """The same for all nodes or groups."""
        return alike(view, self.level(view) <= float(self.epsilon) * (1 + ROUNDING))


def alike(view: ModelView, fits: bool) -> Mask:
    """One answer for everybody; also where there is nobody, because "all of none" would be a yes."""
    released = view.released
    number = released.nodes if isinstance(released, Graph) else released.groups
    return np.full(max(1, number), fits)
