"""Requests about a table that are answered for its owner alone: see `shoal.jobs.request`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from shoal.core.errors import BadParameter
from shoal.jobs.request import setting
from shoal.jobs.tables.requests import PromisedTable, SearchedTable, TableRequest


@dataclass(frozen=True, kw_only=True)
class ExploreTable(PromisedTable, SearchedTable):
    """Which choices of levels keep the promise, and what each costs."""

    verb: ClassVar[str] = "explore"

    suppress: float = setting(0.05, "number", "Share of rows that may be left out, 0 to 1.", metavar="SHARE")
    objective: str = setting("loss", "text", "What to optimise; as protect.")
    nodes: int = setting(
        2000, "whole", "How many combinations of levels to look at. Default: 2000.", metavar="N"
    )
    time_limit: float | None = setting(
        30.0, "number", "Seconds for the search, and as many to look around. Default: 30.", metavar="SECONDS"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_search(self.objective, self.suppress)
        if self.nodes < 1:
            raise BadParameter(f"nodes is how many combinations to look at, at least 1, not {self.nodes}")


@dataclass(frozen=True, kw_only=True)
class ReleasedTable(TableRequest):
    """What compares a release with the table that it was made from."""

    flagless: ClassVar[tuple[str, ...]] = ("identifier", "insensitive")

    data: Any = setting(
        None, "path", "The release, with its manifest beside it.", metavar="RELEASE", placed=True
    )
    original: Any = setting(None, "path", "The table the release was made from.")


@dataclass(frozen=True, kw_only=True)
class DiffTable(ReleasedTable):
    """A release beside its original: changed cells, distributions, group sizes."""

    verb: ClassVar[str] = "diff"

    first: int = setting(0, "whole", "How many rows of the original to pass over. Default: 0.", metavar="N")
    show: int = setting(20, "whole", "How many rows to show. Default: 20.", metavar="N")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.original is None:
            raise BadParameter(
                "beside what? Give the table that the release was made from as --original FILE"
            )
        if self.first < 0 or self.show < 0:
            raise BadParameter(f"rows are counted from 0 on, not from {min(self.first, self.show)}")


@dataclass(frozen=True, kw_only=True)
class MappingTable(ReleasedTable):
    """Which value became which label, column by column."""

    verb: ClassVar[str] = "mapping"

    output: str | Path | None = setting(None, "path", "Where to write it as CSV.", short="-o")
    publishable: bool = setting(
        False, "flag", "Only columns whose mapping follows from a file that declares all values."
    )
