"""The finer table that a method would have liked better: every class in its parts, column by column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Refines
from shoal.tables.attacker_reasoning.class_members import Members
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.group_medians import medians
from shoal.tables.hierarchies import Hierarchy, flat, suggest
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.text_values import Label, texts


@dataclass(frozen=True, eq=False)
class Finer:
    """Classes that one column could be made finer in: groups of parts, class by class."""

    of_class: Ints  # the class of each group
    begins: Ints  # where its parts begin
    sizes: Ints  # people of each part
    of_pair: Ints  # the part of each pair of look and class, -1 where its class has none
    joins: Ints  # the class of the release that a part would be added to, -1 for none
    together: Ints  # groups with the same number are made finer in one step, or not at all
    doubtful: Ints  # the numbers of steps of which some class is not settled


def finer(
    release: RowClasses,
    looks: RowClasses,
    members: Members,
    column: str,
    hierarchy: Hierarchy | None,
    reach: Refines,
    level: int | None = None,
    at_median: bool = False,
) -> Finer | None:
    """The parts of every class if one column were one step finer; None where the column cannot be.

    `level` is the column's own where the whole column has one. Classes that are cut by themselves are cut
    along the hierarchy, or as Mondrian does it: numbers `at_median`.
    """
    values = looks.labels[column].to_list()
    known = flat(values) if hierarchy is None else hierarchy.with_alone(list(dict.fromkeys(values)))
    leaf = np.array([known.position(value) for value in values])[members.look]
    if reach == "column":
        if not level or (hierarchy is None and level > 1):
            return None
        code = known.codes[min(level, known.height) - 1, leaf].astype(np.int64)
        below = np.full(len(leaf), min(level, known.height) - 1)
    elif reach == "label":
        below = _below(known, leaf, release.labels[column].gather(members.of_class))
        code = known.codes[np.maximum(below, 0), leaf].astype(np.int64)
    else:
        code, below = _own(known, leaf, members, at_median)
    names = [list(level_names) for level_names in known.names]
    keys = members.of_class * (len(known.leaves) + 2) + code
    _, first, part = np.unique(keys, return_index=True, return_inverse=True)
    part = part.reshape(-1)
    owner = members.of_class[first]
    several = (np.bincount(owner, minlength=len(release)) > 1) & (
        np.bincount(owner, below[first] < 0, len(release)) == 0
    )
    steps = _steps(release, column, reach)
    # A class that the list does not settle may be to blame as well: nothing is known about its step.
    unsettled = ~members.known | (np.bincount(members.of_class, below < 0, len(release)) > 0)
    kept = several[owner]
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    owner, first = owner[kept], first[kept]
    if not len(owner):
        return None
    of_class, begins = np.unique(owner, return_index=True)
    joins = np.full(len(owner), -1)
    if reach == "class" and not at_median:
        labels = [names[low][known.codes[low, at]] for low, at in zip(below[first], leaf[first], strict=True)]
        joins = _existing(release, owner, column, labels)
    sizes = np.bincount(number[part][kept[part]], members.people[kept[part]], len(owner)).astype(np.int64)
    return Finer(
        of_class,
        np.append(begins, len(owner)),
        sizes,
        number[part],
        joins,
        steps[of_class],
        np.unique(steps[unsettled]),
    )


def halved_where_best(values: pl.Series, hierarchy: Hierarchy | None) -> bool:
    """Whether top-down cuts numbers where that is best, so that nobody knows which step was refused.

    It does so unless it was given a hierarchy; one that is as Shoal suggests it counts as none.
    """
    leaves = texts(values) if hierarchy is None else pl.Series(hierarchy.leaves, dtype=pl.String)
    suggestion = suggest(leaves, "")
    return suggestion.reason == "numbers" and (
        hierarchy is None or hierarchy.names == suggestion.hierarchy.names
    )


def _steps(release: RowClasses, column: str, reach: str) -> Ints:
    """Which classes are made finer in one step with each other."""
    if reach == "class":
        return np.arange(len(release))
    if reach == "column":
        return np.zeros(len(release), np.int64)
    return RowClasses.of(release.labels, [column]).of_row.astype(np.int64)


def _below(hierarchy: Hierarchy, leaf: Ints, labels: pl.Series) -> Ints:
    """The level below a label, by a leaf under it; -1 where the hierarchy does not have the label there."""
    below = np.full(len(leaf), -1)
    told = np.array(labels.to_list(), dtype=object)
    for level in range(hierarchy.height, 0, -1):
        names = np.array(hierarchy.names[level], dtype=object)
        below[names[hierarchy.codes[level, leaf]] == told] = level - 1
    return below


def _own(hierarchy: Hierarchy, leaf: Ints, members: Members, at_median: bool) -> tuple[Ints, Ints]:
    """The part of each pair where every class is cut by itself, as a number, and the level it is cut on."""
    order = LeafOrder.of(hierarchy)
    place = order.place_of[leaf]
    _, starts, of_run = np.unique(members.of_class, return_index=True, return_inverse=True)
    of_run = of_run.reshape(-1)
    if not len(starts):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    low, high = np.minimum.reduceat(place, starts), np.maximum.reduceat(place, starts)
    below = np.maximum(order.level_over(low, high) - 1, 0)
    code = order.codes[below[of_run], place].astype(np.int64)
    if at_median and order.numbers:
        offsets = np.append(starts, len(place))
        mixed = (low < order.numbers) & (high >= order.numbers)
        code[mixed[of_run]] = place[mixed[of_run]] >= order.numbers
        cut = ~mixed & (low < high)
        there = cut[of_run]
        runs = np.concatenate(([0], np.cumsum(np.diff(offsets)[cut])))
        cuts: NDArray[np.int32] = medians(place[there], members.people[there], runs, low[cut], high[cut])
        code[there] = place[there] > np.repeat(cuts, np.diff(runs))
    return code, below[of_run]


def _existing(release: RowClasses, owner: Ints, column: str, labels: list[Label]) -> Ints:
    """The classes that have the labels of some other classes but for one column."""
    keys = [f"label {place}" for place in range(len(release.columns))]
    classes = pl.DataFrame(dict(zip(keys, release.labels.get_columns(), strict=True)))
    wanted = classes[owner].with_columns(
        pl.Series(keys[release.columns.index(column)], labels, dtype=pl.String)
    )
    found = wanted.join(
        classes.with_row_index("class"), on=keys, how="left", nulls_equal=True, maintain_order="left"
    )
    joins = found["class"].cast(pl.Int64).fill_null(-1).to_numpy().copy()
    joins[joins == owner] = -1
    return joins
