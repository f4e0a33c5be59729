"""Local recoding in rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from shoal.core import clock
from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.progress import Watch
from shoal.tables.appraisal.losses import largest_k, objective
from shoal.tables.methods.optimal import Optimal
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.release import TableMethod, TableRelease
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.labelled_release import refuse_table_wide
from shoal.tables.search.lattice_method_options import LatticeRequest
from shoal.tables.search.recoding_rounds import Plan, Rounds, cheapest
from shoal.tables.table import Table


@dataclass(frozen=True)
class LocalRecoding(LatticeRequest, TableMethod):
    """Improves an optimal release: rows that it would suppress are treated again, on levels of their own.

    Three ways are tried and the best counts, which never costs more than the optimal release: the optimal
    search again and again on what it left out, the same with any number left out at first, and all levels
    from the cheapest up, where whatever holds goes out. In the end every class takes the lowest labels that
    cover it. No more rows are suppressed than `suppress` allows. `rounds` limits how often rows are treated.

    Prasser, Kohlmayer, Spengler, Kuhn, "A scalable and pragmatic method for the safe sharing of high-quality
    health data", 2018 (iterative local recoding in ARX).
    """

    name: ClassVar[str] = "local-recoding"
    in_words: ClassVar[str] = "rows that would be left out are coarsened further instead"
    tight: ClassVar[bool] = True

    rounds: int = 1000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rounds < 1:
            raise BadParameter(f"local-recoding needs at least 1 of its rounds, not {self.rounds}")

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """A release of a table whose quasi-identifiers all have hierarchies."""
        started = clock.now()
        refuse_table_wide(models, self.name, "use optimal, or top-down for lkc")
        domains = domains_of(table, models)
        tuples = Tuples.of(table, table.hierarchies, domains)
        wanted = objective(self.objective, largest_k(models))
        allowed = self.allowed(table.rows)
        until = None if self.time_limit is None else started + self.time_limit
        search = Rounds(tuples, models, wanted, allowed, until, watch)

        def plans() -> Iterator[Plan | None]:
            yield search.repeated(allowed, 1)  # the optimal release itself, in case others break a promise
            if self.rounds > 1:
                yield search.repeated(allowed, self.rounds)
                yield search.repeated(table.rows, self.rounds)
                yield search.ascending(self.rounds)

        best = cheapest(plans(), tuples, models, wanted)
        if best is None:
            # The optimal search finds nothing either, and says best why.
            Optimal(self.objective, self.suppress, self.time_limit).protect(table, models)
            raise Unreachable("the time limit ended before any release was found; allow more")
        return best.parts.release(table, best.kept, models, self.name, self.seed, started, domains)
