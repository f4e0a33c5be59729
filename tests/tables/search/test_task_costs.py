"""Searches for a task, or with weights, against brute force: every node, judged in plain Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from shoal.core.contract import ClassModel
from shoal.tables.appraisal.objective import Objective
from shoal.tables.measures.classifier import Classifier
from shoal.tables.measures.loss import Loss
from shoal.tables.measures.workload import Workload
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice
from shoal.tables.search.lattice_search import LatticeSearch
from shoal.tables.search.task_costs import task_rows

from ..builders import Case, cases, models_for, random_case, random_models
from ..twins import Outcome, Whole, grouped, nodes, outcome, ways

Models = Sequence[ClassModel[Classes]]
Query = dict[str, set[str]]


def wrong_guesses(case: Case, found: Outcome) -> float:
    """The share of rows that are left out or have another value than the commonest of their group."""
    right = 0
    for members in grouped(case, found.node).values():
        if members[0] in found.released:
            right += max(Counter(case.sensitive[row][0] for row in members).values())
    return float(Fraction(case.rows - right, case.rows))


def counts_off(case: Case, found: Outcome, queries: Sequence[Query], floor: float) -> float:
    """The mean of |estimate − truth| / truth: labels count for the share of leaves that is asked for."""
    names = [*case.quasi_names, *case.sensitive_names]
    total = 0.0
    for query in queries:
        truth = sum(
            all(value in query.get(name, {value}) for name, value in zip(names, row, strict=True))
            for row in (own + beside for own, beside in zip(case.quasi, case.sensitive, strict=True))
        )
        counted = Fraction(0)
        for row in found.released:
            share = Fraction(1)
            for c, (hierarchy, level) in enumerate(zip(case.hierarchies, found.node, strict=True)):
                label, asked = ways(hierarchy)[level], query.get(f"q{c}")
                if asked is not None:
                    alike = [leaf for leaf in label if label[leaf] == label[case.quasi[row][c]]]
                    share *= Fraction(sum(leaf in asked for leaf in alike), len(alike))
            for c, value in enumerate(case.sensitive[row]):
                share *= value in query.get(f"s{c}", {value})
            counted += share
        total += abs(float(counted) - truth) / max(truth, floor * case.rows, 1)
    return total / len(queries)


def weighted(case: Case, found: Outcome, weights: Sequence[float]) -> float:
    """The mean over columns of what each lost, by their weights."""
    total = 0.0
    for c, (hierarchy, level) in enumerate(zip(case.hierarchies, found.node, strict=True)):
        label = ways(hierarchy)[level]
        covered = Counter(label.values())
        lost = Fraction(case.rows - len(found.released))
        for row in found.released:
            lost += Fraction(covered[label[case.quasi[row][c]]] - 1, max(len(label) - 1, 1))
        total += weights[c] * float(lost / case.rows)
    return total / sum(weights)


def written(folder: Path, case: Case, queries: Sequence[Query]) -> Workload:
    names = [*case.quasi_names, *case.sensitive_names]
    frame = pl.DataFrame(
        {name: ["|".join(sorted(query.get(name, ()))) for query in queries] for name in names},
        schema=dict.fromkeys(names, pl.String),
    )
    frame.write_csv(folder / "queries.csv")
    return Workload(str(folder / "queries.csv"), 0.02)


def random_queries(chance: Random, case: Case) -> list[Query]:
    """Queries for some values of some columns, each for something."""
    pools: dict[str, list[str]] = {}
    for c, hierarchy in enumerate(case.hierarchies):
        pools[f"q{c}"] = [leaf for leaf in hierarchy.leaves if leaf]
    for c, name in enumerate(case.sensitive_names):
        pools[name] = sorted({value for row in case.sensitive if (value := row[c])})
    pools = {name: pool for name, pool in pools.items() if pool}
    found = []
    for _ in range(chance.randint(1, 4)):
        chosen = chance.sample(sorted(pools), chance.randint(1, min(3, len(pools))))
        found.append(
            {name: set(chance.sample(pools[name], chance.randint(1, len(pools[name])))) for name in chosen}
        )
    return found


def goals(
    folder: Path, chance: Random, case: Case, lattice: Lattice, outcomes: Sequence[Outcome]
) -> list[tuple[Objective, dict[tuple[int, ...], float]]]:
    """Every objective with what each node costs by it."""
    table = case.table()
    rows = task_rows(table, lattice.tuples)
    queries = random_queries(chance, case)
    weights = tuple(chance.choice([0.0, 0.5, 1.0, 7.0]) for _ in case.hierarchies[1:])
    weights = (*weights, 1.0)
    workload = written(folder, case, queries)
    return [
        (Classifier("s0").of_table(rows), {one.node: wrong_guesses(case, one) for one in outcomes}),
        (workload.of_table(rows), {one.node: counts_off(case, one, queries, 0.02) for one in outcomes}),
        (Loss(weights), {one.node: weighted(case, one, weights) for one in outcomes}),
    ]


def compare(folder: Path, chance: Random, case: Case, models: Models, limits: Sequence[int]) -> None:
    table = case.table()
    lattice = Lattice(Tuples.of(table, table.hierarchies, case.domains()))
    whole = Whole.of(case.sensitive, case.taxonomies)
    outcomes = [outcome(case, models, node, whole) for node in nodes(case)]
    for goal, costs in goals(folder, chance, case, lattice, outcomes):
        for limit in limits:
            allowed = [
                one.node for one in outcomes if one.released and case.rows - len(one.released) <= limit
            ]
            best = LatticeSearch(lattice, models, goal, limit).run()
            if not allowed:
                assert best is None
                continue
            assert best is not None and best.optimal and best.node in allowed
            assert math.isclose(best.cost, costs[best.node], rel_tol=1e-9, abs_tol=1e-12)
            least = min(costs[node] for node in allowed)
            assert math.isclose(best.cost, least, rel_tol=1e-9, abs_tol=1e-12)


@settings(max_examples=40)
@given(st.data())
def test_the_search_finds_the_least_cost_of_all_nodes(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    case = data.draw(cases(columns=(1, 3), most_rows=25, sensitive=(1, 2)))
    assume(any(leaf for hierarchy in case.hierarchies for leaf in hierarchy.leaves))
    models = data.draw(models_for(case))
    chance = Random(data.draw(st.integers(0, 2**20)))
    limits = [0, data.draw(st.integers(0, case.rows)), case.rows]
    compare(tmp_path_factory.getbasetemp(), chance, case, models, limits)


@pytest.mark.parametrize("seed", range(12))
def test_the_search_is_exact_on_larger_random_tables(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    case = random_case(chance)
    limits = sorted({0, case.rows // 20, case.rows // 5, case.rows})
    compare(tmp_path, chance, case, random_models(chance, case), limits)


@pytest.mark.parametrize("seed", range(8))
def test_no_bound_is_ever_above_what_a_node_costs(tmp_path: Path, seed: int) -> None:
    """Node by node in random order; results of small searches alone would not tell a bound too high."""
    chance = Random(seed)
    case = random_case(chance)
    models, table = random_models(chance, case), case.table()
    lattice = Lattice(Tuples.of(table, table.hierarchies, case.domains()))
    whole = Whole.of(case.sensitive, case.taxonomies)
    outcomes = [outcome(case, models, node, whole) for node in nodes(case)]
    visits = [one.node for one in outcomes]
    chance.shuffle(visits)
    for goal, costs in goals(tmp_path, chance, case, lattice, outcomes):
        for limit in (0, case.rows // 6, case.rows):
            true = np.full(lattice.shape, np.inf)
            for one in outcomes:
                if one.released and case.rows - len(one.released) <= limit:
                    true[one.node] = costs[one.node]
            search = LatticeSearch(lattice, models, goal, limit)
            assert (search.bound <= true + 1e-9).all()
            for node in visits[:20]:
                search._evaluate(node)
                true[node] = np.inf  # settled: its own cost has been taken, if it was any good
                assert (search.bound <= true * (1 + 1e-12) + 1e-12).all()
