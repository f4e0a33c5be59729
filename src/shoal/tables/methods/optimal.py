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
from shoal.tables.appraisal.losses import largest_k, losses
from shoal.tables.appraisal.objective import SizeLoss, Sizes
from shoal.tables.appraisal.recoding import full_domain
from shoal.tables.assemble_release import assemble
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import Domain, domains_of
from shoal.tables.release import TableMethod, TableRelease
from shoal.tables.search.chosen_levels import chosen_part
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.exact_search import exact_search
from shoal.tables.search.labelled_release import all_models_hold
from shoal.tables.search.lattice import Lattice, Node
from shoal.tables.search.lattice_method_options import LatticeRequest
from shoal.tables.search.lattice_search import LARGEST_LATTICE, LatticeSearch
from shoal.tables.search.node_search import Best
from shoal.tables.search.unreachable_promise import why_never
from shoal.tables.table import Table


def how_far(cost: float, bound: float, seconds: float | None) -> str:
    """What a search that a time limit stopped knows about the distance from the best."""
    ended = f"the time limit of {seconds:g} s ended the search" if seconds else "the search was ended"
    if bound <= 0:
        return f"{ended}; not proved to be the best, and no bound was found that says how far from it"
    return (
        f"{ended}; the best costs at most {1 - bound / cost:.1%} less than what was found "
        f"(found {cost:.6g}, bound {bound:.6g})"
    )


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
    and Kohlmayer et al. 2012 (Flash); the bounds here are described in `lattice_search`,
    and what is done without an array of the whole lattice in `box_search`.
    `levels`, as in `age=2|zip=1`, puts columns on levels of your choice and searches the others.
    """

    name: ClassVar[str] = "optimal"
    in_words: ClassVar[str] = "every column on one level of detail, the least loss possible"
    counts_suffice: ClassVar[bool] = True
    refines: ClassVar[Refines | None] = "column"

    levels: tuple[str, ...] = ()  # COLUMN=LEVEL

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """The best release of a table whose quasi-identifiers all have hierarchies."""
        started = clock.now()
        domains = domains_of(table, models)
        tuples = Tuples.of(table, table.hierarchies, domains)
        lattice = Lattice(tuples)
        limit = self.allowed(table.rows)
        within = chosen_part(self.levels, tuples)
        wanted = self.wanted(table, tuples, models)
        ends = self.time_limit is not None
        search = exact_search(lattice, models, wanted, limit, within, ends=ends)
        best = search.run(self.time_limit, watch)
        if best is None:
            raise self._unreachable(lattice, models, float(np.min(search.bound)), within)
        made = self._release(table, lattice, models, best, domains, started)
        return self.with_cost(made, wanted, best.cost)

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
            optimal=None if self.levels else best.optimal,
            proves=True,
            minimal=best.optimal and not self.levels,
            levels=dict(zip(tuples.columns, levels, strict=True)),
            seconds=clock.now() - started,
            bound=None if self.levels or best.optimal else best.bound,
            notes=() if best.optimal else (how_far(best.cost, best.bound, self.time_limit),),
        )

    def _unreachable(
        self,
        lattice: Lattice,
        models: Sequence[ClassModel[Classes]],
        bound: float,
        within: Sequence[slice],
    ) -> Unreachable:
        if np.isfinite(bound):
            return Unreachable(
                f"the time limit of {self.time_limit:g} s ended before any release was found; allow more"
            )
        rows, few = lattice.tuples.rows, math.prod(lattice.shape) <= LARGEST_LATTICE
        least = LatticeSearch(lattice, models, SuppressedRows(), rows, within).run() if few else None
        if least is not None:
            share = math.ceil(least.cost / rows * 1000) / 10
            what = f"no generalisation with {', '.join(self.levels)}" if self.levels else "no generalisation"
            return Unreachable(
                f"{what} keeps the promise with at most {self.suppress:.4g} of the rows "
                f"suppressed; --suppress {share / 100:.4g} would do ({int(least.cost):,} of {rows:,} rows)"
            )
        top: Node = tuple(levels - 1 for levels in lattice.shape)
        if not few and all_models_hold(models, lattice.classes(top)).any():
            return Unreachable(
                f"no generalisation{' with ' * bool(self.levels)}{', '.join(self.levels)} keeps the promise "
                f"with at most {self.suppress:.4g} of the rows suppressed; --suppress allows more"
            )
        if self.levels:
            return Unreachable(
                f"with {', '.join(self.levels)} no row could be released: every group breaks the promise; "
                "choose higher levels"
            )
        return Unreachable(why_never(lattice.classes(top), models))
