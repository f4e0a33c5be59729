"""Hierarchies seen and changed: levels in short, labels under other parents, files in, effect on groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.core.errors import BadHierarchy, BadParameter
from shoal.tables.hierarchies import Hierarchy, Suggestion, hierarchy_of, suggest, write_hierarchy
from shoal.tables.hierarchies.hierarchy import TOP, Label
from shoal.tables.hierarchies.hierarchy_files import read_hierarchy
from shoal.tables.model_inputs.text_values import texts

SHOWN = 6  # labels of a level that are shown
LISTED = 50  # values that are listed where a file does not cover them


def kept_column(place: str | Path, column: str) -> pl.Series:
    """One column of the rows that `preview.keep_rows` kept."""
    return pl.scan_ipc(place).select(pl.col(column)).collect()[column]


def found_hierarchy(values: pl.Series, column: str, spec: str | None) -> Suggestion:
    """The hierarchy that a column has: as given, or as its values suggest."""
    if spec is None:
        return suggest(values, column)
    return Suggestion(hierarchy_of(spec, values, column), "as you chose")


def levels_in_short(found: Suggestion) -> dict[str, Any]:
    """Per level how many labels there are, and some of them."""
    hierarchy = found.hierarchy
    return {
        "reason": found.reason,
        "leaves": len(hierarchy.leaves),
        "levels": [
            {"labels": len(names), "sample": [_shown(name) for name in names[:SHOWN]]}
            for names in hierarchy.names
        ],
    }


def parents_on_level(hierarchy: Hierarchy, level: int) -> dict[Label, Label]:
    """The parent, on this level, of every label one below."""
    if not 1 <= level <= hierarchy.height:
        raise BadParameter(f"level {level} is none of 1 to {hierarchy.height}")
    below, here = hierarchy.levels()[level - 1 : level + 1]
    return dict(zip(below, here, strict=True))


@dataclass(frozen=True)
class Branch:
    """A label of a hierarchy seen as a tree, and how many values are below it."""

    label: Label
    leaves: int


def branches(hierarchy: Hierarchy, level: int, label: Label) -> list[Branch]:
    """The labels directly below one on a level from 1 on; the top is the label of the last level."""
    if not 1 <= level <= hierarchy.height:
        raise BadParameter(f"level {level} is none of 1 to {hierarchy.height}")
    if label not in hierarchy.names[level]:
        raise BadParameter(f"'{_shown(label)}' is not on level {level}; the hierarchy may have changed")
    inside = hierarchy.codes[level] == hierarchy.names[level].index(label)
    below, counts = np.unique(hierarchy.codes[level - 1][inside], return_counts=True)
    names = hierarchy.names[level - 1]
    return [Branch(names[code], count) for code, count in zip(below.tolist(), counts.tolist(), strict=True)]


def moved(hierarchy: Hierarchy, level: int, moves: Mapping[Label, Label]) -> Hierarchy:
    """The hierarchy with labels of the level below put under other parents on this level.

    A parent that is new has the ancestors that the label had; one that is there brings its own.
    """
    if not 1 <= level < hierarchy.height:
        raise BadParameter(f"labels are moved on a level from 1 to {hierarchy.height - 1}, not on {level}")
    levels = [list(labels) for labels in hierarchy.levels()]
    ancestors = {
        label: [upper[leaf] for upper in levels[level + 1 :]] for leaf, label in enumerate(levels[level])
    }
    for leaf, label in enumerate(levels[level - 1]):
        parent = moves.get(label, levels[level][leaf])
        levels[level][leaf] = parent
        above = ancestors.setdefault(parent, [upper[leaf] for upper in levels[level + 1 :]])
        for upper, name in zip(levels[level + 1 :], above, strict=True):
            upper[leaf] = name
    return Hierarchy.of_levels(levels)


def with_level(hierarchy: Hierarchy) -> Hierarchy:
    """One more level below the top, on which every label stays itself until it is moved."""
    *lower, top = hierarchy.levels()
    return Hierarchy.of_levels([*lower, list(lower[-1]), top] if lower else [top, [TOP] * len(top)])


def without_level(hierarchy: Hierarchy, level: int) -> Hierarchy:
    """The hierarchy without one of its middle levels."""
    if not 1 <= level < hierarchy.height:
        raise BadParameter(f"level {level} cannot be left out: the values and the top stay")
    levels = hierarchy.levels()
    return Hierarchy.of_levels([*levels[:level], *levels[level + 1 :]])


def import_hierarchy(file: str | Path, values: pl.Series, place: str | Path) -> list[Label]:
    """Take a hierarchy from a file, where it covers every value; else the values that it does not cover."""
    hierarchy = read_hierarchy(file)
    missing = hierarchy.missing(texts(values).unique(maintain_order=True).drop_nulls().to_list())
    if not missing:
        save_hierarchy(hierarchy, place)
    return missing


def save_hierarchy(hierarchy: Hierarchy, place: str | Path) -> None:
    """Write a hierarchy as the CSV that all commands read."""
    Path(place).parent.mkdir(parents=True, exist_ok=True)
    write_hierarchy(_without_missing(hierarchy), place)


def _without_missing(hierarchy: Hierarchy) -> Hierarchy:
    """Without the missing value, which no file needs: it is added for every column that has one."""
    if None not in hierarchy.leaves:
        return hierarchy
    at = hierarchy.leaves.index(None)
    levels = [[*labels[:at], *labels[at + 1 :]] for labels in hierarchy.levels()]
    if not levels[0]:
        raise BadHierarchy("the column has no values, so there is no hierarchy to keep")
    return Hierarchy.of_levels(levels)


def effect_of_levels(
    place: str | Path, specs: Mapping[str, str | None], levels: Mapping[str, int], k: int
) -> dict[str, Any]:
    """The groups of rows that look alike when every column goes up to its level.

    `specs` are the quasi-identifiers with their hierarchies, None for the suggested one.
    """
    frame = pl.scan_ipc(place).select(list(specs)).collect()
    frame.columns = [str(number) for number in range(len(specs))]  # so that no name is that of the counts
    rows = frame.group_by(frame.columns).len()
    coarse = []
    for number, (column, spec) in enumerate(specs.items()):
        values = rows[str(number)]
        hierarchy = found_hierarchy(values, column, spec).hierarchy
        level = min(max(levels.get(column, 0), 0), hierarchy.height)
        labels = dict(zip(hierarchy.leaves, hierarchy.levels()[level], strict=True))
        coarse.append(pl.Series(str(number), [labels[value] for value in values.to_list()], dtype=pl.String))
    groups = pl.DataFrame([*coarse, rows["len"]]).group_by(frame.columns)
    sizes = groups.agg(pl.col("len").sum())["len"]
    small = sizes.filter(sizes < k)
    return {
        "rows": frame.height,
        "classes": len(sizes),
        "smallest": int(sizes.min() or 0),  # type: ignore[arg-type]
        "alone": int((sizes == 1).sum()),
        "too_small": int(small.sum()),
    }


def _shown(label: Label) -> str:
    return "missing" if label is None else label
