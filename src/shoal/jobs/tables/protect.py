"""Protect a table: read, decide about every column, refuse what cannot be, search, check, write."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from shoal import catalog, verbs
from shoal.core.errors import BadParameter
from shoal.core.part_syntax import join_columns
from shoal.core.progress import Watch
from shoal.jobs.tables.output import Made, check_given_away, check_output, write_release
from shoal.jobs.tables.requests import ProtectTable
from shoal.jobs.tables.source import (
    check_fits,
    hide_counted_columns,
    join_tables,
    models_of,
    read_table,
    rows_not_people,
    with_hierarchies,
    with_population,
)
from shoal.jobs.tables.steps import (
    TableStep,
    check_steps,
    no_key_left_behind,
    release_after_steps,
    steps_of,
)
from shoal.jobs.tables.suggest import Suggested, best_offer
from shoal.tables.column_decisions import By, Decisions
from shoal.tables.hierarchies.spec import path_in
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.release import TableModel, TableRelease
from shoal.tables.table import Table

# The flags that fill a parameter of the method which its spelling leaves open.
FLAGS = ("objective", "suppress", "time_limit", "seed", "class_column")


def protect_table(job: ProtectTable, watch: Watch | None = None) -> TableRelease:
    """A release that keeps its promises; written and checked again from the file when an output is named."""
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


def _make_release(job: ProtectTable, steps: list[TableStep], watch: Watch | None) -> Made:
    models = models_of(job.model, job.k)
    method: Any = catalog.part_of(
        "method", job.method, "table", **{flag: getattr(job, flag) for flag in FLAGS}
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
    blind = method.declared
    table = with_hierarchies(table, job, blind)
    for model in models:
        if not blind:  # a refusal would tell the number of rows
            verbs.check_size(model, table.rows, "table", "row")
        check_fits(model, table)
        check_values(model, table)
    release: TableRelease = verbs.protect(table, method, models, watch)
    return release if blind else release.noted(check_given_away(table, release))


def _unused_flags(job: ProtectTable, method: Any) -> list[str]:
    """A remark for every flag that was given and that the method has no use for."""
    fields = {field.name for field in dataclasses.fields(method)}
    usual = {field.name: field.default for field in dataclasses.fields(job)}
    return [
        f"{method.name} has no use for --{flag.replace('_', '-')}; it was not used"
        for flag in ("objective", "suppress", "time_limit")
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


_HOW = "--identifier, --quasi, --sensitive or --insensitive"
_ROLE_WORDS = {"quasi": "a quasi-identifier", "sensitive": "sensitive"}


@dataclass(frozen=True)
class Decided:
    """A table with roles, without the columns that must not go out, and who decided about each."""

    table: Table
    decisions: Decisions
    notes: tuple[str, ...] = ()


def decide_columns(
    table: Table, job: ProtectTable, steps: Sequence[TableStep], kept: Collection[str], blind: bool
) -> Decided:
    """Roles for a release.

    `kept` are columns that steps or models speak of. With `blind` nothing may depend on a row, so columns
    without a role are not looked at, and never go out.
    """
    table = table.with_roles(
        job.identifier or table.identifier,
        job.quasi or table.quasi,
        job.sensitive or table.sensitive,
        job.insensitive,
    )
    own = job.data.decisions.by if isinstance(job.data, TableRelease) else {}
    spoken = {*job.insensitive, *kept, *(column for column, who in own.items() if who != "nobody")}
    silent = [column for column in table.insensitive if column not in spoken]
    by: dict[str, By] = {column: job.decided.get(column, "flags") for column in table.columns}
    decisions = Decisions({**by, **dict.fromkeys(silent, "nobody")}, job.undeclared)
    if not silent:
        return Decided(table, decisions)
    if job.undeclared == "refuse":
        raise BadParameter(
            f"no role for {join_columns(silent)}; give each of them one with {_HOW}, "
            "or leave out --undeclared refuse and they are not released"
        )
    _refuse_steps(steps, silent)
    if job.undeclared == "keep" and not blind:
        return _keep_undeclared(table, decisions, silent)
    return _drop_undeclared(table, decisions, silent, job)


def _drop_undeclared(table: Table, decisions: Decisions, silent: Sequence[str], job: ProtectTable) -> Decided:
    note = (
        f"left out {join_columns(silent)}: nobody gave {'it' if len(silent) == 1 else 'them'} a role; "
        f"say what they are with {_HOW} (`shoal table inspect` suggests it)"
    )
    # The class column steers the search, so it stays until the end; what names people does not go out.
    inside = tuple(column for column in silent if column == job.class_column)
    table = table.with_frame(table.frame.drop([column for column in silent if column not in inside]))
    table = table.with_roles((*table.identifier, *inside), table.quasi, table.sensitive)
    return Decided(table, decisions, (note,))


def _keep_undeclared(table: Table, decisions: Decisions, silent: Sequence[str]) -> Decided:
    """The columns as they are, but for those that look like a person's name or number."""
    from shoal.tables.discovery.discovery import look_at

    found = look_at(Table(table.frame.select(silent)))
    direct = tuple(column for column in silent if found[column].role == "identifier")
    out = tuple(column for column in silent if column not in direct)
    notes = [
        f"removed '{column}', which has no role: {found[column].reason}; "
        f"--insensitive {join_columns([column])} keeps it"
        for column in direct
    ]
    if out:
        notes.append(f"released {join_columns(out)} unchanged, though nobody gave a role: --undeclared keep")
    for column in out:
        report = found[column]
        if report.role != "insensitive":
            notes.append(
                f"'{column}' went out and may be {_ROLE_WORDS[report.role]}: {report.reason}; "
                f"say --{report.role} {join_columns([column])} or --insensitive {join_columns([column])}"
            )
    table = table.with_roles((*table.identifier, *direct), table.quasi, table.sensitive)
    return Decided(table, Decisions(decisions.by, "keep", out), tuple(notes))


def _refuse_steps(steps: Sequence[TableStep], silent: Sequence[str]) -> None:
    """A step that changes a column is no decision to release it."""
    for step in steps:
        for column in step.changes:
            if column in silent:
                raise BadParameter(
                    f"the step {step.name} changes '{column}', which has no role; "
                    f"say --sensitive {join_columns([column])} or --insensitive {join_columns([column])}"
                )
