"""Budgets that renew by the calendar: so much for every day, week, month or year, in UTC.

What is left of a period lapses. What was spent stays counted for ever: the limit of an account is what was
spent before the period, and so much more. So costs of all periods add up, and the ledger can be recalculated.
A period begins when the clock is beyond the one before; a clock that is set back begins none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

from shoal.core.errors import BadParameter
from shoal.queries.accounting.cost import Cost

Rule = Literal["day", "week", "month", "year"]
RULES: tuple[Rule, ...] = get_args(Rule)
A_YEAR: Mapping[Rule, int] = {"day": 366, "week": 53, "month": 12, "year": 1}  # periods, at most


@dataclass(frozen=True)
class Renewal:
    """How an account renews, and which period counts now."""

    rule: Rule
    period: str  # such as 2026-11; later ones are larger
    each: Cost  # what every period gives

    @property
    def text(self) -> str:
        """As it is noted."""
        return f"renews={self.rule} period={self.period} each={self.each.loss},{self.each.delta}"

    @classmethod
    def of(cls, text: str) -> Renewal | None:
        """From the words of a note, if they speak of one."""
        words = dict(word.split("=", 1) for word in text.split() if "=" in word)
        rule, (loss, _, delta) = words.get("renews"), words.get("each", "").partition(",")
        if rule not in RULES or not all(part.isdecimal() and len(part) < 20 for part in (loss, delta)):
            return None
        return cls(rule, words.get("period", ""), Cost(int(loss), int(delta)))

    def at(self, time: str) -> Renewal:
        """The same in the period of a time, unless that is over."""
        return replace(self, period=max(self.period, period_of(self.rule, time)))


def renewal(rule: str, each: Cost, time: str) -> Renewal | None:
    """A renewal that begins now; none for `never`."""
    if rule == "never":
        return None
    if rule not in RULES:
        raise BadParameter(f"no renewal every '{rule}'; there is never, {', '.join(RULES)}")
    return Renewal(rule, period_of(rule, time), each)


def period_of(rule: Rule, time: str) -> str:
    """The period that a time in UTC lies in; the later, the larger."""
    day = datetime.fromisoformat(time).date()
    match rule:
        case "day":
            return day.isoformat()
        case "week":
            year, week, _ = day.isocalendar()
            return f"{year:04}-W{week:02}"
        case "month":
            return f"{day.year:04}-{day.month:02}"
        case "year":
            return f"{day.year:04}"
