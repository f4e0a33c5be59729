"""ε-differential privacy of people in a graph."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from shoal.core.contract import AttackKind, Mask
from shoal.core.sampling.exact_parameters import settle
from shoal.graphs.model_view import GraphModel, ModelView
from shoal.graphs.models.edge_differential_privacy import ROUNDING, alike


@dataclass(frozen=True)
class NodeDifferentialPrivacy(GraphModel):
    """With or without any one person and all their edges, every release is about as likely: by at most e^ε.

    Nobody learns whether somebody is in the graph at all. It is the strongest promise of this pillar, and the
    one that costs the most. A property of the method that made a release, not of its edges: it holds for what
    `noisy-degrees(neighbours=node)` made, as the record of the release says, and no file can prove it. A
    promise about edges is never one about people.

    Kasiviswanathan, Nissim, Raskhodnikova, Smith, "Analyzing graphs with node differential privacy", 2013.
    """

    name: ClassVar[str] = "node-differential-privacy"
    example: ClassVar[str] = "epsilon=0.5"
    asks: ClassVar[Mapping[str, str]] = {
        "epsilon": "the privacy loss ε; smaller is safer, 1 is usual",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("table linkage", "probabilistic")
    mechanisms: ClassVar[tuple[str, ...]] = ("noisy-degrees",)
    usual_method: ClassVar[str | None] = "noisy-degrees"
    rank: ClassVar[int] = 5
    any_knowledge: ClassVar[bool] = True

    epsilon: Fraction

    def __post_init__(self) -> None:
        settle(self, epsilon=None)

    def in_words(self) -> str:
        factor = math.exp(float(self.epsilon))
        return f"With or without anybody, a release is about as likely: by a factor of at most {factor:.3g}."

    def level(self, view: ModelView) -> float:
        """The ε that any one person has."""
        told = view.guarantees
        if told.get("delta", 1.0) > 0 or not {"node_epsilon", "nodes"} <= told.keys():
            return math.inf
        return told["node_epsilon"] / told["nodes"]

    def holds(self, view: ModelView) -> Mask:
        """The same for all nodes or groups."""
        return alike(view, self.level(view) <= float(self.epsilon) * (1 + ROUNDING))
