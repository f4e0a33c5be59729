"""A minimum query-set size."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from shoal.core.sampling.exact_parameters import whole
from shoal.queries.endpoints.endpoint import Alternative, Refused
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.people_endpoint import PeopleEndpoint
from shoal.queries.endpoints.question import Question


@dataclass(frozen=True)
class MinimumSize(Alternative):
    """Exact answers about n people or more, and about all but n or fewer: everything else is refused.

    The second half is needed because everybody less all others is one person. It does not help: a tracker
    pads the forbidden question with people whom it asks about apart.

    Hoffman and Miller, "Getting a personal dossier from a statistical data bank", 1970; how it is defeated,
    Denning, Denning, Schwartz, "The tracker: a threat to statistical database security", 1979.
    """

    name: ClassVar[str] = "minimum-size"
    weakness: ClassVar[str] = "a tracker asks two large questions in the place of a small one"

    n: int = 10

    def __post_init__(self) -> None:
        whole(self, n=1)

    def open(self, people: People) -> PeopleEndpoint:
        """A database that refuses small groups."""
        return _Large(people, self.n)


class _Large(PeopleEndpoint):
    def __init__(self, people: People, least: int) -> None:
        super().__init__(people)
        self._least = least

    def ask(self, question: Question, epsilon: Fraction | None) -> float:
        size = int(self.people.answer(Question(question.condition)))
        if not self._least <= size <= len(self.people) - self._least:
            raise Refused(f"fewer than {self._least} people, or all but so few; ask about more, or fewer")
        return super().ask(question, epsilon)
