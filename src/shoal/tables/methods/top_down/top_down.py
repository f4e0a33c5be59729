"""Top-down specialisation: from `*` everywhere down to a cut through every column's tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core import clock
from shoal.core.contract import ClassModel, Cuts, Refines
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.progress import Watch
from shoal.tables.appraisal.losses import largest_k, losses
from shoal.tables.appraisal.recoding import Recoding, over_stretches
from shoal.tables.assemble_release import assemble
from shoal.tables.hierarchies import suggest
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.methods.top_down.column_tree import Tree
from shoal.tables.methods.top_down.specialisation import Specialisation
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import Domain, domains_of
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.models.lkc import LKC
from shoal.tables.release import TableMethod, TableRelease
from shoal.tables.search import grouping_kernels as kernels
from shoal.tables.search.distinct_tuples import Tuples, pack_codes
from shoal.tables.search.unreachable_promise import why_never
from shoal.tables.table import Table

Score = Literal["gain", "weighted"]
SCORES = ("gain", "weighted")
MOST_CLASSES = 200


@dataclass(frozen=True)
class TopDown(TableMethod):
    """Every column starts at `*` and is made finer value by value, the best step first, as models allow.

    A column may be fine where there are many people and coarse where there are few; no row is suppressed.
    The best step has the most information gain on the class column; without one, and among equals, it lowers
    the loss the most. `score=weighted` counts a gain by the rows that have it; `gain`, as in the paper, does
    not, and so favours columns of many values. Numbers without a hierarchy of their own are halved where
    best.

    Mohammed, Fung, Hung, Lee, "Anonymizing healthcare data: a case study on the blood transfusion service",
    2009 (HDTDS); Fung, Wang, Yu, "Top-down specialization for information and privacy preservation", 2005.
    """

    name: ClassVar[str] = "top-down"
    in_words: ClassVar[str] = "every column made finer step by step, as far as the promises allow"
    counts_suffice: ClassVar[bool] = True
    refines: ClassVar[Refines | None] = "label"
    cuts: ClassVar[Cuts | None] = "best"

    class_column: str | None = None
    score: Score = "gain"
    time_limit: float | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.score not in SCORES:
            raise BadParameter(f"top-down knows the scores {', '.join(SCORES)}, not '{self.score}'")
        if self.time_limit is not None and not self.time_limit > 0:
            raise BadParameter(f"time-limit is a number of seconds above 0, not {self.time_limit:g}")

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """A release on a cut that no single step can make finer."""
        started = clock.now()
        hierarchies = {
            column: table.hierarchies.get(column) or suggest(table.frame[column], column).hierarchy
            for column in table.quasi
        }
        domains = domains_of(table, models)
        tuples = Tuples.of(table, hierarchies, domains)
        trees = self._trees(table, tuples, models)
        search = Specialisation(tuples, trees, models)
        whole = search.validity.whole()
        if not all(model.holds(whole).all() for model in models):
            raise Unreachable(why_never(whole, models))
        limit = None if self.time_limit is None else started + self.time_limit
        note = search.run(limit, watch)
        return self._release(table, search, models, domains, started, note)

    def _trees(self, table: Table, tuples: Tuples, models: Sequence[ClassModel[Classes]]) -> list[Tree]:
        classes = self._classes(table)
        width = int(classes.max()) + 1
        least = max([largest_k(models), *(model.K for model in models if isinstance(model, LKC))])
        trees = []
        for c, (column, hierarchy) in enumerate(zip(tuples.columns, tuples.hierarchies, strict=True)):
            order = LeafOrder.of(hierarchy)
            place = order.place_of[tuples.codes[:, c]][tuples.of_row].astype(np.int64)
            counts = np.bincount(place * width + classes, table.weights, len(hierarchy.leaves) * width)
            grows = order.numbers > 0 and _nobody_gave(table, column)
            rows = counts.reshape(-1, width).astype(np.float64)
            trees.append(Tree(order, grows, rows, least, self.score == "weighted"))
        return trees

    def _classes(self, table: Table) -> NDArray[np.int64]:
        """The class of every row, as a number."""
        if self.class_column is None:
            return np.zeros(table.frame.height, np.int64)
        if self.class_column not in table.columns:
            raise BadParameter(
                f"no class column '{self.class_column}'; the table has {', '.join(table.columns)}"
            )
        values = texts(table.frame[self.class_column])
        if values.n_unique() > MOST_CLASSES:
            raise BadParameter(
                f"the class column '{self.class_column}' has {values.n_unique():,} different values; "
                f"name one with at most {MOST_CLASSES}"
            )
        return values.rank("dense").fill_null(0).to_numpy().astype(np.int64)

    def _release(
        self,
        table: Table,
        search: Specialisation,
        models: Sequence[ClassModel[Classes]],
        domains: Mapping[str, Domain],
        started: float,
        note: str | None,
    ) -> TableRelease:
        tuples, columns, recoded = search.tuples, [], {}
        for c, (column, tree) in enumerate(zip(tuples.columns, search.trees, strict=True)):
            first, last = np.array(search.stretches[c], np.int32).T
            # Two stretches may have one name: what counts is what can be read in the release.
            number: dict[str | None, int] = {}
            told = np.array(
                [number.setdefault(name, len(number)) for name in tree.names(first, last)], np.int32
            )
            search.labels[c] = told[search.labels[c]]
            ends = [tree.order.stretch_of(name) or (0, len(tree.counts) - 1) for name in number]
            first, last = np.array(ends, np.int32).T
            rows = np.bincount(search.labels[c], tuples.sizes, len(number)).astype(np.float64)
            leaves = tuples.leaf_counts[c].astype(np.float64)
            columns.append(over_stretches(tree.order, first, last, rows, leaves, np.zeros(len(leaves))))
            recoded[column] = (pl.Series(list(number), dtype=pl.String), search.labels[c][tuples.of_row])
        widths = [len(stretches) for stretches in search.stretches]
        keys = pack_codes(list(search.labels), widths, len(tuples.sizes))
        _, _, sizes = kernels.group_hashed(keys, tuples.sizes)
        return TableRelease(
            table=assemble(table, recoded, np.ones(table.frame.height, np.bool_), self.seed),
            rows=table.rows,
            classes=len(sizes),
            method=self.name,
            domains=domains,
            losses=losses(Recoding(tuple(columns), sizes, table.rows), largest_k(models)),
            seconds=clock.now() - started,
            notes=() if note is None else (note,),
            minimal=note is None,
        )


def _nobody_gave(table: Table, column: str) -> bool:
    """Whether the hierarchy of a column of numbers is the one that Shoal suggests by itself."""
    suggestion = suggest(table.frame[column], column)
    given = table.hierarchies.get(column)
    return suggestion.reason == "numbers" and (given is None or given.names == suggestion.hierarchy.names)
