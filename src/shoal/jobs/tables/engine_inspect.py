"""Inspect a table in an engine: roles by a random sample of rows, figures by all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from shoal.engines.sql_engine import SqlEngine, column
from shoal.jobs.tables.engine_source import as_local, open_source, sample_of
from shoal.tables.discovery.discovery import CombinationReport, Inspection, inspect
from shoal.tables.measures.separation import separated_share
from shoal.tables.table import Table

SAMPLED = 50_000


def inspect_in_engine(source: Any) -> Inspection:
    """The roles and combinations that a sample suggests, each with distinction and separation of all rows."""
    engine, table = open_source(source)
    with engine:
        rows = engine.size_of(table)
        found = inspect(Table(_random_rows(engine, table, rows)))
        columns = {}
        for name, report in found.columns.items():
            distinction, separation = _figures(engine, table, [name], rows)
            columns[name] = replace(report, distinction=distinction, separation=separation)
        combinations = [
            CombinationReport(one.columns, *_figures(engine, table, one.columns, rows))
            for one in found.combinations
        ]
    return replace(found, columns=columns, combinations=combinations)


def _random_rows(engine: SqlEngine, table: exp.Table, rows: int) -> Any:
    if rows <= SAMPLED:
        return sample_of(engine, table, SAMPLED)
    share = exp.Literal.number(f"{SAMPLED / rows:.12f}")
    tree = exp.select("*").from_(table.copy()).where(exp.LT(this=exp.Rand(), expression=share))
    return as_local(engine.frame(tree), "the table")


def _figures(engine: SqlEngine, table: exp.Table, columns: Sequence[str], rows: int) -> tuple[float, float]:
    """Which share of the rows differ, and which share of the pairs of rows do."""
    groups = (
        exp.select(exp.alias_(exp.Count(this=exp.Star()), "n"))
        .from_(table.copy())
        .group_by(*(column(name) for name in columns))
    )
    number = exp.cast(exp.column("n"), "DOUBLE")
    others = exp.Paren(this=exp.Sub(this=number.copy(), expression=exp.Literal.number(1)))
    alike = exp.Sum(this=exp.Mul(this=number, expression=others))
    tree = exp.select(
        exp.alias_(exp.Count(this=exp.Star()), "classes"), exp.alias_(exp.cast(alike, "DOUBLE"), "alike")
    ).from_(groups.subquery("classes"))
    classes, pairs = engine.frame(tree).row(0)
    return classes / rows, separated_share(rows, round(pairs))
