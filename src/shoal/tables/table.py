"""The subject of this pillar: data plus the role of every column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter, BadTable
from shoal.tables.column_decisions import ROLES, Role
from shoal.tables.hierarchies import Hierarchy


@dataclass(frozen=True)
class Table:
    """Rows about people, and for every column what it could give away and how it can be coarsened.

    A column without a declared role counts as insensitive. A missing value is a value of its own.
    """

    frame: pl.DataFrame
    identifier: tuple[str, ...] = ()
    quasi: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    population: pl.DataFrame | None = None  # everybody who might be in the table
    held: pl.DataFrame | None = None  # of released rows: columns that models count and that stay in the house
    # Of a table whose rows stay in an engine: the frame has every distinct row once, with how many it stands
    # for, and only the columns that are counted here; `elsewhere` are the others. Of its release: `sources`
    # are the quasi-identifiers that each row was made from.
    weights: NDArray[np.int64] | None = None
    elsewhere: tuple[str, ...] = ()
    sources: pl.DataFrame | None = None

    def __post_init__(self) -> None:
        if not self.frame.width:
            raise BadTable("the table has no columns; give a file with a header line and rows")
        if not self.frame.height:
            raise BadTable("the table has a header but no rows; there is nobody to protect in it")
        declared: dict[str, str] = {}
        for role in ("identifier", "quasi", "sensitive"):
            for column in getattr(self, role):
                self._require(column)
                if column in declared:
                    raise BadParameter(
                        f"column '{column}' is declared {declared[column]} and {role}; a column has one role"
                    )
                declared[column] = role

    def _require(self, column: str) -> None:
        if column not in self.columns:
            raise BadParameter(f"no column '{column}'; the table has {', '.join(self.columns)}")

    @property
    def counted(self) -> pl.DataFrame:
        """The columns that models count, those that stay in the house included."""
        return self.frame if self.held is None else self.frame.hstack(self.held)

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return self.frame.height if self.weights is None else int(self.weights.sum())

    @property
    def columns(self) -> list[str]:
        """All column names, in file order; those that stay in an engine last."""
        return [*self.frame.columns, *self.elsewhere]

    @property
    def insensitive(self) -> tuple[str, ...]:
        """The columns with no other role."""
        taken = {*self.identifier, *self.quasi, *self.sensitive}
        return tuple(column for column in self.columns if column not in taken)

    def role(self, column: str) -> Role:
        """The role of one column."""
        self._require(column)
        for role in ROLES[:3]:
            if column in getattr(self, role):
                return role
        return "insensitive"

    def with_roles(
        self,
        identifier: Iterable[str] = (),
        quasi: Iterable[str] = (),
        sensitive: Iterable[str] = (),
        insensitive: Iterable[str] = (),
    ) -> Table:
        """The same data with the roles declared anew."""
        table = replace(self, identifier=tuple(identifier), quasi=tuple(quasi), sensitive=tuple(sensitive))
        for column in insensitive:
            if table.role(column) != "insensitive":
                raise BadParameter(
                    f"column '{column}' is {table.role(column)} and insensitive; a column has one role"
                )
        return table

    def with_frame(self, frame: pl.DataFrame) -> Table:
        """The same roles over other rows, as far as the columns are still there."""

        def present(columns: Sequence[str]) -> tuple[str, ...]:
            return tuple(column for column in columns if column in frame.columns)

        return Table(
            frame,
            present(self.identifier),
            present(self.quasi),
            present(self.sensitive),
            self.hierarchies,
            self.population,
        )

    def only(self, rows: NDArray[np.integer]) -> Table:
        """Some rows of the frame, each still for as many as it stands for."""
        weights = None if self.weights is None else self.weights[rows]
        return replace(self.with_frame(self.frame[rows]), weights=weights, elsewhere=self.elsewhere)

    def with_hierarchies(self, hierarchies: Mapping[str, Hierarchy]) -> Table:
        """The same data with hierarchies for its columns."""
        for column in hierarchies:
            self._require(column)
        return replace(self, hierarchies=dict(hierarchies))
