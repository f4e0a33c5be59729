"""Requests to attack, compare, learn and report, each setting written once: see `shoal.jobs.request`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from shoal.core.errors import BadParameter
from shoal.core.part_syntax import columns_of
from shoal.jobs.queries.question_requests import BOUNDS, BUDGET, LEDGER, SERVICE
from shoal.jobs.request import Columns, ReportRequest, Request, setting


@dataclass(frozen=True, kw_only=True)
class DeclaredPeople(Request):
    """A table with one row of each person, and what the owner declares of it."""

    noun: ClassVar[str] = "query"
    filed: ClassVar[bool] = False

    # One private table: a file or frame by its name, or texts such as patients=patients.csv.
    data: Any = None
    unit: str | None = setting(None, "text", "The column that tells whose row it is.")
    secret: str | None = setting(
        None,
        "text",
        "What is private: diagnosis=HIV (yes or no), or a column of numbers.",
        metavar="COLUMN=VALUE",
    )
    bounds: Any = setting((), "texts", "What a number may be, as in age=0:120. Repeatable.")
    kind: Any = setting((), "texts", "integer, number, text, boolean, date or timestamp. Repeatable.")
    seed: int | None = setting(None, "whole", "Makes the attacker repeatable; noise never is.", metavar="N")

    def __post_init__(self) -> None:
        if not self.data:
            raise BadParameter("no private table given; name one, as in --data visits=visits.csv")
        if self.seed is not None and (not isinstance(self.seed, int) or self.seed < 0):
            raise BadParameter(f"seed is a whole number from 0 on, not {self.seed}")


@dataclass(frozen=True, kw_only=True)
class AttackQuery(DeclaredPeople):
    """Run one attack of the catalog on somebody who answers questions."""

    verb: ClassVar[str] = "attack"

    attack: Any = setting(  # or an attack
        None, "text", 'An attack of `shoal catalog`, as in "differencing".', metavar="NAME", placed=True
    )
    # Or an alternative, an open database, a client of a service, or any function of a text.
    against: Any = setting(
        None, "text", 'Who answers, as in "minimum-size(n=10)" or "private(epsilon=1)". Default: plain.'
    )
    service: str | None = setting(None, "text", SERVICE, metavar="URL")
    token: str | None = None
    dataset: str | None = setting(None, "text", "Which data set of the service, when there are several.")
    known: Columns = setting(
        (),
        "columns",
        "Columns that everybody may know of a person. Default: those that people share.",
        metavar="COLUMNS",
    )
    population: Any = setting(
        None, "path", "People like those in the data who are not in it, for membership.", metavar="FILE"
    )
    release: Any = setting(
        None, "path", "A synthetic table made of the data, for membership.", metavar="FILE"
    )
    epsilon: Any = setting(
        None, "exact", "What each question may cost. Default: the budget, divided among them.", metavar="E"
    )
    show: int | None = setting(None, "whole", "How many people to tell of; 0 for all.", metavar="N")
    chart: str | Path | None = setting(
        None,
        "path",
        "Draw what was achieved, as .svg, .png or .html.",
        metavar="FILE",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.attack is None:
            raise BadParameter("no attack named; `shoal catalog --kind attack` lists them")
        if self.show is not None and self.show < 0:
            raise BadParameter(f"show is how many people to tell of, 0 for all, not {self.show}")
        if self.service is not None and self.against is not None:
            raise BadParameter("--service and --against both say who answers; leave one of them out")
        if self.dataset is not None and self.service is None:
            raise BadParameter("--dataset names a part of --service URL; give that, too")
        object.__setattr__(self, "known", columns_of(self.known))


@dataclass(frozen=True, kw_only=True)
class CompareQuery(DeclaredPeople):
    """Error and exposure of every way to answer, side by side."""

    verb: ClassVar[str] = "compare"

    against: Any = setting(
        (), "texts", 'A way to answer, as in "sample(share=0.2)". Repeatable. Default: all of the catalog.'
    )
    epsilon: Any = setting("1", "exact", "The promise of those that make one. Default: 1.", metavar="E")
    questions: int = setting(10, "whole", "Counts to ask each of them. Default: 10.", metavar="N")
    output: str | Path | None = setting(
        None, "path", "Draw it as .svg, .png or .html.", short="-o", metavar="FILE"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.questions < 1:
            raise BadParameter(f"questions is how many counts to ask, at least 1, not {self.questions}")
        several = self.against if isinstance(self.against, list | tuple) else (self.against,)
        object.__setattr__(self, "against", tuple(several))


@dataclass(frozen=True, kw_only=True)
class OwnerReport(ReportRequest):
    """Tell an owner who spent what on what, whether the ledger is whole, and what an audit finds."""

    noun: ClassVar[str] = "query"
    flagless: ClassVar[tuple[str, ...]] = ("separator", "encoding")
    filed: ClassVar[bool] = False

    @classmethod
    def command(cls) -> tuple[str, ...]:
        return (cls.noun, cls.verb)

    data: Any = None
    original: Any = None  # of releases, as are attacks on them
    attack: tuple[str, ...] = ()
    config: str | Path | None = None
    ledger: str | Path | None = setting(None, "path", "A ledger, without a project file.", metavar="FILE")
    dataset: str | None = setting(None, "text", "Only this data set.")
    finding: tuple[str | Path, ...] = setting(
        (), "paths", "What `shoal query attack --json` printed, as a file. Repeatable.", metavar="FILE"
    )
    time_limit: float = setting(10.0, "number", "Seconds for the audit. Default: 10.", metavar="S")

    def __post_init__(self) -> None:
        self._several("finding")
        if not 0 < self.time_limit < float("inf"):
            raise BadParameter(f"--time-limit is a number of seconds above 0, not {self.time_limit}")


@dataclass(frozen=True, kw_only=True)
class LearnQuery(Request):
    """An algorithm, the rows, and what each column may be."""

    noun: ClassVar[str] = "query"
    verb: ClassVar[str] = "learn"
    flagless: ClassVar[tuple[str, ...]] = ("separator", "encoding")
    filed: ClassVar[bool] = False

    mechanism: Any = setting(
        None, "text", 'As in "k-means(k=3,epsilon=1)".', metavar="MECHANISM", placed=True
    )
    data: Any = setting(None, "path", "The rows, one per person.", metavar="FILE", placed=True, last=True)
    bounds: Any = setting((), "texts", BOUNDS, metavar="COLUMN=LOW:HIGH")
    label: Any = setting(
        None, "text", "For classifiers: which rows are of the kind sought.", metavar="COLUMN=VALUE"
    )
    budget: Any = setting(None, "exact", BUDGET, metavar="E")
    ledger: str | Path | None = setting(None, "path", LEDGER)

    def __post_init__(self) -> None:
        if self.mechanism is None:
            raise BadParameter('what should be learned? Name a mechanism, as in "k-means(k=3,epsilon=1)"')
        if self.separator is not None or self.encoding is not None:
            raise BadParameter("rows to learn from are read as they are; leave separator and encoding out")
