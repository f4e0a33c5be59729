"""Answers from a sample."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from shoal.core.errors import BadParameter
from shoal.core.sampling.exact_parameters import settle
from shoal.core.sampling.random_bytes import flips
from shoal.queries.endpoints.endpoint import Alternative, Refused
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.people_endpoint import PeopleEndpoint
from shoal.queries.endpoints.question import Question


@dataclass(frozen=True)
class Sample(Alternative):
    """Exact answers about a random share of the people, scaled up to everybody.

    Most people are not in the sample and lose nothing. Whoever is in it is as exposed as in a plain database,
    and a count of one person tells who that is.

    Denning, "Secure statistical databases with random sample queries", 1980.
    """

    name: ClassVar[str] = "sample"
    weakness: ClassVar[str] = "whoever was drawn is fully exposed, and one question tells who was drawn"

    share: Fraction = Fraction(1, 10)

    def __post_init__(self) -> None:
        settle(self, share=None)
        if self.share > 1:
            raise BadParameter(f"sample needs a share of at most 1, not {float(self.share):g}")

    def open(self, people: People) -> PeopleEndpoint:
        """A database with the people who were drawn."""
        drawn = np.flatnonzero(flips(self.share, len(people)))
        return _Scaled(people.rows(drawn), float(self.share))


class _Scaled(PeopleEndpoint):
    def __init__(self, people: People, share: float) -> None:
        super().__init__(people)
        self._share = share

    def ask(self, question: Question, epsilon: Fraction | None) -> float:
        if question.aggregate == "max":
            raise Refused("the largest of a sample says nothing about everybody; ask for a count or a sum")
        return super().ask(question, epsilon) / self._share
