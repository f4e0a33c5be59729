"""From exact whole numbers to noisy ones: the one place where both meet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.sampling.integer_values import integers
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.group_thresholds import Noise
from shoal.queries.declaration.declaration import Kind, Value
from shoal.queries.mechanisms.laplace import MOST
from shoal.queries.query import Primitive, Quantile, Query
from shoal.queries.sql.nullable_arrays import column

Reals = NDArray[np.float64]

DTYPES: dict[Kind, Any] = {
    "integer": pl.Int64,
    "number": pl.Float64,
    "text": pl.String,
    "boolean": pl.Boolean,
    "date": pl.Date,
    "timestamp": pl.Datetime("us"),
}


@dataclass(frozen=True)
class Chosen:
    """A quantile of every group, between which values it lies, and how far off it is; NaN if unknown."""

    value: Reals
    low: Reals
    high: Reals
    error: Reals


@dataclass(frozen=True)
class Noisy:
    """Everything after the noise: nothing in here is secret."""

    keys: Mapping[str, NDArray[Any]]
    primitives: tuple[Reals, ...]
    noises: tuple[Noise, ...]
    quantiles: tuple[Chosen, ...]
    groups: int
    whole: Mapping[str, list[Value]] = field(default_factory=dict)  # whole keys: no double has them all


def noises_of(query: Query, shares: Shares) -> tuple[Noise, ...]:
    """The noise on every primitive."""
    return tuple(shares.noise(primitive.reach, primitive.squared) for primitive in query.primitives)


def add_noise(query: Query, frames: Sequence[pl.DataFrame], shares: Shares) -> Noisy:
    """Noise on what the engine counted: the numbers per group, then per quantile the rows of every step."""
    names = [f"k{index}" for index in range(len(query.keys))]
    frame, noises = _groups(query, frames[0], names), noises_of(query, shares)
    known: dict[int, NDArray[np.int64]] = {}
    if query.crowd is not None:
        # What decides whether a group is told is told itself, with the same noise.
        known = {
            index: noises[index].release(_exact(query.primitives[index], frame))
            for index in query.crowd.primitives
        }
        frame, order = _told(frame, names, np.sum(list(known.values()), axis=0) >= shares.threshold(query))
        known = {index: values[order] for index, values in known.items()}
    elif query.discovered:
        told = shares.kept(_whole(frame, f"x{query.people}"), query.groups)
        frame, _ = _told(frame, names, told)
    primitives = []
    for index, (primitive, noise) in enumerate(zip(query.primitives, noises, strict=True)):
        found = known[index] if index in known else noise.release(_exact(primitive, frame))
        primitives.append(found.astype(np.float64) * float(primitive.grid))
    quantiles = tuple(
        _quantile(quantile, frame.select(names), counts, shares)
        for quantile, counts in zip(query.quantiles, frames[1:], strict=True)
    )
    keys = {name: _key(frame[name]) for name in names}
    whole = {name: frame[name].to_list() for name in names if frame[name].dtype == pl.Int64}
    return Noisy(keys, tuple(primitives), noises, quantiles, frame.height, whole)


def nothing(query: Query) -> list[pl.DataFrame]:
    """What the engine would give if there were no rows."""
    keys = {f"k{index}": DTYPES[key.kind] for index, key in enumerate(query.keys)}
    numbers = [f"x{index}" for index in range(max(1, len(query.columns)))]
    main = pl.DataFrame(schema={**keys, **dict.fromkeys(numbers, pl.Int64)})
    if not keys:
        main = pl.DataFrame({name: [0] for name in numbers})
    steps = pl.DataFrame(schema={**keys, "step": pl.Int64, "rows": pl.Int64})
    return [main, *(steps for _ in query.quantiles)]


def _told(
    frame: pl.DataFrame, names: list[str], told: NDArray[np.bool_]
) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """The groups that are told, and where they were: noise decides which, and names alone their order."""
    left = frame.with_row_index("place").filter(pl.Series(told, dtype=pl.Boolean)).sort(names)
    return left.drop("place"), left["place"].to_numpy().astype(np.int64)


def _exact(primitive: Primitive, frame: pl.DataFrame) -> NDArray[np.int64]:
    """The number of every group; beyond 64 bits it stays at their end, because going round would tell."""
    columns = [(_whole(frame, f"x{index}"), weight) for index, weight in primitive.terms]
    # The least whole number of 64 bits has no absolute value among them, so ends are looked at one by one.
    reach = (max(int(values.max(initial=0)), -int(values.min(initial=0))) for values, _ in columns)
    if sum(far * abs(weight) for far, (_, weight) in zip(reach, columns, strict=True)) < MOST:
        return np.asarray(sum(values * weight for values, weight in columns), np.int64)
    return integers(sum(values.astype(object) * weight for values, weight in columns), -MOST, MOST)


def _groups(query: Query, frame: pl.DataFrame, names: list[str]) -> pl.DataFrame:
    """One row for every group that is told; all of a public list, in its order, with rows or without."""
    if not names:
        return frame
    frame = _typed(frame, {name: DTYPES[key.kind] for name, key in zip(names, query.keys, strict=True)})
    if query.discovered:
        return frame
    listed = pl.DataFrame({names[0]: _domain(query, 0)})
    for index, name in enumerate(names[1:], 1):
        listed = listed.join(pl.DataFrame({name: _domain(query, index)}), how="cross")
    return listed.join(frame, on=names, how="left", nulls_equal=True, maintain_order="left")


def _typed(frame: pl.DataFrame, kinds: Mapping[str, Any]) -> pl.DataFrame:
    """Keys of their kinds. -0 is 0: which of them names a group would tell whose row came first."""
    keys = {name: pl.col(name).cast(kind, strict=False) for name, kind in kinds.items()}
    # Not by adding 0.0, which Polars takes for no change and leaves out.
    return frame.with_columns(
        pl.when(key == 0).then(pl.lit(0.0)).otherwise(key).alias(name) if kinds[name] == pl.Float64 else key
        for name, key in keys.items()
    )


def _domain(query: Query, index: int) -> pl.Series:
    key = query.keys[index]
    if key.kind in ("date", "timestamp"):  # listed as texts, as they are told
        read = [None if value is None else datetime.fromisoformat(str(value)) for value in key.domain or ()]
        listed = pl.Series(read, dtype=pl.Datetime("us")).cast(DTYPES[key.kind])
    else:
        listed = pl.Series(list(key.domain or ()), dtype=DTYPES[key.kind], strict=False)
    return listed.unique(maintain_order=True)


def _key(values: pl.Series) -> NDArray[Any]:
    if values.dtype.is_numeric():
        return column(values.cast(pl.Float64).fill_null(float("nan")).to_numpy() + 0.0)  # once more: no -0
    return column(values.to_list())


def _whole(frame: pl.DataFrame, name: str) -> NDArray[np.int64]:
    values = frame[name]
    if values.null_count():
        values = values.fill_null(0)
    return values.to_numpy().astype(np.int64)


def _quantile(quantile: Quantile, groups: pl.DataFrame, counts: pl.DataFrame, shares: Shares) -> Chosen:
    """A choice for every group, from how many of its rows lie in each step."""
    mechanism = shares.quantile(quantile)
    number = groups.height if groups.width else 1
    counts = counts.filter(pl.col("step").is_not_null())  # the others have no value
    if groups.width:
        places = groups.with_row_index("group")
        counts = places.join(_typed(counts, groups.schema), on=groups.columns, how="inner", nulls_equal=True)
    else:
        counts = counts.with_columns(pl.lit(0).alias("group"))
    # One group after the other: a million groups times ten thousand steps would not fit into memory.
    parts = {int(str(key[0])): part for key, part in counts.group_by("group")}
    found = np.empty((4, number))
    # The middle of a step, except where steps are whole numbers.
    half = Fraction(0) if quantile.grid == 1 else Fraction(1, 2)
    top = quantile.first + quantile.steps - 1
    for group in range(number):
        steps = np.zeros(quantile.steps, np.int64)
        if group in parts:
            # A value on the border may be rounded one step beyond it.
            inside = np.clip(_whole(parts[group], "step"), 0, quantile.steps - 1)
            np.add.at(steps, inside, _whole(parts[group], "rows"))
        told = mechanism.release(steps)
        # An interval holds its outermost steps to their ends.
        ends = quantile.first + told.low, quantile.first + told.high + (1 if half else 0)
        middle = min(quantile.first + told.value + half, Fraction(top))
        # The middle of a step is a quarter of it away from what lies in it.
        off = np.nan if told.error is None else math.hypot(told.error, float(half) / 2)
        found[:3, group] = [float(step * quantile.grid) for step in (middle, *ends)]
        found[3, group] = off * float(quantile.grid)
    return Chosen(*found)
