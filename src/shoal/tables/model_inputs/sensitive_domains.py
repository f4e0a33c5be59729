"""What a sensitive column looks like over the whole table: what a class is compared with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import Label, texts
from shoal.tables.table import Table

Ints = NDArray[np.int64]
ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
JOINT = " & "


@dataclass(frozen=True, eq=False)
class Domain:
    """A sensitive column as the whole table has it: its values in order, how often each occurs.

    This is what a class is compared with. It is taken before suppression and travels in the manifest.
    """

    column: str
    values: tuple[Label, ...]
    totals: Ints
    ordered: bool = False
    taxonomy: Hierarchy | None = None
    public: bool = False  # a model compares with it, so the record of a release tells it
    parts: tuple[str, ...] = ()  # the columns that are counted together; none for a column by itself

    @classmethod
    def together(cls, frame: pl.DataFrame, columns: Sequence[str], weights: Ints | None = None) -> Domain:
        """Several columns counted as one, for models that look at how they go together."""
        found = cls.of(pl.DataFrame([_tied(frame, columns)]), JOINT.join(columns), weights=weights)
        return replace(found, ordered=False, parts=tuple(columns))

    def series(self, frame: pl.DataFrame) -> pl.Series:
        """The values of a frame that this domain counts."""
        return _tied(frame, self.parts) if self.parts else texts(frame[self.column])

    @cached_property
    def split(self) -> tuple[tuple[Label, ...], ...]:
        """Of columns counted together, each value taken apart again."""
        return tuple(_untied(value) for value in self.values)

    @classmethod
    def of(
        cls,
        frame: pl.DataFrame,
        column: str,
        taxonomy: Hierarchy | None = None,
        weights: Ints | None = None,
    ) -> Domain:
        """The domain of one column; a taxonomy orders by its lines, without one see `in_order`.

        `weights` is how many rows each row of the frame stands for, default: one.
        """
        counted = count_values(frame[column], weights)
        found: dict[Label, int] = dict(
            zip(counted["value"].to_list(), counted["rows"].to_list(), strict=True)
        )
        if taxonomy is not None:
            lost = taxonomy.missing(list(found))
            if lost:
                raise BadParameter(
                    f"the hierarchy of '{column}' misses {lost[0]!r}; add a line for it"
                    + (f" and {len(lost) - 1} more" if len(lost) > 1 else "")
                )
            values = tuple(taxonomy.leaves)
            totals = [found.get(value, 0) for value in values]
            return cls(column, values, np.array(totals, np.int64), True, taxonomy)
        values, ordered = in_order(list(found))
        return cls(column, values, np.array([found[value] for value in values], np.int64), ordered)


def count_values(column: pl.Series, weights: Ints | None) -> pl.DataFrame:
    """Each value of a column as `value`, and as `rows` how many rows have it."""
    values = texts(column).alias("value")
    if weights is None:
        return values.value_counts(name="rows")
    return pl.DataFrame([values, pl.Series("rows", weights)]).group_by("value").agg(pl.col("rows").sum())


def _tied(frame: pl.DataFrame, columns: Sequence[str]) -> pl.Series:
    """Several columns as one text that `_untied` takes apart: each value behind its length, - if missing."""
    pieces = []
    for column in columns:
        text = texts(frame[column])
        size = text.str.len_chars().cast(pl.String)
        pieces.append((size + ":" + text).fill_null("-:"))
    tied = pieces[0]
    for piece in pieces[1:]:
        tied = tied + piece
    return tied.alias(JOINT.join(columns))


def _untied(text: Label) -> tuple[Label, ...]:
    values: list[Label] = []
    rest = text or ""
    while rest:
        size, _, rest = rest.partition(":")
        values.append(None if size == "-" else rest[: int(size)])
        rest = rest if size == "-" else rest[int(size) :]
    return tuple(values)


def domains_of(table: Table, models: Iterable[ClassModel[Any]] = ()) -> dict[str, Domain]:
    """What is counted per class: every sensitive column, and what a model wants counted together."""
    models = list(models)
    domains = {
        column: Domain.of(table.frame, column, table.hierarchies.get(column), table.weights)
        for column in table.sensitive
        if column not in table.elsewhere
    }
    for column in compared_columns(models, list(domains)):
        domains[column] = replace(domains[column], public=True)
    return {**domains, **joint_domains(table, models)}


def compared_columns(models: Iterable[ClassModel[Any]], sensitive: Sequence[str]) -> list[str]:
    """The sensitive columns whose distribution over the whole table a model compares with."""
    spoken = [model.column for model in models if model.reads == "distribution"]
    return [column for column in sensitive if None in spoken or column in spoken]


def joint_domains(table: Table, models: Iterable[ClassModel[Any]]) -> dict[str, Domain]:
    """What models want counted together."""
    domains: dict[str, Domain] = {}
    counted = table.counted
    for model in models:
        for columns in model.together(table.sensitive):
            # A sensitive column by itself is counted anyway.
            if JOINT.join(columns) not in (*domains, *table.sensitive):
                domains[JOINT.join(columns)] = Domain.together(counted, columns, table.weights)
    return domains


def in_order(values: Sequence[Label]) -> tuple[tuple[Label, ...], bool]:
    """Values from low to high, and whether that order means something: of numbers and ISO dates it does."""
    known = [value for value in values if value is not None]
    # A missing value has no place in an order of numbers, so it takes the order away rather than guess one.
    has_gap = len(known) < len(values)
    tail: list[Label] = [None] if has_gap else []
    if known and all(ISO_DATE.fullmatch(value) for value in known):
        return (*sorted(known), *tail), not has_gap
    try:
        numbers = {value: float(value) for value in known}
    except ValueError:
        return (*sorted(known), *tail), False
    if any(number != number for number in numbers.values()):
        return (*sorted(known), *tail), False
    return (*sorted(known, key=lambda value: (numbers[value], value)), *tail), not has_gap
