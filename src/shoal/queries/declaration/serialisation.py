"""Declarations from plain data (TOML, JSON, the flags of a command line) and back.

Kinds may come from the types of a file, because these say nothing about anybody; bounds and keys never come
from the values in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import polars as pl

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.engines.frames import one_line, quote_value
from shoal.queries.declaration.days import span_of_days
from shoal.queries.declaration.declaration import (
    KINDS,
    Accounting,
    Budget,
    Column,
    Dataset,
    Kind,
    Link,
    Policy,
    Renews,
    Table,
    hang,
)
from shoal.queries.declaration.parents import parent_of, plain_owner, waits
from shoal.queries.declaration.validation import (
    BOUNDS,
    bound_of,
    check_kind,
    check_names,
    day_bound,
    days_of,
    ends_of,
    figure,
    fraction_text,
    require,
    settings_in,
)

POSTGRES = "postgres:"  # the source of a table that stays in the database
_DATASET = ("name", "unit", "epsilon", "delta", "each", "policy", "accounting", "renews", "about", "tables")
_TABLE = ("file", "postgres", "rows", "groups", "rows_per_group", "unit", "public", "parent", "columns")
_COLUMN = ("kind", "low", "high", "keys", "missing", "never_null")
_TEMPORAL = ("date", "timestamp")
_NAME = re.compile(r"[^\W\d]\w{0,62}")


def dataset_from(plain: Mapping[str, Any], name: str | None = None) -> Dataset:
    """A data set from a table of plain values; its name is among them or given beside."""
    told = check_names(plain, _DATASET, "the data set")
    called = name if name is not None else require(told, "name", "the data set", str)
    where = f"data set '{one_line(called)}'"
    given, sources = {}, []
    for title, content in settings_in(told, "tables", where).items():
        inside = f"table '{one_line(title)}'"
        table = check_names(content, _TABLE, inside)
        given[str(title)] = table
        if table.get("postgres") is not None and check_kind(table, "postgres", inside, bool, False):
            sources.append((str(title), POSTGRES))
        elif table.get("file") is not None:
            sources.append((str(title), check_kind(table, "file", inside, str, "")))
    tables = _hang_tables(given, told.get("unit"))
    each = told.get("each")
    return Dataset(
        called,
        tuple(tables.values()),
        _budget(told, where),
        cast(Policy, check_kind(told, "policy", where, str, "refuse")),
        cast(Accounting, check_kind(told, "accounting", where, str, "pure")),
        None if each is None else _budget(check_names(each, ("epsilon", "delta"), f"each of {where}"), where),
        check_kind(told, "about", where, str, ""),
        tuple(sources),
        cast(Renews, check_kind(told, "renews", where, str, "never")),
    )


def to_plain(dataset: Dataset) -> dict[str, Json]:
    """A data set as plain values that `dataset_from` reads back, exact to the last digit."""
    sources = dict(dataset.sources)
    tables: dict[str, Json] = {}
    for table in dataset.tables:
        source = sources.get(table.name)
        tables[table.name] = {
            **({} if source is None else {"postgres": True} if source == POSTGRES else {"file": source}),
            **plain_owner(table),
            "rows": table.rows,
            **({} if table.groups is None else {"groups": table.groups}),
            **({} if table.rows_per_group is None else {"rows_per_group": table.rows_per_group}),
            "columns": {column.name: _plain_column(column) for column in table.given.columns},
        }
    return {
        "name": dataset.name,
        **_plain_budget(dataset.budget),
        **({} if dataset.each is None else {"each": _plain_budget(dataset.each)}),
        "policy": dataset.policy,
        "accounting": dataset.accounting,
        **({} if dataset.renews == "never" else {"renews": dataset.renews}),
        "about": dataset.about,
        "tables": tables,
    }


@dataclass(frozen=True)
class TableSchema:
    """A table declared from the types of a file, and the columns that no question can name."""

    table: Table
    left_out: tuple[str, ...]


def table_from_schema(
    name: str,
    schema: pl.DataFrame | Mapping[str, Any],
    unit: str | None = None,
    bounds: Mapping[str, str | Sequence[float]] | None = None,
    keys: Mapping[str, str | Sequence[str | int]] | None = None,
    kinds: Mapping[str, str] | None = None,
    rows: int = 1,
    groups: int | None = None,
) -> TableSchema:
    """A table whose kinds come from the types of its columns; `bounds` are as in 0:120, `keys` as in F,M.

    A text file has text only: there a column with bounds is a number, and all others are text.
    """
    types = dict(schema.schema) if isinstance(schema, pl.DataFrame) else dict(schema)
    bounds, keys, kinds = bounds or {}, keys or {}, kinds or {}
    for flag, names in (("bounds", bounds), ("keys", keys), ("kinds", kinds)):
        for column in names:
            if column not in types:
                raise BadParameter(
                    f"{flag} for {quote_value(column)}; {name} has {one_line(', '.join(types))}"
                )
    if unit is not None and unit not in types:
        raise BadParameter(
            f"no column {quote_value(unit)} for the unit; {name} has {one_line(', '.join(types))}"
        )
    asked = {*bounds, *keys, *kinds, unit}
    columns, left_out = [], []
    for column, dtype in types.items():
        if column not in asked and not _NAME.fullmatch(column):
            left_out.append(column)
            continue
        kind, given = kinds.get(column) or _kind_of(dtype), bounds.get(column)
        if kind == "text" and column not in kinds and given is not None:
            kind = "number" if span_of_days(given) is None else "date"
        low, high = days_of(column, given) if kind in _TEMPORAL else ends_of(column, given)
        listed = _listed_keys(column, kind, keys.get(column))
        columns.append(Column(column, cast(Kind, kind), low, high, listed))
    return TableSchema(Table(name, tuple(columns), unit, rows, groups), tuple(left_out))


def _hang_tables(given: Mapping[str, Mapping[str, Any]], unit: object) -> dict[str, Table]:
    """All tables in their order, but for those that hang on a later one: they come after it."""
    tables: dict[str, Table] = {}
    waiting = list(given)
    while waiting:
        ready = [name for name in waiting if not waits(name, given[name], tables)]
        if not ready:
            parent = parent_of(waiting[0], given[waiting[0]])["table"]
            raise BadParameter(
                f"table '{one_line(waiting[0])}' hangs on {quote_value(parent)}, which is none, or itself"
            )
        name, told = ready[0], given[ready[0]]
        waiting.remove(name)
        if told.get("parent") is None:
            tables[name.lower()] = _table(name, told, unit, f"table '{one_line(name)}'")
        else:
            tables[name.lower()] = _hanging_table(name, told, tables)
    return tables


def _hanging_table(name: str, told: Mapping[str, Any], tables: Mapping[str, Table]) -> Table:
    where = f"table '{one_line(name)}'"
    if told.get("unit") is not None or check_kind(told, "public", where, bool, False):
        raise BadParameter(f"{where} hangs on a parent and has a unit or is public; it is one or the other")
    parent = parent_of(name, told)
    most = check_kind(told["parent"], "rows", f"parent of {where}", int, 1)
    link = Link(parent["column"], tables[parent["table"].lower()].name, parent["key"], most)
    content = settings_in(told, "columns", where)
    columns = [_column(str(column), settings, where) for column, settings in content.items()]
    owner = tables[link.parent.lower()]
    if link.column.lower() not in {column.name.lower() for column in columns}:
        columns.insert(0, Column(link.column, owner.column(link.key).kind))
    rows = None if told.get("rows") is None else check_kind(told, "rows", where, int, 0)
    groups, each = _limits(told, where)
    return hang(Table(name, tuple(columns), groups=groups, rows_per_group=each), owner, link, rows)


def _table(name: str, told: Mapping[str, Any], unit: object, where: str) -> Table:
    public = check_kind(told, "public", where, bool, False)
    if public and told.get("unit") is not None:
        raise BadParameter(f"{where} is public and has a unit; it is one or the other")
    owner = None if public else check_kind({"unit": unit, **told}, "unit", where, str, "") or None
    if owner is None and not public:
        raise BadParameter(f"{where} has no unit; name the column that tells whose row it is, or say public")
    content = settings_in(told, "columns", where)
    columns = [_column(str(column), settings, where) for column, settings in content.items()]
    if owner is not None and owner.lower() not in {column.name.lower() for column in columns}:
        columns.insert(0, Column(owner))
    rows = check_kind(told, "rows", where, int, 1)
    groups, each = _limits(told, where)
    return Table(name, tuple(columns), owner, rows, groups, rows_per_group=each)


def _limits(told: Mapping[str, Any], where: str) -> list[int | None]:
    """What is kept to when a question is asked: groups of a person, and rows in each."""
    return [
        None if told.get(name) is None else check_kind(told, name, where, int, 0)
        for name in ("groups", "rows_per_group")
    ]


def _column(name: str, settings: object, where: str) -> Column:
    inside = f"column '{one_line(name)}' of {where}"
    if isinstance(settings, str):
        kind, _, rest = settings.strip().partition(" ")
        if kind not in KINDS:
            raise BadParameter(
                f"{inside} is {quote_value(settings)}; begin with a kind ({', '.join(KINDS)}), as in "
                "integer 0..120"
            )
        rest = rest.strip()
        if not rest:
            return Column(name, kind)
        if kind in _TEMPORAL and "|" not in rest:
            return Column(name, kind, *days_of(name, rest))
        if kind in ("integer", "number") and "|" not in rest and BOUNDS.fullmatch(rest):
            return Column(name, kind, *ends_of(name, rest))
        return Column(name, kind, keys=_listed_keys(name, kind, [key.strip() for key in rest.split("|")]))
    told = check_names(settings, _COLUMN, inside)
    temporal = told.get("kind") in _TEMPORAL
    read = day_bound if temporal else bound_of
    ends = (read(name, told.get("low")), read(name, told.get("high")))
    keys = told.get("keys")
    if keys is not None and not (isinstance(keys, list | tuple) and all(map(_storable, keys))):
        raise BadParameter(f'keys of {inside} is {quote_value(keys)}; give a list, as in ["F", "M"]')
    whole = keys is not None and all(isinstance(key, int) for key in keys)
    guess = "number" if ends != (None, None) else "integer" if whole else "text"
    kind = check_kind(told, "kind", inside, str, guess)
    nulls = (check_kind(told, word, inside, bool, word == "missing") for word in ("missing", "never_null"))
    return Column(name, cast(Kind, kind), *ends, None if keys is None else tuple(keys), *nulls)


def _storable(key: object) -> bool:
    """Whether an engine can hold it: whole numbers, and text without the signs that no database takes."""
    if isinstance(key, str):
        return "\0" not in key and not any("\ud800" <= sign <= "\udfff" for sign in key)
    return isinstance(key, int) and not isinstance(key, bool) and -(2**63) <= key < 2**63


def _kind_of(dtype: Any) -> Kind:
    if dtype.is_integer():
        return "integer"
    if dtype.is_numeric():
        return "number"
    if dtype == pl.Boolean:
        return "boolean"
    return "date" if dtype == pl.Date else "timestamp" if dtype == pl.Datetime else "text"


def _listed_keys(
    name: str, kind: str, keys: str | Sequence[str | int] | None
) -> tuple[str | int, ...] | None:
    if keys is None:
        return None
    listed = keys.split(",") if isinstance(keys, str) else list(keys)
    if kind != "integer":
        return tuple(listed)
    try:
        return tuple(int(key) for key in listed)
    except ValueError:
        raise BadParameter(
            f"keys {quote_value(listed)} of '{name}' are no whole numbers; its kind is integer"
        ) from None


def _budget(told: Mapping[str, Any], where: str) -> Budget:
    return Budget(figure(told, "epsilon", where), figure(told, "delta", where, Fraction(0)))


def _plain_budget(budget: Budget) -> dict[str, Json]:
    return {"epsilon": fraction_text(budget.epsilon), "delta": fraction_text(budget.delta)}


def _plain_column(column: Column) -> dict[str, Json]:
    plain: dict[str, Json] = {"kind": column.kind}
    if column.bounds is not None:
        plain |= {"low": column.bounds[0], "high": column.bounds[1]}
    plain |= {} if column.keys is None else {"keys": list(column.keys)}
    plain |= {} if column.missing else {"missing": False}
    return {**plain, "never_null": True} if column.never_null else plain
