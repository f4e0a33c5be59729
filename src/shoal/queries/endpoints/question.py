"""One question to somebody who answers: how many of some people have a value, or what they add up to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Aggregate = Literal["count", "sum", "max"]


@dataclass(frozen=True)
class Question:
    """An aggregate over the people whom a condition describes.

    `who` is a condition in SQL, empty for everybody. A count with a `column` counts those who also have
    `value` there, which is a literal in SQL; a sum and a maximum are over the column.
    """

    who: str = ""
    aggregate: Aggregate = "count"
    column: str | None = None
    value: str | None = None

    @property
    def condition(self) -> str:
        """The whole condition: whom the answer is about."""
        parts = [f"({self.who})"] if self.who else []
        if self.aggregate == "count" and self.column is not None:
            parts.append(f"({name(self.column)} = {self.value})")
        return " AND ".join(parts)

    def sql(self, table: str) -> str:
        """The question as any database takes it."""
        what = {
            "count": "COUNT(*)",
            "sum": f"SUM({name(self.column or '')})",
            "max": f"MAX({name(self.column or '')})",
        }[self.aggregate]
        where = f" WHERE {self.condition}" if self.condition else ""
        return f"SELECT {what} AS answer FROM {name(table)}{where}"


def name(word: str) -> str:
    """A name as SQL reads it, in quotes where it has to be."""
    return word if word.isidentifier() and word.isascii() else '"' + word.replace('"', '""') + '"'


def literal(value: object) -> str:
    """A value as SQL reads it."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"


def negated(condition: str) -> str:
    """Everybody else: also those of whom nobody knows, because a value is missing."""
    return f"NOT COALESCE({condition}, FALSE)"


def either(*conditions: str) -> str:
    """Whoever one of the conditions describes."""
    return " OR ".join(f"({condition})" for condition in conditions)


def both(*conditions: str) -> str:
    """Whom all of the conditions describe."""
    return " AND ".join(f"({condition})" for condition in conditions if condition)
