"""Mondrian: multidimensional local recoding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core import clock
from shoal.core.contract import ClassModel, Cuts, Refines
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.progress import Watch
from shoal.core.randomness import generator
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import Domain, domains_of
from shoal.tables.release import TableMethod, TableRelease
from shoal.tables.search.distinct_tuples import Tuples, count_codes
from shoal.tables.search.labelled_release import all_models_hold, refuse_table_wide
from shoal.tables.search.partition import Partition
from shoal.tables.search.unreachable_promise import why_never
from shoal.tables.table import Table


@dataclass(frozen=True)
class Mondrian(TableMethod):
    """Cuts the table into ever smaller parts, each with its own ranges and labels, while every part holds.

    A part is cut where it is widest: numbers at the median, categories along their hierarchy, where each
    branch that can stand alone leaves and the rest keeps the label above. Nothing is suppressed. Works for
    any model that a class keeps by itself. `relaxed` lets rows with the median value go to either side by
    chance, so that ranges may touch.

    LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity", 2006.
    """

    name: ClassVar[str] = "mondrian"
    in_words: ClassVar[str] = "the rows cut into ever smaller groups, each with labels of its own"
    counts_suffice: ClassVar[bool] = True
    refines: ClassVar[Refines | None] = "class"
    tight: ClassVar[bool] = True
    cuts: ClassVar[Cuts | None] = "median"

    relaxed: bool = False
    seed: int | None = None

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """A release of a table whose quasi-identifiers all have hierarchies."""
        started = clock.now()
        refuse_table_wide(models, self.name, "use optimal, or top-down for lkc")
        domains = domains_of(table, models)
        tuples = Tuples.of(table, table.hierarchies, domains)
        whole = tuples.grouped(np.zeros(len(tuples.sizes), np.int32), 1)
        if not all_models_hold(models, whole).all():
            raise Unreachable(why_never(whole, models))
        if self.relaxed:
            if table.weights is not None:
                raise BadParameter(
                    "relaxed Mondrian parts rows that look alike, and these rows stay in an engine; use "
                    "--method mondrian"
                )
            tuples = _row_by_row(tuples, table, domains, self.seed)
        orders = [LeafOrder.of(hierarchy) for hierarchy in tuples.hierarchies]
        partition = Partition(tuples, orders, models, self.relaxed)
        partition.cut_up(watch)
        parts = partition.settle(tuples)
        kept = np.ones(len(parts.class_of_part), np.bool_)
        release = parts.release(table, kept, models, self.name, self.seed, started, domains)
        # Who looks alike may be on either side of a relaxed cut, so nobody knows which cut was refused.
        return replace(release, minimal=not self.relaxed)


def _row_by_row(tuples: Tuples, table: Table, domains: dict[str, Domain], seed: int | None) -> Tuples:
    """Every row a tuple of its own, so that rows that look alike can part.

    Which of them goes to which side follows from their order. That is drawn, after sorting: the order in
    which rows came must not show in the groups, nor be found by undoing a guessed seed.
    """
    names = sorted(table.columns, key=lambda name: name in table.identifier)
    plain = pl.DataFrame([table.frame[name].alias(f"{place}") for place, name in enumerate(names)])
    first = plain.select(pl.arg_sort_by(plain.columns, nulls_last=True)).to_series().to_numpy()
    order = first[generator(seed).permutation(table.rows)]
    place_of = np.empty(table.rows, np.int32)
    place_of[order] = np.arange(table.rows, dtype=np.int32)
    return replace(
        tuples,
        codes=tuples.codes[tuples.of_row[order]],
        sizes=np.ones(table.rows, np.int64),
        of_row=place_of,
        sensitive={
            name: count_codes(domain.series(table.frame), place_of, table.rows, domain)
            for name, domain in domains.items()
        },
    )
