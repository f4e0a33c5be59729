"""Tables over a domain that was declared before anybody looked at the data: what noise can protect.

A mechanism is private only if nothing about its release but the noise depends on the rows: not which values
could occur, not the levels, not the number of rows, not what lies in columns that nobody declared. Nor may
it depend on the rows whether there is a release at all: a row with a value that nobody declared is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.part_syntax import spell
from shoal.core.randomness import random_order
from shoal.engines.frames import compact
from shoal.tables.appraisal.losses import losses
from shoal.tables.appraisal.recoding import full_domain
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.release import TableRelease
from shoal.tables.table import Table

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NOWHERE = -1  # the label number of a value that nobody declared
UNSEEN = "rows with a missing or undeclared value are left out, and nobody is told whether there are any"


@dataclass(frozen=True, eq=False)
class DeclaredDomain:
    """Quasi-identifiers and sensitive columns on fixed levels, every row as one label number per column.

    A value that nobody declared has the number `NOWHERE`. It is no error: whether one is raised would tell.
    """

    table: Table
    columns: tuple[str, ...]
    hierarchies: tuple[Hierarchy, ...]
    levels: tuple[int, ...]
    rows: Ints  # row × column

    @classmethod
    def of(cls, table: Table, levels: Sequence[str], method: str) -> DeclaredDomain:
        """Encode a table on levels written `column:level`; a column without one stays on level 0."""
        columns = (*table.quasi, *table.sensitive)
        wanted = _levels(levels, columns, method)
        codes = []
        for column in columns:
            hierarchy = table.hierarchies.get(column)
            if hierarchy is None:
                raise BadParameter(f"{method} needs a declared domain; give --hierarchy {column}=FILE.csv")
            if not 0 <= wanted[column] <= hierarchy.height:
                raise BadParameter(
                    f"{method}(levels={column}:{wanted[column]}) is no level of '{column}', "
                    f"which has levels 0 to {hierarchy.height}"
                )
            codes.append(_numbers(table.frame[column], hierarchy, wanted[column]))
        hierarchies = tuple(table.hierarchies[column] for column in columns)
        every = tuple(wanted[column] for column in columns)
        return cls(table, columns, hierarchies, every, np.stack(codes, axis=1).astype(np.int64))

    @property
    def known(self) -> Ints:
        """The rows whose values are all declared: one row more or less is one more or less of them."""
        declared: NDArray[np.bool_] = (self.rows != NOWHERE).all(axis=1)
        return np.asarray(self.rows[declared])

    @property
    def widths(self) -> tuple[int, ...]:
        """Labels of each column."""
        return tuple(len(one.names[level]) for one, level in zip(self.hierarchies, self.levels, strict=True))

    @property
    def cells(self) -> int:
        """Combinations of labels."""
        return math.prod(self.widths)

    def release(
        self,
        rows: Ints,
        method: str,
        models: Sequence[ClassModel[Classes]],
        guarantees: Mapping[str, float],
        notes: Sequence[str] = (),
    ) -> TableRelease:
        """A release of made-up or kept rows, in any order, with no figure of the original."""
        if not len(rows):
            raise Unreachable(f"{method} left no row; allow a larger epsilon, or raise the levels")
        rows = rows[random_order(len(rows))]
        table = self.table
        labels = [
            pl.Series(column, hierarchy.names[level], dtype=pl.String).gather(rows[:, place])
            for place, (column, hierarchy, level) in enumerate(
                zip(self.columns, self.hierarchies, self.levels, strict=True)
            )
        ]
        frame = compact(pl.DataFrame(labels))
        # The hierarchies of sensitive columns speak of values that were generalised since.
        hierarchies = {column: table.hierarchies[column] for column in table.quasi}
        made = Table(frame, (), table.quasi, table.sensitive, hierarchies)
        left = len(table.quasi)
        sizes = Classes.of(Table(frame, quasi=table.quasi)).sizes
        spread = [self._spread(rows[:, place], place) for place in range(left)]
        nobody = [np.zeros(len(one)) for one in spread]
        recoding = full_domain(self.hierarchies[:left], self.levels[:left], spread, nobody, sizes)
        dropped = table.insensitive
        if dropped:
            notes = (*notes, f"left out {', '.join(dropped)}: {method} releases declared columns only")
        return TableRelease(
            table=made,
            classes=len(sizes),
            rows=len(rows),  # the true number is nobody's business
            method=method,
            domains=domains_of(made, models),
            losses=losses(recoding, 1),
            levels=dict(zip(table.quasi, self.levels[:left], strict=True)),
            guarantees=guarantees,
            notes=tuple(notes),
        )

    def _spread(self, labels: Ints, place: int) -> Floats:
        """Released rows per leaf, as many for each leaf under a label: what the release itself can say."""
        codes = self.hierarchies[place].codes[self.levels[place]]
        counts = np.bincount(labels, minlength=self.widths[place])
        return np.asarray(counts[codes] / np.bincount(codes)[codes])


def refuse_other(models: Sequence[ClassModel[Classes]], able: Sequence[str], method: str) -> None:
    """Refuse models that a mechanism cannot promise: looking at the rows to keep them would cost its own."""
    for model in models:
        if model.name not in able:
            raise BadParameter(f"{method} cannot promise {model.name}; it can promise {', '.join(able)}")


def refuse_weaker(
    models: Sequence[ClassModel[Classes]], guarantees: Mapping[str, float], method: str, cure: str
) -> None:
    """Refuse models that ask for more than the parameters give, before any chance is drawn."""
    anything = Classes(np.ones(1, np.int64), guarantees=guarantees)
    for model in models:
        if model.mechanisms and not model.holds(anything).all():
            gives = ", ".join(f"{name} = {value:.4g}" for name, value in guarantees.items())
            raise Unreachable(f"{method} gives {gives}, which does not keep {spell(model)}; {cure}")


def _numbers(column: pl.Series, hierarchy: Hierarchy, level: int) -> Ints:
    """Each value as the number of its label on a level; `NOWHERE` for what the hierarchy does not know."""
    places = pl.Series(np.append(hierarchy.codes[level], NOWHERE).astype(np.int64))
    leaves = pl.DataFrame({"value": pl.Series(hierarchy.leaves, dtype=pl.String)}).with_row_index("leaf")
    found = pl.DataFrame({"value": texts(column)}).join(
        leaves, on="value", how="left", nulls_equal=True, maintain_order="left"
    )
    return places.gather(found["leaf"].fill_null(len(hierarchy.leaves))).to_numpy()


def _levels(levels: Sequence[str], columns: Sequence[str], method: str) -> dict[str, int]:
    wanted = dict.fromkeys(columns, 0)
    for text in levels:
        column, sign, level = text.rpartition(":")
        if not sign or not level.isdecimal():
            raise BadParameter(f"{method}(levels={text}) is not column:level, as in levels=age:1|zip:2")
        if column not in wanted:
            raise BadParameter(
                f"{method}(levels={text}) names no quasi-identifier or sensitive column; "
                f"there is {', '.join(columns)}"
            )
        wanted[column] = int(level)
    return wanted
