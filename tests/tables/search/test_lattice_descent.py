"""Descending: what it returns is what it says, and it ends at a node from which no single step is better."""

from __future__ import annotations

import time
from random import Random

import numpy as np
import pytest

from shoal.core.progress import Progress
from shoal.tables.appraisal.losses import objective
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.search import lattice_descent
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice
from shoal.tables.search.lattice_descent import Descent

from ..builders import Case, random_case
from ..twins import Whole, cost_of, outcome


def search(case: Case, k: int, limit: int, name: str = "loss") -> Descent:
    table = case.table()
    lattice = Lattice(Tuples.of(table, table.hierarchies, case.domains()))
    return Descent(lattice, [KAnonymity(k)], objective(name, k), limit, 0.0, np.random.default_rng(1))


@pytest.mark.parametrize("name", ["loss", "precision", "discernibility"])
def test_the_cost_is_that_of_the_node_and_no_step_down_is_cheaper(name: str) -> None:
    chance = Random(5)
    for _ in range(15):
        case, k = random_case(chance), chance.randint(2, 4)
        limit, models = chance.choice([0, 3]), [KAnonymity(k)]
        found = search(case, k, limit, name)
        found.run(time.monotonic() + 60)
        assert found.best is not None and not found.stopped
        whole = Whole.of(case.sensitive, case.taxonomies)
        assert found.cost == pytest.approx(cost_of(name, case, outcome(case, models, found.best, whole), k))
        for column, level in enumerate(found.best):
            if level:
                node = (*found.best[:column], level - 1, *found.best[column + 1 :])
                lower = outcome(case, models, node, whole)
                lost = case.rows - len(lower.released)
                if lost <= limit and lower.released:
                    assert cost_of(name, case, lower, k) >= found.cost - 1e-9


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice_descent, "WATCH_EVERY", -1.0)
    seen: list[Progress] = []
    found = search(random_case(Random(1)), 2, 0)
    found.run(time.monotonic() + 60, seen.append)
    assert seen and seen[-1].best is not None and seen[-1].done <= found.evaluated
