"""The answer of a question with an outer query, which runs on the noisy answers of leaves and is free.

A cell that plainly is a leaf's keeps that one's interval. What is made of several is made again from other
draws of the same noise, as far as its row can be found again by what is not noisy in it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

import numpy as np
import polars as pl

from shoal.queries.answering.assemble_answer import (
    AnswerRows,
    expected_error,
    expected_width,
    make_answer,
    redraw,
)
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.noise import Noisy
from shoal.queries.declaration.declaration import Value
from shoal.queries.query import Outer, OuterColumn, Plan, Query
from shoal.queries.results import Interval, Uncertainty, spread
from shoal.queries.sql.cut_into_leaves import leaf_name
from shoal.queries.sql.nullable_arrays import plain_values
from shoal.queries.sql.outer_engine import SECONDS, OuterEngine, Result
from shoal.queries.sql.outer_tables import FURTHEST, dtype_of, leaf_table, number_of, series

DRAWS = 40  # simulated answers behind an interval of what is made of several noisy numbers
MOST_GROUPS = 500  # of all leaves: beyond, there is no such interval, because it would take too long
FAILED = "what was to be done with the noisy results failed on them: a number too large, or too much work"
QUICK = 0.1  # seconds: what takes longer is not done again and again
LEAST = DRAWS // 2  # draws in which a row must be there again


def combine(plan: Plan, noisy: Sequence[Noisy], publics: Mapping[str, pl.DataFrame]) -> AnswerRows:
    """The answer of a question, made of the noisy numbers of its leaves."""
    if plan.outer is None:
        return make_answer(plan.leaves[0], noisy[0])
    try:
        return make_outer_answer(plan.leaves, plan.outer, noisy, publics)
    except Exception:  # by noisy numbers alone, which are told anyway
        return AnswerRows((), dict.fromkeys(plan.columns), (), (FAILED,))


def expected_errors(plan: Plan, shares: Sequence[Shares]) -> dict[str, float | None]:
    """How far off each column will be on average, as far as that is known before asking."""
    return _by_column(plan, [expected_error(*leaf) for leaf in zip(plan.leaves, shares, strict=True)])


def expected_widths(plan: Plan, shares: Sequence[Shares]) -> dict[str, float | None]:
    """Half the width of a 95 % interval of each column, as far as that is known before asking."""
    return _by_column(plan, [expected_width(*leaf) for leaf in zip(plan.leaves, shares, strict=True)])


def _by_column(plan: Plan, found: Sequence[Mapping[str, float | None]]) -> dict[str, float | None]:
    """What is known of leaves for the columns of the answer: the most of those that a column is made of."""
    if plan.outer is None:
        return dict(found[0])
    return {
        column.name: max(
            (
                figure
                for leaf, place in column.sources
                if (figure := found[leaf][plan.leaves[leaf].outputs[place].name]) is not None
            ),
            default=None,
        )
        for column in plan.outer.columns
    }


def make_outer_answer(
    leaves: Sequence[Query],
    outer: Outer,
    noisy: Sequence[Noisy],
    publics: Mapping[str, pl.DataFrame],
    within: float = SECONDS,
) -> AnswerRows:
    """What the outer query makes of noisy numbers."""
    told = [make_answer(query, one) for query, one in zip(leaves, noisy, strict=True)]
    tables = {
        leaf_name(place): leaf_table(query, one.rows)
        for place, (query, one) in enumerate(zip(leaves, told, strict=True))
    }
    with OuterEngine({**tables, **publics}) as engine:
        start = time.monotonic()
        found = engine.run(outer.sql, within)
        quick = time.monotonic() - start < QUICK
        made = _simulated(engine, leaves, outer, noisy, found) if quick else {}
    errors: dict[str, float | None] = {}
    cells: list[Sequence[Interval | None]] = []
    for place, column in enumerate(outer.columns):
        if column.sources:
            known = _intervals(column, told)
            cells.append([known.get(row[place]) for row in found.rows])
            errors[column.name] = _error(column, leaves, told)
        else:
            cells.append(made[place][0] if place in made else [None] * len(found.rows))
            errors[column.name] = made[place][1] if place in made else None
    return AnswerRows(found.rows, errors, tuple(zip(*cells, strict=True)))


def _intervals(column: OuterColumn, told: Sequence[AnswerRows]) -> dict[Value, Interval | None]:
    """The interval of a noisy number, by the number; where two have the same one, both intervals together."""
    found: dict[Value, Interval | None] = {}
    for leaf, place in column.sources:
        for row, cells in zip(told[leaf].rows, told[leaf].interval, strict=True):
            cell, before = cells[place], found.get(row[place])
            if cell is not None and before is not None:
                cell = min(cell[0], before[0]), max(cell[1], before[1])
            found[row[place]] = cell or before
    return found


def _error(column: OuterColumn, leaves: Sequence[Query], told: Sequence[AnswerRows]) -> float | None:
    known = [told[leaf].error[leaves[leaf].outputs[place].name] for leaf, place in column.sources]
    return max((error for error in known if error is not None), default=None)


def _simulated(
    engine: OuterEngine, leaves: Sequence[Query], outer: Outer, noisy: Sequence[Noisy], found: Result
) -> dict[int, tuple[list[Interval | None], float | None]]:
    """Intervals and errors of columns that are made of noisy numbers."""
    wanted = [
        place
        for place, column in enumerate(outer.columns)
        if not column.fixed
        and not column.sources
        and not all(np.isnan(_number(row[place])) for row in found.rows)
    ]
    fixed = [place for place, column in enumerate(outer.columns) if column.fixed]
    rows = {tuple(row[place] for place in fixed): number for number, row in enumerate(found.rows)}
    if not wanted or len(rows) < len(found.rows) or sum(one.groups for one in noisy) > MOST_GROUPS:
        return {}
    generator = np.random.default_rng(0)  # no secret goes in, so these draws may repeat
    for number, (query, one) in enumerate(zip(leaves, noisy, strict=True)):
        engine.put(f"draws {number}", _draws(query, one, generator))
    again = np.full((len(wanted), DRAWS, len(found.rows)), np.nan)
    for draw in range(DRAWS):
        for number in range(len(leaves)):
            engine.choose(leaf_name(number), f"draws {number}", draw)
        with suppress(Exception):  # what fails on other noise tells nothing
            for row in engine.run(outer.sql).rows:
                at = rows.get(tuple(row[place] for place in fixed))
                if at is not None:
                    again[:, draw, at] = [_number(row[place]) for place in wanted]
    made = {}
    for place, values in zip(wanted, again, strict=True):
        values[:, np.sum(~np.isnan(values), axis=0) < LEAST] = np.nan
        apart = spread(values)
        told = np.array([_number(row[place]) for row in found.rows])
        low, high = np.fmin(apart.low, told), np.fmax(apart.high, told)
        around = Uncertainty(np.where(np.isnan(apart.low + told), np.nan, low), high, apart.error)
        made[place] = around.cells, apart.average
    return made


def _number(value: Value) -> float:
    """A number as such; not a number for everything else."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else np.nan


def _draws(query: Query, noisy: Noisy, generator: np.random.Generator) -> pl.DataFrame:
    """The leaf's table many times over, with other noise in each."""
    groups = noisy.groups
    values = redraw(query, noisy, query.aggregates, DRAWS, generator)
    columns = [pl.Series("draw", np.repeat(np.arange(DRAWS), groups))]
    for place, output in enumerate(query.outputs):
        name, kind = number_of(query, place), dtype_of(query, place)
        if name.startswith("k"):
            keys = _keys(noisy, name)
            columns.append(series(output.name, keys * DRAWS, kind))
        else:
            drawn = np.broadcast_to(values[name], (DRAWS, groups)).ravel()
            drawn = np.clip(np.rint(drawn), -FURTHEST, FURTHEST) if kind == pl.Int64 else drawn
            columns.append(pl.Series(output.name, drawn).fill_nan(None).cast(kind, strict=False))
    return pl.DataFrame(columns)


def _keys(noisy: Noisy, name: str) -> list[Value]:
    """The keys of all groups as plain values."""
    return noisy.whole[name] if name in noisy.whole else plain_values(noisy.keys[name], False)
