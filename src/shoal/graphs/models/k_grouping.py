"""k-sized grouping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import AttackKind, Mask
from shoal.graphs.model_view import AlikeModel, ModelView


@dataclass(frozen=True)
class KGrouping(AlikeModel):
    """Everybody is in a group of at least k people, and only groups are released.

    It stops somebody who knows anything at all about the edges around a person: within a group there is
    nothing to tell people apart by. It does not hide edges: where all pairs of two groups are linked, every
    one of these edges is certain.

    Hay, Miklau, Jensen, Towsley and Weis, "Resisting structural re-identification in anonymized social
    networks", 2008.
    """

    name: ClassVar[str] = "k-grouping"
    example: ClassVar[str] = "k=2"
    asks: ClassVar[Mapping[str, str]] = {
        "k": "people in each group, at least; 5 or 10 is usual",
    }
    stops: ClassVar[tuple[AttackKind, ...]] = ("record linkage",)
    usual_method: ClassVar[str | None] = "grouping"
    rank: ClassVar[int] = 3
    any_knowledge: ClassVar[bool] = True

    def in_words(self) -> str:
        return f"Everybody is in a group of at least {self.k:,} people, and only groups are released."

    def level(self, view: ModelView) -> float:
        """How many people are in the smallest group."""
        sizes = view.grouping_for(self.name).sizes
        return float(sizes.min()) if len(sizes) else 0.0

    def holds(self, view: ModelView) -> Mask:
        """Per group, whether at least k people are in it."""
        return np.asarray(view.grouping_for(self.name).sizes >= self.k)
