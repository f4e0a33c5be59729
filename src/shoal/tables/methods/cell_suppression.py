"""Local suppression: single cells become `*`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shoal.core import clock
from shoal.core.contract import ClassModel
from shoal.core.errors import Unreachable
from shoal.core.progress import Watch
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.release import TableMethod, TableRelease
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.labelled_release import LabelledParts, all_models_hold, refuse_table_wide
from shoal.tables.search.lattice_method_options import LatticeRequest
from shoal.tables.search.recoding_rounds import Rounds, cheapest
from shoal.tables.search.unreachable_promise import why_never
from shoal.tables.table import Table


@dataclass(frozen=True)
class CellSuppression(LatticeRequest, TableMethod):
    """Every cell keeps its value or becomes `*`: as few of them as a greedy search finds, until models hold.

    Rows that hold as they are stay whole. For the others the cells to hide are tried from the cheapest up,
    and rows that hold together go out. Rows for which nothing helps are suppressed, up to `suppress`.

    Local suppression as in mu-Argus, Hundepool and Willenborg 1996; that the least number of cells is hard to
    find is Meyerson and Williams, "On the complexity of optimal k-anonymity", 2004.
    """

    name: ClassVar[str] = "cell-suppression"
    in_words: ClassVar[str] = "single cells replaced by *"
    counts_suffice: ClassVar[bool] = True
    tight: ClassVar[bool] = True
    all_or_nothing: ClassVar[bool] = True

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """A release of a table whose quasi-identifiers all have hierarchies; only their leaves are used."""
        started = clock.now()
        refuse_table_wide(models, self.name, "use optimal, or top-down for lkc")
        domains = domains_of(table, models)
        tuples = Tuples.of(table, table.hierarchies, domains)
        flat = replace(tuples, hierarchies=tuple(_two_levels(hierarchy) for hierarchy in tuples.hierarchies))
        wanted = self.wanted(table, flat, models)
        allowed = self.allowed(table.rows)
        until = None if self.time_limit is None else started + self.time_limit
        search = Rounds(flat, models, wanted, allowed, until, watch)
        plans = [search.ascending(len(tuples.sizes) + 1), search.repeated(allowed, 1)]
        best = cheapest(plans, flat, models, wanted)
        if best is None:
            whole = tuples.grouped(np.zeros(len(tuples.sizes), np.int32), 1)
            if not all_models_hold(models, whole).all():
                raise Unreachable(why_never(whole, models))
            raise Unreachable(
                f"no cells could be hidden so that at most {self.suppress:.4g} of the rows are suppressed; "
                "allow more, or take mondrian"
            )
        # The losses are counted by the hierarchies that the user knows.
        orders = [LeafOrder.of(hierarchy) for hierarchy in tuples.hierarchies]
        made = best.parts
        parts = LabelledParts(tuples, orders, made.part_of_tuple, made.names, made.labels)
        release = parts.release(table, best.kept, models, self.name, self.seed, started, domains)
        return self.with_cost(release, wanted, best.cost)


def _two_levels(hierarchy: Hierarchy) -> Hierarchy:
    """The same leaves with nothing between them and `*`."""
    return Hierarchy.of_levels([list(hierarchy.leaves)])
