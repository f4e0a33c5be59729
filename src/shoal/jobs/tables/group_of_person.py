"""The groups of a release in which one person of a list may be: what an attacker sees of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal.core.errors import BadParameter
from shoal.jobs.tables.diff import read_original
from shoal.jobs.tables.owner_requests import DiffTable
from shoal.jobs.tables.source import frame_of, hierarchies_of, manifest_of, read_table, with_roles
from shoal.tables.attacker_reasoning.candidate_classes import fits
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.model_inputs.text_values import Label, texts


@dataclass(frozen=True)
class PersonsGroup:
    """What is known of a person, and the released rows that may be theirs."""

    known: dict[str, Label]
    columns: tuple[str, ...]
    rows: tuple[tuple[Label, ...], ...]  # the first of them
    many: int
    groups: int


def group_of_person(job: DiffTable, people: Any, who: Mapping[str, str], most: int = 50) -> PersonsGroup:
    """The rows of a release that fit a person, who is found on a list by what is said of them."""
    released = with_roles(read_table(job), job, manifest_of(job))
    hierarchies = hierarchies_of(read_original(job, released), job, released.quasi)
    listed = frame_of(people, job)
    listed = listed.select(texts(listed[column]) for column in listed.columns)
    if strange := [name for name in who if name not in listed.columns]:
        raise BadParameter(f"the list has no column {strange[0]}, by which this attack tells people apart")
    person = listed.filter(pl.all_horizontal(pl.col(name) == value for name, value in who.items())).head(1)
    if not person.height:
        raise BadParameter(f"nobody on the list is {', '.join(who.values())}")
    columns = [column for column in released.quasi if column in listed.columns]
    classes = RowClasses.of(released.frame, columns)
    mine = fits(person.select(columns), classes, hierarchies).of(0)
    rows = released.frame.filter(pl.Series(classes.of_row).is_in(mine.tolist()))
    shown = rows.head(most).select(texts(rows.head(most)[column]) for column in rows.columns)
    return PersonsGroup(
        person.select(columns).row(0, named=True),
        tuple(rows.columns),
        tuple(shown.rows()),
        rows.height,
        len(mine),
    )
