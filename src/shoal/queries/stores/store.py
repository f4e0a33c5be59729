"""The door to where private rows live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import polars as pl
from sqlglot import exp

from shoal.core.errors import ShoalError, Unanswered
from shoal.queries.declaration.declaration import Table
from shoal.queries.query import Prepared


class Unstored(ShoalError):
    """Rows that were understood could not be written; nothing was changed."""

    exit_code = 1


class Outdated(Unanswered):
    """The tables were altered since the question was made: their types or constraints, not their rows."""


FAILED = "the rows could not be read"  # one text for every cause, because causes tell


class Store(Protocol):
    """Rows as a question may see them: clean, clamped, and no more of one person than was declared.

    The columns of a relation have the names and the order of the declaration. A bounded column is a BIGINT:
    a whole number of steps of `Column.grid`, clamped to the bounds (not a number counts as missing). Of
    columns without bounds, integer is BIGINT, number is DOUBLE (finite or null). Text is VARCHAR, with keys
    only these or null; then BOOLEAN, DATE and TIMESTAMP, the latter two within their bounds. A row without a
    unit is not there. Of every person at most `Table.rows` rows are there, chosen by nothing but that
    person's own rows.
    """

    dialect: str  # of sqlglot

    @property
    def version(self) -> int:
        """Goes up with every change of the rows."""

    def relation(self, table: Table) -> exp.Expression:
        """What to select from: a table or a sub-query, without an alias."""

    def run(self, selects: Sequence[exp.Select], within: float | None = None) -> list[pl.DataFrame]:
        """The answers to several questions about one and the same state of the rows.

        Ended in the engine when they take longer than `within` seconds.
        """

    def prepare(self, select: exp.Select) -> object | None:
        """A SELECT of one row with parameters, read once; None where that is not done."""

    def rows(self, prepared: Sequence[Prepared], within: float | None = None) -> list[tuple[int | None, ...]]:
        """The answers to SELECTs of one row that were prepared, about one state if they are of one shape."""

    def cancel(self) -> None:
        """End all that is being read, and read nothing from now on."""
