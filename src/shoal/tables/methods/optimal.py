"""Optimal full-domain generalisation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core import clock
from shoal.core.contract import ClassModel, Refines
from shoal.core.errors import Unreachable
from shoal.core.progress import Watch
from shoal.tables.appraisal.losses import largest_k, losses, objective
from shoal.tables.appraisal.objective import SizeLoss, Sizes
from shoal.tables.appraisal.recoding import full_domain
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import Domain, domains_of
from shoal.tables.release import TableMethod, TableRelease, assemble
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice, Node
from shoal.tables.search.lattice_method_options import LatticeRequest
from shoal.tables.search.lattice_search import Best, LatticeSearch
from shoal.tables.search.unreachable_promise import why_never
from shoal.tables.table import Table


@dataclass(frozen=True)
class SuppressedRows(SizeLoss):
    """How many rows are not released. Minimised to tell a user what would make a promise reachable."""

    name: ClassVar[str] = "suppressed-rows"

    def of_sizes(self, sizes: Sizes, suppressed: int) -> float:
        return float(suppressed)

    def at_least(self, sizes: Sizes, limit: int, smallest: int) -> float:
        return 0.0

    def when_doomed(self, doomed: float, rows: int, smallest: int) -> float:
        return doomed


@dataclass(frozen=True)
class Optimal(LatticeRequest, TableMethod):
    """Every column on one level of its hierarchy, classes that fail suppressed, at the least loss there is.

    Searches the whole lattice and proves the result, or says that a time limit stopped it. Full-domain
    generalisation is Samarati 2001; that a search with suppression can be exact is El Emam et al. 2009 (OLA)
    and Kohlmayer et al. 2012 (Flash); the bounds here are described in `lattice_search`.
    """

    name: ClassVar[str] = "optimal"
    in_words: ClassVar[str] = "every column on one level of detail, the least loss possible"
    refines: ClassVar[Refines | None] = "column"

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """The best release of a table whose quasi-identifiers all have hierarchies."""
        started = clock.now()
        domains = domains_of(table, models)
        tuples = Tuples.of(table, table.hierarchies, domains)
        lattice = Lattice(tuples)
        k = largest_k(models)
        limit = self.allowed(table.rows)
        search = LatticeSearch(lattice, models, objective(self.objective, k), limit)
        best = search.run(self.time_limit, watch)
        if best is None:
            raise self._unreachable(lattice, models, search)
        return self._release(table, lattice, models, best, domains, started)

    def _release(
        self,
        table: Table,
        lattice: Lattice,
        models: Sequence[ClassModel[Classes]],
        best: Best,
        domains: dict[str, Domain],
        started: float,
    ) -> TableRelease:
        tuples, levels = lattice.tuples, best.node
        group, classes = lattice.members(levels)
        kept = np.ones(len(classes), np.bool_)
        for model in models:
            kept &= model.holds(classes)
        tuple_kept = kept[group]
        counts = [
            [
                np.bincount(
                    tuples.codes[mask, c], weights=tuples.sizes[mask], minlength=len(hierarchy.leaves)
                ).astype(np.float64)
                for c, hierarchy in enumerate(tuples.hierarchies)
            ]
            for mask in (tuple_kept, ~tuple_kept)
        ]
        recoding = full_domain(tuples.hierarchies, levels, counts[0], counts[1], classes.sizes[kept])
        recoded = {
            column: (
                pl.Series(hierarchy.names[level], dtype=pl.String),
                hierarchy.codes[level][tuples.codes[:, c]][tuples.of_row],
            )
            for c, (column, hierarchy, level) in enumerate(
                zip(tuples.columns, tuples.hierarchies, levels, strict=True)
            )
            if level > 0
        }
        released = assemble(table, recoded, tuple_kept[tuples.of_row], self.seed)
        return TableRelease(
            table=released,
            rows=table.rows,
            classes=int(kept.sum()),
            method=self.name,
            domains=domains,
            losses=losses(recoding, largest_k(models)),
            optimal=best.optimal,
            minimal=best.optimal,
            levels=dict(zip(tuples.columns, levels, strict=True)),
            seconds=clock.now() - started,
        )

    def _unreachable(
        self, lattice: Lattice, models: Sequence[ClassModel[Classes]], search: LatticeSearch
    ) -> Unreachable:
        if np.isfinite(search.bound.min()):
            return Unreachable(
                f"the time limit of {self.time_limit:g} s ended before any release was found; allow more"
            )
        least = LatticeSearch(lattice, models, SuppressedRows(), lattice.tuples.rows).run()
        rows = lattice.tuples.rows
        if least is not None:
            share = math.ceil(least.cost / rows * 1000) / 10
            return Unreachable(
                f"no generalisation keeps the promise with at most {self.suppress:.4g} of the rows "
                f"suppressed; --suppress {share / 100:.4g} would do ({int(least.cost):,} of {rows:,} rows)"
            )
        top: Node = tuple(levels - 1 for levels in lattice.shape)
        return Unreachable(why_never(lattice.classes(top), models))
