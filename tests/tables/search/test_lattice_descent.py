"""Descending: what it returns is what it says, and it ends at a node from which no single step is better."""

from __future__ import annotations

import time
from random import Random

import numpy as np
import polars as pl
import pytest

from shoal.core import clock
from shoal.core.contract import ClassModel
from shoal.core.progress import Progress
from shoal.tables.appraisal.losses import objective
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.loss import Loss
from shoal.tables.methods.heuristic.heuristic import Heuristic
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.alpha_k_anonymity import AlphaKAnonymity
from shoal.tables.models.beta_likeness import BetaLikeness
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.search import lattice_descent
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.labelled_release import all_models_hold
from shoal.tables.search.lattice import Lattice, Node
from shoal.tables.search.lattice_descent import Descent
from shoal.tables.search.lattice_search import LatticeSearch
from shoal.tables.search.level_costs import Prices
from shoal.tables.table import Table

from ..builders import Case, random_case, random_models
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


def climbed(lattice: Lattice, models: list[ClassModel[Classes]], limit: int) -> float:
    """The twin: from the best node for k alone, greedily up to the first node that may be released."""
    k = max(model.people for model in models)
    best = LatticeSearch(lattice, [KAnonymity(max(k, 1))], Loss(), limit).run()
    node = (0,) * len(lattice.shape) if best is None else best.node
    judge = LatticeSearch(lattice, models, Loss(), limit)
    prices = Prices(lattice.tuples, Loss())

    def lost(step: Node) -> int:
        classes = lattice.classes(step)
        return int(classes.sizes[~all_models_hold(models, classes)].sum())

    while not np.isfinite(judge._cost(node)):
        steps = [
            (*node[:c], level + 1, *node[c + 1 :])
            for c, level in enumerate(node)
            if level + 1 < lattice.shape[c]
        ]
        if not steps:
            return np.inf
        node = min(steps, key=lambda step: (lost(step), prices.base(step)))
    return judge._cost(node)


def test_it_is_never_worse_than_a_climb_from_the_best_for_k_alone() -> None:
    chance = Random(17)
    for turn in range(60):
        case = random_case(chance)
        models = random_models(chance, case)
        if turn % 2:
            models = [AlphaKAnonymity(0.6, 2), BetaLikeness(1.0)]
        table = case.table()
        lattice = Lattice(Tuples.of(table, table.hierarchies, case.domains()))
        limit = chance.choice([0, 2, case.rows // 3])
        search = Descent(lattice, models, Loss(), limit, 0.0, np.random.default_rng(0))
        search.run(clock.now() + 60)
        assert search.cost <= climbed(lattice, models, limit) + 1e-9


def test_alpha_k_anonymity_with_beta_likeness_does_not_end_at_the_top() -> None:
    # Of every column a few people stand out by a value of their own, and all of these have one illness: next
    # to the top they spoil a quarter of the table, at the bottom they alone are suppressed.
    names = [f"q{c}" for c in range(10)]
    rows = [["1"] * 10] * 600 + [["7"] * 10] * 2300
    for c in range(10):
        rows += [["0" if place == c else "1" for place in range(10)]] * 12
    frame = pl.DataFrame(rows, schema=names, orient="row")
    frame = frame.with_columns(pl.Series("ill", ["flu"] * 2900 + ["hiv"] * 120))
    levels = [list("01234567"), list("aabcdefg"), list("aaabcdef"), list("aaaabcde"), list("aaaaaabc")]
    table = Table(frame, (), tuple(names), ("ill",), dict.fromkeys(names, Hierarchy.of_levels(levels)))
    models = [AlphaKAnonymity(0.5, 5, ("hiv",)), BetaLikeness(0.05)]
    found = Heuristic(suppress=0.05, seed=1).protect(table, models)
    assert found.losses["loss"] <= 120 / 3020
