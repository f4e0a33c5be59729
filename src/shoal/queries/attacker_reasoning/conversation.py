"""All that is asked of one endpoint in an attack: what was answered, refused and spent, and how it ended."""

from __future__ import annotations

from fractions import Fraction

from shoal.core.errors import ShoalError
from shoal.core.outcome import Json
from shoal.queries.endpoints.endpoint import Endpoint, Exhausted, Refused
from shoal.queries.endpoints.question import Question


class Conversation:
    """Questions to an endpoint, one after the other.

    What is left of a budget is divided among as many questions as an attack plans (`plan`), unless a price
    was given. An endpoint that stops answering stops the attack and not what it has found: from then on
    nothing is asked, and `stopped` says why.
    """

    def __init__(self, endpoint: Endpoint, epsilon: Fraction | None = None) -> None:
        self._endpoint = endpoint
        self._given = epsilon
        self._price = epsilon
        self.asked = self.answered = self.refused = 0
        self.refusal: str | None = None  # what was said to the first question that was refused
        self.stopped: str | None = None  # what happened when it stopped answering
        self.exhausted = False

    def plan(self, questions: int) -> None:
        """Decide what each of so many questions may cost."""
        if self._given is None and not self.stopped:
            try:
                self._price = self._endpoint.price(max(questions, 1))
            except ShoalError as error:
                self._stop(error)

    def ask(self, question: Question) -> float | None:
        """The answer; None where there is none."""
        if self.stopped or self.exhausted:
            return None
        self.asked += 1
        try:
            answer = self._endpoint.ask(question, self._price)
        except Refused as refusal:
            self.refused += 1
            self.refusal = self.refusal or str(refusal)
            self.exhausted = isinstance(refusal, Exhausted)
            return None
        except ShoalError as error:
            self._stop(error)
            return None
        self.answered += 1
        return answer

    def _stop(self, error: ShoalError) -> None:
        if not self.answered:
            raise error
        self.stopped = str(error)

    def to_json(self) -> dict[str, Json]:
        """The figures of a finding that speak of questions."""
        told: dict[str, Json] = {
            "questions": self.asked,
            "answered": self.answered,
            "refused": self.refused,
        }
        if self._endpoint.spent:
            told["spent"] = {name: round(value, 9) for name, value in self._endpoint.spent.items()}
        if self.exhausted:
            told["budget_exhausted"] = True
        if self.refusal is not None:
            told["first_refusal"] = self.refusal
        if self.stopped is not None:
            told["stopped"] = self.stopped
        return told

    def close(self) -> None:
        """Let go of the endpoint."""
        self._endpoint.close()
