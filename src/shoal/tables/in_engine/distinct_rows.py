"""The one group-by of a search: distinct rows with their counts, made in the engine and then brought here.

What is too much for one machine's memory is measured first. Then the column with the most values is rolled up
to level 1 of its hierarchy inside the engine, and the next one, until what is left can be brought here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sqlglot import exp

from shoal.core.errors import BadParameter, BadTable
from shoal.engines.sql_engine import DISTINCT, SqlEngine, column, fresh_name
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import texts

MOST = DISTINCT  # what is more is rolled up


@dataclass(frozen=True)
class RolledUp:
    """A column that the engine shows by the labels of level 1, because there were too many distinct rows."""

    column: str
    hierarchy: Hierarchy  # from level 1 on
    lent: exp.Table  # value → label, in the column `label`
    label: str
    note: str


@dataclass(frozen=True)
class DistinctRows:
    """Distinct rows of some columns, and how many each is."""

    columns: tuple[str, ...]
    counter: str
    rolled: tuple[RolledUp, ...] = ()
    frame: pl.DataFrame = field(default_factory=pl.DataFrame)
    weights: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    def with_rows(self, frame: pl.DataFrame) -> DistinctRows:
        """The same with the rows that came here, each with its count."""
        weights = frame[self.counter].cast(pl.Int64).to_numpy()
        return replace(self, frame=frame.select(self.columns), weights=weights)

    @property
    def notes(self) -> list[str]:
        """What was rolled up, and why."""
        return [one.note for one in self.rolled]


def distinct_rows(
    engine: SqlEngine,
    table: exp.Table,
    quasi: Sequence[str],
    counted: Sequence[str],
    hierarchy_of: Callable[[pl.Series], Hierarchy],
    most: int | None = None,
) -> DistinctRows:
    """Group a table by its quasi-identifiers and what is counted with them.

    `hierarchy_of` gives the hierarchy of a column from its distinct values; it is asked for those that have
    to be rolled up.
    """
    most = MOST if most is None else most
    columns, counter = (*quasi, *counted), fresh_name()
    engine.check_texts(table, columns)
    names = [column(name) for name in columns]
    rows = exp.alias_(exp.Count(this=exp.Star()), counter, quoted=True)
    tree = exp.select(*names, rows).from_(table.copy()).group_by(*names)
    if (frame := engine.at_most(tree, most)) is not None:
        if not frame.height:
            raise BadTable("the table has no rows; there is nobody to protect in it")
        return DistinctRows(columns, counter).with_rows(frame)
    found, kept = DistinctRows(columns, counter), engine.keep(tree)
    number, left = engine.size_of(kept), list(quasi)
    while number > most:
        if not left:
            raise BadParameter(
                f"there are {number:,} distinct combinations of {', '.join(columns)}, more than the {most:,} "
                "that are brought here; name fewer quasi-identifiers, or coarsen one in the engine"
            )
        widest = _widest(engine, kept, left)
        left.remove(widest)
        found, kept = _rolled_up(engine, table, found, kept, widest, number, most, hierarchy_of)
        number = engine.size_of(kept)
    return found.with_rows(engine.frame(exp.select("*").from_(kept.copy())))


def _widest(engine: SqlEngine, kept: exp.Table, columns: Sequence[str]) -> str:
    wide = [
        exp.alias_(exp.Count(this=exp.Distinct(expressions=[column(name)])), name, quoted=True)
        for name in columns
    ]
    numbers = engine.frame(exp.select(*wide).from_(kept.copy())).row(0)
    return max(zip(numbers, columns, strict=True))[1]


def _rolled_up(
    engine: SqlEngine,
    table: exp.Table,
    found: DistinctRows,
    kept: exp.Table,
    name: str,
    number: int,
    most: int,
    hierarchy_of: Callable[[pl.Series], Hierarchy],
) -> tuple[DistinctRows, exp.Table]:
    values = engine.frame(exp.select(column(name)).from_(kept.copy()).distinct())[name]
    hierarchy = hierarchy_of(values)
    label = fresh_name()
    labels = pl.Series(label, [hierarchy.label(value, 1) for value in texts(values)], dtype=pl.String)
    lent = engine.lend(pl.DataFrame([values, labels]), table)
    others = [each for each in found.columns if each != name]
    groups: list[exp.Expr] = [column(label, "m"), *(column(each, "r") for each in others)]
    counter = fresh_name()
    rows = exp.Sum(this=column(found.counter, "r"))
    tree = (
        exp.select(
            exp.alias_(groups[0].copy(), name, quoted=True),
            *(group.copy() for group in groups[1:]),
            exp.alias_(exp.cast(rows, "BIGINT"), counter, quoted=True),
        )
        .from_(exp.alias_(kept.copy(), "r", table=True))
        .join(
            exp.alias_(lent.copy(), "m", table=True), on=engine.same([(column(name, "r"), column(name, "m"))])
        )
        .group_by(*groups)
    )
    note = (
        f"rolled '{name}' up to level 1 before the search: there were {number:,} distinct combinations, more "
        f"than the {most:,} that are brought here; its losses count from level 1 on"
    )
    rolled = RolledUp(name, replace(hierarchy.above(1), whole=hierarchy), lent, label, note)
    return replace(found, counter=counter, rolled=(*found.rolled, rolled)), engine.keep(tree)
