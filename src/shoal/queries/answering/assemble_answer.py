"""From noisy numbers to an answer: formulas, HAVING, ORDER BY, LIMIT, errors and intervals.

Nothing here sees an exact number, so nothing here can leak one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from shoal.queries.answering.aggregate_formulas import mixed, values_of
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.group_thresholds import Noise
from shoal.queries.answering.mixed_noise import mixed_noise
from shoal.queries.answering.noise import Chosen, Noisy, noises_of
from shoal.queries.answering.simulated_intervals import CELLS, blocks, interval_or_box
from shoal.queries.declaration.declaration import Value
from shoal.queries.query import Aggregate, Query
from shoal.queries.results import Interval, Uncertainty, spread
from shoal.queries.sql.date_values import told_moment
from shoal.queries.sql.post_processing import column_values, evaluate, keep_groups, order_groups

DRAWS = 1_000  # simulated answers behind an interval that has no formula
ROWS = 1_000  # for which the error of an average is told before asking
STEPS = 4_000_000  # operations times groups: beyond, there is no interval, because it would take too long


@dataclass(frozen=True)
class AnswerRows:
    """What may be shown: the rows of the answer, the error of every column, an interval for every cell."""

    rows: tuple[tuple[Value, ...], ...]
    error: Mapping[str, float | None]
    interval: tuple[tuple[Interval | None, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Sure:
    """How sure one column is: an interval for every group, and the error over all of them."""

    cells: Sequence[Interval | None]
    error: float | None


def expected_error(query: Query, shares: Shares) -> dict[str, float | None]:
    """How far off each column will be on average, as far as that is known before asking.

    Of averages, variances and deviations for a group of `ROWS` rows, spread evenly between their bounds.
    """
    noises = noises_of(query, shares)
    errors: dict[str, float | None] = {}
    for output in query.outputs:
        aggregate = _aggregate(query, output.sql)
        errors[output.name] = None
        if aggregate is not None and aggregate.formula == "plain":
            errors[output.name] = mixed_noise(query, noises, aggregate.of[0]).error
        elif aggregate is not None and aggregate.quantile is None:
            errors[output.name] = _supposed(query, noises, aggregate)
    return errors


def expected_width(query: Query, shares: Shares) -> dict[str, float | None]:
    """Half the width of a 95 % interval of each column; None where it depends on the rows."""
    noises = noises_of(query, shares)
    plain = {output.name: _aggregate(query, output.sql) for output in query.outputs}
    return {
        name: mixed_noise(query, noises, part.of[0]).width if part and part.formula == "plain" else None
        for name, part in plain.items()
    }


def expected_for(queries: Sequence[Query]) -> tuple[str, ...]:
    """What `expected_error` supposes, in words."""
    found = (_aggregate(query, output.sql) for query in queries for output in query.outputs)
    if any(part is not None and part.formula not in ("plain", "quantile") for part in found):
        return (f"averages and variances are off by that much with {ROWS:,} rows; more rows, less error",)
    return ()


def _supposed(query: Query, noises: Sequence[Noise], aggregate: Aggregate) -> float | None:
    """The error of a formula of supposed numbers."""
    primitives = [np.zeros(1) for _ in query.primitives]
    for index, weight in aggregate.of[-1]:  # the count, whose numbers are alike when values are spread evenly
        primitives[index] = np.full(1, ROWS / len(aggregate.of[-1]) / weight)
    beside = tuple(Chosen(*np.zeros((4, 1))) for _ in query.quantiles)  # in no formula but their own
    supposed = Noisy({}, tuple(primitives), tuple(noises), beside, 1)
    name = exp.column(f"a{query.aggregates.index(aggregate)}")
    return _simulate(
        query, supposed, name, values_of(query, primitives, [np.zeros(1)] * len(query.quantiles))
    ).error


def make_answer(query: Query, noisy: Noisy) -> AnswerRows:
    """What was asked for, made of noisy numbers."""
    values = {**noisy.keys, **values_of(query, noisy.primitives, [part.value for part in noisy.quantiles])}
    whole = [f"a{index}" for index, part in enumerate(query.aggregates) if part.whole]
    whole += [f"k{index}" for index, key in enumerate(query.keys) if key.kind == "integer"]
    columns, sure = [], []
    for output in query.outputs:
        # A key that is shown as it is may be a whole number beyond all doubles.
        plain = noisy.whole.get(output.sql.name) if isinstance(output.sql, exp.Column) else None
        columns.append(column_values(output.sql, values, whole) if plain is None else plain)
        shown = _aggregate(query, output.sql)
        if shown is not None and shown.shown is not None:
            columns[-1] = [told_moment(value, shown.shown) for value in columns[-1]]
        sure.append(_direct(query, noisy, output.sql) or _simulate(query, noisy, output.sql, values))
    mask = keep_groups(query.having, values)
    order = order_groups(query.order, values)
    end = None if query.limit is None else query.offset + query.limit
    places = order[mask[order]].tolist()[query.offset : end]
    return AnswerRows(
        tuple(zip(*([part[place] for place in places] for part in columns), strict=True)),
        {output.name: part.error for output, part in zip(query.outputs, sure, strict=True)},
        tuple(zip(*([part.cells[place] for place in places] for part in sure), strict=True)),
    )


def _aggregate(query: Query, node: exp.Expression) -> Aggregate | None:
    """The aggregate that an output is as it is, if it is one."""
    direct = isinstance(node, exp.Column) and node.name.startswith("a")
    return query.aggregates[int(node.name[1:])] if direct else None


def _direct(query: Query, noisy: Noisy, node: exp.Expression) -> _Sure | None:
    """How sure an output is that is one noisy number: known exactly."""
    aggregate = _aggregate(query, node)
    if aggregate is not None and aggregate.formula == "plain":
        noise = mixed_noise(query, noisy.noises, aggregate.of[0])
        middle = mixed(aggregate.of[0], noisy.primitives)
        cells = [(value - noise.width, value + noise.width) for value in middle.tolist()]
        return _Sure(cells, noise.error)
    if aggregate is not None and aggregate.quantile is not None:
        part = noisy.quantiles[aggregate.quantile]
        cells = list(zip(part.low.tolist(), part.high.tolist(), strict=True))
        known = part.error[np.isfinite(part.error)]
        # Of days and moments the error is told in days or seconds, and no interval.
        shown = cells if aggregate.shown is None else [None] * len(cells)
        return _Sure(shown, float(known.mean()) if len(known) else None)
    return None


def _simulate(query: Query, noisy: Noisy, node: exp.Expression, values: Mapping[str, NDArray[Any]]) -> _Sure:
    """How sure an output is that is made of several noisy numbers: what else it might have been."""
    names = {part.name for part in node.find_all(exp.Column)}
    used = [part for index, part in enumerate(query.aggregates) if f"a{index}" in names]
    steps = noisy.groups * sum(1 for _ in node.walk())
    if used and 0 < steps <= STEPS and not _writes(node) and evaluate(node, values).dtype == np.float64:
        # No secret goes in, so these draws may repeat.
        generator = np.random.default_rng(0)
        draws = max(50, min(DRAWS, CELLS // noisy.groups, 20 * CELLS // steps))
        parts = []
        for some in blocks(noisy, draws, used):
            found = evaluate(node, redraw(query, some, used, draws, generator))
            if found.dtype != np.float64 or found.ndim != 2:
                return _Sure([None] * noisy.groups, None)
            parts.append(spread(found))
        apart = Uncertainty(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in ("low", "high", "error"))
        )
        return _Sure(interval_or_box(query, noisy, node, used, apart).cells, apart.average)
    return _Sure([None] * noisy.groups, None)


def _writes(node: exp.Expression) -> bool:
    """Whether it makes texts of aggregates: a million of them would be made to find an interval."""
    return any(
        any(column.name.startswith("a") for column in part.find_all(exp.Column))
        for part in node.find_all(exp.DPipe, exp.Cast)
        if isinstance(part, exp.DPipe) or part.args["to"].this == exp.DType.TEXT
    )


def redraw(
    query: Query, noisy: Noisy, used: Sequence[Aggregate], draws: int, generator: np.random.Generator
) -> Mapping[str, NDArray[Any]]:
    """The same answer with other noise, many times; what is not used stays as it is."""
    shape = (draws, noisy.groups)
    primitives = list(noisy.primitives)
    for index in sorted(set().union(*(part.primitives for part in used))):
        grid = float(query.primitives[index].grid)
        primitives[index] = primitives[index] + noisy.noises[index].draws(shape, generator) * grid
    quantiles = [part.value for part in noisy.quantiles]
    for index in sorted({part.quantile for part in used if part.quantile is not None}):
        chosen = noisy.quantiles[index]
        quantiles[index] = generator.uniform(chosen.low, np.maximum(chosen.high, chosen.low), shape)
    return {**noisy.keys, **values_of(query, primitives, quantiles)}
