"""From parts of a table, each with its own stretch of every column, to a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core import clock
from shoal.core.contract import ClassModel, Mask
from shoal.core.errors import BadParameter
from shoal.tables.appraisal.losses import largest_k, losses
from shoal.tables.appraisal.objective import Objective
from shoal.tables.appraisal.recoding import ColumnRecoding, Recoding, over_stretches
from shoal.tables.appraisal.task_objective import Stretches, Task
from shoal.tables.assemble_release import assemble
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.classes import Classes, ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.text_values import Label
from shoal.tables.release import TableRelease
from shoal.tables.search import grouping_kernels as kernels
from shoal.tables.search.distinct_tuples import Int32, Int64, Tuples, pack_codes
from shoal.tables.table import Table


class LabelledParts:
    """Parts with the labels that they get: parts whose labels are the same in all columns are one class.

    `told[c]` numbers what each part is called in column c, `names[c]` are the texts; a text may come twice.
    """

    def __init__(
        self,
        tuples: Tuples,
        orders: Sequence[LeafOrder],
        part_of_tuple: Int32,
        names: Sequence[Sequence[Label]],
        told: Sequence[NDArray[np.integer]],
    ) -> None:
        self.tuples, self.orders, self.part_of_tuple = tuples, orders, part_of_tuple
        self.names: list[list[Label]] = []
        self.labels: list[Int32] = []
        for texts, numbers in zip(names, told, strict=True):
            # Two stretches may have one name: what counts is what can be read in the release.
            number: dict[Label, int] = {}
            once = np.array([number.setdefault(text, len(number)) for text in texts], np.int32)
            self.names.append(list(number))
            self.labels.append(once[numbers])
        keys = pack_codes(self.labels, [len(texts) for texts in self.names], len(self.labels[0]))
        classes, of_part = np.unique(keys, return_inverse=True)
        self.class_of_part: Int32 = of_part.reshape(-1).astype(np.int32)
        self.number = len(classes)

    @classmethod
    def over(
        cls, tuples: Tuples, orders: Sequence[LeafOrder], part_of_tuple: Int32, first: Int32, last: Int32
    ) -> LabelledParts:
        """Parts that cover the places `first[p, c]` to `last[p, c]` of each line: ranges and labels."""
        names, told = [], []
        for column, order in enumerate(orders):
            width = len(order.leaf_at)
            keys = first[:, column].astype(np.int64) * width + last[:, column]
            found, number = np.unique(keys, return_inverse=True)
            names.append(
                order.names_over((found // width).astype(np.int32), (found % width).astype(np.int32))
            )
            told.append(number.reshape(-1))
        return cls(tuples, orders, part_of_tuple, names, told)

    @classmethod
    def on_levels(
        cls,
        tuples: Tuples,
        orders: Sequence[LeafOrder],
        part_of_tuple: Int32,
        member: Int64,
        levels: NDArray[np.integer],
    ) -> LabelledParts:
        """Parts with labels on level `levels[p, c]` of each hierarchy; `member[p]` is some tuple of the
        part.
        """
        names, told = [], []
        for column, hierarchy in enumerate(tuples.hierarchies):
            begins = np.cumsum([0, *(len(texts) for texts in hierarchy.names[:-1])])
            level = levels[:, column]
            names.append([text for texts in hierarchy.names for text in texts])
            told.append(begins[level] + hierarchy.codes[level, tuples.codes[member, column]])
        return cls(tuples, orders, part_of_tuple, names, told)

    def classes(self) -> Classes:
        """What a reader of the release would see, if every part went out."""
        return self.tuples.grouped(self.class_of_part[self.part_of_tuple], self.number)

    def release(
        self,
        table: Table,
        kept: Mask,
        models: Sequence[ClassModel[Classes]],
        method: str,
        seed: int | None,
        started: float,
        domains: Mapping[str, Domain],
        notes: Sequence[str] = (),
    ) -> TableRelease:
        """The release of the parts that are kept."""
        tuples, part = self.tuples, self.part_of_tuple
        recoded = {
            name: (pl.Series(self.names[c], dtype=pl.String), self.labels[c][part][tuples.of_row])
            for c, name in enumerate(tuples.columns)
        }
        recoding = self.recoding(kept)
        return TableRelease(
            table=assemble(table, recoded, kept[part][tuples.of_row], seed),
            rows=table.rows,
            classes=len(recoding.sizes),
            method=method,
            domains=domains,
            losses=losses(recoding, largest_k(models)),
            seconds=clock.now() - started,
            notes=tuple(notes),
        )

    def recoding(self, kept: Mask) -> Recoding:
        """What became of the values if the parts that are kept go out."""
        part = self.part_of_tuple
        tuple_kept = kept[part]
        columns = tuple(
            self._column(c, order, self.labels[c][part], tuple_kept) for c, order in enumerate(self.orders)
        )
        sizes = np.bincount(self.class_of_part[part], self.tuples.sizes * tuple_kept, self.number)
        return Recoding(columns, sizes[sizes > 0].astype(np.int64), int(self.tuples.sizes.sum()))

    def task_cost(self, task: Task, kept: Mask) -> float:
        """What the parts that are kept cost for a task."""
        part, columns = self.part_of_tuple, []
        for order, names, labels in zip(self.orders, self.names, self.labels, strict=True):
            whole = (0, len(order.leaf_at) - 1)
            ends = np.array([order.stretch_of(name) or whole for name in names], np.int32).reshape(-1, 2)
            columns.append(Stretches(order, labels[part], ends[:, 0], ends[:, 1]))
        return task.of_stretches(columns, self.class_of_part[part], kept[part])

    def _column(self, column: int, order: LeafOrder, label: Int32, kept: Mask) -> ColumnRecoding:
        tuples, leaves = self.tuples, len(order.leaf_at)
        codes, sizes = tuples.codes[:, column], tuples.sizes.astype(np.float64)
        found = [order.stretch_of(name) for name in self.names[column]]
        ends = np.array([stretch or (0, leaves - 1) for stretch in found], np.int32).reshape(-1, 2)
        return over_stretches(
            order,
            ends[:, 0],
            ends[:, 1],
            np.bincount(label[kept], sizes[kept], len(found)).astype(np.float64),
            np.bincount(codes[kept], sizes[kept], leaves).astype(np.float64),
            np.bincount(codes[~kept], sizes[~kept], leaves).astype(np.float64),
        )


@dataclass(frozen=True, eq=False)
class Choice:
    """Labels for all tuples, which parts go out, and what that costs."""

    parts: LabelledParts
    kept: Mask
    cost: float


def choose(
    parts: LabelledParts, kept: Mask, models: Sequence[ClassModel[Classes]], objective: Objective
) -> Choice | None:
    """Some parts as they would go out; None if a class does not hold as a reader sees it."""
    if not all_models_hold(models, _released_classes(parts, kept)).all():
        return None
    if isinstance(objective, Task):
        return Choice(parts, kept, parts.task_cost(objective, kept))
    cost = objective.measure(parts.recoding(kept))
    return Choice(parts, kept, 1 - cost if objective.better == "more" else cost)


def _released_classes(parts: LabelledParts, kept: Mask) -> Classes:
    released = np.zeros(parts.number, np.bool_)
    released[parts.class_of_part[kept]] = True
    out = np.flatnonzero(kept[parts.part_of_tuple])
    number = np.cumsum(released) - 1
    group = number[parts.class_of_part[parts.part_of_tuple[out]]].astype(np.int32)
    few = Classes(parts.tuples.sizes[out], among(parts.tuples.sensitive, out))
    return merge_classes(few, group, int(released.sum()))


def among(counts: Mapping[str, ValueCounts], rows: Int64) -> dict[str, ValueCounts]:
    """The sensitive counts of some tuples."""
    found = {}
    for name, old in counts.items():
        widths = np.diff(old.offsets)[rows]
        offsets = np.concatenate(([0], np.cumsum(widths)))
        entries = np.repeat(old.offsets[:-1][rows] - offsets[:-1], widths) + np.arange(offsets[-1])
        found[name] = ValueCounts(old.domain, offsets, old.values[entries], old.counts[entries])
    return found


def part_of(tuples: Tuples, rest: Int64) -> Tuples:
    """Some of the tuples as a table of their own."""
    sizes = tuples.sizes[rest]
    return replace(
        tuples,
        codes=np.ascontiguousarray(tuples.codes[rest]),
        sizes=sizes,
        of_row=np.arange(len(rest), dtype=np.int32),
        sensitive=among(tuples.sensitive, rest),
    )


def merge_classes(classes: Classes, group: Int32, groups: int) -> Classes:
    """Classes put together by a number each."""
    sizes = np.bincount(group, classes.sizes, groups).astype(np.int64)
    counts = {
        name: ValueCounts(
            old.domain,
            *kernels.merge_counts(old.offsets, old.values, old.counts, group, groups, len(old.domain.values)),
        )
        for name, old in classes.sensitive.items()
    }
    return Classes(sizes, counts)


def all_models_hold(models: Sequence[ClassModel[Classes]], classes: Classes) -> Mask:
    """Per class, whether every model holds."""
    holds = np.ones(len(classes), np.bool_)
    for model in models:
        holds &= model.holds(classes)
    return holds


def refuse_table_wide(models: Sequence[ClassModel[Classes]], method: str, instead: str) -> None:
    """A method that settles one class at a time cannot keep a promise about the table as a whole."""
    for model in models:
        if model.scope == "table":
            raise BadParameter(
                f"{method} settles one class at a time and {model.name} speaks of the whole table; {instead}"
            )
