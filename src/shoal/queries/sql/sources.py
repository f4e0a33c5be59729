"""What a question reads from: names, columns, and how many rows of it one person has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import Dataset, Table
from shoal.queries.query import Check
from shoal.queries.sql.fixed_point import column_of
from shoal.queries.sql.typed_expression import Tie, TypedExpression
from shoal.queries.stores.store import Store

MOST_RELATIONS = 30  # in one question, with sub-queries counted as often as they are named


class Columns(Mapping[str, TypedExpression]):
    """The columns of a declared table under an alias, each made when it is asked for."""

    def __init__(self, table: Table, alias: str, ties: Mapping[str, Tie] | None = None) -> None:
        self._declared = {column.name.lower(): column for column in table.columns}
        self._table, self._alias, self._ties = table, alias, ties or {}
        self._made: dict[str, TypedExpression] = {}

    def __getitem__(self, name: str) -> TypedExpression:
        if name not in self._made:
            made = column_of(self._declared[name], self._alias, self._table)
            self._made[name] = replace(made, key=self._ties[name]) if name in self._ties else made
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._declared)

    def __len__(self) -> int:
        return len(self._declared)

    def __contains__(self, name: object) -> bool:
        return name in self._declared


@dataclass(frozen=True)
class Alike:
    """Of one person's rows at most so many have the same values in some columns."""

    columns: frozenset[str]
    most: int


@dataclass(frozen=True)
class Source:
    """One name in FROM and the columns behind it."""

    columns: Mapping[str, TypedExpression]
    table: Table | None = None  # when it is a declared table itself
    alike: tuple[Alike, ...] = ()


@dataclass(frozen=True)
class Scope:
    """What a name in a row expression stands for."""

    sources: Mapping[str, Source]
    merged: Mapping[str, TypedExpression] = field(
        default_factory=dict
    )  # columns of USING: one name for both sides

    def knows(self, name: str) -> bool:
        """Whether some table has a column of that name."""
        name = name.lower()
        return name in self.merged or any(name in source.columns for source in self.sources.values())

    def column(self, name: str, table: str | None) -> TypedExpression:
        """The column of a name, whatever its case."""
        name = name.lower()
        if table is not None:
            source = self.sources.get(table.lower())
            if source is None:
                raise NotAllowed(f"no table '{table}' in FROM; there is {', '.join(self.sources)}")
            if name not in source.columns:
                raise NotAllowed(f"no column '{name}' in {table}; there is {', '.join(source.columns)}")
            return source.columns[name]
        if name in self.merged:
            return self.merged[name]
        found = [alias for alias, source in self.sources.items() if name in source.columns]
        if len(found) > 1:
            raise NotAllowed(f"column '{name}' is in {' and '.join(found)}; write {found[0]}.{name}")
        if not found:
            known = [column for source in self.sources.values() for column in source.columns]
            raise NotAllowed(f"no column '{name}'; there is {', '.join(dict.fromkeys(known))}")
        return self.sources[found[0]].columns[name]


@dataclass(frozen=True)
class Rows:
    """FROM and WHERE rebuilt: the select without a projection, its names, and a person's share."""

    select: exp.Select
    scope: Scope
    unit: TypedExpression | None
    rows: int
    groups: int | None
    kept: tuple[exp.Expression, ...] = ()  # what must hold of a row of joins that keep what has no partner
    alike: tuple[Alike, ...] = ()  # columns as they are written in the select
    missing: frozenset[str] = frozenset()  # aliases of LEFT JOIN, whose columns may be missing in a row

    @property
    def whose(self) -> TypedExpression:
        """The unit; a question about public rows alone has none."""
        if self.unit is None:
            raise NotAllowed("the question reads public tables only; ask about a private one")
        return self.unit


@dataclass(frozen=True)
class Relation:
    """A sub-query rebuilt: what to select from, its columns as it calls them, and a person's share."""

    sql: exp.Expression
    columns: Mapping[str, TypedExpression]  # over the columns of `sql`, of an alias yet to be given
    unit: exp.Identifier
    rows: int
    groups: int | None
    alike: tuple[Alike, ...] = ()  # columns as it calls them


class Draft:
    """What grows while a question is read: aliases of our own, and what must still be true when it is run."""

    def __init__(self) -> None:
        self.given = 0
        self.widest = 1  # the most rows that one person has anywhere on the way
        self.checks: list[Check] = []

    def alias(self) -> str:
        """The next alias; one question opens so many tables only."""
        self.given += 1
        if self.given > MOST_RELATIONS:
            raise NotAllowed(f"the question opens more than {MOST_RELATIONS} tables; ask in several steps")
        return f"t{self.given - 1}"


@dataclass(frozen=True)
class NamedSubquery:
    """A sub-query named WITH, and the names that it knows: those before it."""

    select: exp.Expression
    known: Mapping[str, NamedSubquery]


@dataclass(frozen=True)
class Setting:
    """What a question may name: the data set, where its rows live, and the sub-queries named WITH."""

    dataset: Dataset
    store: Store
    draft: Draft
    named: Mapping[str, NamedSubquery] = field(default_factory=dict)

    def ties_of(self, table: Table) -> dict[str, Tie]:
        """The columns of a table that tie it to others, with what they stand for."""
        found: dict[str, Tie] = {}
        key = self.dataset.key_of(table)
        if key is not None:
            found[key.lower()] = Tie(table.name, table.rows)
        if table.link is not None:
            parent = self.dataset.table(table.link.parent)
            found.setdefault(table.link.column.lower(), Tie(parent.name, parent.rows))
        return found

    def alike_in(self, table: Table) -> tuple[Alike, ...]:
        """How many rows of one person have the same key."""
        key = self.dataset.key_of(table)
        own = [] if key is None else [Alike(frozenset((key.lower(),)), 1)]
        if table.link is not None:
            own.append(Alike(frozenset((table.link.column.lower(),)), table.link.most))
        return tuple(own)

    @property
    def declared(self) -> int:
        """How many rows the owner allows one person in one table."""
        return max(table.rows for table in self.dataset.tables)


def under_alias(part: TypedExpression, alias: str) -> TypedExpression:
    """The columns of a relation under the alias that it got."""

    def moved(node: exp.Expression) -> exp.Expression:
        return (
            exp.column(node.this.copy(), table=exp.to_identifier(alias))
            if isinstance(node, exp.Column)
            else node
        )

    return replace(
        part, sql=part.sql.transform(moved), code=None if part.code is None else part.code.transform(moved)
    )


@dataclass(frozen=True)
class AliasedSource:
    """A table or sub-query with its alias."""

    sql: exp.Expr
    source: Source
    unit: TypedExpression | None
    rows: int
    groups: int | None
