"""A declaration in a few words: files or frames, the unit, bounds and keys, as flags or keyword arguments.

Names and types of columns come from the files: they are the schema, not the rows. Nothing else is read off.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, cast

import polars as pl

from shoal.core.errors import BadParameter
from shoal.core.part_syntax import columns_of
from shoal.engines.files import fingerprint, read_frame, to_frame
from shoal.jobs.queries.spark_source import SparkSource, spark_tables
from shoal.queries.accounting.accountants import LARGEST_EPSILON, accounting_of, exact
from shoal.queries.declaration.declaration import Accounting, Budget, Dataset, Link, Table, hang
from shoal.queries.declaration.serialisation import table_from_schema, to_plain
from shoal.queries.stores.duckdb_store import DuckStore

NAME = "data"  # of the one data set that flags declare
DELTA = Fraction(1, 10**6)
_FIGURE = re.compile(r"\+?([0-9]{1,9}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][-+]?[0-9]{1,2})?")
# What is said by name, as a flag and as a keyword argument.
_EXAMPLES = {
    "data": ("NAME=FILE", "visits=visits.csv", "{'visits': 'visits.csv'}"),
    "public": ("NAME=FILE", "wards=wards.csv", "{'wards': 'wards.csv'}"),
    "bounds": ("COLUMN=LOW:HIGH", "age=0:120", "{'age': (0, 120)}"),
    "keys": ("COLUMN=A,B,C", "sex=F,M", "{'sex': ['F', 'M']}"),
    "kind": ("COLUMN=KIND", "age=integer", "{'age': 'integer'}"),
    "parent": (
        "TABLE=COLUMN:PARENT.KEY:ROWS",
        "orders=customer_id:customers.id:10",
        "{'orders': 'customer_id:customers.id:10'}",
    ),
}
_PARENT = re.compile(r"\s*([^:]+?)\s*:\s*([^:.]+)\.([^:]+?)\s*(?::\s*([0-9]{1,9})\s*)?")


@dataclass(frozen=True, kw_only=True)
class Given:
    """What flags or keyword arguments say about the data. The field names are the flags."""

    verb: ClassVar[str] = "it"

    data: Mapping[str, Any] = field(default_factory=dict)  # private tables: paths or frames by name
    public: Mapping[str, Any] = field(default_factory=dict)
    unit: str | None = None
    bounds: Mapping[str, Any] = field(default_factory=dict)  # `0:120` or (0, 120) by column
    keys: Mapping[str, Any] = field(default_factory=dict)  # `F,M` or a list by column
    kind: Mapping[str, str] = field(default_factory=dict)
    rows: int | None = None
    groups: int | None = None
    parent: Mapping[str, str] = field(default_factory=dict)  # on which rows those of a table hang
    accounting: str | None = None  # what the ledger has, or approximate
    encoding: str | None = None  # of text files, when detection is wrong

    def __post_init__(self) -> None:
        for name in _EXAMPLES:
            object.__setattr__(self, name, pairs_of(name, getattr(self, name)))
        if not self.data:
            raise BadParameter("no private table given; name one, as in --data visits=visits.csv")
        if self.unit is None:
            raise BadParameter("whose rows are these? Name the column that tells it, as in --unit patient_id")
        if self.accounting is not None:
            accounting_of(self.accounting)


GIVEN = [one.name for one in fields(Given) if one.name != "data"]


def pairs_of(name: str, given: Any) -> Mapping[str, Any]:
    """What is said about tables or columns by their names: a mapping, or flags such as `age=0:120`."""
    form, flag, mapping = _EXAMPLES[name]
    if given is None or isinstance(given, Mapping):
        return given or {}
    if not isinstance(given, list | tuple) or not all(isinstance(text, str) for text in given):
        raise BadParameter(f"{name} maps names, as in {mapping}, not {given!r}")
    found: dict[str, str] = {}
    for text in given:
        word, sign, value = text.partition("=")
        word = word.strip()
        if not sign or not word or not value.strip():
            raise BadParameter(f"--{name} takes {form}, as in {flag}, not '{text}'")
        if word in found:
            raise BadParameter(f"--{name} names '{word}' twice, as {found[word]} and {value}; keep one")
        found[word] = value
    return found


class FrameStore(DuckStore):
    """Rows in memory whose version tells what they were made of, so that an archive knows them again."""

    def __init__(self, dataset: Dataset, frames: Mapping[str, pl.DataFrame], stamp: int) -> None:
        self._stamp = stamp
        super().__init__(dataset)
        for name, frame in frames.items():
            self.load(name, frame)

    @property
    def version(self) -> int:
        """The fingerprint of rows and declaration, and above it how often the rows were changed since."""
        return self._stamp + super().version


@dataclass(frozen=True)
class Declared:
    """Tables as they were described, and the rows that they begin with."""

    tables: tuple[Table, ...]
    frames: Mapping[str, pl.DataFrame]
    prints: tuple[str, ...]  # of the files and frames
    notes: tuple[str, ...] = ()
    spark: SparkSource | None = None  # where the rows are that stay there

    def dataset(self, budget: Budget, accounting: str) -> Dataset:
        """The data set within a budget."""
        return Dataset(NAME, self.tables, budget, accounting=cast(Accounting, accounting))

    def store(self, dataset: Dataset) -> FrameStore:
        """Its rows, brought here and ready to be asked about."""
        if self.spark is not None:
            raise BadParameter("this needs the rows here, and they are in Spark; give a file")
        plain = to_plain(dataset)["tables"]
        # What a bound or a kind changes in an answer does not always show in the question.
        content = hashlib.sha256(json.dumps([self.prints, plain], default=str).encode()).digest()
        return FrameStore(dataset, self.frames, int.from_bytes(content[:16]) << 32)


def declare(given: Given) -> Declared:
    """The tables that were described; a word about a column that is not there is refused."""
    sources = {**given.data, **given.public}
    if len({name.lower() for name in sources}) < len(given.data) + len(given.public):
        raise BadParameter(
            f"two tables of one name among {', '.join([*given.data, *given.public])}; rename one"
        )
    for name in ("rows", "groups"):
        number = getattr(given, name)
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
            raise BadParameter(f"--{name} is a whole number from 1 on, not {number!r}")
    there = spark_tables(sources)
    spark = SparkSource(there) if there else None
    frames = spark.frames() if spark else {n: _frame(one, given.encoding) for n, one in sources.items()}
    links = {_named(table, given.data): _link(text, given.data) for table, text in given.parent.items()}
    words = {flag: _by_table(flag, getattr(given, flag), frames) for flag in ("bounds", "keys", "kind")}
    tables, notes = [], []
    for name, frame in frames.items():
        private = name in given.data
        made = table_from_schema(
            name,
            frame,
            _unit_in(frame, given.unit) if private and name not in links else None,
            words["bounds"][name],
            words["keys"][name],
            words["kind"][name],
            given.rows or 1 if private and name not in links else 1,
            given.groups if private else None,
        )
        tables.append(made.table)
        if made.left_out:
            odd = ", ".join(made.left_out)
            notes.append(f"no question can name {odd} of {name}; letters, digits and _ would do")
    if given.rows is None:
        notes.append(
            f"at most 1 row of every {given.unit} counts; --rows N declares that somebody may have N"
        )
    prints = () if spark else tuple(_print(source, frames[name]) for name, source in sources.items())
    tables = _hanging(tables, links)
    kept = {table.name: frames[table.name] for table in tables}
    return Declared(tuple(tables), kept, prints, tuple(notes), spark)


def figure(value: object, name: str) -> Fraction:
    """An ε or δ as it was written: 0.1 is a tenth."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
        raise BadParameter(f"{name} is {value!r}; give a number such as 0.5")
    text = str(value).strip()
    if not isinstance(value, Fraction) and not _FIGURE.fullmatch(text):
        raise BadParameter(f"{name} is '{text}'; give a number above 0 such as 0.5 or 1e-6")
    return exact(text)


def chance(value: object, name: str = "--delta") -> Fraction | None:
    """A δ, if one was given."""
    if value is None:
        return None
    delta = figure(value, name)
    if delta >= 1:
        raise BadParameter(
            f"{name} {float(delta):g} is out of range; choose far below one in the number of people"
        )
    return delta


def epsilon_from(value: object, name: str = "--epsilon") -> Fraction:
    """An ε that buys something."""
    if value is None:
        raise BadParameter(f"what may the question cost? Give {name}, often 0.1 to 1")
    epsilon = figure(value, name)
    if not 0 < epsilon <= LARGEST_EPSILON:
        raise BadParameter(f"{name} {float(epsilon):g} is out of range; choose more than 0, often 0.1 to 1")
    return epsilon


def _by_table(
    flag: str, given: Mapping[str, Any], frames: Mapping[str, pl.DataFrame]
) -> dict[str, dict[str, Any]]:
    """Words about columns, spread over the tables that have them; `table.column` goes before `column`."""
    found: dict[str, dict[str, Any]] = {name: {} for name in frames}
    for word in sorted(given, key=lambda word: "." in word):
        hits = 0
        for table, frame in frames.items():
            for column in frame.columns:
                if word.lower() in (column.lower(), f"{table}.{column}".lower()):
                    found[table][column] = _value(flag, column, given[word])
                    hits += 1
        if not hits:
            known = [
                column if len(frames) == 1 else f"{t}.{column}"
                for t, f in frames.items()
                for column in f.columns
            ]
            raise BadParameter(
                f"--{flag} speaks of '{word}', which is not there; there is {', '.join(known)}"
            )
    return found


def _value(flag: str, column: str, value: Any) -> Any:
    if flag == "keys" and isinstance(value, str):
        return columns_of(value)  # a key with a comma stands in double quotes
    if flag == "bounds" and not isinstance(value, str | list | tuple):
        raise BadParameter(f"--bounds takes {column}=LOW:HIGH, as in {column}=0:120, not {value!r}")
    if flag == "keys" and not isinstance(value, list | tuple):
        raise BadParameter(f"--keys takes {column}=A,B,C, not {value!r}")
    return value


def _unit_in(frame: pl.DataFrame, unit: str | None) -> str | None:
    """The unit as the file spells it."""
    return next((name for name in frame.columns if unit is not None and name.lower() == unit.lower()), unit)


def _named(table: str, known: Mapping[str, Any]) -> str:
    """A private table as it was named, whatever the case."""
    for name in known:
        if name.lower() == table.strip().lower():
            return name
    raise BadParameter(
        f"--parent speaks of '{table}', which is no private table; there is {', '.join(known)}"
    )


def _link(text: str, known: Mapping[str, Any]) -> Link:
    found = _PARENT.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        form, flag, _ = _EXAMPLES["parent"]
        raise BadParameter(f"--parent takes {form}, as in {flag}, not {text!r}; ROWS may be left out, for 1")
    return Link(found[1], _named(found[2], known), found[3], int(found[4] or 1))


def _hanging(tables: list[Table], links: Mapping[str, Link]) -> list[Table]:
    """Tables after those that they hang on; public ones where they were."""
    made = {table.name: table for table in tables if table.name not in links}
    waiting = [table for table in tables if table.name in links]
    while waiting:
        ready = [table for table in waiting if links[table.name].parent in made]
        if not ready:
            raise BadParameter(
                f"--parent goes round in a circle at '{waiting[0].name}'; name whose rows it is"
            )
        for table in ready:
            link = links[table.name]
            made[table.name] = hang(table, made[link.parent], link)
            waiting.remove(table)
    return list(made.values())


def _frame(source: Any, encoding: str | None) -> pl.DataFrame:
    if not isinstance(source, str | Path):
        return to_frame(source)
    return read_frame(source, encoding=encoding, private=True)


def _print(source: Any, frame: pl.DataFrame) -> str:
    if isinstance(source, str | Path) and str(source) != "-":
        return fingerprint(source)
    stream = io.BytesIO()
    frame.write_ipc(stream)
    return f"sha256:{hashlib.sha256(stream.getvalue()).hexdigest()}"
