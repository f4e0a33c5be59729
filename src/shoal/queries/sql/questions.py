"""Text → leaves, which are asked with privacy, and what is done with their noisy answers.

Most questions are one leaf and nothing else. What has windows, sub-queries over aggregates, UNION or grouping
sets is cut (`cutting.py`). All of it depends on the text and the declaration alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import polars as pl
from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.answering.noise import DTYPES
from shoal.queries.declaration.declaration import Dataset, Table
from shoal.queries.query import Outer, OuterColumn, Plan, Query
from shoal.queries.sql.cut_into_leaves import Cutter, leaf_name, public_name
from shoal.queries.sql.earlier_numbers import EarlierNumbers
from shoal.queries.sql.outer_engine import OuterEngine, Result, refusal
from shoal.queries.sql.outer_lineage import Made
from shoal.queries.sql.outer_rules import checked_outer
from shoal.queries.sql.outer_tables import empty_table, sample_table
from shoal.queries.sql.planner import MOST_CELLS, parse, plan_leaf
from shoal.queries.sql.planning_time import within
from shoal.queries.sql.post_processing_rules import NotOnResults
from shoal.queries.sql.rewriting import rewritten
from shoal.queries.sql.sources import Columns, Draft, Setting
from shoal.queries.sql.work_limit import check_steps
from shoal.queries.stores.store import Store

MOST_PUBLIC = 100_000  # rows of a public table beside noisy results
FACTS = 30.0  # seconds to count them
_CUT = (
    exp.Window,
    exp.Subquery,
    exp.SetOperation,
    exp.Rollup,
    exp.Cube,
    exp.GroupingSets,
    exp.CTE,
    exp.Exists,
)


def plan_question(text: str, dataset: Dataset, store: Store) -> Plan:
    """The question rebuilt."""
    with within():
        tree = rewritten(parse(text), dataset)
        written = tree.sql(dialect="duckdb", comments=False)

        def plan(inner: exp.Query) -> Plan:
            return _planned(inner, dataset, store)

        numbers = EarlierNumbers(Cutter(dataset, store, plan_leaf).kinds, plan)
        numbers.lift(cast(exp.Expression, tree), {})
        found = _planned(tree, dataset, store)
        if not numbers.found:
            return found
        whole = replace(found, text=written, earlier=tuple(numbers.found))
        _check_steps(whole.every, dataset)
        return whole


def _planned(tree: exp.Query, dataset: Dataset, store: Store) -> Plan:
    while isinstance(tree, exp.Subquery) and not tree.args.get("with_"):
        tree = tree.this
    cutter = Cutter(dataset, store, plan_leaf)
    if not isinstance(tree, exp.Select) or not _is_leaf(tree, cutter):
        return _cut(tree, cutter)
    try:
        leaf = plan_leaf(tree, Setting(dataset, store, Draft()))
        return Plan((leaf,), leaf.text)
    except NotOnResults as error:
        first = error
    try:
        return _cut(tree, cutter)
    except NotAllowed:
        raise NotAllowed(str(first)) from None


def _check_steps(leaves: Sequence[Query], dataset: Dataset) -> None:
    declared = max(table.rows for table in dataset.tables)
    check_steps(sum(leaf.work for leaf in leaves), max(leaf.rows for leaf in leaves), declared)


def _is_leaf(tree: exp.Select, cutter: Cutter) -> bool:
    """Whether a question needs no outer query."""
    group = tree.args.get("group")
    sets = group is not None and (group.args.get("rollup") or group.args.get("cube"))
    if sets or tree.args.get("distinct") or tree.args.get("qualify") or tree.args.get("windows"):
        return False
    if tree.find(*_CUT) is None:
        return True
    if any(part.find(exp.Window, exp.Query) for part in tree.expressions):
        return False
    later = [tree.args[name] for name in ("group", "having", "order") if tree.args.get(name) is not None]
    if any(part.find(*_CUT) for part in later):
        return False
    return cutter.kinds.reads_people(tree)


def _cut(tree: exp.Query, cutter: Cutter) -> Plan:
    text = tree.sql(dialect="duckdb", comments=False)
    made = cutter.query(cast(exp.Expression, tree), {})
    if not cutter.leaves:
        raise NotAllowed("the question reads public tables only; ask about a private one")
    _check_steps(cutter.leaves, cutter.dataset)
    cells = sum(leaf.cells for leaf in cutter.leaves)
    if cells > MOST_CELLS:
        raise NotAllowed(
            f"all groups together have {cells:,} figures, which do not fit into memory; {MOST_CELLS:,} are "
            "the most, so ask for fewer groups or aggregates at a time"
        )
    sql = checked_outer(made.tree).sql(dialect="duckdb", comments=False)
    publics = tuple((public_name(table), _all_rows(table, cutter.store)) for table in cutter.publics.values())
    tables = {
        leaf_name(number): sample_table(empty_table(leaf).schema, 2 if leaf.keys else 1)
        for number, leaf in enumerate(cutter.leaves)
    }
    empty = {
        public_name(table): pl.DataFrame(
            schema={column.name: DTYPES[column.kind] for column in table.columns}
        )
        for table in cutter.publics.values()
    }
    beside = {name: sample_table(frame.schema, 2) for name, frame in empty.items()}
    with OuterEngine({**tables, **beside}) as engine:
        bound = engine.bind(sql)
    return Plan(tuple(cutter.leaves), text, Outer(sql, _columns(made, bound), publics, tuple(empty.items())))


def _columns(made: Made, bound: Result) -> tuple[OuterColumn, ...]:
    """The columns as the engine calls them, each once, and where they come from."""
    why = refusal(bound.kinds, bound.names)
    if why is not None:
        raise NotAllowed(why)
    traced: Sequence[OuterColumn] = made.columns or ()
    known = len(traced) == len(bound.names)
    found: dict[str, OuterColumn] = {}
    for place, called in enumerate(bound.names):
        name, number = called, 2
        while name in found:
            name, number = f"{called}_{number}", number + 1
        origin = traced[place] if known else OuterColumn("")
        found[name] = OuterColumn(name, origin.sources, origin.fixed)
    return tuple(found.values())


def _all_rows(table: Table, store: Store) -> exp.Select:
    """A public table as it is, to stand beside noisy results."""
    counted = (
        exp.Select()
        .select(exp.Count(this=exp.Star()))
        .from_(exp.alias_(store.relation(table), "p", table=True))
    )
    if store.run([counted], FACTS)[0].item() > MOST_PUBLIC:
        raise NotAllowed(
            f"the public table '{table.name}' has more than {MOST_PUBLIC:,} rows; "
            "join it to the private one instead"
        )
    select = exp.Select().from_(exp.alias_(store.relation(table), "p", table=True))
    for name, column in Columns(table, "p").items():
        called = table.column(name).name
        select = select.select(exp.alias_(column.sql.copy(), called, quoted=True, copy=False), copy=False)
    return select
