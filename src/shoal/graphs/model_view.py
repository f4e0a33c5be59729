"""What models of this pillar look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shoal.core.contract import Model
from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping


@dataclass(frozen=True, eq=False)
class ModelView:
    """A released graph or grouping, and what its method guarantees (ε and the like)."""

    released: Graph | Grouping
    guarantees: Mapping[str, float] = field(default_factory=dict)

    def graph_for(self, model: str) -> Graph:
        """The graph, without direction; refused where there are only groups."""
        if isinstance(self.released, Grouping):
            raise BadParameter(f"{model} speaks of people, and this release has groups only; use k-grouping")
        return self.released.undirected()

    def grouping_for(self, model: str) -> Grouping:
        """The grouping; refused where people stand for themselves."""
        if isinstance(self.released, Graph):
            raise BadParameter(f"{model} speaks of groups, and this release has people; use method grouping")
        return self.released


class GraphModel(Model[ModelView]):
    """A promise about a graph or a grouping."""

    @property
    def sees_kinds(self) -> bool:
        """Whether it looks at the kinds of nodes, where there are any."""
        return False


@dataclass(frozen=True)
class AlikeModel(GraphModel):
    """A promise that everybody has at least k - 1 others like them, in whatever the model looks at."""

    k: int

    def __post_init__(self) -> None:
        if self.k < 1:
            raise BadParameter(
                f"{self.name}(k={self.k}) promises nothing; k is at least 1, usually 5 or more"
            )

    @property
    def people(self) -> int:
        return self.k
