"""The loops that price and grow groups, beside the same in plain Python."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.measures.loss import Loss
from shoal.tables.search import clustering_kernels as kernels
from shoal.tables.search.clustering import Clustering, Groups
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.grouping_kernels import arrange_by_group

from ..builders import Case, cases, hierarchies

NUMBERS = ["1", "2", "5", "7", "9", "30"]


def made(case: Case, ranges: bool) -> Clustering:
    table = case.table()
    tuples = Tuples.of(table, table.hierarchies, case.domains())
    orders = [LeafOrder.of(one) if ranges else LeafOrder.of_branches(one) for one in tuples.hierarchies]
    return Clustering(tuples, orders, [], Loss(), lambda: False)


def cost_twin(search: Clustering, members: list[int]) -> float:
    """What a row costs under the lowest labels over some tuples, column by column."""
    total = 0.0
    for c, order in enumerate(search.orders):
        hierarchy, mine = order.hierarchy, [int(order.place_of[search.tuples.codes[t, c]]) for t in members]
        leaves = max(len(hierarchy.leaves) - 1, 1)
        if max(mine) < order.numbers:
            total += (max(mine) - min(mine)) / leaves
            continue
        codes = [hierarchy.codes[:, search.tuples.codes[t, c]] for t in members]
        level = next(h for h in range(hierarchy.height + 1) if len({int(one[h]) for one in codes}) == 1)
        total += (np.count_nonzero(hierarchy.codes[level] == codes[0][level]) - 1) / leaves
    return total


@st.composite
def number_cases(draw: st.DrawFn) -> Case:
    chosen = tuple(draw(hierarchies(6, 2, NUMBERS)) for _ in range(2))
    rows = draw(
        st.lists(st.tuples(*(st.sampled_from(one.leaves) for one in chosen)), min_size=1, max_size=15)
    )
    return Case(chosen, tuple(rows), tuple(() for _ in rows), ())


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_groups_cost_together_is_the_twin_unless_it_is_too_much(data: st.DataObject) -> None:
    ranges = data.draw(st.booleans())
    case = data.draw(number_cases() if ranges else cases(columns=(1, 3), most_rows=12, sensitive=(0, 0)))
    search = made(case, ranges)
    number = len(search.tuples.sizes)
    part: Groups = np.array(
        data.draw(st.lists(st.integers(0, 2), min_size=number, max_size=number)), np.int32
    )
    _, part_of = np.unique(part, return_inverse=True)
    part = part_of.reshape(-1).astype(np.int32)
    groups = int(part.max()) + 1
    covered = kernels.cover(*arrange_by_group(part, groups), search.places, search.ground)
    low, high, level, cells, price = covered
    for g, other in product(range(groups), repeat=2):
        members = np.flatnonzero((part == g) | (part == other)).tolist()
        twin = cost_twin(search, members)
        arguments = (low, high, level, other, low, high, level, cells, price[other], search.ground)
        assert kernels.joined_cost(g, *arguments, kernels.FAR) == pytest.approx(twin)
        assert kernels.joined_cost(g, *arguments, twin / 2) >= twin / 2 - 1e-12
    for t, g in product(range(number), range(groups)):
        twin = cost_twin(search, [*np.flatnonzero(part == g).tolist(), t])
        found = kernels.fitted_cost(
            t, search.places, g, low, high, level, cells, price[g], search.ground, kernels.FAR
        )
        assert found == pytest.approx(twin)


@settings(max_examples=60, deadline=None)
@given(cases(columns=(1, 3), sensitive=(0, 0)), st.integers(1, 6))
def test_grown_groups_have_k_rows_and_the_cost_they_say(case: Case, k: int) -> None:
    search = made(case, ranges=False)
    pool = np.arange(len(search.tuples.sizes))
    group = np.empty(len(pool), np.int32)
    sizes = search.tuples.sizes
    found, total = kernels.regroup(pool, 0, k, search.places, sizes, search.ground, group)
    assert set(group.tolist()) == set(range(found))
    rows = np.bincount(group, sizes)
    assert rows.min() >= min(k, sizes.sum())
    twin = sum(rows[g] * cost_twin(search, np.flatnonzero(group == g).tolist()) for g in range(found))
    assert total == pytest.approx(twin)


@settings(max_examples=30, deadline=None)
@given(cases(columns=(1, 3), sensitive=(0, 0)))
def test_the_nearest_group_is_the_one_that_costs_least_more(case: Case) -> None:
    search = made(case, ranges=False)
    number = len(search.tuples.sizes)
    part = np.arange(number, dtype=np.int32)
    covered = kernels.cover(*arrange_by_group(part, number), search.places, search.ground)
    block = np.zeros(number, np.int32)
    sizes = search.tuples.sizes
    found, more = kernels.nearest_groups(
        np.arange(number), covered, sizes, block, np.array([0, number]), search.ground
    )
    for t in range(number):
        costs = [
            (sizes[t] + sizes[u]) * cost_twin(search, [t, u])
            - sizes[t] * cost_twin(search, [t])
            - sizes[u] * cost_twin(search, [u])
            for u in range(number)
            if u != t
        ]
        assert (found[t] < 0) == (number == 1)
        if costs:
            assert more[t] == pytest.approx(min(costs))
