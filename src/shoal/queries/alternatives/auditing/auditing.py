"""Query auditing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np

from shoal.core.errors import BadParameter
from shoal.queries.alternatives.auditing.auditors import Auditor, CountAuditor, MaxAuditor, SumAuditor
from shoal.queries.endpoints.endpoint import Alternative, Refused
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.people_endpoint import PeopleEndpoint
from shoal.queries.endpoints.question import Aggregate, Question

Rule = Literal["sum", "count", "max"]
_AUDITORS: dict[Rule, Callable[[int], Auditor]] = {
    "sum": SumAuditor,
    "count": CountAuditor,
    "max": MaxAuditor,
}
_ASKED: dict[Rule, tuple[Aggregate, ...]] = {"sum": ("sum", "count"), "count": ("count",), "max": ("max",)}


@dataclass(frozen=True)
class Auditing(Alternative):
    """Exact answers, except where this one and all before it would together tell somebody's value.

    `rule=sum` looks at the questions alone, by linear algebra, and takes a yes or no for any number: its
    refusals tell nothing, and a sum of 0 or of all tells everything. `rule=count` and `rule=max` look at the
    answers, too, and so their refusals answer. Groups of people may be described by what everybody knows
    of them; a question without a secret is not audited.

    Chin, Özsoyoğlu, "Auditing and inference control in statistical databases", 1982; why refusals tell,
    Kenthapadi, Mishra, Nissim, "Simulatable auditing", 2005.
    """

    name: ClassVar[str] = "auditing"
    weakness: ClassVar[str] = "a refusal that depends on the answer gives the answer away"

    rule: Rule = "sum"
    column: str = ""  # the secret, which groups must not be described by

    def __post_init__(self) -> None:
        if self.rule not in _AUDITORS:
            raise BadParameter(f"no rule '{self.rule}' for {self.name}; there is {', '.join(_AUDITORS)}")

    def open(self, people: People) -> PeopleEndpoint:
        """A database that remembers what it has told."""
        return _Audited(people, self.rule, self.column)


class _Audited(PeopleEndpoint):
    def __init__(self, people: People, rule: Rule, secret: str) -> None:
        super().__init__(people)
        self._secret = re.compile(rf"\b{re.escape(secret)}\b", re.IGNORECASE) if secret else None
        self._rule: Rule = rule
        self._auditor = _AUDITORS[rule](len(people))

    def ask(self, question: Question, epsilon: Fraction | None) -> float:
        if self._secret is not None and self._secret.search(question.who):
            raise Refused("groups may not be described by the secret itself; ask for a count or a sum of it")
        if question.column is None:
            return super().ask(question, epsilon)
        if question.aggregate not in _ASKED[self._rule]:
            raise Refused(f"this auditor answers {' and '.join(_ASKED[self._rule])} only; ask for that")
        about = self.people.whom(Question(question.who))
        answer = super().ask(question, epsilon)
        if not about.any() or self._auditor.discloses(about, answer):
            raise Refused("the answer would, with those before it, tell somebody's value; ask something else")
        self._auditor.remember(np.asarray(about), answer)
        return answer
