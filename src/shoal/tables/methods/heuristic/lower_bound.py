"""A cost that no full-domain release can beat, from a few columns at a time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shoal.core import clock
from shoal.core.contract import ClassModel
from shoal.tables.appraisal.losses import largest_k
from shoal.tables.appraisal.objective import CellLoss, Objective
from shoal.tables.appraisal.task_objective import Task
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.search import grouping_kernels as kernels
from shoal.tables.search.distinct_tuples import Tuples, pack_codes
from shoal.tables.search.labelled_release import merge_classes
from shoal.tables.search.lattice import Lattice, Node
from shoal.tables.search.level_costs import Prices

MOST_NODES = 4_000


def least_cost(
    tuples: Tuples, models: Sequence[ClassModel[Classes]], objective: Objective, limit: int, until: float
) -> float:
    """A lower bound of the cost of every full-domain release that suppresses at most `limit` rows.

    Columns are taken in groups. With all other columns at `*` classes are as large as can be, so levels of a
    group that doom too many rows even there can be in no release. The cheapest levels left of each group add
    up to the bound. When the time is over, groups not looked at count as free.
    """
    if isinstance(objective, Task):
        return objective.above(np.arange(len(tuples.sizes), dtype=np.int32))
    if not isinstance(objective, CellLoss):
        return objective.at_least(tuples.sizes, limit, largest_k(models))
    prices = Prices(tuples, objective)
    # A model that looks at labels, or at the whole table, may find in all columns what it misses in a few.
    known = [model for model in models if model.scope == "class"]
    total = 0.0
    for columns in _groups(tuples):
        total += _least(tuples, columns, known, prices, limit, until)
    return total


def _groups(tuples: Tuples) -> list[list[int]]:
    """Columns together that tell people apart most, as many as can be searched in whole."""

    def telling(column: int) -> float:
        shares = tuples.leaf_counts[column] / tuples.rows
        return float(-(shares**2).sum())

    groups: list[list[int]] = [[]]
    for column in sorted(range(len(tuples.hierarchies)), key=lambda c: -telling(c)):
        nodes = math.prod(tuples.hierarchies[c].height + 1 for c in [*groups[-1], column])
        if groups[-1] and nodes > MOST_NODES:
            groups.append([])
        groups[-1].append(column)
    return groups


def _least(
    tuples: Tuples,
    columns: list[int],
    models: Sequence[ClassModel[Classes]],
    prices: Prices,
    limit: int,
    until: float,
) -> float:
    """The cheapest levels of some columns that do not doom too many rows, the other columns left out."""
    few = _project(tuples, columns)
    lattice = Lattice(few)
    costs = [prices.levels[column] for column in columns]
    order = _ascending(costs)
    closed = np.empty((0, len(columns)), np.int64)
    lowest = 0.0
    for cost, node in order:
        lowest = cost
        if (closed >= np.array(node)).all(axis=1).any():
            continue
        if clock.now() > until:
            break
        classes = lattice.classes(node)
        doomed = np.zeros(len(classes))
        for model in models:
            doomed = np.maximum(doomed, model.doomed(classes))
        if doomed.sum() <= limit:
            break
        closed = np.vstack([closed, np.array(node)])
    return lowest


def _ascending(costs: Sequence[np.ndarray]) -> list[tuple[float, Node]]:
    nodes = itertools.product(*(range(len(levels)) for levels in costs))
    found = [(float(sum(levels[at] for levels, at in zip(costs, node, strict=True))), node) for node in nodes]
    return sorted(found)


def _project(tuples: Tuples, columns: list[int]) -> Tuples:
    """The tuples with only some of their columns."""
    hierarchies = tuple(tuples.hierarchies[c] for c in columns)
    codes = [np.ascontiguousarray(tuples.codes[:, c]) for c in columns]
    keys = pack_codes(codes, [len(hierarchy.leaves) for hierarchy in hierarchies], len(tuples.sizes))
    group, first, sizes = kernels.group_hashed(keys, tuples.sizes)
    whole = merge_classes(Classes(tuples.sizes, tuples.sensitive), group, len(first))
    crowd = tuples.crowd
    if crowd is not None:
        crowd = replace(crowd, codes=np.ascontiguousarray(crowd.codes[:, columns]))
    return replace(
        tuples,
        columns=tuple(tuples.columns[c] for c in columns),
        hierarchies=hierarchies,
        codes=np.ascontiguousarray(tuples.codes[first][:, columns]),
        sizes=sizes,
        of_row=group[tuples.of_row],
        sensitive=whole.sensitive,
        crowd=crowd,
    )
