"""Input perturbation: people lie with a known probability before anybody stores what they say."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.errors import BadParameter
from shoal.queries.endpoints.endpoint import LocalAlternative, Refused
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.people_endpoint import PeopleEndpoint
from shoal.queries.endpoints.question import Question, literal
from shoal.queries.mechanisms.randomised_response import RandomisedResponse


@dataclass(frozen=True)
class LocalRandomisedResponse(LocalAlternative):
    """Everybody answers one yes-or-no question by randomised response, and only that is stored.

    Nobody need be trusted, and any number of questions is answered: counts are put right by the known
    probability of a lie. The price is noise from every single person: an error that grows with the root of
    how many people are counted, where noise on the answer stays as it is.

    Warner, "Randomized response", 1965; Kasiviswanathan et al., "What can we learn privately?", 2008.
    """

    name: ClassVar[str] = "local-randomised-response"

    def open(self, people: People) -> PeopleEndpoint:
        """A database of what people said."""
        if not self.column or not self.value:
            raise BadParameter(
                f"{self.name} asks everybody one yes-or-no question; name it, as in --secret diagnosis=HIV"
            )
        return _Said(people, self.epsilon, people.column(self.column).name, self.value)


class _Said(PeopleEndpoint):
    def __init__(self, people: People, epsilon: Fraction, column: str, value: str) -> None:
        self._coin = RandomisedResponse.within(epsilon)
        self._column = column
        true = people.frame[column]
        has = (true.cast(pl.String) == value).fill_null(False)
        self._said = self._coin.release(has.cast(pl.Int64).to_numpy())
        # What questions select by is what was said, too: the truth is nowhere.
        kept = pl.Series(column, [value if yes else None for yes in self._said], pl.String)
        super().__init__(people.with_column(kept.cast(true.dtype, strict=False)))
        self._literal = literal(value if true.dtype == pl.String else true.filter(has)[0])

    def ask(self, question: Question, epsilon: Fraction | None) -> float:
        if question.column is None:
            return super().ask(question, epsilon)
        if question.column != self._column or question.value != self._literal:
            raise Refused(f"nobody was asked that; people told only whether {self._column} = {self._literal}")
        about = self.people.whom(Question(question.who))
        return float(self._coin.estimate(self._said[about].astype(np.int64)).counts[1])
