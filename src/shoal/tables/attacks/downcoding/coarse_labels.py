"""The coarse labels of a column taken apart: what each stands for one step finer, and how common that is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Method
from shoal.tables.attacker_reasoning.label_syntax import meanings
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses, code
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.downcoding.row_distribution import Labels
from shoal.tables.hierarchies import TOP, Hierarchy, flat
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.text_values import Label, texts
from shoal.tables.table import Table

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Coarse:
    """The labels of one column by class; every part of a label is a stretch of the line of leaves."""

    column: str
    order: LeafOrder
    of_class: Ints  # the label of each class, -1 where it is as fine as can be
    first: Ints  # of each part, the place where it begins
    level: Ints  # of each part, the level it is named on
    labels: Labels
    unaware: Labels  # the same to somebody who knows nothing of the method

    def part_of(self, classes: Ints, values: pl.Series) -> Ints:
        """The part that each value falls into under the label of a class; -1 for none."""
        hierarchy = self.order.hierarchy
        kinds = values.unique()
        places = [
            -1 if hierarchy.missing([value]) else int(self.order.place_of[hierarchy.position(value)])
            for value in kinds.to_list()
        ]
        place = values.replace_strict(kinds, pl.Series(places, dtype=pl.Int64), return_dtype=pl.Int64)
        label = self.of_class[classes]
        width = len(self.order.leaf_at) + 1
        of_part = np.repeat(np.arange(len(self.labels.rows)), np.diff(self.labels.begins))
        keys = of_part * width + self.first
        found = np.searchsorted(keys, label * width + place.to_numpy(), side="right") - 1
        inside = (label >= 0) & (place.to_numpy() >= 0) & (found >= 0)
        inside &= of_part[np.maximum(found, 0)] == label
        return np.where(inside, found, -1)

    def name_of(self, part: int) -> Label:
        """What a part is called."""
        level = int(self.level[part])
        return self.order.hierarchy.names[level][int(self.order.codes[level, self.first[part]])]


def speaks_coarsely(labels: pl.Series) -> bool:
    """Whether some label says by itself that it stands for several values."""
    kinds = texts(labels).unique()
    return bool((kinds == TOP).any()) or bool(meanings(kinds))


def coarse(
    scene: Scene, release: RowClasses, column: str, k: int, method: type[Method[Any, Any, Any]] | None
) -> Coarse | None:
    """The labels of a column that stand for more than one value; None if there are none, or no hierarchy.

    `k` says that nothing of k rows was left to split off. With a method that cuts at the median a branch
    which is a class of its own left no row behind.
    """
    hierarchy = scene.table.hierarchies.get(column)
    if hierarchy is None:
        return None
    if method is not None and method.all_or_nothing:  # which knows nothing between a value and *
        hierarchy = flat(hierarchy.leaves)
    tight = method is not None and method.tight
    order = LeafOrder.of(hierarchy)
    common = _common(scene, column, hierarchy)[order.leaf_at]
    codes, names = code(release.labels[column])
    named = {name for names in hierarchy.names for name in names}
    cuts = [_cut(order, name, name in named) for name in names.to_list()]
    split = np.array([cut is not None for cut in cuts])
    if not split.any():
        return None
    # Numbers are cut at the median: branches, of which some leave, are only where there are none.
    leaving = method is not None and method.cuts == "median" and not order.numbers
    whole = k if not order.numbers else 0
    gone = _gone(release, column, codes, names.to_list(), order, cuts) if leaving else {}
    # One entry per label, size and what is ruled out: classes alike in that are alike in all.
    kinds: dict[tuple[int, int, tuple[int, ...]], int] = {}
    of_class = np.full(len(release), -1)
    for number in np.flatnonzero(split[codes]).tolist():
        key = (int(codes[number]), int(release.sizes[number]), gone.get(number, ()))
        of_class[number] = kinds.setdefault(key, len(kinds))
    begins, first, level, shares, usual = [0], [], [], [], []
    ends = np.zeros(len(kinds), np.bool_)
    for place, (name, _, lost) in enumerate(kinds):
        cut = cuts[name]
        assert cut is not None
        starts, stop, height = cut
        share = np.add.reduceat(common[: stop + 1], starts)
        first += starts.tolist()
        level += [height] * len(starts)
        usual.append(share.copy())
        share[list(lost)] = 0.0
        shares.append(share)
        begins.append(len(first))
        ends[place] = tight and names[name] not in named
    rows = np.array([size for _, size, _ in kinds], np.int64)
    plain = Labels(
        np.array(begins),
        np.concatenate(usual),
        rows,
        np.zeros(len(kinds), np.bool_),
        np.zeros(len(kinds), np.bool_),
        np.zeros(len(kinds), np.int64),
    )
    aware = replace(
        plain,
        shares=np.concatenate(shares),
        ends=ends,
        tight=np.full(len(kinds), tight),
        k=np.where(ends, k, whole).astype(np.int64),
    )
    return Coarse(column, order, of_class, np.array(first), np.array(level), aware, plain)


def _cut(order: LeafOrder, name: Label, named: bool) -> tuple[Ints, int, int] | None:
    """Where the parts of a label begin, where it ends, and on which level they are; None for a single value.

    A range of numbers falls into its values, a label of the hierarchy into the highest labels that divide it.
    """
    stretch = order.stretch_of(name)
    if stretch is None or stretch[0] == stretch[1]:
        return None
    low, high = stretch
    if not named:
        return np.arange(low, high + 1), high, 0
    ends = np.array([low], np.int32), np.array([high], np.int32)
    level = int(order.level_over(*ends)[0]) - 1
    here = order.codes[level, low : high + 1]
    return low + np.flatnonzero(np.append(True, here[1:] != here[:-1])), high, level


def _common(scene: Scene, column: str, hierarchy: Hierarchy) -> Floats:
    """How common each leaf is: by people like those in the data where there are any, else all alike."""
    counts = np.ones(len(hierarchy.leaves))  # a value that nobody was seen with is rare, not impossible
    for people in (scene.control, scene.external):
        if people is not None and column in people.columns:
            found = texts(people[column]).value_counts(name="people")
            for value, number in found.iter_rows():
                if not hierarchy.missing([value]):
                    counts[hierarchy.position(value)] += number
            break
    return counts


def _gone(
    release: RowClasses,
    column: str,
    codes: Ints,
    names: list[Label],
    order: LeafOrder,
    cuts: list[tuple[Ints, int, int] | None],
) -> dict[int, tuple[int, ...]]:
    """Per class the parts of its label that are classes of their own, with the same labels otherwise."""
    others = [other for other in release.columns if other != column]
    rest = RowClasses.of(release.labels, others).of_row if others else np.zeros(len(release), np.int32)
    place = {name: number for number, name in enumerate(names)}
    there = set(zip(rest.tolist(), codes.tolist(), strict=True))
    parts: dict[int, list[tuple[int, int]]] = {}
    for label, cut in enumerate(cuts):
        if cut is None:
            continue
        starts, _, level = cut
        found = [order.hierarchy.names[level][int(order.codes[level, start])] for start in starts]
        known = [(part, place[name]) for part, name in enumerate(found) if name in place]
        if known:
            parts[label] = known
    gone: dict[int, tuple[int, ...]] = {}
    for number in np.flatnonzero(np.isin(codes, list(parts))).tolist():
        lost = tuple(p for p, name in parts[int(codes[number])] if (int(rest[number]), name) in there)
        if lost:
            gone[number] = lost
    return gone


def on_one_level(table: Table) -> Table:
    """The same release with every column that has a hierarchy on one level, high enough for all its
    labels.
    """
    frame = table.frame
    for column in table.quasi:
        hierarchy = table.hierarchies.get(column)
        if hierarchy is None:
            continue
        order = LeafOrder.of(hierarchy)
        names = texts(frame[column]).unique()
        stretches = [order.stretch_of(name) for name in names.to_list()]
        level = hierarchy.height
        if None not in stretches:
            ends = np.array(stretches, np.int32)
            level = int(order.level_over(ends[:, 0], ends[:, 1]).max())
            labels = [hierarchy.names[level][int(order.codes[level, low])] for low in ends[:, 0]]
        else:
            labels = [TOP] * len(names)
        column_now = texts(frame[column]).replace_strict(
            names, pl.Series(labels, dtype=pl.String), return_dtype=pl.String
        )
        frame = frame.with_columns(column_now.alias(column))
    return table.with_frame(frame)
