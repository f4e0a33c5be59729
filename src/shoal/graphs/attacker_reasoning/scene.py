"""What an attack on a graph looks at: a release, and all that an attacker holds besides it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from shoal.core.outcome import SHOWN, Json
from shoal.graphs.graph import Graph, Int64
from shoal.graphs.manifest import GraphManifest


@dataclass(frozen=True, eq=False)
class Remade:
    """The release that is made of a changed original, and per node of that its node in the release.

    Where nodes of the release stand for nobody there are no such places; of groups, one of the nodes is
    drawn.
    """

    graph: Graph
    places: Int64 | None
    adds: bool = True  # as of the method, by which it was made
    removes: bool = True


# A release made as the one at hand, with a seed of its own: of a network that somebody joined before, say.
Protect = Callable[[Graph, int], Remade]


@dataclass(frozen=True, eq=False)
class Seeds:
    """People of the second network whom the attacker has found: their nodes there and in the release."""

    auxiliary: Int64
    release: Int64

    def __len__(self) -> int:
        return len(self.auxiliary)


@dataclass(frozen=True, eq=False)
class Scene:
    """A release, and what an attacker, or the steward who plays one, holds besides it.

    People have their own names in `original` and in `auxiliary`, and other ones in the release. `truth` has
    the columns `original` and `label`, both text: what a person is called, and which node they are. It tells
    right from wrong, and whom a finding names; it helps an attack only to the people whom a steward lets the
    attacker know from the start.
    """

    graph: Graph
    original: Graph | None = None  # what the release was made from: what people may know of themselves
    auxiliary: Graph | None = None  # another network with some of the same people, by name
    seeds: Seeds | None = None
    truth: pl.DataFrame | None = None
    manifest: GraphManifest | None = None
    adds: bool = True  # as everybody knows of the method: it may have added edges,
    removes: bool = True  # or removed some
    protect: Protect | None = None  # how the release was made, for attacks that begin before it
    protected_by: str = ""  # the same in words
    shown: int = SHOWN  # how many of the people hit are told, 0 for all of them
    seed: int | None = None

    @property
    def known(self) -> Graph:
        """The network as people know it: the original where it is given, else the release itself."""
        return self.graph if self.original is None else self.original

    def places(self, known: Graph) -> Int64 | None:
        """Per person of a network, their node in the release and -1 for nobody; None where nobody told."""
        if known is self.graph:
            return np.arange(known.nodes)
        if self.truth is None:
            return None
        labels = pl.DataFrame({"label": _texts(self.graph)}).with_row_index("node")
        people = pl.DataFrame({"original": _texts(known)})
        found = people.join(
            self.truth.join(labels, on="label"), on="original", how="left", maintain_order="left"
        )
        return found["node"].cast(pl.Int64).fill_null(-1).to_numpy()

    def who(self, node: int) -> dict[str, Json]:
        """How a finding calls somebody: by name where the truth is given, else by the node of the release."""
        label = self.graph.name(node)
        return {"name": self._names[label]} if label in self._names else {"node": label}

    @cached_property
    def _names(self) -> dict[str, str]:
        return {} if self.truth is None else dict(self.truth.select("label", "original").iter_rows())


def _texts(graph: Graph) -> pl.Series:
    return graph.names().cast(pl.String)
