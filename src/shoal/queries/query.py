"""The subject: what is asked, and how far one person can move the answer.

A query is made by `sql/` from the analyst's text. It holds new trees only: nothing that the analyst wrote
reaches the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import polars as pl
from sqlglot import exp

from shoal.queries.declaration.declaration import Kind, Value


@dataclass(frozen=True)
class Key:
    """What an answer is grouped by.

    With a domain every group is told, empty or not; without one only those of many people.
    """

    sql: exp.Expression  # over the rows of the source
    kind: Kind
    domain: tuple[Value, ...] | None


@dataclass(frozen=True)
class GroupCount:
    """A whole number per group that the engine is asked for: how many rows, values or distinct values there
    are, or the sum of these (of whole numbers, so that the order of the rows cannot matter).
    """

    function: Literal["rows", "count", "distinct", "sum", "distinct sum"]
    argument: exp.Expression | None = None  # over the rows of the source


@dataclass(frozen=True)
class Primitive:
    """One whole number per group: a sum of columns that the engine gives, each times a weight.

    `reach` is by how much all its groups together change at most when one person comes or goes (the L1
    sensitivity, in steps of the grid), and with them those of every other primitive of the same part. The
    value is the number times the grid.
    """

    terms: tuple[tuple[int, int], ...]  # (column of the engine's answer, weight)
    reach: int
    grid: Fraction = Fraction(1)
    part: int = 0  # those of one part share one reach, and so one price
    squared: int | None = None  # the same in the Euclidean sense, squared, where it is less than reach²


Mix = tuple[tuple[int, float], ...]  # a sum of noisy primitives: (which, weight)


@dataclass(frozen=True)
class Crowd:
    """Primitives whose sum is the number of rows (or people) of a group and decides whether it is told.

    Each row adds so many steps (`width`) to them together.
    """

    primitives: tuple[int, ...]
    width: int
    most: int  # rows of one person in one group


@dataclass(frozen=True)
class Quantile:
    """A value of a bounded number that a share of the rows lies below: chosen by the exponential mechanism.

    The engine counts rows per step; step s stands for (first + s) * grid, s from 0 to steps - 1.
    """

    sql: exp.Expression  # the number of the step, from 0; null where the value is missing
    share: Fraction
    steps: int
    first: int
    grid: Fraction
    reach: int  # how many rows one person has at most


Formula = Literal["plain", "mean", "variance", "sample-variance", "deviation", "sample-deviation", "quantile"]


@dataclass(frozen=True)
class Aggregate:
    """What the analyst asked for, as a formula over primitives.

    plain: (value). mean: (centred sum, count). variance and deviation: (centred sum, centred squares, count).
    Each is a sum of noisy primitives. quantile: the index among the quantiles is that of a sum of one.
    """

    formula: Formula
    of: tuple[Mix, ...]
    centre: float = 0.0
    low: float | None = None
    high: float | None = None
    whole: bool = False  # shown as a whole number
    shown: Kind | None = None  # days shown as a date, seconds as a timestamp

    @property
    def primitives(self) -> set[int]:
        """Which noisy numbers it is made of."""
        return {index for mix in self.of for index, _ in mix} if self.formula != "quantile" else set()

    @property
    def quantile(self) -> int | None:
        """Which quantile it is, if it is one."""
        return self.of[0][0][0] if self.formula == "quantile" else None


@dataclass(frozen=True)
class Output:
    """A column of the answer: an expression over k0, k1 … (keys) and a0, a1 … (aggregates)."""

    name: str
    sql: exp.Expression


@dataclass(frozen=True)
class Order:
    """One term of ORDER BY, over keys and aggregates."""

    sql: exp.Expression
    descending: bool = False
    nulls_first: bool = False


@dataclass(frozen=True)
class Check:
    """A public fact that the reach rests on: how many public rows fit one value at most.

    It is asked again together with the question, about the same state of the rows: the public table may have
    grown.
    """

    select: exp.Select
    most: int

    def found(self, frame: pl.DataFrame) -> int:
        """The fact as it is in an answer of the engine."""
        number = frame.item()
        return 0 if number is None else int(number)


@dataclass(frozen=True)
class Query:
    """A question that may be answered."""

    source: exp.Select  # FROM and WHERE, without a projection
    keys: tuple[Key, ...]
    columns: tuple[GroupCount, ...]
    primitives: tuple[Primitive, ...]
    quantiles: tuple[Quantile, ...]
    aggregates: tuple[Aggregate, ...]
    outputs: tuple[Output, ...]
    having: exp.Expression | None
    order: tuple[Order, ...]
    limit: int | None
    offset: int
    unit: exp.Expression  # whose row it is, over the rows of the source
    rows: int  # how many rows of the source one person has at most
    groups: int  # in how many groups one person counts at most; fewer than rows are enforced when asking
    people: int | None  # the engine's column with the number of people, when groups are found by that
    crowd: Crowd | None  # what groups are found by otherwise: numbers that are told anyway
    checks: tuple[Check, ...]
    text: str  # the canonical form: the same for the same question
    cells: int = 0  # figures of all listed groups
    work: int = 0  # steps on the rows of one person
    each: int | None = None  # with how many rows one person counts in a group, enforced when asking

    @property
    def limited(self) -> bool:
        """Whether rows of a person are left out when asking."""
        fewer = self.each is not None and self.each < self.rows
        return bool(self.keys) and (self.groups < self.rows or fewer)

    @property
    def parts(self) -> int:
        """Among how many draws of noise the cost is divided."""
        shared = {primitive.part for primitive in self.primitives}
        return len(shared) + len(self.quantiles) + (self.people is not None)

    @property
    def discovered(self) -> bool:
        """Whether groups are found in the data, so that their names need protection too."""
        return any(key.domain is None for key in self.keys)


@dataclass(frozen=True)
class OuterColumn:
    """A column of an outer query: plainly one of a leaf, made of keys and written values, or neither."""

    name: str
    sources: tuple[tuple[int, int], ...] = ()  # (leaf, place among its outputs); of each row one of them
    fixed: bool = False  # not noisy


@dataclass(frozen=True)
class Outer:
    """What is done with the noisy answers of leaves: SQL over them, which sees nothing else."""

    sql: str
    columns: tuple[OuterColumn, ...]
    publics: tuple[
        tuple[str, exp.Select], ...
    ] = ()  # public tables by name, and how a store is asked for them
    empty: tuple[tuple[str, pl.DataFrame], ...] = ()  # the same without rows


@dataclass(frozen=True, eq=False)
class Prepared:
    """A SELECT of one row that an engine has read already, and the numbers to fill in."""

    statement: object  # the store's own
    values: tuple[int | float, ...]


def one_row(names: Sequence[str], values: Sequence[int | None]) -> pl.DataFrame:
    """Whole numbers of the only row as a frame."""
    return pl.DataFrame([pl.Series(n, [v], pl.Int64) for n, v in zip(names, values, strict=True)])


@dataclass(frozen=True)
class Plan:
    """A question as it is answered: private leaves, which share its cost, and what is done with them."""

    leaves: tuple[Query, ...]
    text: str  # the canonical form
    outer: Outer | None = None  # none: the one leaf is the question
    prepared: Prepared | None = None  # the one SELECT of the one leaf, where it is kept
    prices: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)  # what was worked out
    earlier: tuple[Earlier, ...] = ()  # noisy numbers that rows are compared with, in the order of asking

    @property
    def columns(self) -> tuple[str, ...]:
        """What the columns of the answer are called."""
        named = self.leaves[0].outputs if self.outer is None else self.outer.columns
        return tuple(column.name for column in named)

    @property
    def every(self) -> tuple[Query, ...]:
        """All private leaves in the order in which they are asked: those of earlier numbers come first."""
        return (*(leaf for one in self.earlier for leaf in one.plan.leaves), *self.leaves)

    @property
    def parts(self) -> int:
        """Among how many draws of noise the cost is divided."""
        return sum(leaf.parts for leaf in self.every)

    @property
    def discovered(self) -> int:
        """How many leaves find their groups in the data, each of which needs a δ."""
        return sum(leaf.discovered for leaf in self.every)


@dataclass(frozen=True)
class Earlier:
    """A question that is answered with noise before another, whose rows are compared with its one number.

    The number is brought between the bounds: all that is planned holds for every number between them.
    """

    plan: Plan
    kind: Kind
    low: float  # of dates and timestamps in days
    high: float
