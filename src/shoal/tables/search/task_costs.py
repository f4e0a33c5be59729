"""What releases that a search tries cost for a task."""

from __future__ import annotations

import numpy as np

from shoal.core.contract import Mask
from shoal.tables.appraisal.task_objective import Int32, Task, TaskRows
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice, Node, NodeClasses
from shoal.tables.table import Table


def task_rows(table: Table, tuples: Tuples) -> TaskRows:
    """A table as a task sees it."""
    weights = np.ones(table.frame.height, np.int64) if table.weights is None else table.weights
    here = set(table.frame.columns)
    unchanged = tuple(name for name in (*table.sensitive, *table.insensitive) if name in here)
    return TaskRows(
        tuples.columns,
        tuples.hierarchies,
        tuples.codes,
        tuples.sizes,
        table.frame,
        tuples.of_row,
        weights,
        unchanged,
    )


def cost_at_node(task: Task, lattice: Lattice, node: Node, classes: NodeClasses, kept: Mask) -> float:
    """The cost of a node whose classes are kept or left out."""
    group = lattice.members(node)[0]
    return task.at_levels(node, group, _of_tuples(group, classes, kept))


def least_above(task: Task, lattice: Lattice, node: Node) -> float:
    """A cost that no node above can beat."""
    return task.above(lattice.members(node)[0])


def _of_tuples(group: Int32, classes: NodeClasses, kept: Mask) -> Mask:
    """Which tuples go out; classes are numbered in another order than the groups."""
    found = np.empty(len(kept), np.bool_)
    found[group[classes.representatives]] = kept
    return found[group]
