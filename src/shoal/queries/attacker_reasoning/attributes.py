"""Yes-or-no attributes that everybody may know of a person, and the questions that count them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.queries.declaration.declaration import Table
from shoal.queries.endpoints.question import Question, both, literal, name

RARE = 0.01  # values that fewer have, or that all but so few have, tell little and are many
CUTS = 9  # of a number, at its deciles


@dataclass(frozen=True)
class Attribute:
    """Whether somebody has a value, or a number of at least a cut."""

    column: str
    value: str | float | bool
    cut: bool = False
    beside: Attribute | None = None  # and this as well

    @property
    def condition(self) -> str:
        """Who has it."""
        own = f"{name(self.column)} {'>=' if self.cut else '='} {literal(self.value)}"
        return own if self.beside is None else both(own, self.beside.condition)

    @property
    def question(self) -> Question:
        """How many have it."""
        return Question(self.condition)

    def of(self, frame: pl.DataFrame) -> NDArray[np.bool_]:
        """Who of some people has it."""
        column = frame[self.column]
        held = (column >= self.value if self.cut else column == self.value).fill_null(False).to_numpy()
        return held if self.beside is None else held & self.beside.of(frame)


def attributes_of(
    looks: pl.DataFrame, here: pl.DataFrame, known: Sequence[str], table: Table, most: int
) -> list[Attribute]:
    """Attributes that people like these differ in, those first that divide them best.

    They are taken from how people look in general (`looks`); of every column one value follows from the
    others and is left out. Where single values are fewer than wanted, pairs of them come after.
    """
    found: list[tuple[float, Attribute]] = []
    for column in known:
        if column not in looks.columns or column not in here.columns:
            continue
        values = looks[column].drop_nulls()
        if not values.len():
            continue
        if table.column(column).kind in ("integer", "number"):
            cuts = np.unique(np.quantile(values.to_numpy(), np.arange(1, CUTS + 1) / (CUTS + 1)))
            chosen = [Attribute(column, float(cut), cut=True) for cut in cuts]
        else:
            counted = values.value_counts(sort=True)[column].to_list()
            chosen = [Attribute(column, value) for value in counted[1:]]  # all others: the commonest
        for one in chosen:
            share = float(one.of(looks).mean())
            if RARE <= share <= 1 - RARE:
                found.append((abs(share - 0.5), one))
    found.sort(key=lambda pair: (pair[0], pair[1].column, str(pair[1].value)))
    single = [one for _, one in found[:most]]
    pairs: list[Attribute] = []
    for one, other in itertools.combinations(single, 2):
        if len(single) + len(pairs) >= most:
            break
        if one.column != other.column and RARE <= (one.of(looks) & other.of(looks)).mean() <= 1 - RARE:
            pairs.append(replace(one, beside=other))
    return single + pairs
