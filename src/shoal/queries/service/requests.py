"""What may be sent: every field by name, nothing else, and exact figures."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, PlainValidator, Tag, WithJsonSchema

from shoal.queries.declaration.declaration import (
    Accounting,
    Budget,
    Column,
    Dataset,
    Kind,
    Policy,
    Renews,
    Table,
)
from shoal.queries.declaration.serialisation import dataset_from
from shoal.queries.declaration.validation import day_bound

LONGEST = 20_000  # characters of a question
MOST = 1000  # of ε; beyond, a promise says nothing
# No exponent beyond two digits: a fraction of 1e-999999999 would fill the memory.
DECIMAL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,2})?")


def exact(value: object) -> Fraction:
    """A figure as it was written: 0.1 is a tenth, not the double next to it."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("is not a number or a decimal text")
    if isinstance(value, str):
        if not DECIMAL.fullmatch(value):
            raise ValueError("is not a number or a decimal text")
        return Fraction(value)
    if isinstance(value, int):
        return Fraction(value)
    if not math.isfinite(value):
        raise ValueError("is not finite")
    return Fraction(repr(value))


def _epsilon(value: object) -> Fraction:
    figure = exact(value)
    if not 0 < figure <= MOST:
        raise ValueError(f"must be above 0 and at most {MOST:,}")
    return figure


def _delta(value: object) -> Fraction:
    figure = exact(value)
    if not 0 <= figure < 1:
        raise ValueError("must be from 0 to under 1")
    return figure


_TEXT = {"type": "string", "pattern": f"^{DECIMAL.pattern}$"}
Epsilon = Annotated[
    Fraction,
    PlainValidator(_epsilon),
    WithJsonSchema({"anyOf": [{"type": "number", "exclusiveMinimum": 0, "maximum": MOST}, _TEXT]}),
]
Delta = Annotated[
    Fraction,
    PlainValidator(_delta),
    WithJsonSchema({"anyOf": [{"type": "number", "minimum": 0, "exclusiveMaximum": 1}, _TEXT]}),
]
Name = Annotated[str, Field(min_length=1, max_length=63)]
PersonName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$")]
Figure = Annotated[float, Field(allow_inf_nan=False)]
Day = Annotated[str, Field(max_length=10)]  # 2024-01-31
Whole = Annotated[int, Field(ge=1, le=2**31)]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    def given(self) -> dict[str, Any]:
        """What was sent, field by field; figures as they were understood."""
        return {name: value for name, value in self if value is not None}


class Question(Body):
    """A question in SQL and how much of the budget it may cost."""

    dataset: Name
    sql: Annotated[str, Field(min_length=1, max_length=LONGEST)]
    epsilon: Epsilon
    delta: Delta | None = None


class Grant(Body):
    """What a person may spend on a data set; what it gives to each when no figure is told."""

    dataset: Name
    epsilon: Epsilon | None = None
    delta: Delta | None = None


class NewPerson(Body):
    """Somebody who gets a token, and perhaps a first budget."""

    name: PersonName
    role: Literal["analyst", "owner"] = "analyst"
    dataset: Name | None = None
    epsilon: Epsilon | None = None
    delta: Delta | None = None


class ColumnBody(Body):
    name: Name
    kind: Kind = "text"
    low: Figure | Day | None = None
    high: Figure | Day | None = None
    keys: tuple[Annotated[str, Field(max_length=1000)] | int, ...] | None = None
    missing: bool = True
    never_null: bool = False

    def made(self) -> Column:
        low, high = (
            day_bound(self.name, end) if isinstance(end, str) or self.kind in ("date", "timestamp") else end
            for end in (self.low, self.high)
        )
        return Column(self.name, self.kind, low, high, self.keys, self.missing, self.never_null)


class TableBody(Body):
    name: Name
    columns: Annotated[tuple[ColumnBody, ...], Field(min_length=1, max_length=2000)]
    unit: Name | None = None
    rows: Whole = 1
    groups: Whole | None = None
    rows_per_group: Whole | None = None

    def made(self) -> Table:
        columns = tuple(column.made() for column in self.columns)
        each = self.rows_per_group
        return Table(self.name, columns, self.unit, self.rows, self.groups, rows_per_group=each)


class BudgetBody(Body):
    epsilon: Epsilon
    delta: Delta | None = None

    def made(self) -> Budget:
        return Budget(self.epsilon, self.delta or Fraction(0))


class DatasetBody(Body):
    """A declaration: public, and never read off the data."""

    name: Name
    tables: Annotated[tuple[TableBody, ...], Field(min_length=1, max_length=200)]
    budget: BudgetBody
    each: BudgetBody | None = None
    policy: Policy = "refuse"
    accounting: Accounting = "pure"
    about: Annotated[str, Field(max_length=2000)] = ""
    renews: Renews = "never"

    def made(self) -> Dataset:
        """The declaration, checked."""
        tables = tuple(table.made() for table in self.tables)
        each = None if self.each is None else self.each.made()
        budget = self.budget.made()
        return Dataset(
            self.name, tables, budget, self.policy, self.accounting, each, self.about, renews=self.renews
        )


class PlainColumn(Body):
    """A column as in a project file, spelled out."""

    kind: Kind | None = None
    low: Figure | Day | None = None
    high: Figure | Day | None = None
    keys: tuple[Annotated[str, Field(max_length=1000)] | int, ...] | None = None
    missing: bool | None = None
    never_null: bool | None = None


class PlainParent(Body):
    """On which table another hangs, and by which columns; at most so many rows of each of its rows."""

    table: Name
    column: Name
    key: Name
    rows: Whole = 1


class PlainTable(Body):
    """A table as in a project file, without a word about where its rows are: they come with the request."""

    columns: Annotated[
        dict[str, Annotated[str, Field(max_length=100_000)] | PlainColumn],
        Field(min_length=1, max_length=2000),
    ]
    unit: Name | None = None
    public: bool | None = None
    parent: PlainParent | None = None
    rows: Whole | None = None
    groups: Whole | None = None
    rows_per_group: Whole | None = None

    def given(self) -> dict[str, Any]:
        """With its columns as plain values."""
        columns = {
            name: column if isinstance(column, str) else column.given()
            for name, column in self.columns.items()
        }
        parent = {} if self.parent is None else {"parent": self.parent.given()}
        return {**super().given(), "columns": columns, **parent}


class PlainDataset(Body):
    """The form of a project file: columns by their names, as "integer 0..120" or "text F|M"."""

    name: Name
    tables: Annotated[dict[str, PlainTable], Field(min_length=1, max_length=200)]
    unit: Name | None = None
    epsilon: Epsilon
    delta: Delta | None = None
    each: BudgetBody | None = None
    policy: Policy | None = None
    accounting: Accounting | None = None
    renews: Renews | None = None
    about: Annotated[str, Field(max_length=2000)] | None = None

    def made(self) -> Dataset:
        """The declaration, checked as that of a project file is."""
        told = {**self.given(), "tables": {name: table.given() for name, table in self.tables.items()}}
        if self.each is not None:
            told["each"] = {"epsilon": self.each.epsilon, "delta": self.each.delta or 0}
        return dataset_from(told)


def _form(declaration: Any) -> str:
    """Which of the two forms was sent: a project file has its tables by name."""
    told = declaration.get("tables") if isinstance(declaration, dict) else None
    return "plain" if isinstance(told, dict) or isinstance(declaration, PlainDataset) else "full"


Declaration = Annotated[
    Annotated[DatasetBody, Tag("full")] | Annotated[PlainDataset, Tag("plain")], Discriminator(_form)
]
Record = dict[str, str | int | float | bool | None]


class NewDataset(Body):
    """A data set with the rows to begin with: per table a list of records, or CSV as a text."""

    declaration: Declaration
    rows: dict[str, list[Record] | str] = {}


def fields() -> frozenset[str]:
    """The names of all fields: the only ones that an error repeats."""
    found = {"limit", "since"}
    plain = (PlainColumn, PlainParent, PlainTable, PlainDataset)
    full = (ColumnBody, TableBody, BudgetBody, DatasetBody)
    for model in (Question, Grant, NewPerson, NewDataset, *full, *plain):
        found |= set(model.model_fields)
    return frozenset(found)


def schemas() -> dict[str, Any]:
    """The bodies that are read by hand, as JSON Schema for the OpenAPI document."""
    from pydantic.json_schema import models_json_schema

    models = [(model, "validation") for model in (NewDataset,)]
    _, document = models_json_schema(models, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    return dict(document["$defs"])
