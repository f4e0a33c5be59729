"""Optimal full-domain generalisation."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.contract import Model, Watch
from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.classes import Classes
from shoal.tables.domains import Domain, domains_of
from shoal.tables.lattice import Lattice, Node
from shoal.tables.losses import largest_k, losses, objective
from shoal.tables.measures.suppressed import SuppressedRows
from shoal.tables.methods.lattice_search import Best, LatticeSearch
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.multi_attribute_diversity import MultiAttributeDiversity
from shoal.tables.recoding import full_domain
from shoal.tables.release import TableRelease, assemble
from shoal.tables.table import Table
from shoal.tables.tuples import Tuples


@dataclass(frozen=True)
class Optimal:
    """Every column on one level of its ladder, classes that fail suppressed, at the least loss there is.

    Searches the whole lattice and proves the result, or says that a time limit stopped it. Full-domain
    generalisation is Samarati 2001; that a search with suppression can be exact is El Emam et al. 2009 (OLA)
    and Kohlmayer et al. 2012 (Flash); the bounds here are described in `lattice_search`.
    """

    name: ClassVar[str] = "optimal"

    objective: str = "loss"
    suppress: float = 0.0
    time_limit: float | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.suppress <= 1:
            raise BadParameter(f"suppress is a share of the rows between 0 and 1, not {self.suppress:g}")
        if self.time_limit is not None and not self.time_limit > 0:
            raise BadParameter(f"time-limit is a number of seconds above 0, not {self.time_limit:g}")
        objective(self.objective)

    def protect(
        self, table: Table, models: Sequence[Model[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """The best release of a table whose quasi-identifiers all have hierarchies."""
        started = time.monotonic()
        domains = domains_of(table, models)
        tuples = Tuples.of(table, table.hierarchies, domains)
        lattice = Lattice(tuples)
        k = largest_k(models)
        # The product in decimals, as the user wrote it: 0.29 × 100 must be 29.
        limit = math.floor(table.rows * self.suppress + 1e-9)
        search = LatticeSearch(lattice, models, objective(self.objective, k), limit)
        best = search.run(self.time_limit, watch)
        if best is None:
            raise self._unreachable(lattice, models, search)
        return self._release(table, lattice, models, best, domains, started)

    def _release(
        self,
        table: Table,
        lattice: Lattice,
        models: Sequence[Model[Classes]],
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
                    tuples.codes[mask, c], weights=tuples.sizes[mask], minlength=len(ladder.leaves)
                ).astype(np.float64)
                for c, ladder in enumerate(tuples.ladders)
            ]
            for mask in (tuple_kept, ~tuple_kept)
        ]
        recoding = full_domain(tuples.ladders, levels, counts[0], counts[1], classes.sizes[kept])
        recoded = {
            column: (
                pl.Series(ladder.names[level], dtype=pl.String),
                ladder.codes[level][tuples.codes[:, c]][tuples.of_row],
            )
            for c, (column, ladder, level) in enumerate(
                zip(tuples.columns, tuples.ladders, levels, strict=True)
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
            levels=dict(zip(tuples.columns, levels, strict=True)),
            seconds=time.monotonic() - started,
        )

    def _unreachable(
        self, lattice: Lattice, models: Sequence[Model[Classes]], search: LatticeSearch
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


def why_never(whole: Classes, models: Sequence[Model[Classes]]) -> str:
    """Which model fails even when the whole table is one class, and what would hold there."""
    # Where no class of any node can be released, neither can the one at the top.
    model = next(model for model in models if not model.holds(whole).all())
    level = model.level(whole)
    if hasattr(model, "mechanisms"):
        return f"{model.name} is a promise of a method, not of rows; use {' or '.join(model.mechanisms)}"
    if isinstance(model, LDiversity | MultiAttributeDiversity) and model.kind == "recursive":
        offer = f"has too few values for l={model.l:g}; ask for a smaller l"
        if math.isfinite(level):
            offer = f"needs c above {math.ceil(level * 1e4 - 1e-9) / 1e4:.12g}; ask for that, or a smaller l"
    elif hasattr(model, "unmet"):
        offer = model.unmet(whole)
    elif getattr(model, "lower_is_better", False):
        offer = "lacks values that it would need; ask for less"
        if math.isfinite(level):
            least = "more" if getattr(model, "strict", False) else "no less"
            offer = f"comes to {math.ceil(level * 1e4 - 1e-9) / 1e4:.12g}; ask for {least} than that"
    else:
        # Rounded down, so that what is named really holds.
        offer = f"offers {math.floor(level * 1e4 + 1e-9) / 1e4:.12g}; ask for no more than that"
    return f"{model.name} cannot hold: the whole table as one class {offer}"
