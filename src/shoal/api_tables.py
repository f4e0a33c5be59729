"""What a Python user calls for tables alone: the same few words as on the command line, with `_` for `-`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.core.part_syntax import columns_of
from shoal.core.progress import Follow
from shoal.jobs.request import (
    Columns,
    check_keywords,
    request_from_arguments,
    words_of,
)
from shoal.jobs.tables.compare import compare_table
from shoal.jobs.tables.diff import diff_table
from shoal.jobs.tables.explore import explore_table
from shoal.jobs.tables.inspect import inspect_table
from shoal.jobs.tables.mapping import mapping_table
from shoal.jobs.tables.owner_requests import DiffTable, ExploreTable, MappingTable
from shoal.jobs.tables.requests import CompareTable, InspectTable
from shoal.jobs.tables.source import frame_of
from shoal.tables.appraisal.before_after import BeforeAfter
from shoal.tables.appraisal.solution_lattice import SolutionLattice
from shoal.tables.appraisal.tradeoff import TradeOff
from shoal.tables.appraisal.value_mapping import ValueMapping
from shoal.tables.discovery.discovery import Inspection
from shoal.tables.table import Table


@check_keywords
def read_table(
    source: Any,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    identifier: Columns = (),
    quasi: Columns = (),
    sensitive: Columns = (),
) -> Table:
    """A table from a file (CSV, TSV, Parquet, Arrow) or a Polars, pandas or Arrow frame, with its roles."""
    job = InspectTable(data=source, separator=separator, encoding=encoding)
    return Table(frame_of(source, job)).with_roles(
        columns_of(identifier), columns_of(quasi), columns_of(sensitive)
    )


@words_of(InspectTable)
def inspect(
    data: Any,
    *,
    identifier: Columns = (),
    quasi: Columns = (),
    sensitive: Columns = (),
    insensitive: Columns = (),
    hierarchy: Mapping[str, Any] | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> Inspection:
    """Suggested roles of all columns, and the combinations that single people out."""
    return inspect_table(request_from_arguments(InspectTable, locals()))


@words_of(CompareTable)
def compare(
    data: Any,
    follow: Follow | None = None,
    *,
    output: str | Path | None = None,
    identifier: Columns = (),
    quasi: Columns = (),
    sensitive: Columns = (),
    insensitive: Columns = (),
    hierarchy: Mapping[str, Any] | None = None,
    model: Any = (),
    k: Any = (),
    method: Any = ("auto",),
    suppress: Any = (0.05,),
    objective: str = "loss",
    weight: Any = (),
    class_column: str | None = None,
    risk: str = "prosecutor-highest",
    utility: str = "loss",
    time_limit: float | None = None,
    seed: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> TradeOff:
    """Risk against usefulness over many settings, each made in memory: what to choose, and what it costs.

    Roles, `hierarchy`, `objective`, `class_column`, `time_limit` and `seed` as for `protect`; `k=[2, 5, 10]`,
    `model="l-diversity(l={2,3,5})"`, `method=["optimal", "mondrian"]` and `suppress=[0, 0.05]` make the grid.
    `risk` and `utility` name the axes, `output` a file for the curve (.svg, .png, .html or .json).
    """
    return compare_table(request_from_arguments(CompareTable, locals()), follow)


@words_of(ExploreTable)
def explore(
    data: Any,
    follow: Follow | None = None,
    *,
    identifier: Columns = (),
    quasi: Columns = (),
    sensitive: Columns = (),
    insensitive: Columns = (),
    hierarchy: Mapping[str, Any] | None = None,
    model: Any = (),
    k: int | None = None,
    population: Any = None,
    suppress: float = 0.05,
    objective: str = "loss",
    weight: Any = (),
    nodes: int = 2000,
    time_limit: float | None = 30.0,
    seed: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> SolutionLattice:
    """The lattice of solutions: which levels of the columns keep the promise, and what each choice costs.

    Release one of them with `protect(…, levels=lattice.chosen(solution))`. For the owner alone.
    """
    return explore_table(request_from_arguments(ExploreTable, locals()), follow)


@words_of(DiffTable)
def diff(
    data: Any,
    original: Any = None,
    *,
    first: int = 0,
    show: int = 20,
    identifier: Columns = (),
    quasi: Columns = (),
    sensitive: Columns = (),
    insensitive: Columns = (),
    hierarchy: Mapping[str, Any] | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> BeforeAfter:
    """A release beside its original: rows with changed cells, distributions, group sizes and risk.

    For the owner alone: it pairs rows that the release keeps apart.
    """
    return diff_table(request_from_arguments(DiffTable, locals()))


@words_of(MappingTable)
def map_values(
    data: Any,
    *,
    original: Any = None,
    output: str | Path | None = None,
    publishable: bool = False,
    identifier: Columns = (),
    quasi: Columns = (),
    sensitive: Columns = (),
    insensitive: Columns = (),
    hierarchy: Mapping[str, Any] | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> ValueMapping:
    """Which value became which label in a release, and whether that may be published.

    Only files in `hierarchy` that declare all values make a column's mapping publishable.
    """
    return mapping_table(request_from_arguments(MappingTable, locals()))
