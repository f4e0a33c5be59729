"""Local recoding in rounds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from shoal.core import clock
from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.progress import Watch
from shoal.tables.appraisal.objective import CellLoss
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.measures.loss import Loss
from shoal.tables.methods.optimal import Optimal
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.release import TableMethod, TableRelease
from shoal.tables.search.clustering import refined_groups
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.labelled_release import choose, refuse_table_wide
from shoal.tables.search.lattice_method_options import LatticeRequest
from shoal.tables.search.recoding_rounds import MOST_SEARCHED, Plan, Rounds, cheapest
from shoal.tables.table import Table


@dataclass(frozen=True)
class LocalRecoding(LatticeRequest, TableMethod):
    """Groups of rows that lie close together, each under the lowest labels that cover it: least loss of all.

    Several ways are tried and the best counts: the optimal release, what it left out treated again on levels
    of its own, all levels from the cheapest up, Mondrian's cut, and groups that grow row by row. Then rows
    change places between groups as long as that costs less and every group keeps every promise. The result
    never costs more than the optimal release, nor than Mondrian's with such labels. Labels are those of the
    hierarchies; `ranges` allows any range of numbers, as Mondrian does, and loses less. No more rows are
    suppressed than `suppress` allows. `rounds` limits how often rows are treated again.

    Prasser, Kohlmayer, Spengler, Kuhn, "A scalable and pragmatic method for the safe sharing of high-quality
    health data", 2018 (iterative local recoding in ARX); Byun, Kamra, Bertino, Li, "Efficient k-anonymization
    using clustering techniques", 2007.
    """

    name: ClassVar[str] = "local-recoding"
    in_words: ClassVar[str] = "rows that would be left out are coarsened further instead"
    counts_suffice: ClassVar[bool] = True
    tight: ClassVar[bool] = True

    rounds: int = 1000
    ranges: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rounds < 1:
            raise BadParameter(f"local-recoding needs at least 1 of its rounds, not {self.rounds}")

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """A release of a table whose quasi-identifiers all have hierarchies."""
        with self.own_time():
            return self._found(table, models, watch)

    def _found(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None
    ) -> TableRelease:
        started = clock.now()
        refuse_table_wide(models, self.name, "use optimal, or top-down for lkc")
        domains = domains_of(table, models)
        tuples = Tuples.of(table, table.hierarchies, domains)
        wanted = self.wanted(table, tuples, models)
        allowed = self.allowed(table.rows)
        until = None if self.time_limit is None else started + self.time_limit

        def late() -> bool:
            return until is not None and clock.now() > until

        search = Rounds(tuples, models, wanted, allowed, until, watch)

        nodes = math.prod(hierarchy.height + 1 for hierarchy in tuples.hierarchies)

        def plans() -> Iterator[Plan | None]:
            yield search.repeated(allowed, 1)  # the optimal release itself, in case others break a promise
            # Of very many levels hardly any are worth a look, and groups that grow do far better.
            if self.rounds > 1 and nodes <= MOST_SEARCHED:
                yield search.repeated(allowed, self.rounds)
                yield search.repeated(table.rows, self.rounds)
                yield search.ascending(self.rounds)

        best = cheapest(plans(), tuples, models, wanted)
        orders = [
            LeafOrder.of(hierarchy) if self.ranges else LeafOrder.of_branches(hierarchy)
            for hierarchy in tuples.hierarchies
        ]
        if self.rounds > 1:
            guide = wanted if isinstance(wanted, CellLoss) else Loss()
            for part in refined_groups(tuples, orders, models, guide, allowed, best, late):
                found = choose(*part, models, wanted)
                if found is not None and (best is None or found.cost < best.cost):
                    best = found
        if best is None:
            # The optimal search finds nothing either, and says best why.
            Optimal(self.objective, self.suppress, self.time_limit, weight=self.weight).protect(table, models)
            raise Unreachable("the time limit ended before any release was found; allow more")
        made = best.parts.release(table, best.kept, models, self.name, self.seed, started, domains)
        return self.with_cost(made, wanted, best.cost)
