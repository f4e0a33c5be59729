"""The method for those who name none: tries what fits, and takes the least loss."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from shoal.core import clock
from shoal.core.contract import Method
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.progress import Watch
from shoal.tables.appraisal.losses import OBJECTIVES, objective
from shoal.tables.methods.heuristic.heuristic import MOST_COLUMNS, Heuristic
from shoal.tables.methods.local_recoding import LocalRecoding
from shoal.tables.methods.mondrian.mondrian import Mondrian
from shoal.tables.methods.noisy_counts import NoisyCounts
from shoal.tables.methods.optimal import Optimal
from shoal.tables.methods.top_down.top_down import TopDown
from shoal.tables.models.distributional_privacy import DistributionalPrivacy
from shoal.tables.release import Attempt, TableMethod, TableModel, TableRelease
from shoal.tables.search.lattice_method_options import LatticeRequest
from shoal.tables.search.lattice_search import LARGEST_LATTICE
from shoal.tables.search.recoding_rounds import MOST_SEARCHED
from shoal.tables.table import Table

USUAL_SECONDS = 8.0
SEARCH_SHARE = 0.4  # of the time, for a search of the lattice; what it leaves over goes to local recoding
HEURISTIC_SHARE = 0.15  # one level for every column of a wide table: hardly ever the least loss
LEAST_SECONDS = 0.05
NEARLY = 1e-9  # sums in another order differ in the last digits; that is no lower loss


@dataclass(frozen=True)
class Auto(LatticeRequest, TableMethod):
    """Tries the methods that fit the table and the models, and takes the release with the least loss.

    For promises that a class keeps by itself: `optimal` (or `heuristic`, where the lattice is too large to
    search), `mondrian` and `local-recoding`. For promises about the whole table, or with a population:
    `optimal` or `heuristic`, and `top-down`. For promises that only noise can make: `noisy-counts`. Loss is
    what `objective` says. Says which it took, what each cost, and whether the result is proved. Ends after
    8 s of work unless `time_limit` gives a time; with a seed the result repeats unless that ended a search.

    The methods are of Samarati 2001, LeFevre et al. 2006, Mohammed et al. 2009 and Prasser et al. 2018.
    """

    name: ClassVar[str] = "auto"
    in_words: ClassVar[str] = "several methods tried, and the one with the least loss taken"
    counts_suffice: ClassVar[bool] = True

    class_column: str | None = None
    levels: tuple[str, ...] = ()  # of columns, as somebody chose them: then it is optimal's work

    def chosen(self, models: Sequence[TableModel]) -> TableMethod:
        """The method for promises that no rows can keep; itself where there is no such promise.

        Asked before a row is read: what such a method does must not depend on the rows.
        """
        able = {model.name: model.mechanisms for model in models}
        first = next((name for name, methods in able.items() if methods), None)
        if first is None and self.levels:
            return Optimal(
                self.objective, self.suppress, self.time_limit, self.seed, self.weight, levels=self.levels
            )
        if first is None:
            return self
        if self.levels:
            raise BadParameter(
                f"{first} is kept by noise, and no level of a column is chosen; leave out --levels"
            )
        other = next((name for name, methods in able.items() if NoisyCounts.name not in methods), None)
        if other is not None:
            raise BadParameter(
                f"auto knows no method that keeps both {first} and {other}; "
                f"use --method {' or '.join(able[first])} with its parameters, or ask for one of the two"
            )
        if set(able) == {DistributionalPrivacy.name}:
            raise BadParameter(
                f"{first} depends on how many people there are, which auto must not look up; "
                'use --method "noisy-counts(epsilon=0.01,people=10000)" with figures of your own'
            )
        return NoisyCounts()

    def protect(self, table: Table, models: Sequence[TableModel], watch: Watch | None = None) -> TableRelease:
        """The least lossy release of a table whose quasi-identifiers all have hierarchies."""
        chosen = self.chosen(models)
        if chosen is not self:
            return chosen.protect(table, models, watch)
        with self.own_time():
            return self._least_lossy(table, models, watch)

    def _least_lossy(self, table: Table, models: Sequence[TableModel], watch: Watch | None) -> TableRelease:
        started = clock.now()
        best: TableRelease | None = None
        tried: list[Attempt] = []
        refusals: list[Unreachable | BadParameter] = []
        for method in self._fitting(table, models, started):
            begun = clock.now()
            try:
                made = method.protect(table, models, watch)
            except (Unreachable, BadParameter) as error:
                refusals.append(error)
                tried.append(Attempt(method.name, None, clock.now() - begun, str(error)))
                continue
            tried.append(Attempt(method.name, self.figure_of(made), clock.now() - begun))
            if best is None or self._better(made, best):
                best = made
        if best is None:
            raise next((error for error in refusals if isinstance(error, Unreachable)), refusals[0])
        late = clock.now() - started >= self._seconds
        notes = [*best.notes, *([self._late()] if late else [])]
        return replace(best, tried=tuple(tried), notes=tuple(notes), seconds=clock.now() - started)

    @property
    def _seconds(self) -> float:
        return USUAL_SECONDS if self.time_limit is None else self.time_limit

    def _fitting(
        self, table: Table, models: Sequence[TableModel], started: float
    ) -> Iterator[Method[Table, TableModel, TableRelease]]:
        """The methods worth trying, each with what is left of the time; the first is always tried."""

        def left(share: float = 1.0) -> dict[str, Any]:
            seconds = share * (started + self._seconds - clock.now())
            return {"seed": self.seed, "time_limit": max(seconds, LEAST_SECONDS)}

        def late() -> bool:
            return clock.now() - started >= self._seconds

        asked: dict[str, Any] = {
            "objective": self.objective,
            "suppress": self.suppress,
            "weight": self.weight,
        }
        # What knows nothing of a task or of weights is tried by local recoding, which judges it by them.
        usual = self.objective in OBJECTIVES and not self.weight
        nodes = math.prod(table.hierarchies[column].height + 1 for column in table.quasi)
        whole = any(model.scope == "table" for model in models)
        full_domain = whole or table.population is not None
        if not full_domain and usual:
            yield Mondrian(seed=self.seed)
        elif table.population is None and full_domain and usual:
            yield TopDown(class_column=self.class_column, **left(SEARCH_SHARE))
        if not late() or full_domain:
            if nodes <= (LARGEST_LATTICE if full_domain else MOST_SEARCHED):
                yield Optimal(**asked, **left(1.0 if full_domain else SEARCH_SHARE))
            elif len(table.quasi) <= MOST_COLUMNS:
                yield Heuristic(**asked, **left(1.0 if full_domain else HEURISTIC_SHARE))
        if not late() and not full_domain:
            yield LocalRecoding(ranges=True, **asked, **left())

    def _better(self, made: TableRelease, best: TableRelease) -> bool:
        gain = self._cost(best) - self._cost(made)
        # Of equals the one that comes with a proof, and with one level for every column.
        return gain > NEARLY or (abs(gain) <= NEARLY and bool(made.optimal) and not best.optimal)

    def _cost(self, release: TableRelease) -> float:
        figure = self.figure_of(release)
        more = self.objective in OBJECTIVES and objective(self.objective).better == "more"
        return 1 - figure if more else figure

    def _late(self) -> str:
        return (
            f"the time limit of {self._seconds:g} s ended a search; --time-limit allows more, and another "
            "run may find another release"
        )
