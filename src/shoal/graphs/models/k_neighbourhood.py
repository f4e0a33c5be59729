"""k-neighbourhood anonymity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import AttackKind, Mask
from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph, Int64
from shoal.graphs.model_view import AlikeModel, ModelView
from shoal.graphs.neighbourhoods.classes import alike
from shoal.graphs.neighbourhoods.kind_codes import kind_codes


@dataclass(frozen=True)
class KNeighbourhood(AlikeModel):
    """The friends of every person know each other in the same pattern as those of at least k - 1 others.

    It stops somebody who knows a person's friends and which of these are friends of one another, and so
    everybody who knows their number only. Neighbourhoods are compared exactly (by isomorphism), not by a
    hash. Where the graph says what people are (their kind), that must agree too, for the person and for the
    friends; `labels=false` leaves it out. What is known beyond direct friends is not covered, and a
    release that keeps direction is refused.

    Zhou and Pei, "Preserving privacy in social networks against neighborhood attacks", 2008.
    """

    name: ClassVar[str] = "k-neighbourhood"
    example: ClassVar[str] = "k=2"
    asks: ClassVar[Mapping[str, str]] = {
        "k": "people whose friends know each other in the same pattern, at least",
        "labels": "whether what people are must agree, too",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage",)
    usual_method: ClassVar[str | None] = "neighbourhood"
    rank: ClassVar[int] = 2

    labels: bool = True

    def in_words(self) -> str:
        return f"The friends of every person know each other as those of at least {self.k - 1:,} others do."

    @property
    def sees_kinds(self) -> bool:
        return self.labels

    def level(self, view: ModelView) -> float:
        """How many people share the rarest neighbourhood."""
        alike = self._alike(view)
        return float(alike.min()) if len(alike) else 0.0

    def holds(self, view: ModelView) -> Mask:
        """Per node, whether at least k nodes have its neighbourhood."""
        return self._alike(view) >= self.k

    def _alike(self, view: ModelView) -> Int64:
        graph = view.graph_for(self.name)
        if isinstance(view.released, Graph) and view.released.directed:
            # Without a look at arrows the answer would be too good.
            raise BadParameter(
                "k-neighbourhood compares edges without direction, and this graph keeps it; drop it first"
            )
        classes = alike(graph, kind_codes(graph, self.labels))
        return np.bincount(classes)[classes] if len(classes) else classes
