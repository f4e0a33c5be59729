"""Somebody who answers, and what an alternative must offer to become one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from shoal.core.contract import Named
from shoal.core.errors import ShoalError
from shoal.core.sampling.exact_parameters import settle

if TYPE_CHECKING:
    from shoal.queries.endpoints.people import People
    from shoal.queries.endpoints.question import Question


class Refused(ShoalError):
    """A question that is not answered, which by itself may tell something."""

    exit_code = 1


class Exhausted(Refused):
    """The budget covers no further question."""


class Endpoint(ABC):
    """Somebody who answers questions. `Refused` is a refusal; any other error means that it has stopped."""

    @abstractmethod
    def ask(self, question: Question, epsilon: Fraction | None) -> float:
        """The answer; it may cost so much, where somebody keeps a budget."""

    def price(self, questions: int) -> Fraction | None:
        """What each of so many questions may cost if they take all that is left; None where nobody counts."""
        return None

    @property
    def spent(self) -> Mapping[str, float]:
        """What was spent on the questions asked here, by ε or ρ; nothing where nobody counts."""
        return {}

    def close(self) -> None:
        """Let go of files and connections."""
        return


class Alternative(Named):
    """A way to answer questions about people, to be compared with noise on answers and attacked."""

    weakness: ClassVar[str]  # how it fails or what it costs, in one sentence

    @property
    def loss(self) -> Fraction | None:
        """The ε that bounds what can be learned of one person's secret, whatever is asked; None for none."""
        return None

    def within(self, loss: Fraction) -> Alternative:
        """The same with a promise of so much; itself where it makes none."""
        return self

    @abstractmethod
    def open(self, people: People) -> Endpoint:
        """Somebody who answers about these people in this way."""


@dataclass(frozen=True)
class LocalAlternative(Alternative):
    """People change what they tell about themselves, and only that is stored: ε for each of them."""

    weakness: ClassVar[str] = "its error grows with the root of the number of people asked about"

    epsilon: Fraction = Fraction(1)
    column: str = ""
    value: str = ""  # for a yes or no: who has this value

    def __post_init__(self) -> None:
        settle(self, epsilon=None)

    @property
    def loss(self) -> Fraction:
        """What one person's word costs them."""
        return self.epsilon

    def within(self, loss: Fraction) -> Alternative:
        """ε as it is."""
        return replace(self, epsilon=loss)
