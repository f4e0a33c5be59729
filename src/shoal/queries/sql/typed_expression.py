"""An expression over one row: rebuilt, with its kind and how far it reaches. It cannot raise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from shoal.queries.declaration.declaration import Kind, Value


@dataclass(frozen=True)
class Tie:
    """A column that others hang on: rows with the same value in it belong to the same person."""

    table: str
    rows: int  # how many values of it one person has at most


@dataclass(frozen=True)
class TypedExpression:
    """One value per row.

    A number evaluates to DOUBLE or BIGINT and never to NaN or infinity. `low` and `high` bound it (they steer
    the noise; what is summed is clamped to them once more: a slip here costs accuracy and never privacy).
    `code` is the whole number that the store holds for a bounded column, in steps of `grid`.
    `domain` is every value it can take when these are few and public, with None when it may be missing.
    """

    sql: exp.Expression
    kind: Kind
    low: float | None = None
    high: float | None = None
    domain: tuple[Value, ...] | None = None
    code: exp.Expression | None = None
    grid: Fraction = Fraction(1)
    unit: bool = False
    key: Tie | None = None  # of which rows it is the key, when it ties tables together
    total: Fraction | None = None  # one person's values together are at most so far from nought
    length: int | None = None  # a text has at most so many characters; not told, as many as a store holds

    @property
    def numeric(self) -> bool:
        """Whether one can calculate with it."""
        return self.kind in ("integer", "number")

    @property
    def bounded(self) -> bool:
        """Whether sums of it have a finite reach."""
        return self.low is not None and self.high is not None
