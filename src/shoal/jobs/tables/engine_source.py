"""A request about a table in an engine: where its record is, what of it comes here, what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
from polars import selectors
from sqlglot import exp

from shoal.core.contract import Attack
from shoal.core.errors import BadParameter, BadTable
from shoal.engines.address import Address, address_of
from shoal.engines.frames import plain, quote_value
from shoal.engines.sql_engine import SqlEngine, connect
from shoal.tables.in_engine.written_rows import counted_frame
from shoal.tables.manifest import Manifest
from shoal.tables.release import TableModel
from shoal.tables.table import Table

_FIRST, _LAST = ((day - date(1970, 1, 1)).days for day in (date.min, date.max))
_TICKS = {"ms": 10**3, "us": 10**6, "ns": 10**9}  # of a second
SAMPLED = 10_000  # rows that are looked at where looking at all of them is not needed


def sample_of(engine: SqlEngine, table: exp.Table, rows: int = SAMPLED) -> pl.DataFrame:
    """Some rows of a table, as they come."""
    frame = engine.frame(exp.select("*").from_(table.copy()).limit(rows))
    for name in frame.columns:
        if name == "*" or (name.startswith("^") and name.endswith("$")):
            raise BadTable(f"the column name '{name}' is a pattern that stands for others; rename it")
    if not frame.height:
        raise BadTable("the table has columns but no rows; there is nobody to protect in it")
    return as_local(frame, "the table")


def as_local(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Values as a file of them would be read: one per cell, categories and lengths of time as text.

    0.0 and -0.0, which are one value for an engine, become 0.0.
    """
    _check_days(frame)
    number = selectors.float()
    return plain(frame, name).with_columns(
        selectors.duration().dt.to_string("iso"), pl.when(number == 0).then(0.0).otherwise(number).name.keep()
    )


def _check_days(frame: pl.DataFrame) -> None:
    """Refuse infinity and other days that have no usual text: Polars panics over some of them."""
    for each in frame.select(selectors.date() | selectors.datetime()):
        a_day = _TICKS[each.dtype.time_unit] * 86_400 if isinstance(each.dtype, pl.Datetime) else 1
        found = pl.DataFrame(each.to_physical().alias("ticks")).filter(
            ~pl.col("ticks").is_between(_FIRST * a_day, (_LAST + 1) * a_day - 1)
        )
        if found.height:
            raise BadTable(
                f"column {quote_value(each.name)} holds days such as infinity or years before 1; make a view "
                "that shows the column as text, or without them"
            )


def counted_columns(models: Sequence[TableModel], sensitive: Sequence[str]) -> list[str]:
    """The sensitive columns that models count; where all count classes alone, none has to come here."""
    spoken = {model.column for model in models if model.reads != "sizes"}
    joint = {name for model in models for columns in model.together(tuple(sensitive)) for name in columns}
    return [name for name in sensitive if None in spoken or name in spoken or name in joint]


def counted_table(
    engine: SqlEngine,
    table: exp.Table,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    counted: Sequence[str],
) -> Table:
    """A released table as `verify` and `measure` see it: grouped anew, its other columns by name only."""
    names = list(engine.schema(table))
    for name in (*quasi, *sensitive):
        if name not in names:
            raise BadParameter(f"no column '{name}'; the table has {', '.join(names)}")
    frame, weights = counted_frame(engine, table, list(dict.fromkeys([*quasi, *counted])))
    return Table(
        as_local(frame, "the table"),
        quasi=tuple(quasi),
        sensitive=tuple(sensitive),
        weights=weights.to_numpy(),
        elsewhere=tuple(name for name in names if name not in frame.columns),
    )


def read_counted(
    source: Any,
    roles: Callable[[Table], Table],
    counted: Callable[[Sequence[str]], Sequence[str]],
) -> Table:
    """A table in an engine as distinct rows with counts.

    `roles` declares them on a sample, `counted` says which of the sensitive columns come here.
    """
    engine, table = open_source(source)
    with engine:
        declared = roles(Table(sample_of(engine, table)))
        wanted = [name for name in counted(declared.sensitive) if name in declared.columns]
        found = counted_table(engine, table, declared.quasi, declared.sensitive, wanted)
    return replace(found, identifier=declared.identifier)


def read_attacked(job: Any, attacker: Attack[Any] | None, roles: Callable[[Table], Table]) -> Table:
    """A release in an engine as an attacker counts it; one who needs rows is refused."""
    refuse_in_engine(job, other="export the tables")
    if attacker is None or not attacker.counts_suffice:
        who = "a report" if attacker is None else attacker.name
        raise BadParameter(
            f"{who} needs the rows here, and they stay in an engine; export the table, or a sample of it"
        )
    return read_counted(job.data, roles, list)


def record_place(source: Any, given: str | Path | None) -> Path:
    """Where the record of a release is: as given, beside a folder, or here by the table's name."""
    if given is not None:
        return Path(given)
    address = address_of(source) if not isinstance(source, Address) else source
    assert address is not None
    if address.kind == "folder":
        return Path(f"{address.place.rstrip('/')}.shoal.json")
    if not address.table:
        return Path(f"{Path(address.path).name or 'frame'}.shoal.json")
    return Path(f"{address.table[-1].replace('/', '_')}.shoal.json")


def record_in_engine(source: Any) -> Manifest | None:
    """The record of a release in an engine, where it is in its usual place."""
    place = record_place(source, None)
    return Manifest.read(place) if place.exists() else None


def refuse_in_engine(job: Any, **fields: str) -> None:
    """Refuse what needs rows on this machine; each field with the cure."""
    usual = {name: type(job).__dataclass_fields__[name].default for name in fields}
    for name, cure in fields.items():
        value = getattr(job, name)
        if value and value != usual[name]:
            raise BadParameter(
                f"--{name.replace('_', '-')} needs the rows here, and they stay in an engine; {cure}"
            )


def open_source(source: Any) -> tuple[SqlEngine, exp.Table]:
    """The engine of a table and the table in it; the engine has to be closed."""
    address = address_of(source)
    assert address is not None
    engine = connect([address])
    try:
        return engine, engine.table(address)
    except BaseException:
        engine.close()
        raise
