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
from shoal.jobs.tables.inspect import inspect_table
from shoal.jobs.tables.requests import CompareTable, InspectTable
from shoal.jobs.tables.source import frame_of
from shoal.tables.appraisal.tradeoff import TradeOff
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
