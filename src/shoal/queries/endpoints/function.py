"""Any Python function that answers: text of SQL in, a number out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from shoal.core.errors import ShoalError
from shoal.queries.endpoints.endpoint import Endpoint, Refused
from shoal.queries.endpoints.question import Question


class FunctionEndpoint(Endpoint):
    """A function of a question as SQL that gives a number; None, or one of our errors, is a refusal."""

    def __init__(self, function: Callable[[str], Any], table: str) -> None:
        self._function = function
        self._table = table

    def ask(self, question: Question, epsilon: Fraction | None) -> float:
        sql = question.sql(self._table)
        try:
            answer = self._function(sql)
        except ShoalError as refusal:
            raise Refused(str(refusal)) from refusal
        except Exception as error:
            raise ShoalError(
                f"the function that answers failed with {type(error).__name__}: {error}; asked was {sql}"
            ) from error
        if answer is None:
            raise Refused("the function did not answer")
        try:
            return float(answer)
        except (TypeError, ValueError):
            raise ShoalError(
                f"the function answered {answer!r}, which is no number; asked was {sql}"
            ) from None
