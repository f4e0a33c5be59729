"""Carry out a request to protect a table: settle roles, make the release, write it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from shoal import verbs
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.progress import Watch
from shoal.core.spelling import split
from shoal.jobs.parts import check_size, given_part
from shoal.jobs.tables.checks import check_fits, check_mechanism, check_values
from shoal.jobs.tables.decide import decided
from shoal.jobs.tables.given_away import GivenAway, check_given_away
from shoal.jobs.tables.hierarchies import laddered
from shoal.jobs.tables.linked_tables import joined, kept_inside, with_population
from shoal.jobs.tables.mixing import (
    before_mixing,
    done_anew,
    kept_of,
    leaving_nobody_out,
    never_whole,
    numbered,
    without_numbers,
)
from shoal.jobs.tables.output import check_output, write_release
from shoal.jobs.tables.requests import ProtectTable
from shoal.jobs.tables.source import models_of, read_table
from shoal.jobs.tables.steps import (
    SEEDED,
    TableStep,
    check_keys,
    check_seed,
    kept_by,
    no_key_left_behind,
    stepped,
    steps_of,
)
from shoal.jobs.tables.suggest import Suggested, singled_out, told, useless
from shoal.tables.release import TableModel, TableRelease
from shoal.tables.table import Table

# The flags that fill a parameter of the method which its spelling leaves open.
FLAGS = ("objective", "suppress", "time_limit", "seed", "class_column")


def protect_table(job: ProtectTable, watch: Watch | None = None) -> TableRelease:
    """A release that keeps its promises; written and checked again from the file when an output is named."""
    steps = steps_of(job.step)
    check_seed(steps, job)
    check_keys(steps, job)
    check_output(job)
    with no_key_left_behind(steps):
        made = _suggested(job, steps, watch) if job.yes else _made(job, steps, watch)
        if job.output is not None:
            write_release(made.release, made.job, made.identifier, made.models)
        return made.release


@dataclass(frozen=True)
class _Made:
    """A release that was not written yet."""

    release: TableRelease
    job: ProtectTable
    identifier: tuple[str, ...]
    models: list[TableModel]


def _suggested(job: ProtectTable, steps: list[TableStep], watch: Watch | None) -> _Made:
    """The release by suggested roles, with the strongest of the usual promises that leaves some detail."""
    models = models_of(job.model, job.k)
    if any(model.mechanisms for model in models):
        raise BadParameter(
            f"{models[0].name} must not depend on the rows, and suggestions do; give the roles, without --yes"
        )
    found = suggested(job, steps)
    *stronger, last = found.offers()
    refused = None
    for offer in stronger:
        try:
            made = _told_by_none(offer, steps, watch)
        except Unreachable as error:
            refused = f"{_spelled(offer)} is out of reach: {error}"
            continue
        if not useless(made.release.losses):
            return _noted(made, told(offer, found.reports, None))
        refused = f"{_spelled(offer)} would have left hardly any detail"
    made = _told_by_none(last, steps, watch)
    return _noted(made, told(last, found.reports, refused))


def _noted(made: _Made, notes: list[str]) -> _Made:
    return replace(made, release=made.release.noted([*notes, *singled_out(made.release.table)]))


def _told_by_none(job: ProtectTable, steps: list[TableStep], watch: Watch | None) -> _Made:
    """The release by suggested roles, without columns that would give others away."""
    try:
        return _made(job, steps, watch)
    except GivenAway as error:
        harmless = tuple(column for column in job.insensitive if column not in error.columns)
        removed = (*job.identifier, *error.columns)
        made = _made(replace(job, insensitive=harmless, identifier=removed), steps, watch)
        return replace(made, release=made.release.noted([f"left out: {error}"]))


def suggested(job: ProtectTable, steps: Sequence[TableStep] | None = None) -> Suggested:
    """What a request lacks, and what its columns suggest."""
    kept = kept_by(steps_of(job.step) if steps is None else steps)
    held = {column for model in models_of(job.model, job.k) for column in model.held}
    return Suggested.of(job, joined(read_table(job), job), kept | held)


def _made(job: ProtectTable, steps: list[TableStep], watch: Watch | None) -> _Made:
    models = models_of(job.model, job.k)
    method = _method(job).chosen(models)
    if models:
        check_mechanism(method, models, job)
    blind = method.declared
    table = joined(read_table(job, blind), job)
    if not models or not (job.quasi or table.quasi):
        raise suggested(job, steps).refuse()
    held = {column for model in models for column in model.held}
    settled = decided(table, job, steps, kept_by(steps) | held, blind)
    table, told = kept_inside(settled.table, job, models, kept_by(steps))
    table = with_population(table, job)
    first = before_mixing(steps)
    table, done = stepped(table, steps[:first], job.seed)
    search = _Search(job, models, method, watch)
    if first == len(steps):
        release = search.released(table)
    else:
        table, release, more = search.mixed(table, steps[first:])
        done = sorted(dict.fromkeys([*done, *more]), key=SEEDED.__eq__)  # that remark comes last
    release = release.noted([*settled.notes, *told, *done, *_unused(job, method)])
    release = replace(release, allowed=method.suppress, decisions=settled.decisions)
    nobodys = settled.decisions.nobodys
    identifier = tuple(column for column in table.identifier if column not in nobodys)
    return _Made(release, job, identifier, models)


@dataclass(frozen=True)
class _Search:
    """What is asked of a table whose roles are settled."""

    job: ProtectTable
    models: list[TableModel]
    method: Any
    watch: Watch | None

    def released(self, table: Table) -> TableRelease:
        """The release of a table as it is after the steps."""
        blind = self.method.declared
        table = laddered(table, self.job, blind)
        for model in self.models:
            if not blind:  # a refusal would tell the number of rows
                check_size(model, table.rows, "table", "row")
            check_fits(model, table)
            check_values(model, table)
        release: TableRelease = verbs.protect(table, self.method, self.models, self.watch)
        return release if blind else release.noted(check_given_away(table, release))

    def mixed(self, table: Table, steps: list[TableStep]) -> tuple[Table, TableRelease, list[str]]:
        """The same after steps that mix rows, the table they made, and what they did."""
        changed, done = stepped(numbered(table), steps, self.job.seed, stream=1)
        release = self.released(changed)
        if not release.suppressed:
            return without_numbers(changed, table), release, done
        kept = kept_of(table, release)
        changed, done = stepped(kept, steps, self.job.seed, stream=1)
        left_out = table.rows - kept.rows
        try:
            release = replace(self, method=leaving_nobody_out(self.method)).released(changed)
        except Unreachable as error:
            raise never_whole(left_out, steps) from error
        return changed, done_anew(release, left_out, steps), done


def _method(job: ProtectTable) -> Any:
    """The method by its spelling; what that leaves open comes from the flags it has a parameter for."""
    made = given_part("method", job.method, "table")
    if not isinstance(job.method, str):
        return made
    _, given = split(job.method)
    said = {key.replace("-", "_") for key in given}
    fields = {field.name for field in dataclasses.fields(made)} - said
    return dataclasses.replace(made, **{flag: getattr(job, flag) for flag in FLAGS if flag in fields})


def _unused(job: ProtectTable, method: Any) -> list[str]:
    """A remark for every flag that was given and that the method has no use for."""
    fields = {field.name for field in dataclasses.fields(method)}
    usual = {field.name: field.default for field in dataclasses.fields(job)}
    return [
        f"{method.name} has no use for --{flag.replace('_', '-')}; it was not used"
        for flag in ("objective", "suppress", "time_limit")
        if flag not in fields and getattr(job, flag) != usual[flag]
    ]


def _spelled(job: ProtectTable) -> str:
    return " and ".join(map(str, job.model))
