"""From what is asked of each value to the numbers that all of it is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol

from sqlglot import exp

from shoal.queries.declaration.declaration import grid_for
from shoal.queries.query import Aggregate, Crowd, Formula, Mix, Primitive
from shoal.queries.sql.fixed_point import bounds, to_fixed_point, to_steps
from shoal.queries.sql.shared_numbers import SharedNumbers, share_between
from shoal.queries.sql.typed_expression import TypedExpression

COARSE = 2**15  # steps on either side of the centre for squares: their sums fit into 64 bits
APART = 2  # so many times as many rows as groups for each: then groups are found by people, not by rows


@dataclass(frozen=True)
class Wish:
    """An aggregate as it was asked for: of one value, or of the rows when it names none."""

    formula: Formula | Literal["count"] = "count"
    value: str = ""
    once: bool = False  # of distinct values
    ready: Aggregate | None = None  # what has nothing in common with others


@dataclass(frozen=True)
class Wishes:
    """All of a question."""

    listed: Sequence[Wish]
    values: Mapping[str, TypedExpression]
    rows: int  # of one person
    groups: int  # of one person
    never_null: frozenset[str] = frozenset()  # values that every row has
    square: int | None = None  # of one person's rows in each group, squared and added up; rows² at most

    def of(self, value: str, once: bool) -> set[str]:
        """What is asked for of a value."""
        return {wish.formula for wish in self.listed if (wish.value, wish.once) == (value, once)}


class Numbers(Protocol):
    """Where columns of the engine and primitives are collected."""

    primitives: list[Primitive]

    def asked(self, function: str, argument: exp.Expression | None = None) -> int:
        """The engine's column, asked for once."""

    def primitive(
        self, *terms: tuple[int, int], reach: int, grid: Fraction = Fraction(1), row: int | None = None
    ) -> int:
        """A number with a part of its own."""

    @property
    def part(self) -> int:
        """The next part."""


def settle(wishes: Wishes, numbers: Numbers, discovered: bool) -> tuple[list[Aggregate], Crowd | None]:
    """The aggregates, and by which numbers groups are found, where these are told anyway."""
    by_rows = discovered and wishes.rows <= APART * wishes.groups
    everybody = by_rows or Wish() in wishes.listed
    shared: dict[tuple[str, bool], SharedNumbers] = {}
    for wish in wishes.listed:
        key, formulas = (wish.value, wish.once), wishes.of(wish.value, wish.once)
        together = wish.value in wishes.values and wishes.values[wish.value].total is not None
        alone = formulas == {"plain"} and (wish.once or together or not everybody)
        # A count of one value has no part in sums unless one is asked for.
        if wish.ready is None and wish.value and key not in shared and formulas != {"count"} and not alone:
            shared[key] = _shared(wishes, numbers, wish, formulas, everybody and not wish.once)
    complete = [part for part in shared.values() if part.complete]
    made = [wish.ready or _made(wish, wishes, numbers, shared, complete) for wish in wishes.listed]
    return made, _crowd(wishes, numbers, complete) if by_rows else None


def _shared(
    wishes: Wishes, numbers: Numbers, wish: Wish, formulas: set[str], everybody: bool
) -> SharedNumbers:
    """The numbers that a value is divided among: two, or three when squares are asked for."""
    value, place = wishes.values[wish.value], (len(numbers.primitives), numbers.part)
    never_null = wish.value in wishes.never_null and not wish.once
    rows = numbers.asked("rows") if everybody and not never_null else None
    if formulas <= {"count", "plain", "mean"}:
        steps, centre = to_fixed_point(value, "AVG"), Fraction(0)
        total = numbers.asked("distinct sum" if wish.once else "sum", steps.sql)
        counted: tuple[int, ...] = (
            total,
            numbers.asked("distinct" if wish.once else "count", steps.sql),
        )
    else:
        low, high = bounds(value, "VARIANCE")
        centre = (Fraction(low) + Fraction(high)) / 2
        grid = grid_for(0.0, max(float(centre) - low, high - float(centre), 2.0**-30)) * (2**30 // COARSE)
        # Not finer than the numbers themselves: the centre is rounded as they are.
        steps = to_steps(value, low, high, max(grid, grid_for(low, high)), centre)
        square = exp.Mul(this=exp.Paren(this=steps.sql.copy()), expression=exp.Paren(this=steps.sql.copy()))
        counted = (
            numbers.asked("sum", steps.sql),
            numbers.asked("sum", square),
            numbers.asked("count", steps.sql),
        )
    limit = wishes.rows, wishes.square
    made = share_between(steps, counted, rows, limit, place, centre, never_null)
    numbers.primitives.extend(made.primitives)
    return made


def _made(
    wish: Wish,
    wishes: Wishes,
    numbers: Numbers,
    shared: Mapping[tuple[str, bool], SharedNumbers],
    complete: Sequence[SharedNumbers],
) -> Aggregate:
    known = shared.get((wish.value, wish.once))
    if wish.formula == "count":
        return Aggregate("plain", (_count(wish, wishes, numbers, known, complete),), whole=True)
    value = wishes.values[wish.value]
    low, high = bounds(value, "AVG")
    if known is None:
        steps = to_fixed_point(value, "SUM")
        column = numbers.asked("distinct sum" if wish.once else "sum", steps.sql)
        reach = steps.together(wishes.rows)
        index = numbers.primitive((column, 1), reach=reach, grid=steps.grid, row=steps.reach)
        return Aggregate("plain", (((index, 1.0),),), whole=steps.grid == 1)
    if wish.formula == "plain":
        return Aggregate("plain", (known.total,), whole=to_fixed_point(value, "SUM").grid == 1)
    centre, count, moved = float(known.centre), known.mix(0), known.mix(1)
    if wish.formula == "mean":
        return Aggregate("mean", (moved, count), centre, low, high)
    largest = float((Fraction(high) - Fraction(low)) ** 2 / 4)
    top = largest**0.5 if wish.formula.endswith("deviation") else largest
    return Aggregate(wish.formula, (moved, known.mix(2), count), centre, 0.0, top)


def _count(
    wish: Wish,
    wishes: Wishes,
    numbers: Numbers,
    known: SharedNumbers | None,
    complete: Sequence[SharedNumbers],
) -> Mix:
    if wish.value and known is not None:
        return known.mix(0)
    if not wish.value and complete:  # each of them counts all rows, with noise of its own
        return tuple((index, weight / len(complete)) for part in complete for index, weight in part.rows)
    if wish.value:
        value = wishes.values[wish.value]
        column = numbers.asked("count", value.code or value.sql)
    else:
        column = numbers.asked("rows")
    return ((numbers.primitive((column, 1), reach=wishes.rows, row=1), 1.0),)


def _crowd(wishes: Wishes, numbers: Numbers, complete: Sequence[SharedNumbers]) -> Crowd | None:
    """What counts all rows with the least noise, among what is told anyway."""
    if complete:
        least = min(complete, key=lambda part: len(part.primitives))
        places = tuple(range(least.first, least.first + len(least.primitives)))
        return Crowd(places, least.width, wishes.rows)
    if Wish() not in wishes.listed:
        return None
    index = numbers.primitive((numbers.asked("rows"), 1), reach=wishes.rows, row=1)
    return Crowd((index,), 1, wishes.rows)
