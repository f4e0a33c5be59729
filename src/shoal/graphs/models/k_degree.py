"""k-degree anonymity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import AttackKind, Mask
from shoal.graphs.graph import Graph, Int64
from shoal.graphs.model_view import AlikeModel, ModelView


@dataclass(frozen=True)
class KDegree(AlikeModel):
    """Every person has as many friends as at least k - 1 others.

    It stops somebody who knows how many friends a person has, and nothing else: not who they are, and not
    that an edge is there (three candidates may all know the same fourth person). Where a release keeps
    direction, as many others must also have as many edges in and as many out.

    Liu and Terzi, "Towards identity anonymization on graphs", 2008.
    """

    name: ClassVar[str] = "k-degree"
    example: ClassVar[str] = "k=2"
    asks: ClassVar[Mapping[str, str]] = {
        "k": "people with the same number of friends, at least; 5 or 10 is usual",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage",)
    usual_method: ClassVar[str | None] = "supergraph"
    rank: ClassVar[int] = 1

    def in_words(self) -> str:
        return f"Every person has as many friends as at least {self.k - 1:,} others."

    def level(self, view: ModelView) -> float:
        """How many people share the rarest degree."""
        alike = self._alike(view)
        return float(alike.min()) if len(alike) else 0.0

    def holds(self, view: ModelView) -> Mask:
        """Per node, whether at least k nodes have its degree."""
        return self._alike(view) >= self.k

    def _alike(self, view: ModelView) -> Int64:
        degrees, released = view.graph_for(self.name).degrees, view.released
        if not len(degrees):
            return degrees
        if not isinstance(released, Graph) or not released.directed:
            return np.bincount(degrees)[degrees]
        # Direction is in the release: whoever knows how many people somebody follows counts arrows, too.
        known = (degrees, released.degrees, np.bincount(released.targets, minlength=released.nodes))
        _, place, sizes = np.unique(np.column_stack(known), axis=0, return_inverse=True, return_counts=True)
        return sizes[place.reshape(-1)]
