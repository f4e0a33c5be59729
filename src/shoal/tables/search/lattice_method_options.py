"""What every lattice method can be asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from shoal.core import clock
from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter
from shoal.tables.appraisal.losses import largest_k, objective, task
from shoal.tables.appraisal.objective import Objective
from shoal.tables.appraisal.task_objective import Task
from shoal.tables.measures.loss import Loss
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.release import TableRelease
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.task_costs import task_rows
from shoal.tables.table import Table

WEIGHTED = "weighted_loss"  # as `measure` calls it


@dataclass(frozen=True)
class LatticeRequest:
    """What to optimise, how many rows may be left out, how long it may take, and the seed of the order.

    `weight` is what columns count in the loss; those that are not named count 1.
    """

    objective: str = "loss"
    suppress: float = 0.0
    time_limit: float | None = None
    seed: int | None = None
    weight: tuple[str, ...] = ()  # COLUMN=NUMBER

    def __post_init__(self) -> None:
        if not 0 <= self.suppress <= 1:
            raise BadParameter(f"suppress is a share of the rows between 0 and 1, not {self.suppress:g}")
        if self.time_limit is not None and not self.time_limit > 0:
            raise BadParameter(f"time-limit is a number of seconds above 0, not {self.time_limit:g}")
        asked = task(self.objective) or objective(self.objective)
        if self.weight and not isinstance(asked, Loss):
            raise BadParameter(
                f"weights are what columns count in the loss, and {self.objective} is optimised; leave out "
                "--weight, or --objective"
            )
        self.weights()

    def own_time(self) -> AbstractContextManager[None]:
        """A limit that a method sets itself counts work, as `clock` says; a given one is of the wall."""
        return clock.counting_work() if self.time_limit is None else nullcontext()

    def allowed(self, rows: int) -> int:
        """How many of the rows may be left out."""
        # The product in decimals, as the user wrote it: 0.29 × 100 must be 29.
        return math.floor(rows * self.suppress + 1e-9)

    def weights(self) -> dict[str, float]:
        """What columns count that were named."""
        found = {}
        for text in self.weight:
            column, _, number = text.rpartition("=")
            try:
                found[column] = float(number)
            except ValueError:
                column = ""
            if not column or not 0 <= found[column] < math.inf:
                raise BadParameter(f"a weight is COLUMN=NUMBER from 0 on, as in age=2, not {text!r}")
        return found

    def wanted(self, table: Table, tuples: Tuples, models: Sequence[ClassModel[Classes]]) -> Objective:
        """What a search of a table minimises."""
        for_what = task(self.objective)
        if for_what is not None:
            return for_what.of_table(task_rows(table, tuples))
        asked, weights = objective(self.objective, largest_k(models)), self.weights()
        for column in weights:
            if column not in tuples.columns:
                raise BadParameter(
                    f"there is a weight for '{column}', which is no quasi-identifier; those are "
                    f"{', '.join(tuples.columns)}"
                )
        return Loss(tuple(weights.get(column, 1.0) for column in tuples.columns)) if weights else asked

    def figure_of(self, release: TableRelease) -> float:
        """What was minimised, of a release that a method with this request made."""
        name = (task(self.objective) or objective(self.objective)).name
        return release.losses[WEIGHTED if self.weight else name.replace("-", "_")]

    def with_cost(self, release: TableRelease, wanted: Objective, cost: float) -> TableRelease:
        """A release that tells what was minimised, where no other loss does."""
        if isinstance(wanted, Task):
            return replace(release, losses={**release.losses, wanted.name: cost})
        return replace(release, losses={**release.losses, WEIGHTED: cost}) if self.weight else release
