"""Everything that a report tells about one release of a network: figures and words, nobody's data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from shoal.core.dossier import ReleaseDossier
from shoal.core.outcome import Json
from shoal.core.rounded_figures import round_figures
from shoal.graphs.appraisal.appraisal import GraphAppraisal
from shoal.graphs.grouping import Grouping

By = Literal["flags", "default"] | None  # None where no record tells


@dataclass(frozen=True)
class Choice:
    """Something that was decided about a release, and by whom."""

    what: str
    chosen: str
    by: By = None

    def to_json(self) -> dict[str, Json]:
        return {"what": self.what, "chosen": self.chosen, "decided": self.by}


@dataclass(frozen=True)
class GroupFigures:
    """A release of groups: how many there are, how small, and how many edges they leave no doubt about."""

    groups: int
    smallest: int
    sure_edges: int

    @classmethod
    def of(cls, grouping: Grouping) -> GroupFigures:
        """Those of a grouping."""
        return cls(grouping.groups, int(grouping.sizes.min(initial=grouping.nodes)), grouping.sure_edges)

    def to_json(self) -> dict[str, Json]:
        return {"groups": self.groups, "smallest": self.smallest, "sure_edges": self.sure_edges}


@dataclass(frozen=True, eq=False, kw_only=True)
class GraphDossier(ReleaseDossier):
    """What a report tells of a network: what was released, what holds, what attacks achieve, what changed."""

    noun: ClassVar[str] = "graph"

    nodes: int
    edges: int
    appraisal: GraphAppraisal  # of the release, or of one network that fits its groups
    choices: tuple[Choice, ...]
    groups: GroupFigures | None = None
    paired: bool = True  # a node stands for one person of the original
    labels: str | None = None  # kept, random, or of nobody
    truth: bool = True  # who is who was given, so that a hit is known to be one
    dropped: Mapping[str, int] = field(default_factory=dict)  # what was in the original and is not released

    def to_json(self) -> dict[str, Json]:
        return {
            **super().to_json(),
            "nodes": self.nodes,
            "edges": self.edges,
            "paired": self.paired,
            "labels": self.labels,
            "groups": None if self.groups is None else self.groups.to_json(),
            "structure": round_figures(_without_sequences(self.appraisal)),
            "choices": [choice.to_json() for choice in self.choices],
            "dropped": dict(self.dropped),
        }


def _without_sequences(appraisal: GraphAppraisal) -> dict[str, Json]:
    """Figures without how many people have each degree: the rare ones are somebody's."""
    told = appraisal.to_json()
    kept = {name: figure for name, figure in told.items() if name not in ("degrees", "before", "notes")}
    if isinstance(before := told.get("before"), Mapping):
        kept["before"] = {name: figure for name, figure in before.items() if name != "degrees"}
    return kept
