"""The distinct rows of a written table, by code that knows nothing of the search whose result it judges."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from sqlglot import exp

from shoal.core.errors import BadParameter
from shoal.engines.sql_engine import DISTINCT, SqlEngine, column, fresh_name


def counted_frame(
    engine: SqlEngine, table: exp.Table, columns: Sequence[str]
) -> tuple[pl.DataFrame, pl.Series]:
    """The distinct rows of a written table and how many there are of each: what a check looks at.

    The table is grouped anew, whatever was planned.
    """
    engine.check_texts(table, columns)
    counter = fresh_name()
    names = [column(name) for name in columns]
    tree = exp.select(*names, exp.alias_(exp.Count(this=exp.Star()), counter, quoted=True)).from_(
        table.copy()
    )
    frame = engine.at_most(tree.group_by(*names), DISTINCT)
    if frame is None:
        raise BadParameter(
            f"there are more than {DISTINCT:,} distinct combinations of {', '.join(columns)}, which is what "
            "is brought here; name fewer quasi-identifiers"
        )
    return frame.drop(counter), frame[counter].cast(pl.Int64)
