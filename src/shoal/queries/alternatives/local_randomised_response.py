"""Input perturbation: people lie with a known probability before anybody stores what they say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.errors import BadParameter
from shoal.core.sampling.exact_parameters import settle
from shoal.queries.endpoints.endpoint import Alternative, Refused
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.people_endpoint import PeopleEndpoint
from shoal.queries.endpoints.question import Question, literal
from shoal.queries.mechanisms.randomised_response import RandomisedResponse


@dataclass(frozen=True)
class LocalRandomisedResponse(Alternative):
    """Everybody answers one yes-or-no question by randomised response, and only that is stored.

    Nobody need be trusted, and any number of questions is answered: counts are put right by the known
    probability of a lie. The price is noise from every single person: an error that grows with the root of
    how many people are counted, where noise on the answer stays as it is.

    Warner, "Randomized response", 1965; Kasiviswanathan et al., "What can we learn privately?", 2008.
    """

    name: ClassVar[str] = "local-randomised-response"
    weakness: ClassVar[str] = "its error grows with the root of the number of people asked about"

    epsilon: Fraction = Fraction(1)
    column: str = ""  # the question: who has this value in this column
    value: str = ""

    def __post_init__(self) -> None:
        settle(self, epsilon=None)

    @property
    def loss(self) -> Fraction:
        """What one person's word costs them."""
        return self.epsilon

    def within(self, loss: Fraction) -> Alternative:
        """ε as it is."""
        return replace(self, epsilon=loss)

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
