"""Full-domain generalisation where the lattice is too large to prove anything by visiting it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core import clock
from shoal.core.contract import ClassModel, Mask, Refines
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.progress import Watch
from shoal.core.randomness import generator
from shoal.tables.appraisal.losses import largest_k, losses
from shoal.tables.appraisal.recoding import Recoding, full_domain
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.methods.heuristic.lower_bound import least_cost
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.release import TableMethod, TableRelease
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.labelled_release import LabelledParts, all_models_hold
from shoal.tables.search.lattice import Lattice, Node
from shoal.tables.search.lattice_descent import Descent
from shoal.tables.search.lattice_method_options import LatticeRequest
from shoal.tables.search.unreachable_promise import why_never
from shoal.tables.table import Table

MOST_COLUMNS = 200
USUAL_SECONDS = 10.0
BOUND_SHARE = 0.2


@dataclass(frozen=True)
class Heuristic(LatticeRequest, TableMethod):
    """Every column on one level of its hierarchy, for lattices that no search can visit: good, not proved
    best.

    Descends from the top in many orders and improves the best by local moves until that pays no more or the
    time is over (10 s of its own work unless told otherwise). Says how far from the best it can be at most;
    that bound comes from groups of a few columns, each solved by itself, and is often weak. With a seed the
    result repeats unless the time ended the search.

    Full-domain generalisation is Samarati 2001; searching it greedily is Sweeney's Datafly 1997, descending
    from the top with local moves is after LIGHTNING, Prasser et al. 2016.
    """

    name: ClassVar[str] = "heuristic"
    in_words: ClassVar[str] = "every column on one level of detail, a good choice but not proved best"
    counts_suffice: ClassVar[bool] = True
    refines: ClassVar[Refines | None] = "column"

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """The best release found for a table whose quasi-identifiers all have hierarchies."""
        with self.own_time():
            return self._found(table, models, watch)

    def _found(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None
    ) -> TableRelease:
        started = clock.now()
        if len(table.quasi) > MOST_COLUMNS:
            raise BadParameter(
                f"{len(table.quasi):,} quasi-identifiers on one level each would all end at *, and heuristic "
                f"takes {MOST_COLUMNS} at most; use the method top-down with the model lkc"
            )
        domains = domains_of(table, models)
        lattice = Lattice(Tuples.of(table, table.hierarchies, domains))
        limit = self.allowed(table.rows)
        k = largest_k(models)
        wanted = self.wanted(table, lattice.tuples, models)
        seconds = USUAL_SECONDS if self.time_limit is None else self.time_limit
        bound = least_cost(lattice.tuples, models, wanted, limit, started + BOUND_SHARE * seconds)
        search = Descent(lattice, models, wanted, limit, bound, generator(self.seed))
        search.run(started + seconds, watch)
        if search.best is None:
            raise self._unreachable(lattice, models, search)
        group, classes = lattice.members(search.best)
        kept = all_models_hold(models, classes)
        levels = np.tile(np.array(search.best), (len(classes), 1))
        orders = [LeafOrder.of(hierarchy) for hierarchy in lattice.tuples.hierarchies]
        member = classes.representatives.astype(np.int64)
        parts = LabelledParts.on_levels(lattice.tuples, orders, group, member, levels)
        note = _how_far(search.cost, bound, search.stopped, seconds)
        release = parts.release(table, kept, models, self.name, self.seed, started, domains, [note])
        release = self.with_cost(release, wanted, search.cost)
        told = losses(_at_levels(lattice.tuples, search.best, kept[group], classes.sizes[kept]), k)
        return replace(
            release,
            losses={**release.losses, **told},
            optimal=search.cost <= bound * (1 + 1e-12),
            minimal=not search.stopped,
            levels=dict(zip(table.quasi, search.best, strict=True)),
        )

    def _unreachable(
        self, lattice: Lattice, models: Sequence[ClassModel[Classes]], search: Descent
    ) -> Unreachable:
        whole = lattice.classes(tuple(levels - 1 for levels in lattice.shape))
        rows, fewest = lattice.tuples.rows, search.fewest_lost
        if fewest < rows:
            share = math.ceil(fewest / rows * 1000) / 10
            return Unreachable(
                f"found no generalisation that keeps the promise with at most {self.suppress:.4g} of the "
                f"rows suppressed; --suppress {share / 100:.4g} would do ({fewest:,} of {rows:,} rows)"
            )
        return Unreachable(why_never(whole, models))


def _at_levels(tuples: Tuples, node: Node, kept: Mask, sizes: NDArray[np.int64]) -> Recoding:
    """What became of the values at a node, where some tuples are kept."""
    counts = [
        [
            np.bincount(tuples.codes[mask, c], tuples.sizes[mask], len(hierarchy.leaves)).astype(np.float64)
            for c, hierarchy in enumerate(tuples.hierarchies)
        ]
        for mask in (kept, ~kept)
    ]
    return full_domain(tuples.hierarchies, node, counts[0], counts[1], sizes)


def _how_far(cost: float, bound: float, stopped: bool, seconds: float) -> str:
    """What is known about the distance from the best."""
    ended = f"the time limit of {seconds:g} s ended the search; " if stopped else ""
    if cost <= bound * (1 + 1e-12):
        return f"{ended}proved: no full-domain release costs less"
    if bound <= 0:
        return f"{ended}not proved to be the best, and no bound was found that says how far from it"
    return (
        f"{ended}costs at most {cost / bound - 1:.1%} more than any full-domain release could "
        f"(found {cost:.6g}, bound {bound:.6g})"
    )
