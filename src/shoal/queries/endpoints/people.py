"""The rows of people, one for each, as a plain database holds them: what endpoints answer from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter, BadTable
from shoal.engines.duckdb_connection import Duck
from shoal.queries.declaration.declaration import Column, Table
from shoal.queries.endpoints.question import Question, literal, name

_KINDS = {"integer": pl.Int64, "number": pl.Float64, "boolean": pl.Boolean}
ROW = "shoal_row"
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class People:
    """A declared table and its rows, one of each person."""

    table: Table
    frame: pl.DataFrame

    @classmethod
    def of(cls, table: Table, frame: pl.DataFrame) -> People:
        """Rows as they were declared: numbers are numbers, and whoever has no unit is nobody."""
        rows = cls.typed(frame, table.columns).filter(pl.col(table.unit or "").is_not_null())
        made = cls(table, rows)
        if rows[made.unit].n_unique() < rows.height:
            raise BadTable(
                f"'{made.unit}' repeats in {table.name}; attacks on questions need one row of each person, "
                "so give a table with one"
            )
        if not rows.height:
            raise BadTable(f"{table.name} has no rows; give a table with people to attack")
        return made

    @staticmethod
    def typed(frame: pl.DataFrame, columns: Sequence[Column]) -> pl.DataFrame:
        """The declared columns of a frame, each of its kind."""
        there = [column for column in columns if column.name in frame.columns]
        return pl.DataFrame([_typed(frame[column.name], column).alias(column.name) for column in there])

    def __len__(self) -> int:
        return self.frame.height

    @property
    def unit(self) -> str:
        """The column that tells whose row it is."""
        return self.table.column(self.table.unit or "").name

    def rows(self, places: Sequence[int] | NDArray[np.int64]) -> People:
        """Some of the people."""
        return replace(self, frame=self.frame[np.asarray(places, np.int64)])

    def without(self, unit: object) -> People:
        """All but one of them."""
        return replace(self, frame=self.frame.filter(pl.col(self.unit) != unit))

    def with_column(self, values: pl.Series) -> People:
        """The same people with other values in a column."""
        return replace(self, frame=self.frame.with_columns(values))

    def column(self, column: str) -> Column:
        """What was declared of a column."""
        return self.table.column(column)

    def whom(self, question: Question) -> Mask:
        """Whom an answer is about."""
        where = f" WHERE {question.condition}" if question.condition else ""
        chosen = self._read(f"SELECT {ROW} FROM {name(self.table.name)}{where}")
        mask = np.zeros(len(self), np.bool_)
        mask[chosen[ROW].to_numpy()] = True
        return mask

    def answer(self, question: Question) -> float:
        """The exact answer; nothing adds up to 0, and has no maximum."""
        _, _, ((value,),) = self._engine.fetch(question.sql(self.table.name), None, 10)
        assert value is None or isinstance(value, int | float)
        return float("nan") if value is None and question.aggregate == "max" else float(value or 0)

    def who(self, unit: object) -> str:
        """The condition that describes one person."""
        return f"{name(self.unit)} = {literal(unit)}"

    def close(self) -> None:
        """Close the database, if there is one; the next question opens another."""
        engine = self.__dict__.pop("_engine", None)
        if engine is not None:
            engine.close()

    @cached_property
    def _engine(self) -> Duck:
        engine = Duck(threads=1)
        with engine.write() as writer:
            writer.lend("given", self.frame.with_row_index(ROW))
            writer.run(f"CREATE TABLE {name(self.table.name)} AS SELECT * FROM given")
        return engine

    def _read(self, select: str) -> pl.DataFrame:
        return self._engine.read([select])[0]


def _typed(values: pl.Series, column: Column) -> pl.Series:
    kind = _KINDS.get(column.kind)
    if kind is None:
        return values.cast(pl.String, strict=False) if column.kind == "text" else values
    if kind is pl.Boolean and values.dtype == pl.String:
        return values.str.to_lowercase().replace_strict(
            {"true": True, "false": False, "1": True, "0": False}, default=None, return_dtype=pl.Boolean
        )
    return values.cast(kind, strict=False)


def number_column(people: People, column: str, what: str) -> Column:
    """A column of numbers with declared bounds, or a sentence how to declare it."""
    declared = people.column(column)
    if declared.low is None or declared.high is None or declared.kind not in ("integer", "number"):
        raise BadParameter(f"{what} needs bounds for {column}; declare them, as in --bounds {column}=0:120")
    return declared
