"""What the engine does to the rows: every row by what its distinct row became, those left out left out."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from sqlglot import exp

from shoal.engines.sql_engine import SqlEngine, column, fresh_name
from shoal.tables.in_engine.distinct_rows import DistinctRows
from shoal.tables.table import Table

FEW = 10  # rows for every different one, from which on counting them first is quicker
ROWS, MAPPING = "r", "m"


def release_tree(
    engine: SqlEngine,
    rows: exp.Table,
    found: DistinctRows,
    released: Table,
    columns: Sequence[str],
    sample: pl.DataFrame,
) -> exp.Select:
    """The rows that go out, shuffled, with the columns of a release in this order.

    `released` has the labels of every distinct row that goes out, and what it was made from. A distinct row
    that is not in there is left out; so is a row that came into the table since. `sample` are some of the
    rows before; how many of them differ decides how rows are shuffled, and nothing else.
    """
    assert released.sources is not None
    labels = {
        name: fresh_name()
        for name in released.quasi
        if not released.frame[name].equals(released.sources[name], check_dtypes=True)
    }
    mapping = released.sources.hstack(
        [released.frame[name].alias(label) for name, label in labels.items()]
    ).unique()
    rolled = {one.column: one for one in found.rolled}
    # What was rolled up is found by its label, which is text; all else by values of the column's own type.
    keys = {name: fresh_name() for name in rolled}
    lent = engine.lend(mapping.rename(keys), rows)
    tree = exp.select().from_(exp.alias_(rows.copy(), ROWS, table=True))
    pairs: list[tuple[exp.Expr, exp.Expr]] = []
    for place, name in enumerate(released.quasi):
        own: exp.Expr = column(name, ROWS)
        if name in rolled:
            beside = f"u{place}"
            tree = tree.join(
                exp.alias_(rolled[name].lent.copy(), beside, table=True),
                on=engine.same([(own, column(name, beside))]),
            )
            own = column(rolled[name].label, beside)
        pairs.append((own, column(keys.get(name, name), MAPPING)))
    tree = tree.join(exp.alias_(lent, MAPPING, table=True), on=engine.same(pairs))
    # Also what keeps its value comes from the mapping: values that are equal to the engine may look unlike,
    # as 1.0 and 1.00 do, and a class must look like one. What was rolled up keeps its label.
    shown = {name: labels.get(name, keys.get(name, name)) for name in released.quasi}
    chosen = [
        exp.alias_(column(shown[name], MAPPING), name, quoted=True) if name in shown else column(name, ROWS)
        for name in columns
    ]
    return engine.shuffled(
        tree.select(*chosen), released.rows if _few_differ(released, sample, columns) else 0
    )


def _few_differ(released: Table, sample: pl.DataFrame, columns: Sequence[str]) -> bool:
    """Whether there seem to be ten times more rows than different ones."""
    others = [name for name in columns if name not in released.quasi]
    different = sample.select(others).n_unique() if others else 1
    classes = released.frame.select(released.quasi).n_unique()
    return FEW * different <= sample.height and FEW * classes * different <= released.rows
