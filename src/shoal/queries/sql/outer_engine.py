"""The engine of outer queries: a DuckDB of its own for each, in memory and locked, with noisy results in it.

Whoever found a way around the list of functions would find nothing but what the analyst is told anyway.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import TracebackType
from typing import Any

import polars as pl

from shoal.core.errors import NotAllowed
from shoal.engines.duckdb_connection import Duck
from shoal.engines.frames import reason
from shoal.queries.declaration.declaration import Value

MEMORY = "256MB"
SECONDS = 5.0
MOST_CELLS = 2_000_000  # of an answer; 50 characters of text count as one
MOST_COLUMNS = 200
_WORDS = """
    BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT UBIGINT UHUGEINT FLOAT DOUBLE DECIMAL VARCHAR
    DATE TIMESTAMP NULL "NULL"
"""
KINDS = frozenset(_WORDS.split())
_TOLD = frozenset((int, float, str, bool, Decimal, datetime.date, datetime.datetime))


@dataclass(frozen=True)
class Result:
    """Names and rows as the engine gives them."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


class OuterEngine:
    """Tables by name, and what a query makes of them."""

    def __init__(self, tables: Mapping[str, pl.DataFrame]) -> None:
        self._duck = Duck(memory=MEMORY, threads=1)
        for name, frame in tables.items():
            self.put(name, frame)

    def __enter__(self) -> OuterEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._duck.close()

    def put(self, name: str, frame: pl.DataFrame) -> None:
        """A table, instead of the one of that name."""
        with self._duck.write() as writer:
            writer.lend("lent", frame)
            writer.run(f'CREATE OR REPLACE TABLE "{name}" AS SELECT * FROM lent')

    def choose(self, name: str, source: str, number: int) -> None:
        """The rows of one draw as the table that a query reads."""
        with self._duck.write() as writer:
            writer.run(
                f'CREATE OR REPLACE TABLE "{name}" AS '
                f'SELECT * EXCLUDE (draw) FROM "{source}" WHERE draw = {number:d}'
            )

    def run(self, sql: str, within: float = SECONDS) -> Result:
        """What a query gives."""
        names, kinds, rows = self._duck.fetch(sql, within, MOST_CELLS)
        return Result(tuple(names), tuple(kinds), tuple(tuple(map(plain, row)) for row in rows))

    def bind(self, sql: str) -> Result:
        """The columns of a query over made-up tables; a query that is none is refused."""
        import duckdb

        try:
            return self.run(sql)
        except duckdb.Error as error:
            said = reason(error).replace('"leaf ', '"').split(" LINE ")[0][:200]
            raise NotAllowed(f"what is done with noisy results is not understood: {said}") from None


def plain(value: Any) -> Value:
    """A value as answers have it: no number that is none, days and moments as text."""
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else None
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value if value is None or type(value) in _TOLD else str(value)


def refusal(kinds: Sequence[str], names: Sequence[str]) -> str | None:
    """Why columns of these kinds are no answer."""
    if len(names) > MOST_COLUMNS:
        return f"an answer has at most {MOST_COLUMNS} columns; ask in several steps"
    for kind, name in zip(kinds, names, strict=True):
        if kind.split("(")[0] not in KINDS:
            return f"column '{name}' is of the kind {kind}, which is no answer; CAST it to VARCHAR"
    return None
