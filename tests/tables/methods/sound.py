"""What must be true of every release with labels of its own for every class, checked row by row."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl
import pytest

from shoal.core.contract import ClassModel
from shoal.tables.appraisal.comparison import recoding_between
from shoal.tables.appraisal.losses import largest_k, losses
from shoal.tables.hierarchies.hierarchy import Hierarchy, Label
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.release import TableRelease
from shoal.tables.table import Table

from ..builders import Case
from ..twins import Whole, keeps, ways


def with_ids(case: Case) -> Table:
    """The table of a case, every row with a number that stays in the release."""
    table = case.table()
    return table.with_frame(table.frame.with_columns(pl.Series("id", range(case.rows))))


def covers(label: Label, value: Label, hierarchy: Hierarchy) -> bool:
    """Whether a label may stand for a value: the value, a label above it, or a range that holds it."""
    if any(way[value] == label for way in ways(hierarchy)):
        return True
    found = re.fullmatch(r"\[(.+), (.+)\]", label or "")
    return found is not None and float(found[1]) <= float(value or "nan") <= float(found[2])


def assert_sound(
    case: Case, models: Sequence[ClassModel[Classes]], table: Table, release: TableRelease, allowed: int
) -> None:
    """Labels are true, every class keeps every promise by its definition, losses are those of both tables."""
    frame = release.table.frame
    width, whole = len(case.hierarchies), Whole.of(case.sensitive, case.taxonomies)
    assert frame["id"].n_unique() == frame.height == release.released
    assert release.suppressed == case.rows - frame.height <= allowed
    classes: dict[tuple[Label, ...], list[tuple[Label, ...]]] = {}
    for row in frame.select(*case.quasi_names, "id").rows():
        labels, number = row[:width], row[-1]
        for label, value, hierarchy in zip(labels, case.quasi[number], case.hierarchies, strict=True):
            assert covers(label, value, hierarchy), (label, value)
        classes.setdefault(labels, []).append(case.sensitive[number])
    assert release.classes == len(classes)
    assert all(keeps(model, rows, whole) for model in models for rows in classes.values())
    hierarchies = dict(zip(case.quasi_names, case.hierarchies, strict=True))
    # As `measure` does: a manifest without levels says that every label has a height of its own.
    told = release.levels or {}
    measured = losses(recoding_between(table, release.table, hierarchies, told), largest_k(models))
    compared = ["discernibility", "average_class_size"]
    # A label on two levels can be read in two ways from the file; then only sizes are sure to agree.
    if not any(_ambiguous(hierarchy) for hierarchy in case.hierarchies):
        compared += ["precision", "loss"]
    for name in compared:
        assert release.losses[name] == pytest.approx(measured[name], abs=1e-9), name


def _ambiguous(hierarchy: Hierarchy) -> bool:
    names = [name for level in hierarchy.names for name in level]
    return len(names) > len(set(names))
