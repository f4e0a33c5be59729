"""Somebody who answers from rows that lie open before them."""

from __future__ import annotations

from fractions import Fraction

from shoal.queries.endpoints.endpoint import Endpoint
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.question import Question


class PeopleEndpoint(Endpoint):
    """Exact answers; what an alternative does to them is in its own class."""

    def __init__(self, people: People) -> None:
        self.people = people

    def ask(self, question: Question, epsilon: Fraction | None) -> float:
        return self.people.answer(question)

    def close(self) -> None:
        self.people.close()
