"""Noise on answers, with a budget: what Shoal does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from shoal.core.sampling.exact_parameters import settle
from shoal.queries.endpoints.endpoint import Alternative, Endpoint
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.private_answers import PrivateAnswers
from shoal.queries.results import Answer, BudgetState

if TYPE_CHECKING:
    from shoal.queries.session import Session
    from shoal.queries.stores.duckdb_store import DuckStore


@dataclass(frozen=True)
class Private(Alternative):
    """Answers with noise that are paid for from one budget ε, which no sequence of questions overspends.

    This is the session that `shoal query ask` and the service use, with a budget of its own for the attack.

    Dwork, McSherry, Nissim, Smith, "Calibrating noise to sensitivity in private data analysis", 2006.
    """

    name: ClassVar[str] = "private"
    weakness: ClassVar[str] = "the more questions share a budget, the more noise each gets"

    epsilon: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        settle(self, epsilon=None)

    @property
    def loss(self) -> Fraction:
        """Twice the budget: a person with another secret is one who goes and one who comes."""
        return 2 * self.epsilon

    def within(self, loss: Fraction) -> Alternative:
        """Half of it as the budget."""
        return replace(self, epsilon=loss / 2)

    def open(self, people: People) -> Endpoint:
        """A session about these people."""
        from shoal.queries.declaration.declaration import Budget, Dataset
        from shoal.queries.ledger.open_ledger import passing_ledger
        from shoal.queries.session import Session
        from shoal.queries.stores.duckdb_store import DuckStore

        dataset = Dataset("attacked", (people.table,), Budget(self.epsilon))
        store = DuckStore(dataset, threads=1)
        store.load(people.table.name, people.frame)
        session = Session(dataset, store, passing_ledger(), trusted=True)
        session.grant("attacker")
        asked = _Asked(session, store)
        return PrivateAnswers(asked, people.table.name, asked.close)


class _Asked:
    def __init__(self, session: Session, store: DuckStore) -> None:
        self._session, self._store = session, store

    def ask(self, sql: str, epsilon: Fraction, /) -> Answer:
        return self._session.ask(sql, epsilon, analyst="attacker")

    def budget(self) -> BudgetState:
        return self._session.budget("attacker")

    def close(self) -> None:
        self._store.close()
        self._session.ledger.close()
