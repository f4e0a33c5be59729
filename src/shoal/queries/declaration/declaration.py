"""What the owner of the data declares: tables, whose rows they are, bounds, keys and the budget.

A declaration is public. Nothing in it may be read off the data: bounds taken from the largest value tell the
largest value.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

from shoal.core.errors import BadParameter
from shoal.queries.declaration.days import FIRST, LAST, day_of_number

Kind = Literal["integer", "number", "text", "boolean", "date", "timestamp"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Policy = Literal["refuse", "warn"]
Accounting = Literal["pure", "approximate", "zcdp"]
Value = str | int | float | bool | None

LARGEST = 2**52  # beyond it not every whole number has a double of its own
STEPS = 2**30  # into how many steps the reach of a number is cut; its square still fits into 64 bits
LONGEST_NAME = 200  # bytes
_NAME = re.compile(r"[^\W\d]\w{0,62}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class Column:
    """A column that may be asked about.

    Numbers have bounds, because the noise on a sum is made for them; a value outside counts as the bound.
    Those of dates and timestamps are days since 1970, the last one with all its hours. Keys are all values
    that may be shown as groups; any other value counts as missing.
    """

    name: str
    kind: Kind = "text"
    low: float | None = None
    high: float | None = None
    keys: tuple[str | int, ...] | None = None
    missing: bool = True  # whether the missing values are a group of their own

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise BadParameter(
                f"'{self.name}' cannot be asked for by name; rename the column to letters, digits and _"
            )
        if self.kind not in KINDS:
            raise BadParameter(f"column '{self.name}' has kind '{self.kind}'; there is {', '.join(KINDS)}")
        for bound in (self.low, self.high):
            if bound is not None and not (math.isfinite(bound) and abs(bound) <= LARGEST):
                raise BadParameter(
                    f"bound {bound:g} of '{self.name}' is beyond ±{LARGEST:.2g}; choose a tighter one"
                )
        if (self.low is None) != (self.high is None):
            raise BadParameter(f"column '{self.name}' has one bound only; give both, as in {self.name}=0:120")
        if self.low is not None and self.high is not None:
            if self.kind in ("text", "boolean"):
                raise BadParameter(
                    f"column '{self.name}' of kind {self.kind} takes no bounds; declare it as number"
                )
            if self.temporal and not all(
                bound.is_integer() and FIRST <= bound <= LAST for bound in map(float, (self.low, self.high))
            ):
                raise BadParameter(
                    f"bounds of '{self.name}' are no days from 0001 to 9999; write them as 2020-01-01"
                )
            if self.low >= self.high:
                raise BadParameter(
                    f"bounds {self.low:g}:{self.high:g} of '{self.name}' leave no room; write low:high"
                )
        if self.keys is not None:
            if self.kind not in ("text", "integer"):
                raise BadParameter(
                    f"column '{self.name}' of kind {self.kind} takes no keys; only text and integer do"
                )
            if not self.keys or len({repr(key) for key in self.keys}) < len(self.keys):
                raise BadParameter(f"the keys of '{self.name}' are empty or name one twice; list each once")
            for key in self.keys:
                if not _fits(key, self.kind):
                    raise BadParameter(f"key {key!r} of '{self.name}' is not of its kind, {self.kind}")

    @property
    def bounded(self) -> bool:
        """Whether it has bounds: then sums and averages of numbers can be answered, and the least of days."""
        return self.low is not None

    @property
    def temporal(self) -> bool:
        """Whether it holds dates or timestamps."""
        return self.kind in ("date", "timestamp")

    @property
    def bounds(self) -> tuple[float | str, float | str] | None:
        """The bounds as they are written: numbers, or days such as 2024-01-31."""
        if self.low is None or self.high is None:
            return None
        if self.temporal:
            return day_of_number(self.low).isoformat(), day_of_number(self.high).isoformat()
        return self.low, self.high

    @property
    def coded(self) -> bool:
        """Whether a store holds it as whole steps of a grid."""
        return self.bounded and not self.temporal

    @property
    def grid(self) -> Fraction:
        """The step in which a bounded number is held: 1 for whole ones, else a power of two."""
        return Fraction(1) if self.kind == "integer" else grid_for(self.low or 0.0, self.high or 0.0)


def _fits(key: object, kind: Kind) -> bool:
    """Whether a key can be stored: plain text without NUL or halves of signs, a whole number of 64 bits."""
    if kind == "text":
        return (
            isinstance(key, str) and "\0" not in key and not any("\ud800" <= sign <= "\udfff" for sign in key)
        )
    return isinstance(key, int) and not isinstance(key, bool) and -(2**63) <= key < 2**63


def grid_for(low: float, high: float) -> Fraction:
    """The power of two that cuts the larger of two bounds into about a thousand million steps."""
    reach = max(abs(low), abs(high))
    return Fraction(2) ** (math.frexp(reach)[1] - 30) if reach else Fraction(1)


@dataclass(frozen=True)
class Table:
    """A table of people's rows, or a public one.

    `rows` is how many rows one person may have; of those with more, so many are kept, chosen by nothing but
    the person's own rows. `groups` is in how many groups of one question a person may count.
    """

    name: str
    columns: tuple[Column, ...]
    unit: str | None = None  # the column that tells whose row it is; None for a public table
    rows: int = 1
    groups: int | None = None  # as many as rows, when not told

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise BadParameter(f"'{self.name}' is no name for a table; use letters, digits and _")
        names = [column.name.lower() for column in self.columns]
        if len(set(names)) < len(names):
            raise BadParameter(
                f"table '{self.name}' has two columns of one name, which SQL cannot tell apart"
            )
        if self.unit is not None and self.unit.lower() not in names:
            known = ", ".join(column.name for column in self.columns)
            raise BadParameter(f"no column '{self.unit}' for the unit; the table '{self.name}' has {known}")
        if self.unit is not None and self.column(self.unit).kind not in ("text", "integer"):
            raise BadParameter(
                f"unit '{self.unit}' is a {self.column(self.unit).kind}; it must be text or integer"
            )
        if self.unit is not None and (self.column(self.unit).bounded or self.column(self.unit).keys):
            raise BadParameter(f"unit '{self.unit}' takes no bounds and no keys: they would merge people")
        if self.rows < 1 or (self.groups is not None and self.groups < 1):
            raise BadParameter(
                f"table '{self.name}' allows {self.rows} rows and {self.groups} groups per unit; at least 1"
            )

    @property
    def private(self) -> bool:
        """Whether its rows belong to people."""
        return self.unit is not None

    def owned_by(self, column: Column) -> bool:
        """Whether a column tells whose row it is."""
        return self.unit is not None and column.name.lower() == self.unit.lower()

    def column(self, name: str) -> Column:
        """One column by its name, whatever the case."""
        for column in self.columns:
            if column.name.lower() == name.lower():
                return column
        raise BadParameter(
            f"no column '{name}'; the table {self.name} has {', '.join(c.name for c in self.columns)}"
        )


@dataclass(frozen=True)
class Budget:
    """How much may be learned: by all analysts together, and by each."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.epsilon < 0 or not 0 <= self.delta < 1:
            raise BadParameter(
                f"a budget of ε={float(self.epsilon):g}, δ={float(self.delta):g} makes no sense; "
                "ε is 0 or more, δ from 0 to under 1"
            )


@dataclass(frozen=True)
class Dataset:
    """Tables about the same people, and one budget for all of them together."""

    name: str
    tables: tuple[Table, ...]
    budget: Budget
    policy: Policy = "refuse"
    accounting: Accounting = "pure"
    each: Budget | None = None  # what every analyst gets who is given no other; the whole when not told
    about: str = ""
    sources: tuple[tuple[str, str], ...] = field(
        default=(), compare=False
    )  # table → file, for the owner only

    def __post_init__(self) -> None:
        # Files are named after it, and no file system takes more than 255 bytes.
        if not _NAME.fullmatch(self.name) or len(self.name.encode()) > LONGEST_NAME:
            raise BadParameter(
                f"'{self.name}' is no name for a data set; use letters, digits and _, 63 at most"
            )
        names = [table.name.lower() for table in self.tables]
        if len(set(names)) < len(names):
            raise BadParameter(f"data set '{self.name}' has two tables of one name")
        if not any(table.private for table in self.tables):
            raise BadParameter(f"data set '{self.name}' has no private table; give one of them a unit")
        kinds = {table.column(table.unit).kind for table in self.tables if table.unit}
        if len(kinds) > 1:
            raise BadParameter(
                f"the units of '{self.name}' are text in one table and integer in another; choose one"
            )
        if self.policy not in get_args(Policy):
            raise BadParameter(f"no policy '{self.policy}'; there is {', '.join(get_args(Policy))}")
        if self.accounting not in get_args(Accounting):
            raise BadParameter(
                f"no accounting '{self.accounting}'; there is {', '.join(get_args(Accounting))}"
            )
        if self.accounting == "pure" and self.budget.delta:
            raise BadParameter(
                "pure accounting has no δ; choose accounting = approximate or zcdp, or leave δ out"
            )
        if self.accounting != "pure" and not self.budget.delta:
            raise BadParameter(f"{self.accounting} accounting needs a δ above 0, such as 1e-6")

    def table(self, name: str) -> Table:
        """One table by its name, whatever the case."""
        for table in self.tables:
            if table.name.lower() == name.lower():
                return table
        raise BadParameter(f"no table '{name}'; there is {', '.join(t.name for t in self.tables)}")
