"""Input perturbation: people add noise to a number before anybody stores it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.errors import BadParameter
from shoal.core.sampling.noise import laplace_noise
from shoal.queries.endpoints.endpoint import LocalAlternative, Refused
from shoal.queries.endpoints.people import People, number_column
from shoal.queries.endpoints.people_endpoint import PeopleEndpoint
from shoal.queries.endpoints.question import Question, literal

STEPS = 1000  # from the lower bound to the upper one; noise is a whole number of them


@dataclass(frozen=True)
class LocalLaplace(LocalAlternative):
    """Everybody adds Laplace noise as wide as the range to a number of theirs, and only that is stored.

    A yes or no is 1 or 0. Sums have no bias, since the noise has none, and their error grows with the root of
    how many people are added up. The promise is ε for each person, whatever the others do and whoever stores
    it.

    Duchi, Jordan, Wainwright, "Local privacy and statistical minimax rates", 2013; Dwork et al. 2006.
    """

    name: ClassVar[str] = "local-laplace"

    def open(self, people: People) -> PeopleEndpoint:
        """A database of noisy numbers."""
        if not self.column:
            raise BadParameter(f"{self.name} needs a column to perturb, as in {self.name}(column=income)")
        return _Noisy(people, self)


class _Noisy(PeopleEndpoint):
    def __init__(self, people: People, asked: LocalLaplace) -> None:
        self._column = people.column(asked.column).name
        column = people.frame[self._column]
        low, width = 0.0, 1.0
        if asked.value:
            has = (column.cast(pl.String) == asked.value).fill_null(False)
            true = has.cast(pl.Float64).to_numpy()
            self._literal = literal(asked.value if column.dtype == pl.String else column.filter(has)[0])
        else:
            declared = number_column(people, self._column, asked.name)
            low = float(declared.low or 0)
            width = float(declared.high or 0) - low
            true = column.cast(pl.Float64).fill_null(low).to_numpy()
            self._literal = ""
        steps = np.rint(np.clip((true - low) / width, 0, 1) * STEPS).astype(np.int64)
        noisy = steps + laplace_noise(Fraction(STEPS) / asked.epsilon, len(people))
        self._told = low + noisy / STEPS * width
        # What questions select by is what was told, too: the truth is nowhere.
        hidden = pl.Series(self._column, [None] * len(people), column.dtype)
        super().__init__(people.with_column(hidden if asked.value else pl.Series(self._column, self._told)))

    def ask(self, question: Question, epsilon: Fraction | None) -> float:
        if question.column is None:
            return super().ask(question, epsilon)
        counted = question.aggregate == "count" and question.value == self._literal
        if question.column != self._column or not (counted or question.aggregate == "sum"):
            raise Refused(f"nobody was asked that; people told a noisy number for {self._column}")
        return float(self._told[self.people.whom(Question(question.who))].sum())
