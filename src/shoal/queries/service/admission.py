"""Who may ask at a service, and for how much."""

from __future__ import annotations

import threading
from fractions import Fraction

from shoal.core.errors import BadInput, BadParameter
from shoal.core.outcome import Json
from shoal.queries.declaration.declaration import Budget
from shoal.queries.ledger.token_holders import People, Person
from shoal.queries.session import Session


class NoDataset(BadInput):
    """A data set that is not there, or that a person has no budget for: nobody can tell which."""


class NoPerson(BadInput):
    """Nobody of that name has a token."""


class Exists(BadParameter):
    """The name is taken."""


class Admission:
    """What a service does about people. Their tokens and budgets are in the ledger."""

    people: People
    _sessions: dict[str, Session]
    _changing: threading.RLock

    def find(self, token: str) -> Person | None:
        """Whose token it is, if it is anybody's today."""
        return self.people.find(token)

    def add(
        self,
        name: str,
        role: str = "analyst",
        dataset: str | None = None,
        epsilon: Fraction | None = None,
        delta: Fraction | None = None,
    ) -> str:
        """Let somebody in, perhaps with a first budget; the token is told once and not kept."""
        with self._changing:
            if dataset is None and (epsilon is not None or delta is not None):
                raise BadParameter(f"a budget for '{name}' but no data set to spend it on; name one")
            if dataset is not None and dataset not in self._sessions:
                raise NoDataset(dataset)
            if any(person.name == name for person in self.people.all()):
                raise Exists(f"there is somebody called '{name}' already; choose another name")
            if dataset is None:
                return self.people.add(name, role)
            # What can be wrong with the budget comes before the person, whose name is taken for ever.
            budget = self._budget(dataset, epsilon, delta)
            token = self.people.add(name, role)
            self._sessions[dataset].grant(name, budget)
            return token

    def revoke(self, name: str) -> None:
        """Take a token back, from this moment on."""
        self._known(name)
        self.people.revoke(name)

    def renew(self, name: str) -> str:
        """Another token in the place of one that is lost or stolen; told once and not kept."""
        self._known(name)
        return self.people.renew(name)

    def grant(
        self, name: str, dataset: str, epsilon: Fraction | None = None, delta: Fraction | None = None
    ) -> None:
        """Give somebody a budget, in the place of the one before; what was spent counts."""
        if dataset not in self._sessions:
            raise NoDataset(dataset)
        self._known(name)
        self._sessions[dataset].grant(name, self._budget(dataset, epsilon, delta))

    def everybody(self) -> list[Json]:
        """Who has a token, and who had one."""
        return [person.to_json() for person in self.people.all()]

    def _known(self, name: str) -> None:
        if not any(person.name == name for person in self.people.all()):
            raise NoPerson(name)

    def _budget(self, dataset: str, epsilon: Fraction | None, delta: Fraction | None) -> Budget | None:
        if epsilon is None:
            if delta is not None:
                raise BadParameter(
                    "a δ without an ε; give both, or neither for what the data set gives to each"
                )
            return None
        declared = self._sessions[dataset].dataset
        if declared.accounting == "pure" and delta:
            raise BadParameter(f"data set '{dataset}' counts in pure ε, which has no δ; leave it out")
        # Without a word about δ: as much of it as the data set has.
        return Budget(epsilon, declared.budget.delta if delta is None else delta)
