"""Access control and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from shoal.queries.endpoints.endpoint import Alternative
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.people_endpoint import PeopleEndpoint


@dataclass(frozen=True)
class Plain(Alternative):
    """Exact answers to whoever is let in: access control alone, as any database has it.

    It decides who learns something and never what. Kept as the baseline that every attack defeats.

    Lampson, "Protection", 1971.
    """

    name: ClassVar[str] = "plain"
    weakness: ClassVar[str] = "two questions about large groups tell everything about one person"

    def open(self, people: People) -> PeopleEndpoint:
        """A database that answers everything."""
        return PeopleEndpoint(people)
