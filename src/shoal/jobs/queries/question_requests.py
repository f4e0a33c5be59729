"""Requests to ask a question, to audit one and to choose its ε, each setting written once."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from shoal.core.errors import BadParameter
from shoal.jobs.graphs.requests import AskGraph
from shoal.jobs.request import Request, known, setting

TOKEN = "SHOAL_TOKEN"
BOUNDS = "What a number may be, from common knowledge and never from the data. Repeatable."
BUDGET, LEDGER = (known(AskGraph)[word].help for word in ("budget", "ledger"))
SERVICE = f"A running service; the token comes from ${TOKEN} or --token-file."


@dataclass(frozen=True, kw_only=True)
class DeclaredTables(Request):
    """Private tables by name, and what is declared about them before anybody asks."""

    noun: ClassVar[str] = "query"
    flagless: ClassVar[tuple[str, ...]] = ("separator",)
    filed: ClassVar[bool] = False

    data: Any = None  # files or frames by name, or texts such as patients=patients.csv
    unit: str | None = setting(None, "text", "The column that tells whose row it is, in every private table.")
    bounds: Any = setting((), "texts", BOUNDS, metavar="COLUMN=LOW:HIGH")
    keys: Any = setting(
        (), "texts", "All values that may be shown as groups: sex=F,M. Repeatable.", metavar="COLUMN=A,B,C"
    )
    kind: Any = setting(
        (),
        "texts",
        "integer, number, text, boolean, date or timestamp. Repeatable.",
        metavar="COLUMN=KIND",
    )
    rows: int | None = setting(None, "whole", "How many rows one person may have. Default: 1.", metavar="N")
    groups: int | None = setting(
        None, "whole", "In how many groups of an answer a person may count.", metavar="N"
    )
    public: Any = setting(
        (), "texts", "A table about nobody, NAME=FILE, to join with. Repeatable.", metavar="NAME=FILE"
    )
    parent: Any = setting(
        (),
        "texts",
        "A private table without the unit hangs on another one, TABLE=COLUMN:PARENT.KEY:ROWS, as in "
        "orders=customer_id:customers.id:10: of each row of the parent at most ROWS count (1). Repeatable.",
        metavar="TABLE=COLUMN:PARENT.KEY:ROWS",
    )
    accounting: str | None = setting(
        None,
        "text",
        "approximate (default), pure, zcdp or pld; with all groups listed zcdp-listed or pld-listed.",
    )

    def __post_init__(self) -> None:
        if self.separator is not None:
            raise BadParameter("tables that are asked are read by their own separator; leave --separator out")
        for name, value in vars(self).items():  # flags come as tuples
            if isinstance(value, tuple):
                object.__setattr__(self, name, list(value))

    @property
    def given(self) -> dict[str, Any]:
        """What is said about the data, by its words."""
        words = [one.name for one in fields(DeclaredTables) if one.name != "separator"]
        return {word: getattr(self, word) for word in words}

    def _alone(self, flag: str, *others: str) -> None:
        """Refuse what means nothing beside another."""
        said = {**self.given, **{name: getattr(self, name) for name in others}}
        for name, value in said.items():
            if value not in (None, [], {}):
                raise BadParameter(f"--{name} and {flag} do not go together; leave one of them out")

    def _check_place(self, config: Any, dataset: str | None, service: str | None, *books: str) -> None:
        """The data are declared here, in a project file, or at a service."""
        if service is not None:
            self._alone("--service", *books, "config")
        elif config is not None:
            self._alone("--config", *books)
        elif dataset is not None:
            raise BadParameter("--dataset names a part of --config or --service; give one of them")


@dataclass(frozen=True, kw_only=True)
class AskQuery(DeclaredTables):
    """A question, and where to ask it: declared tables, a project file, or a service."""

    verb: ClassVar[str] = "ask"

    sql: str | None = setting(
        None, "text", "The question; - reads it from standard input.", metavar="SQL", placed=True
    )
    epsilon: Any = setting(None, "exact", "What the question may cost, often 0.1 to 1.", metavar="E")
    delta: Any = setting(None, "exact", "Its δ, for groups that are found in the data.", metavar="D")
    budget: Any = setting(None, "exact", BUDGET, metavar="E")
    ledger: str | Path | None = setting(None, "path", LEDGER)
    estimate: bool = setting(False, "flag", "Tell cost and expected error only; nothing is spent.")
    chart: str | Path | None = setting(
        None, "path", "Draw the answer as .svg, .png or .html.", metavar="FILE"
    )
    config: str | Path | None = None
    dataset: str | None = setting(None, "text", "Which data set, when there are several.")
    service: str | None = setting(None, "text", SERVICE, metavar="URL")
    token: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_place(self.config, self.dataset, self.service, "budget", "ledger")
        if self.sql is None:
            raise BadParameter('no question given; write it in quotes, as in "SELECT COUNT(*) FROM visits"')


@dataclass(frozen=True, kw_only=True)
class AuditQuery(DeclaredTables):
    """What to audit: a mechanism by its spelling, a question to declared tables, or a function."""

    verb: ClassVar[str] = "audit"

    subject: Any = setting(
        None,
        "text",
        "A mechanism of the catalog, or a question to --data.",
        metavar="MECHANISM|SQL",
        placed=True,
    )
    epsilon: Any = setting(None, "exact", "What is claimed, often 0.1 to 1.", metavar="E")
    delta: Any = setting(None, "exact", "Its δ, for groups that are found in the data.", metavar="D")
    neighbours: Any = None  # for a function: the input with and without somebody
    without: str | None = setting(
        None, "text", "Who is left out. Default: who moves it the most.", metavar="PERSON"
    )
    samples: int = setting(100_000, "whole", "Draws on each of the two neighbours.", metavar="N")
    confidence: float = setting(0.999, "number", "How sure the bound is.", metavar="P")
    time_limit: float | None = setting(60.0, "number", "Draw no longer than that many seconds.", metavar="S")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.subject is None:
            raise BadParameter('what should be audited? Name a mechanism, as in "laplace", or a question')


@dataclass(frozen=True, kw_only=True)
class EpsilonQuery(DeclaredTables):
    """The smallest ε for an error that one can live with, or what a given ε means. Nothing is spent."""

    verb: ClassVar[str] = "epsilon"

    question: str | None = setting(
        None, "text", "A question to choose ε for; or give --sensitivity.", metavar="SQL", placed=True
    )
    within: float | None = setting(
        None, "number", "95 of 100 answers may be off by this much at the most.", metavar="N"
    )
    error: float | None = setting(None, "number", "Answers may be off by so much on average.", metavar="N")
    epsilon: Any = setting(None, "exact", "Explain this ε instead of finding one.", metavar="E")
    sensitivity: Any = setting(
        None, "exact", "Without a question: how far one person moves the number.", metavar="N"
    )
    column: str | None = setting(
        None, "text", "Which column of the answer matters. Default: the one that is farthest off."
    )
    belief: float = setting(
        0.5, "number", "How sure somebody was before that you are in the data. Default: 0.5.", metavar="P"
    )
    delta: Any = setting(None, "exact", "The δ of groups that are found in the data.", metavar="D")
    ledger: str | Path | None = setting(None, "path", "The ledger whose accounting holds.", metavar="FILE")
    config: str | Path | None = None
    dataset: str | None = setting(None, "text", "Which data set, when there are several.")
    service: str | None = setting(None, "text", SERVICE, metavar="URL")
    token: str | None = None
    chart: str | Path | None = setting(
        None, "path", "Draw error, belief and the two densities, as .svg, .png or .html.", metavar="FILE"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        wanted = [name for name in ("within", "error", "epsilon") if getattr(self, name) is not None]
        if len(wanted) != 1:
            raise BadParameter(
                "how far off may answers be? Give --within 50 or --error 50, or --epsilon E to explain it"
            )
        for name in ("within", "error"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise BadParameter(f"--{name} {value:g} is out of range; give a number above 0, such as 50")
        if (self.question is None) == (self.sensitivity is None):
            raise BadParameter(
                "ε for what? Give a question and its data, or --sensitivity N: how far one person moves it"
            )
        if not 0 < self.belief < 1:
            raise BadParameter(f"--belief {self.belief:g} is out of range; give a share such as 0.5")
        self._check_place(self.config, self.dataset, self.service, "ledger")
        if self.sensitivity is not None:
            others = ("delta", "ledger", "config", "service", "column")
            said = {**self.given, **{name: getattr(self, name) for name in others}}
            for name, value in said.items():
                if name != "accounting" and value not in (None, [], {}):
                    raise BadParameter(f"--{name} is for a question; --sensitivity needs none of it")
