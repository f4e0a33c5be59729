"""Answers with noise from a budget: a service over HTTP, or a data set that is open in this process."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Protocol

from shoal.core.errors import BadInput, ShoalError, Spent, Unanswered
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.endpoints.endpoint import Endpoint, Exhausted, Refused
from shoal.queries.endpoints.question import Question
from shoal.queries.results import Answer, BudgetState

STEP = 10**6  # prices are multiples of a millionth, so that they add up to no more than what is left


class Asked(Protocol):
    """What a client of a service and an open database have in common."""

    def ask(self, sql: str, epsilon: Fraction, /) -> Answer:
        """The answer to a question."""

    def budget(self) -> BudgetState:
        """What is left."""


class PrivateAnswers(Endpoint):
    """Somebody who keeps a budget and answers with noise."""

    def __init__(self, asked: Asked, table: str, close: Callable[[], None] | None = None) -> None:
        self._asked = asked
        self._table = table
        self._close = close
        self._spent: Counter[str] = Counter()

    def ask(self, question: Question, epsilon: Fraction | None) -> float:
        if epsilon is None or epsilon <= 0:
            raise Exhausted("nothing is left of the budget")
        try:
            answer = self._asked.ask(question.sql(self._table), epsilon)
        except Spent as spent:
            raise Exhausted(str(spent)) from None
        except (BadInput, Unanswered) as refusal:  # what failed is paid for, and the next may be answered
            raise Refused(str(refusal)) from None
        unit = "rho" if "rho" in answer.spent else "epsilon"
        self._spent[unit] += answer.spent[unit]  # type: ignore[assignment]
        value = answer.rows[0][0] if answer.rows else None
        if not isinstance(value, int | float):
            raise ShoalError(f"the answer is {value!r}, which is no number; nothing can be made of it")
        return float(value)

    def price(self, questions: int) -> Fraction | None:
        left = self._asked.budget()
        share = left.remaining["epsilon"] / questions
        if accounting_of(left.accounting).squared:  # there the squares add up
            share = left.remaining["epsilon"] / math.sqrt(questions)
        return Fraction(math.floor(share * STEP * (1 + 1e-12)), STEP)

    @property
    def spent(self) -> Mapping[str, float]:
        return dict(self._spent)

    def close(self) -> None:
        if self._close is not None:
            self._close()
