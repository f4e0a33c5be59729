"""Requests about tables, each setting written once: see `shoal.jobs.request`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from shoal.core.errors import BadParameter
from shoal.core.part_syntax import columns_of
from shoal.jobs.request import ReportRequest, Request, numbers_in, setting, weights_in
from shoal.tables.column_decisions import ROLES as ROLES
from shoal.tables.column_decisions import UNDECLARED, By, Undeclared

Columns = tuple[str, ...]
_WEIGHT = setting((), "texts", "What a column counts in the loss, as in age=2. Repeatable.")  # or {"age": 2}


@dataclass(frozen=True, kw_only=True)
class TableRequest(Request):
    """What every request about a table has: where the data are, and the roles of the columns."""

    noun: ClassVar[str] = "table"

    # A path, `-`, a Polars or pandas frame, an Arrow table, or a Table.
    data: Any = setting(
        None,
        "path",
        "CSV, TSV, Parquet or Arrow, a folder, or a table by URL; - is standard input.",
        metavar="FILE",
        placed=True,
    )
    identifier: Columns = setting((), "columns", "Columns that name a person: a,b,c. Always removed.")
    quasi: Columns = setting((), "columns", "Quasi-identifiers: columns that others may know: a,b,c.")
    sensitive: Columns = setting((), "columns", "Columns nobody should learn about a person: a,b,c.")
    insensitive: Columns = setting((), "columns", "Columns to keep as they are: a,b,c.")
    hierarchy: Mapping[str, Any] = setting(
        dict,
        "mapping",
        "COLUMN=FILE.csv, or a rule such as age=interval(width=5), zip=mask(), born=date(). Repeatable.",
    )

    def __post_init__(self) -> None:
        if self.data is None:
            raise BadParameter('no table given; name a file (or put file = "…" into the project file)')
        for role in ROLES:
            object.__setattr__(self, role, columns_of(getattr(self, role)))
        if self.hierarchy is None:
            object.__setattr__(self, "hierarchy", {})
        if not isinstance(self.hierarchy, Mapping):
            raise BadParameter(
                f"hierarchy maps columns to hierarchies, as in {{'zip': 'mask()'}}, not {self.hierarchy!r}"
            )


@dataclass(frozen=True, kw_only=True)
class RecordedTable(TableRequest):
    """What has a record beside it, or will have one."""

    manifest: str | Path | None = setting(None, "path", "Its record. Default in an engine: TABLE.shoal.json.")


@dataclass(frozen=True, kw_only=True)
class PromisedTable(TableRequest):
    """What is asked of a release: models by their spellings, or models, and what they compare it with."""

    model: tuple[Any, ...] = setting(
        (), "texts", 'A promise, as in "l-diversity(l=3,kind=entropy)". Repeatable.'
    )
    k: int | None = setting(None, "whole", "Short for --model k-anonymity(k=N).", metavar="N")
    population: Any = setting(None, "path", "Everybody the table was drawn from.")


@dataclass(frozen=True, kw_only=True)
class SeededTable(TableRequest):
    """What draws by chance."""

    seed: int | None = setting(None, "whole", "Makes the order of rows repeatable.", metavar="N")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.seed is not None and self.seed < 0:
            raise BadParameter(f"seed is a whole number from 0 on, not {self.seed}")


@dataclass(frozen=True, kw_only=True)
class SearchedTable(SeededTable):
    """What a search is held to."""

    time_limit: float | None = setting(
        None, "number", "Seconds after which the best so far will do.", metavar="SECONDS"
    )
    weight: Any = _WEIGHT

    def _check_search(self, objective: str, suppress: float) -> None:
        """Refuse what no search can do, whatever the method."""
        from shoal.tables.search.lattice_method_options import LatticeRequest

        weights = weights_in(self.weight) if self.weight else {}
        object.__setattr__(self, "weight", tuple(f"{name}={one!r}" for name, one in weights.items()))
        LatticeRequest(objective, suppress, self.time_limit, weight=self.weight)


@dataclass(frozen=True, kw_only=True)
class AttackedTable(RecordedTable):
    """What attackers may hold beside the release; of other releases the newest comes last."""

    external: Any = setting(None, "path", "A list of people that an attacker may have.")
    other: tuple[Any, ...] = setting((), "paths", "Another release about the same people. Repeatable.")
    control: Any = setting(None, "path", "People like those in the data who are not in it.")


@dataclass(frozen=True, kw_only=True)
class InspectTable(TableRequest):
    """Suggest roles and list the riskiest combinations."""

    verb: ClassVar[str] = "inspect"
    flagless: ClassVar[Columns] = (*ROLES, "hierarchy")


@dataclass(frozen=True, kw_only=True)
class ProtectTable(PromisedTable, RecordedTable, SearchedTable):
    """Make a release that keeps the models' promises."""

    verb: ClassVar[str] = "protect"

    output: str | Path | None = setting(None, "path", "Where to write the release.", short="-o")
    step: tuple[Any, ...] = setting(  # spellings, or steps
        (), "texts", 'A change to make before, as in "noise(column=income)"; in this order. Repeatable.'
    )
    method: Any = setting("auto", "text", "How to get there; see `shoal catalog`.")
    suppress: float = setting(0.05, "number", "Share of rows that may be left out, 0 to 1.", metavar="SHARE")
    objective: str = setting(
        "loss",
        "text",
        "What to optimise: loss, precision, discernibility, average-class-size, entropy, "
        "workload(FILE) or classifier(column=NAME).",
    )
    levels: Columns = setting(
        (), "columns", "Levels that you choose for columns, as in age=2,zip=1; the others are searched."
    )
    class_column: str | None = setting(None, "text", "A column to keep predictable (for grown()).")
    join: tuple[Any, ...] = setting(
        (), "paths", "Another table about the same people, joined by --person. Repeatable."
    )
    person: str | None = setting(None, "text", "The column that says who is who in joined tables.")
    undeclared: Undeclared = setting(
        "drop", "text", "Columns without a role: drop (default) leaves out, refuse stops, keep releases them."
    )
    escape_formulas: bool = setting(
        False, "flag", "In CSV, write ' before texts that a spreadsheet would run as formulas."
    )
    yes: bool = False  # accept the roles that the columns suggest, and the usual promise where none is given
    decided: Mapping[str, By] = field(default_factory=dict)  # who gave a role, where it was not the flags

    def __post_init__(self) -> None:
        super().__post_init__()
        self._several("join")
        if isinstance(self.levels, Mapping):
            object.__setattr__(self, "levels", tuple(f"{name}={one}" for name, one in self.levels.items()))
        object.__setattr__(self, "levels", columns_of(self.levels))
        if self.undeclared not in UNDECLARED:
            raise BadParameter(
                f"--undeclared is {', '.join(UNDECLARED[:-1])} or {UNDECLARED[-1]}, not '{self.undeclared}'"
            )
        self._check_search(self.objective, self.suppress)


@dataclass(frozen=True, kw_only=True)
class CompareTable(SearchedTable):
    """Make releases with many settings, and set risk against usefulness. The time limit is for each."""

    verb: ClassVar[str] = "compare"

    output: str | Path | None = setting(None, "path", "The curve as .svg, .png, .html or .json.", short="-o")
    model: tuple[Any, ...] = setting(
        (), "texts", 'A promise; braces list what to try: "l-diversity(l={2,3,5})". Repeatable.'
    )
    k: Any = setting((), "numbers", "Values of k to try: 2,5,10.", metavar="N,N")
    method: Any = setting(("auto",), "texts", "A method to try; auto by default. Repeatable.")
    suppress: Any = setting(
        (0.05,), "numbers", "Shares of rows that may be left out. Default: 0.05.", metavar="SHARE,SHARE"
    )
    objective: str = setting("loss", "text", "What every release optimises; as protect.")
    class_column: str | None = setting(None, "text", "A column that people would predict.")
    risk: str = setting(
        "prosecutor-highest",
        "text",
        "prosecutor-highest (default), prosecutor-average, marketer, or an attack's success.",
    )
    utility: str = setting(
        "loss",
        "text",
        "loss (default), precision, discernibility, average-class-size, entropy, suppressed, "
        "workload-error, information-gain or classifier-accuracy.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._several("model", "method")
        object.__setattr__(self, "k", numbers_in(self.k, "k", int))
        object.__setattr__(self, "suppress", numbers_in(self.suppress, "suppress", float))
        for share in self.suppress:
            self._check_search(self.objective, share)


@dataclass(frozen=True, kw_only=True)
class VerifyTable(PromisedTable, RecordedTable):
    """Check a release from its files alone."""

    verb: ClassVar[str] = "verify"
    flagless: ClassVar[Columns] = ("identifier", "insensitive")


@dataclass(frozen=True, kw_only=True)
class MeasureTable(RecordedTable):
    """Risk, and what was lost against the original."""

    verb: ClassVar[str] = "measure"
    flagless: ClassVar[Columns] = ("identifier", "insensitive")

    original: Any = setting(None, "path", "The table the release was made from.")
    population: Any = setting(None, "path", "The people the table was drawn from.")
    population_size: int | None = setting(
        None, "whole", "How many people the table was drawn from.", metavar="N"
    )
    sampling_fraction: float | None = setting(
        None, "number", "The same as the share of them in the table.", metavar="SHARE"
    )
    threshold: float = setting(0.2, "number", "Count the rows above this risk. Default: 0.2.", metavar="RISK")
    combinations: int | None = setting(
        None, "whole", "How many columns to look at together. Default: 3; 0 for none.", metavar="N"
    )
    safe_harbor: bool = setting(False, "flag", "Look for the 18 identifier kinds of HIPAA's Safe Harbor.")
    class_column: str | None = setting(None, "text", "A column that people would predict; with --original.")
    weight: Any = _WEIGHT
    k: int | None = setting(None, "whole", "The k that class sizes are measured in.", metavar="N")
    only: tuple[Any, ...] = setting(  # or measures
        (), "texts", "Only this measure of `shoal catalog`, and nothing else. Repeatable."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "weight", weights_in(self.weight) if self.weight else {})
        self._several("only")


@dataclass(frozen=True, kw_only=True)
class AttackTable(AttackedTable, SeededTable):
    """Run one attack of the catalog."""

    verb: ClassVar[str] = "attack"
    flagless: ClassVar[Columns] = ("identifier", "insensitive")

    attack: Any = setting(  # or an attack
        None, "text", 'An attack of `shoal catalog`, as in "homogeneity".', metavar="NAME", placed=True
    )
    external: Any = setting(None, "path", "A list of people that the attacker knows, with or without names.")
    target: tuple[str, ...] = setting((), "texts", "A person, as in name=Bob,zip=47678,age=27. Repeatable.")
    original: Any = setting(None, "path", "What the release was made from: tells right guesses from wrong.")
    show: int | None = setting(None, "whole", "How many people to tell of; 0 for all.", metavar="N")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._several("other", "target")
        if self.attack is None:
            raise BadParameter("no attack named; `shoal catalog` lists them")
        if self.show is not None and self.show < 0:
            raise BadParameter(f"show is how many people to tell of, 0 for all, not {self.show}")


@dataclass(frozen=True, kw_only=True)
class HierarchyTable(TableRequest):
    """The hierarchy of one column, given or suggested."""

    verb: ClassVar[str] = "hierarchy"
    flagless: ClassVar[Columns] = ROLES
    filed: ClassVar[bool] = False

    column: str = setting("", "text", "The column it is for.")
    output: str | Path | None = setting(None, "path", "Where to write it as CSV.", short="-o")


@dataclass(frozen=True, kw_only=True)
class ReportTable(PromisedTable, AttackedTable, ReportRequest):
    """Tell all there is to tell about one release, for somebody who decides and signs."""

    verb: ClassVar[str] = "report"
    flagless: ClassVar[Columns] = ("identifier", "insensitive")

    data: Any = setting(
        None, "path", "The release, with its manifest beside it.", metavar="RELEASE", placed=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._several("other", "model")
        self._check_report()
