"""Requests about graphs. The field names are the flags of the command line, with `_` for `-`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from shoal.core.errors import BadParameter

LABELS = ("keep", "random")


@dataclass(frozen=True, kw_only=True)
class GraphRequest:
    """What every request about a graph has: where it is, and how to read it."""

    noun: ClassVar[str] = "graph"
    verb: ClassVar[str]

    data: Any = None  # a path, `-`, a Graph, a GraphRelease, or a NetworkX or igraph object
    separator: str | None = None
    encoding: str | None = None
    directed: bool | None = None  # whether a line a,b says something else than b,a
    kinds: Any = None  # what every node is, for promises that compare it

    def __post_init__(self) -> None:
        if self.data is None:
            raise BadParameter('no graph given; name a file (or put file = "…" into the project file)')

    def _check_seed(self, seed: object) -> None:
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool) or seed < 0):
            raise BadParameter(f"seed is a whole number from 0 on, not {seed}")


@dataclass(frozen=True, kw_only=True)
class ProtectGraph(GraphRequest):
    """Make a release that keeps the models' promises."""

    verb: ClassVar[str] = "protect"

    output: str | Path | None = None
    model: Any = ()  # spellings such as `k-degree(k=10)`, or models
    k: int | None = None
    method: Any = None  # by the model when not told
    seed: int | None = None
    labels: str | None = None
    mapping: str | Path | None = None  # where to write who is who

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_seed(self.seed)
        if self.labels is not None and self.labels not in LABELS:
            raise BadParameter(
                f"labels are kept or made anew at random; write {' or '.join(LABELS)}, not '{self.labels}'"
            )
        if self.mapping is not None and self.labels == "keep":
            raise BadParameter(
                "there is no mapping when labels are kept; leave out --mapping, or give --labels random"
            )
        if self.mapping is not None and self.output is None:
            raise BadParameter("a mapping is written with a release; name an output, or take release.mapping")
        if self.mapping is not None and str(self.mapping) == "-":
            raise BadParameter("--mapping takes a file: who is who must not go where the release goes")


@dataclass(frozen=True, kw_only=True)
class VerifyGraph(GraphRequest):
    """Check a release from its files alone."""

    verb: ClassVar[str] = "verify"

    model: Any = ()
    k: int | None = None


@dataclass(frozen=True, kw_only=True)
class MeasureGraph(GraphRequest):
    """What the graph is like, what risk is left and, against the original, what was changed."""

    verb: ClassVar[str] = "measure"

    original: Any = None
    mapping: Any = None  # who is who, where labels were made anew
    exact: bool | None = None
    sample: int | None = None
    x_min: int = 3
    seed: int | None = None
    chart: str | Path | None = None  # the picture as .svg, .png or .html
    only: tuple[Any, ...] = ()  # measures of the catalog, and nothing else

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_seed(self.seed)
        several = isinstance(self.only, list | tuple)
        object.__setattr__(self, "only", tuple(self.only) if several else (self.only,))
        if self.only and self.chart is not None:
            raise BadParameter("--chart draws all degrees; leave out --only, or the chart")
        if self.exact and self.sample is not None:
            raise BadParameter("--exact and --sample do not go together; leave one of them out")
        if self.sample is not None and self.sample < 1:
            raise BadParameter(f"sample is how many nodes to start from, at least 1, not {self.sample}")
        if self.x_min < 0:
            raise BadParameter(
                f"x-min is the smallest degree that the power law speaks of, 0 for the best, not {self.x_min}"
            )
        if self.mapping is not None and self.original is None:
            raise BadParameter("--mapping tells who is who in --original FILE; give that, too")


@dataclass(frozen=True, kw_only=True)
class AskGraph(GraphRequest):
    """One answer with differential privacy."""

    verb: ClassVar[str] = "ask"

    mechanism: Any = None  # a spelling such as `triangles(epsilon=0.5)`, or a mechanism
    budget: Any = None
    ledger: str | Path | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mechanism is None:
            raise BadParameter('nothing asked; name a mechanism, as in "triangles(epsilon=0.5)"')
