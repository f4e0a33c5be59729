"""Protect a table where it is: distinct rows come here to be searched, all rows are recoded over there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sqlglot import exp

from shoal import verbs
from shoal.core.errors import BadParameter, BadTable
from shoal.core.outcome import Json
from shoal.core.part_syntax import join_columns, spell
from shoal.engines.address import Address, output_address
from shoal.engines.atomic_write import check_place, write_text
from shoal.engines.frames import quote_value
from shoal.engines.sql_engine import SqlEngine, column, connect, fresh_name
from shoal.jobs.tables.engine_source import (
    as_local,
    counted_columns,
    record_place,
    refuse_in_engine,
    sample_of,
)
from shoal.jobs.tables.output import (
    Made,
    check_recorded,
    declared_columns,
    is_coarsened,
    read_by,
    refuse_given_away,
    searched_for,
)
from shoal.jobs.tables.requests import ProtectTable
from shoal.tables.appraisal.losses import objective_columns
from shoal.tables.hierarchies import Hierarchy, hierarchy_of, suggest
from shoal.tables.in_engine.distinct_rows import DistinctRows, distinct_rows
from shoal.tables.in_engine.given_away import find_given_away_in_engine
from shoal.tables.in_engine.release_tree import release_tree
from shoal.tables.in_engine.written_rows import counted_frame
from shoal.tables.manifest import Manifest, record
from shoal.tables.models.multir_k_anonymity import MultirKAnonymity
from shoal.tables.release import TableModel, TableRelease
from shoal.tables.table import Table

_ROWS_NEEDED = {
    "step": "leave it out, or export the table",
    "join": "join the tables in the engine and give the result",
    "population": "export both tables",
    "class_column": "leave it out, or export the table",
    "escape_formulas": "it is for CSV files; leave it out",
    "yes": "name the roles; `shoal table inspect` suggests them",
}


@dataclass(frozen=True)
class Open:
    """A table in an engine that is open, with what the request says of its columns."""

    engine: SqlEngine
    rows: exp.Table
    target: Address | None
    found: DistinctRows
    table: Table  # the distinct rows that came here
    columns: tuple[str, ...]  # those that go out, in order
    sample: pl.DataFrame  # some of the rows


def target_of(job: ProtectTable) -> Address | None:
    """Where the release of a table in an engine goes; a file is refused."""
    if job.output is None:
        return None
    target = output_address(job.output)
    if target is None:
        raise BadParameter(
            f"the rows stay in an engine, and {quote_value(job.output)} is a file; write a new table by "
            "its URL, or a folder of Parquet files, whose name ends with a slash"
        )
    return target


def check_record(job: ProtectTable, source: Address, target: Address) -> list[str]:
    """Refuse a record that would take the place of anything but a record; a remark where it replaces one."""
    place = record_place(target, job.manifest)
    check_place(place, [*read_by(job), *(one.place for one in (source, target) if one.place)])
    if not place.exists():
        return []
    try:
        Manifest.read(place)
    except BadTable:
        raise BadParameter(
            f"{quote_value(place)} is there already and is no record; choose another name with --manifest"
        ) from None
    if job.manifest is None:
        raise BadParameter(
            f"{quote_value(place)} is the record of a release already; give this one a name of its own with "
            "--manifest, or remove it"
        )
    return [f"replaced {quote_value(place)}; a release that it was the record of needs it to be verified"]


def check_request(job: ProtectTable, method: Any, models: Sequence[TableModel]) -> None:
    """Refuse at once what needs the rows on this machine."""
    check_recorded(job)
    refuse_in_engine(job, **_ROWS_NEEDED)
    if not method.counts_suffice:
        raise BadParameter(
            f"{method.name} needs the rows on this machine, and they stay in an engine; use --method "
            "auto, or export the table"
        )
    for model in models:
        if model.held:
            raise BadParameter(
                f"{model.name} counts {join_columns(model.held)} row by row, and the rows stay in an engine; "
                "export the table, or count people in the engine first"
            )


def check_names(target: Address | None, columns: Sequence[str]) -> None:
    """Refuse columns that whoever reads a folder takes for one."""
    if target is None or not (target.kind == "folder" or target.path):
        return
    seen: dict[str, str] = {}
    for name in columns:
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            raise BadParameter(
                f"columns {quote_value(other)} and {quote_value(name)} differ by case alone, which a folder "
                "of files does not tell apart; write a new table of the same database, or rename one in a "
                "view"
            )


def connected(stack: ExitStack, source: Address, target: Address | None) -> tuple[SqlEngine, list[str]]:
    """The engine, open until the job ends, with a target that can be written; what killed runs left there."""
    engine = stack.enter_context(connect([source], target))
    if target is None:
        return engine, []
    engine.check_new(target)
    return engine, engine.leftovers(target)


def brought_here(
    engine: SqlEngine,
    rows: exp.Table,
    target: Address | None,
    job: ProtectTable,
    models: Sequence[TableModel],
    decided: Table,
) -> Open:
    """The one group-by, and its result as a table that stands for all rows."""
    out = tuple(name for name in decided.columns if name not in decided.identifier)
    check_names(target, out)
    counted = counted_columns(models, decided.sensitive)
    kept = (*decided.sensitive, *decided.insensitive)
    counted += [name for name in objective_columns(job.objective) if name in kept and name not in counted]

    def hierarchy(values: pl.Series) -> Hierarchy:
        spec = job.hierarchy.get(values.name)
        local = as_local(values.to_frame(), "the table")[values.name]
        return (
            suggest(local, values.name).hierarchy if spec is None else hierarchy_of(spec, local, values.name)
        )

    found = distinct_rows(engine, rows, decided.quasi, counted, hierarchy)
    inside = {*decided.quasi, *counted, *decided.identifier}
    table = Table(
        as_local(found.frame, "the table"),
        quasi=decided.quasi,
        sensitive=decided.sensitive,
        hierarchies={one.column: one.hierarchy for one in found.rolled},
        weights=found.weights,
        elsewhere=tuple(name for name in decided.columns if name not in inside),
    )
    return Open(engine, rows, target, found, table, out, decided.frame)


def search_request(job: ProtectTable, found: DistinctRows) -> ProtectTable:
    """The request as the search sees it: what was rolled up has its hierarchy from level 1 on already."""
    rolled = {one.column for one in found.rolled}
    return replace(job, hierarchy={name: spec for name, spec in job.hierarchy.items() if name not in rolled})


def with_rolled_levels(release: TableRelease, found: DistinctRows) -> TableRelease:
    """Levels as the whole hierarchies count them."""
    if release.levels is None or not found.rolled:
        return release
    rolled = {one.column for one in found.rolled}
    return replace(release, levels={name: at + (name in rolled) for name, at in release.levels.items()})


def check_given_away_in_engine(work: Open, release: TableRelease) -> list[str]:
    """As `check_given_away` does for rows that are here."""
    telling = [name for name in work.columns if name not in work.table.quasi]
    rolled = {one.column for one in work.found.rolled}
    coarsened = [
        name
        for name in work.table.quasi
        if name in rolled or is_coarsened(work.table.frame, release.table.frame, name)
    ]
    found = find_given_away_in_engine(work.engine, work.rows, coarsened, telling, work.table.rows)
    return refuse_given_away(found, work.table.sensitive)


def people_in_several_rows(work: Open, identifier: Sequence[str], models: Sequence[TableModel]) -> list[str]:
    """A remark where a removed column stands for one person in several rows, and no model counts people."""
    if not identifier or any(model.counts_people for model in models):
        return []
    from shoal.tables.discovery.discovery import look_at

    # Numbers of distinct values are dear; only a column that looks like somebody's key is worth one.
    sample = sample_of(work.engine, work.rows).select(identifier)
    keys = [name for name, report in look_at(Table(sample)).items() if report.key]
    for name in keys:
        distinct = exp.Count(this=exp.Distinct(expressions=[column(name)]))
        tree = exp.select(exp.alias_(distinct, "number")).from_(work.rows.copy())
        if 2 * int(work.engine.frame(tree).item()) <= work.table.rows + 1:
            return [
                f"'{name}' stands for one person in several rows, and the promise counts rows, not people; "
                f'count people in the engine first, or export the table and add --model "'
                f'{spell(MultirKAnonymity(5, name))}"'
            ]
    return []


def write_in_engine(work: Open, made: Made) -> None:
    """The new table and its record, checked in the engine before it has its name; or nothing at all."""
    job, release = made.job, made.release
    assert work.target is not None
    place = record_place(work.target, job.manifest)
    settings: dict[str, Json] = {
        **searched_for(job),
        "suppress": job.suppress,
        "time_limit": job.time_limit,
        "step": [],
        "rolled_up": [one.column for one in work.found.rolled],
    }
    released = release.known_here()
    tree = release_tree(work.engine, work.rows, work.found, released, work.columns, work.sample)
    written_record = False
    try:
        with work.engine.create(work.target, tree) as written:
            looked = [name for name in released.frame.columns if name in work.columns]
            frame, weights = counted_frame(written.engine, written.table, looked)
            # Equal rows are counted the same way on both sides, whatever text stands for them.
            if not np.array_equal(np.sort(weights.to_numpy()), _sizes(released, looked)):
                raise BadTable(
                    "the table changed while it was read, so nothing was released; run it again when nobody "
                    "writes to it"
                )
            seen = release.seen_in(as_local(frame, "the release"), weights.to_numpy())
            verbs.require_kept(verbs.verify(seen, made.models))
            # A table in an engine has no bytes to take a fingerprint of.
            text = record(release, made.identifier, settings, None, declared_columns(job))
            write_text(text, place)
            written_record = True
    except BaseException:
        if written_record:
            place.unlink(missing_ok=True)
        raise


def _sizes(released: Table, columns: Sequence[str]) -> NDArray[np.int64]:
    """How many rows there must be of each distinct row that was written, in order of size."""
    counter = fresh_name()
    each = np.ones(released.frame.height, np.int64) if released.weights is None else released.weights
    rows = released.frame.select(columns).with_columns(pl.Series(counter, each))
    return np.sort(rows.group_by(columns).agg(pl.col(counter).sum())[counter].to_numpy())
