"""Decide about every column before a release: its role, whether it goes out, and who said so."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from shoal.core.errors import BadParameter
from shoal.core.part_syntax import join_columns
from shoal.jobs.tables.apply_steps import TableStep
from shoal.jobs.tables.requests import ProtectTable
from shoal.tables.column_decisions import By, Decisions
from shoal.tables.release import TableModel, TableRelease
from shoal.tables.table import Table

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


def hide_counted_columns(
    table: Table, job: ProtectTable, models: Sequence[TableModel], kept: Collection[str]
) -> tuple[Table, list[str]]:
    """The table with what models count but nobody may see among the identifiers, which are not released."""
    notes = []
    for model in models:
        for column in model.held:
            role = table.role(column)
            if column in kept or role == "identifier":
                continue
            if role != "insensitive" or column in job.insensitive:
                raise BadParameter(
                    f"{model.name} counts '{column}', which must not be released as it is, and here it is "
                    f"{role}; declare it --identifier {join_columns([column])}"
                )
            notes.append(f"removed '{column}': {model.name} counts it, and nobody else should")
            table = table.with_roles((*table.identifier, column), table.quasi, table.sensitive)
    if job.join and not any(job.person in model.held for model in models):
        notes.append(
            "after a join a person has several rows, and no model here counts people; "
            f'ask for "multir-k-anonymity(k=…,person={job.person})"'
        )
    return table, notes
