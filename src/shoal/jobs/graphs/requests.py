"""Requests about graphs, each setting written once: see `shoal.jobs.request`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from shoal.core.errors import BadParameter
from shoal.jobs.request import ReportRequest, Request, numbers_in, setting

LABELS = ("keep", "random")


@dataclass(frozen=True, kw_only=True)
class GraphRequest(Request):
    """What every request about a graph has: where it is, and how to read it."""

    noun: ClassVar[str] = "graph"

    # A path, `-`, a Graph, a GraphRelease, or a NetworkX or igraph object.
    data: Any = setting(
        None,
        "path",
        "An edge list as text, CSV, TSV or Parquet, GraphML or GML; - is standard input. Or a table by URL.",
        metavar="FILE",
        placed=True,
    )
    directed: bool | None = setting(
        None, "flag", "An edge runs one way: a,b is another one than b,a.", last=True
    )
    kinds: Any = setting(None, "text", "What every node is, for promises that compare it.", last=True)

    def __post_init__(self) -> None:
        if self.data is None:
            raise BadParameter('no graph given; name a file (or put file = "…" into the project file)')

    def _check_seed(self, seed: object) -> None:
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool) or seed < 0):
            raise BadParameter(f"seed is a whole number from 0 on, not {seed}")


@dataclass(frozen=True, kw_only=True)
class PromisedGraph(GraphRequest):
    """What is asked of a release: models by their spellings, or models."""

    model: Any = setting((), "texts", 'A promise, as in "k-degree(k=10)". Repeatable.')
    k: int | None = setting(None, "whole", "Short for --model k-degree(k=N).", metavar="N")


@dataclass(frozen=True, kw_only=True)
class ProtectGraph(PromisedGraph):
    """Make a release that keeps the models' promises."""

    verb: ClassVar[str] = "protect"

    output: str | Path | None = setting(None, "path", "Where to write the release.", short="-o")
    method: Any = setting(None, "text", "How to get there; see `shoal catalog`. Default: by the model.")
    seed: int | None = setting(None, "whole", "Makes the release repeatable.", metavar="N")
    labels: str | None = setting(
        None,
        "text",
        "Names of nodes in the release. Default: random numbers.",
        metavar="keep|random",
    )
    mapping: str | Path | None = setting(
        None, "path", "Write who is who, for you alone: it must not go out.", metavar="FILE"
    )

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
class VerifyGraph(PromisedGraph):
    """Check a release from its files alone."""

    verb: ClassVar[str] = "verify"


@dataclass(frozen=True, kw_only=True)
class MeasureGraph(GraphRequest):
    """What the graph is like, what risk is left and, against the original, what was changed."""

    verb: ClassVar[str] = "measure"

    original: Any = setting(None, "path", "The graph the release was made from.")
    mapping: Any = setting(
        None, "path", "Who is who in the original, where labels are random.", metavar="FILE"
    )
    exact: bool | None = setting(None, "flag", "Every figure in full, however long it takes.")
    sample: int | None = setting(
        None,
        "whole",
        "How many nodes to start from for paths, and pairs to draw for clustering.",
        metavar="N",
    )
    x_min: int = setting(3, "whole", "The smallest degree of the power law. Default: 3.", metavar="N")
    seed: int | None = setting(None, "whole", "Makes the samples repeatable.", metavar="N")
    chart: str | Path | None = setting(
        None, "path", "Draw the degrees, before and after, as .svg, .png or .html.", metavar="FILE"
    )
    only: tuple[Any, ...] = setting(  # or measures
        (), "texts", "Only this measure of `shoal catalog`, and nothing else. Repeatable."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_seed(self.seed)
        self._several("only")
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

    mechanism: Any = setting(  # or a mechanism
        None, "text", 'As in "triangles(epsilon=0.5)".', metavar="MECHANISM", placed=True
    )
    budget: Any = setting(
        None, "exact", "What all questions together may cost; kept in the ledger.", metavar="E"
    )
    ledger: str | Path | None = setting(
        None, "path", "The file that remembers what was spent, or the address of a PostgreSQL database."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mechanism is None:
            raise BadParameter('nothing asked; name a mechanism, as in "triangles(epsilon=0.5)"')


@dataclass(frozen=True, kw_only=True)
class AttackGraph(PromisedGraph):
    """Run one attack of the catalog."""

    verb: ClassVar[str] = "attack"

    attack: Any = setting(  # or an attack
        None, "text", 'An attack of `shoal catalog`, as in "degree".', metavar="NAME", placed=True
    )
    original: Any = setting(None, "path", "The graph the release was made from: what people know.")
    auxiliary: Any = setting(None, "path", "Another network with some of the same people, by name.")
    seeds: Any = setting(
        None, "path", "People whom the attacker has found already: columns original,label.", metavar="FILE"
    )
    truth: Any = setting(
        None,
        "path",
        "Who is who, as --mapping of protect writes it: tells right from wrong, and names.",
        metavar="FILE",
    )
    model: Any = setting((), "texts", "For attacks that begin before the release: what it promises.")
    k: int | None = setting(None, "whole", "Short for --model k-degree(k=N).", metavar="N")
    method: Any = setting(
        None, "text", "For the same attacks: how it is made. Default: as the manifest says, else naive."
    )
    show: int | None = setting(None, "whole", "How many people to tell of; 0 for all.", metavar="N")
    time_limit: float | None = setting(
        None,
        "number",
        "Seconds after which an attack with a second network ends with the matches so far.",
        metavar="SECONDS",
    )
    seed: int | None = setting(None, "whole", "Makes the attack repeatable.", metavar="N")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_seed(self.seed)
        if self.attack is None:
            raise BadParameter("no attack named; `shoal catalog` lists them")
        if self.time_limit is not None and not self.time_limit > 0:
            raise BadParameter(f"--time-limit is a number of seconds above 0, not {self.time_limit}")
        if self.show is not None and self.show < 0:
            raise BadParameter(f"show is how many people to tell of, 0 for all, not {self.show}")
        if self.seeds is not None and self.auxiliary is None:
            raise BadParameter("--seeds tells who is who in --auxiliary FILE; give that, too")


@dataclass(frozen=True, kw_only=True)
class MatrixGraph(GraphRequest):
    """Every attack of the catalog against every protection, played on one's own network."""

    verb: ClassVar[str] = "matrix"

    @classmethod
    def command(cls) -> tuple[str, ...]:
        return (cls.noun, "attack", cls.verb)

    output: str | Path | None = setting(
        None, "path", "Draw the matrix as .svg, .png or .html.", metavar="FILE", short="-o"
    )
    attack: tuple[Any, ...] = setting((), "texts", "Only this attack of `shoal catalog`. Repeatable.")
    method: tuple[Any, ...] = setting((), "texts", "Only protections by this method. Repeatable.")
    model: tuple[Any, ...] = setting((), "texts", 'Only this promise, as in "k-degree(k=5)". Repeatable.')
    k: Any = setting((10,), "numbers", "What promises with a k ask for, as in 5,10. Default: 10.")
    epsilon: Any = setting(1, "exact", "What promises of noise ask for. Default: 1.", metavar="E")
    overlap: float = setting(
        0.8,
        "number",
        "The share of edges that an attacker's second network has. Default: 0.8.",
        metavar="SHARE",
    )
    trials: int | None = setting(
        None, "whole", "How often attacks that draw people are tried. Default: as each says.", metavar="N"
    )
    time_limit: float = setting(
        600.0,
        "number",
        "Seconds for all, a tenth of them for a cell; what was not finished is named. Default: 600.",
        metavar="SECONDS",
    )
    seed: int | None = setting(None, "whole", "Makes the matrix repeatable.", metavar="N")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_seed(self.seed)
        self._several("attack", "method", "model")
        object.__setattr__(self, "k", numbers_in(self.k, "k", int))
        if not self.k or min(self.k) < 1:
            raise BadParameter(f"--k takes whole numbers from 1 on, such as 5,10, not {self.k or 'nothing'}")
        if not isinstance(self.overlap, int | float) or not 0 < self.overlap <= 1:
            raise BadParameter(f"--overlap is a share of edges above 0 and up to 1, not {self.overlap}")
        if self.trials is not None and self.trials < 1:
            raise BadParameter(f"--trials is how often to try, at least 1, not {self.trials}")
        if not isinstance(self.time_limit, int | float) or not self.time_limit > 0:
            raise BadParameter(f"--time-limit is a number of seconds above 0, not {self.time_limit}")


@dataclass(frozen=True, kw_only=True)
class ReportGraph(PromisedGraph, ReportRequest):
    """Tell all there is to tell about one release of a network, for somebody who decides and signs."""

    verb: ClassVar[str] = "report"

    data: Any = setting(
        None, "path", "The release, with its manifest beside it.", metavar="RELEASE", placed=True
    )
    auxiliary: Any = setting(None, "path", "Of a network: another one with some of the same people, by name.")
    truth: Any = setting(
        None,
        "path",
        "Of a network: who is who, as --mapping of protect writes it. Names nobody in the report.",
        metavar="FILE",
    )
    seed: int | None = setting(
        None, "whole", "Of a network: makes the attacks and samples repeatable.", metavar="N"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_seed(self.seed)
        self._several("model")
        self._check_report()
