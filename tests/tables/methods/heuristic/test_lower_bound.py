"""The bound: never above the best full-domain release, and not idle."""

from __future__ import annotations

import itertools
import time
from random import Random

import polars as pl
import pytest

from shoal import catalog
from shoal.tables.appraisal.losses import OBJECTIVES, largest_k, objective
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.heuristic import lower_bound
from shoal.tables.methods.heuristic.lower_bound import least_cost
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.table import Table
from tables.builders import random_case, random_models
from tables.twins import Whole, cost_of, nodes, outcome


@pytest.mark.parametrize("most", [1, 8, 4_000])
def test_no_release_costs_less_than_the_bound(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lower_bound, "MOST_NODES", most)
    chance, above = Random(most), 0
    for _ in range(25):
        case = random_case(chance)
        models, limit = random_models(chance, case), chance.choice([0, 2, 6])
        name, k = chance.choice(OBJECTIVES), largest_k(models)
        table = case.table()
        tuples = Tuples.of(table, table.hierarchies, case.domains())
        bound = least_cost(tuples, models, objective(name, k), limit, time.monotonic() + 60)
        whole = Whole.of(case.sensitive, case.taxonomies)
        found = [outcome(case, models, node, whole) for node in nodes(case)]
        costs = [
            cost_of(name, case, one, k)
            for one in found
            if one.released and case.rows - len(one.released) <= limit
        ]
        assert not costs or bound <= min(costs) + 1e-9
        above += bound > 0
    assert above > 10


def test_without_time_the_bound_is_weak_but_right() -> None:
    case = random_case(Random(2))
    table = case.table()
    tuples = Tuples.of(table, table.hierarchies, case.domains())
    assert least_cost(tuples, random_models(Random(2), case), objective("loss"), 0, 0.0) == 0.0


def test_a_population_is_looked_at_in_the_order_of_columns_that_the_bound_takes() -> None:
    """The most telling column comes first; the population kept its own order, and the search crashed."""
    values = {"sex": ("f", "m"), "zip": ("1", "2", "3"), "age": ("20", "30", "40", "50", "60")}
    people = pl.DataFrame(list(itertools.product(*values.values())), schema=list(values), orient="row")
    hierarchies = {column: Hierarchy.of_levels([leaves]) for column, leaves in values.items()}
    table = Table(people, quasi=tuple(values), hierarchies=hierarchies, population=people)
    tuples = Tuples.of(table, hierarchies, {})
    models = [catalog.make("model", "k-anonymity(k=2)")]
    least = least_cost(tuples, models, objective("loss", 2), 0, time.monotonic() + 60)
    assert least > 0
