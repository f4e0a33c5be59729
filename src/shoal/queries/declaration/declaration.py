"""What the owner of the data declares: tables, whose rows they are, bounds, keys and the budget.

A declaration is public. Nothing in it may be read off the data: bounds taken from the largest value tell the
largest value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

from shoal.core.errors import BadParameter
from shoal.queries.declaration.columns import (
    KINDS,
    LARGEST,
    NAME,
    STEPS,
    Column,
    Kind,
    Value,
    grid_for,
)

__all__ = [
    "KINDS", "LARGEST", "STEPS", "UNIT", "Accounting", "Budget", "Column", "Dataset", "Kind", "Link",
    "Policy", "Renews", "Table", "Value", "grid_for", "hang",
]  # fmt: skip

Policy = Literal["refuse", "warn"]
Renews = Literal["never", "day", "week", "month", "year"]
Accounting = Literal["pure", "approximate", "zcdp", "zcdp-listed", "pld", "pld-listed"]
LONGEST_NAME = 200  # bytes
UNIT = "_unit"  # the column that says whose row it is, in a table that hangs on another


@dataclass(frozen=True)
class Link:
    """How a table hangs on another: a column of it names the row of the parent that it belongs to.

    Of the rows that belong to one row of the parent, `most` are kept.
    """

    column: str  # of the table that hangs
    parent: str  # the table that it hangs on
    key: str  # the parent's column; of a person's rows with one key one is kept
    most: int = 1

    def __post_init__(self) -> None:
        if self.most < 1:
            raise BadParameter(f"{self.most} rows of each row of '{self.parent}' make no sense; at least 1")


@dataclass(frozen=True)
class Table:
    """A table of people's rows, or a public one.

    `rows` is how many rows one person may have; of those with more, so many are kept, chosen by nothing but
    the person's own rows. `groups` is in how many groups of one question a person may count, and
    `rows_per_group` with how many rows in each; both are kept to when a question is asked. With a link it
    has no column that tells whose a row is: it is whose the row of the parent is, in a column `_unit`.
    """

    name: str
    columns: tuple[Column, ...]
    unit: str | None = None  # the column that tells whose row it is; None for a public table
    rows: int = 1
    groups: int | None = None  # as many as rows, when not told
    link: Link | None = None
    rows_per_group: int | None = None  # all of them, when not told

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
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
        if self.rows_per_group is not None and self.rows_per_group < 1:
            raise BadParameter(
                f"table '{self.name}' allows {self.rows_per_group} rows per group and unit; at least 1"
            )
        if self.rows < 1 or (self.groups is not None and self.groups < 1):
            raise BadParameter(
                f"table '{self.name}' allows {self.rows} rows and {self.groups} groups per unit; at least 1"
            )

    @property
    def private(self) -> bool:
        """Whether its rows belong to people."""
        return self.unit is not None

    @property
    def given(self) -> Table:
        """The table as it is handed in: one that hangs on another does not say whose its rows are."""
        if self.link is None:
            return self
        columns = tuple(column for column in self.columns if column.name != UNIT)
        return Table(self.name, columns, None, self.rows, self.groups)

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


def hang(table: Table, parent: Table, link: Link, rows: int | None = None) -> Table:
    """A table whose rows belong to rows of a parent: at most so many of a person as the limits allow."""
    if parent.unit is None:
        raise BadParameter(
            f"table '{table.name}' hangs on '{parent.name}', which is public; say public for both"
        )
    product = parent.rows * link.most
    unit = Column(UNIT, parent.column(parent.unit).kind)
    return Table(
        table.name,
        (*table.columns, unit),
        UNIT,
        product if rows is None else min(rows, product),
        table.groups,
        link,
        table.rows_per_group,
    )


def check_link(table: Table, before: Sequence[Table]) -> None:
    """Refuses a table that hangs on nothing, or by columns that are not alike."""
    link = table.link
    assert link is not None
    parent = next((one for one in before if one.name.lower() == link.parent.lower()), None)
    if parent is None or parent.unit is None:
        raise BadParameter(
            f"table '{table.name}' hangs on '{link.parent}', which is no private table declared before it"
        )
    pair = table.column(link.column), parent.column(link.key)
    for column in pair:
        if column.kind not in ("text", "integer") or column.bounded or column.keys is not None:
            raise BadParameter(
                f"'{column.name}' ties '{table.name}' to '{parent.name}'; it must be text or integer, "
                "without bounds and keys"
            )
    if pair[0].kind != pair[1].kind:
        raise BadParameter(
            f"'{pair[0].name}' is {pair[0].kind} and '{pair[1].name}' is {pair[1].kind}; choose one"
        )
    links = [one.link for one in before if one.link and one.link.parent.lower() == parent.name.lower()]
    if any(known.key.lower() != link.key.lower() for known in links):
        raise BadParameter(f"two tables hang on '{parent.name}' by different columns of it; choose one")
    if table.rows > parent.rows * link.most or table.unit != UNIT:
        raise BadParameter(f"table '{table.name}' allows more rows than '{parent.name}' and its link do")


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
    renews: Renews = "never"  # the budget is for every day, week, month or year

    def __post_init__(self) -> None:
        # Files are named after it, and no file system takes more than 255 bytes.
        if not NAME.fullmatch(self.name) or len(self.name.encode()) > LONGEST_NAME:
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
        for place, table in enumerate(self.tables):
            if table.link is not None:
                check_link(table, self.tables[:place])
        if self.renews not in get_args(Renews):
            raise BadParameter(f"no renewal every '{self.renews}'; there is {', '.join(get_args(Renews))}")
        if self.policy not in get_args(Policy):
            raise BadParameter(f"no policy '{self.policy}'; there is {', '.join(get_args(Policy))}")
        if self.accounting not in get_args(Accounting):
            raise BadParameter(
                f"no accounting '{self.accounting}'; there is {', '.join(get_args(Accounting))}"
            )
        if self.accounting == "pure" and self.budget.delta:
            raise BadParameter(
                "pure accounting has no δ; choose accounting = approximate, zcdp or pld, or leave δ out"
            )
        if self.accounting != "pure" and not self.budget.delta:
            raise BadParameter(f"{self.accounting} accounting needs a δ above 0, such as 1e-6")

    def key_of(self, table: Table) -> str | None:
        """The column of a table that others hang on, if there are such."""
        named = [
            one.link.key for one in self.tables if one.link and one.link.parent.lower() == table.name.lower()
        ]
        return table.column(named[0]).name if named else None

    def table(self, name: str) -> Table:
        """One table by its name, whatever the case."""
        for table in self.tables:
            if table.name.lower() == name.lower():
                return table
        raise BadParameter(f"no table '{name}'; there is {', '.join(t.name for t in self.tables)}")
