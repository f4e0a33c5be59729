"""Look at the lattice of solutions: every choice of levels that a release could have, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from shoal.core import clock
from shoal.core.contract import ClassModel
from shoal.core.errors import Unreachable
from shoal.core.part_syntax import spell
from shoal.core.progress import Follow, Watch
from shoal.jobs.tables.owner_requests import ExploreTable
from shoal.jobs.tables.protect import protect_table
from shoal.jobs.tables.requests import ProtectTable
from shoal.tables.appraisal.solution_lattice import SolutionLattice
from shoal.tables.methods.optimal import Optimal
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.release import TableRelease
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.exact_search import exact_search
from shoal.tables.search.lattice import Lattice
from shoal.tables.search.lattice_exploration import explore_lattice
from shoal.tables.table import Table


@dataclass(frozen=True)
class _Explorer(Optimal):
    """The optimal search, which looks around before it goes: roles and checks are those of a release."""

    most: int = 0
    seen: list[SolutionLattice] = field(default_factory=list, compare=False)
    follow: Follow | None = None

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        started = clock.now()
        domains = domains_of(table, models)
        lattice = Lattice(Tuples.of(table, table.hierarchies, domains))
        goal, limit = self.wanted(table, lattice.tuples, models), self.allowed(table.rows)
        ends = self.time_limit is not None
        search = exact_search(lattice, models, goal, limit, ends=ends)
        best = search.run(self.time_limit, watch)
        about = (lattice, models, goal, limit, best)
        self.seen.append(explore_lattice(*about, self.most, self.time_limit, self.follow))
        if best is None:
            raise self._unreachable(lattice, models, float(np.min(search.bound)), ())
        return self._release(table, lattice, models, best, domains, started)


def explore_table(job: ExploreTable, follow: Follow | None = None) -> SolutionLattice:
    """The lattice of solutions; one without any safe choice is told as well."""
    explorer = _Explorer(
        job.objective, job.suppress, job.time_limit, job.seed, job.weight, most=job.nodes, follow=follow
    )
    shared = {one.name for one in fields(ProtectTable)} & {one.name for one in fields(job)}
    asked: dict[str, Any] = {name: getattr(job, name) for name in shared}
    try:
        protect_table(ProtectTable(**asked, method=explorer))
    except Unreachable:
        if not explorer.seen:
            raise
    return explorer.seen[-1]


def method_with(levels: tuple[str, ...]) -> str:
    """The spelling of the method that releases one choice of levels."""
    return spell(Optimal(levels=levels))
