"""Protect a table: read, decide about every column, refuse what cannot be, search, check, write."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from typing import Any

from shoal import catalog, verbs
from shoal.core.errors import BadParameter
from shoal.core.part_syntax import join_columns
from shoal.core.progress import Watch
from shoal.engines.address import Address, address_of
from shoal.jobs.tables.apply_steps import (
    TableStep,
    check_steps,
    no_key_left_behind,
    release_after_steps,
    steps_of,
)
from shoal.jobs.tables.decide_columns import decide_columns, hide_counted_columns
from shoal.jobs.tables.output import Made, check_given_away, check_output, write_release
from shoal.jobs.tables.requests import ProtectTable
from shoal.jobs.tables.source import (
    check_fits,
    join_tables,
    models_of,
    read_table,
    rows_not_people,
    with_hierarchies,
    with_population,
)
from shoal.jobs.tables.suggest import Suggested, best_offer
from shoal.tables.hierarchies.spec import path_in
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.release import TableModel, TableRelease
from shoal.tables.table import Table

# The flags that fill a parameter of the method which its spelling leaves open.
FLAGS = ("objective", "suppress", "time_limit", "seed", "class_column", "levels", "weight")


def protect_table(job: ProtectTable, watch: Watch | None = None) -> TableRelease:
    """A release that keeps its promises; written and checked again from the file when an output is named."""
    if (source := address_of(job.data)) is not None:
        return _protect_in_engine(job, source, watch)
    steps = steps_of(job.step) if job.step else []
    if steps:
        check_steps(steps, job)
    check_output(job)
    with no_key_left_behind(steps) if steps else nullcontext():
        if job.yes:
            made = best_offer(suggest_missing(job, steps), lambda offer: _make_release(offer, steps, watch))
        else:
            made = _make_release(job, steps, watch)
        if job.output is not None:
            write_release(made, steps)
        return made.release


def _protect_in_engine(job: ProtectTable, source: Address, watch: Watch | None) -> TableRelease:
    """The same for a table that stays where it is: see `engine_protect`."""
    # With sqlglot, which files do without.
    from shoal.jobs.tables import engine_protect as inside
    from shoal.jobs.tables.engine_source import sample_of

    models, method = models_of(job.model, job.k), _method_of(job)
    method = method.chosen(models)
    if models:
        check_mechanism(method, models, job)
    target = inside.target_of(job)
    inside.check_request(job, method, models)
    replaced = [] if target is None else inside.check_record(job, source, target)
    with ExitStack() as stack:
        engine, left = inside.connected(stack, source, target)
        rows = engine.table(source)
        sample = Table(sample_of(engine, rows))
        if not models or not job.quasi:
            raise Suggested.of(job, sample, _spoken_of([], models)).refuse()
        settled = decide_columns(sample, job, [], _spoken_of([], models), blind=False)
        work = inside.brought_here(engine, rows, target, job, models, settled.table)
        release = _searched(work.table, inside.search_request(job, work.found), models, method, watch)
        release = inside.with_rolled_levels(release, work.found)
        told = inside.check_given_away_in_engine(work, release)
        told += inside.people_in_several_rows(work, settled.table.identifier, models)
        notes = [*left, *replaced, *work.found.notes, *settled.notes, *told, *_unused_flags(job, method)]
        release = replace(release.noted(notes), allowed=method.suppress, decisions=settled.decisions)
        nobodys = settled.decisions.nobodys
        named = tuple(name for name in settled.table.identifier if name not in nobodys)
        if target is not None:
            inside.write_in_engine(work, Made(release, job, named, models))
        return release


def suggest_missing(job: ProtectTable, steps: Sequence[TableStep] | None = None) -> Suggested:
    """What a request lacks, and what its columns suggest."""
    models = models_of(job.model, job.k)
    if job.yes and any(model.mechanisms for model in models):
        raise BadParameter(
            f"{models[0].name} must not depend on the rows, and suggestions do; give the roles, without --yes"
        )
    spoken = _spoken_of(steps_of(job.step) if steps is None else steps, models)
    return Suggested.of(job, join_tables(read_table(job), job), spoken)


def _spoken_of(steps: Sequence[TableStep], models: Sequence[TableModel]) -> set[str]:
    """The columns that steps keep or models count, which so have a use without a role."""
    return {name for step in steps for name in step.keeps} | {name for one in models for name in one.held}


def _method_of(job: ProtectTable) -> Any:
    """The method with what the flags fill in."""
    return catalog.part_of("method", job.method, "table", **{flag: getattr(job, flag) for flag in FLAGS})


def _make_release(job: ProtectTable, steps: list[TableStep], watch: Watch | None) -> Made:
    models, method = models_of(job.model, job.k), _method_of(job)
    if job.levels and "levels" not in {field.name for field in dataclasses.fields(method)}:
        raise BadParameter(
            f"{method.name} chooses no level for a whole column; leave out --levels or --method"
        )
    method = method.chosen(models)
    if models:
        check_mechanism(method, models, job)
    table = join_tables(read_table(job, method.declared), job)
    if not models or not (job.quasi or table.quasi):
        raise suggest_missing(job, steps).refuse()
    settled = decide_columns(table, job, steps, _spoken_of(steps, models), method.declared)
    table, told = hide_counted_columns(
        settled.table, job, models, {name for step in steps for name in step.keeps}
    )
    table = with_population(table, job)

    def release_of(table: Table, everybody: bool = False) -> TableRelease:
        whole = replace(method, suppress=0.0) if everybody and method.suppress else method
        return _search_release(table, job, models, whole, watch)

    done: list[str] = []
    if steps:
        table, release, done = release_after_steps(steps, table, job.seed, release_of)
    else:
        release = release_of(table)
    if not method.declared:  # else nothing may depend on the rows
        told += rows_not_people(table, models)
    release = release.noted([*settled.notes, *told, *done, *_unused_flags(job, method)])
    release = replace(release, allowed=method.suppress, decisions=settled.decisions)
    nobodys = settled.decisions.nobodys
    return Made(release, job, tuple(name for name in table.identifier if name not in nobodys), models)


def _search_release(
    table: Table, job: ProtectTable, models: Sequence[TableModel], method: Any, watch: Watch | None
) -> TableRelease:
    """The release of a table as it is after the steps."""
    release = _searched(table, job, models, method, watch)
    return release if method.declared else release.noted(check_given_away(table, release))


def _searched(
    table: Table, job: ProtectTable, models: Sequence[TableModel], method: Any, watch: Watch | None
) -> TableRelease:
    blind = method.declared
    table = with_hierarchies(table, job, blind)
    for model in models:
        if not blind:  # a refusal would tell the number of rows
            verbs.check_size(model, table.rows, "table", "row")
        check_fits(model, table)
        check_values(model, table)
    release: TableRelease = verbs.protect(table, method, models, watch)
    return release


def _unused_flags(job: ProtectTable, method: Any) -> list[str]:
    """A remark for every flag that was given and that the method has no use for."""
    fields = {field.name for field in dataclasses.fields(method)}
    usual = {field.name: field.default for field in dataclasses.fields(job)}
    return [
        f"{method.name} has no use for --{flag.replace('_', '-')}; it was not used"
        for flag in ("objective", "suppress", "time_limit", "weight")
        if flag not in fields and getattr(job, flag) != usual[flag]
    ]


def check_mechanism(method: Any, models: Sequence[TableModel], job: ProtectTable) -> None:
    """Refuse a promise that the method cannot make, and a domain that was taken from the data."""
    for model in models:
        if model.mechanisms and method.name not in model.mechanisms:
            raise BadParameter(
                f"{model.name} is a promise of a method, not of rows, and {method.name} does not make it; "
                f"use --method {' or '.join(model.mechanisms)}"
            )
    if not method.declared:
        return
    if job.seed is not None:
        raise BadParameter(f"{method.name} takes no seed: whoever knows it could take the noise away again")
    if job.step or job.join:
        # One row more could change many of what a step or a join makes of them, and the noise hides one.
        raise BadParameter(
            f"{method.name} hides one row of the table it is given; leave out --step and --join, which may "
            "make several of one"
        )
    if job.population is not None:
        # Whether everybody is in the population is looked up row by row, and a refusal would tell.
        raise BadParameter(f"{method.name} has no use for a population; leave out --population")
    roles = job.data if isinstance(job.data, Table) else None
    own: Mapping[str, Any] = roles.hierarchies if roles else {}
    columns = (
        *(job.quasi or (roles.quasi if roles else ())),
        *(job.sensitive or (roles.sensitive if roles else ())),
    )
    for column in columns:
        spec = job.hierarchy.get(column, own.get(column))
        # A file of parents will do: it is read without looking at the rows.
        if spec is None or (isinstance(spec, str) and path_in(spec) is None):
            raise BadParameter(
                f"{method.name} needs to know what '{column}' could be without looking at the data; "
                f"give --hierarchy {column}=FILE.csv with a line for every value that is possible"
            )


def check_values(model: TableModel, table: Table) -> None:
    """Refuse to protect values that nobody has: a slip of the pen would leave the real ones open."""
    columns = [model.column] if model.column else table.sensitive
    for parameter, values in model.named_values.items():
        for value in values:
            known = [text for column in columns for text in texts(table.frame[column]).unique().sort()]
            if value not in known:
                some = ", ".join(map(str, known[:5])) + (", …" if len(known) > 5 else "")
                raise BadParameter(
                    f"{model.name} names the value '{value}' in {parameter}, which {join_columns(columns)} "
                    f"does not have; it has {some}"
                )
