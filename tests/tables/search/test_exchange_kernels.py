"""Tuples that change places: what is said to be saved is saved, and groups keep what they must keep."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.measures.loss import Loss
from shoal.tables.search import exchange_kernels
from shoal.tables.search.clustering import Clustering, Groups
from shoal.tables.search.distinct_tuples import Tuples

from ..builders import Case, cases


def made(case: Case) -> Clustering:
    table = case.table()
    tuples = Tuples.of(table, table.hierarchies, case.domains())
    orders = [LeafOrder.of_branches(hierarchy) for hierarchy in tuples.hierarchies]
    return Clustering(tuples, orders, [], Loss(), lambda: False)


def exchanged(search: Clustering, part: Groups, k: int) -> float:
    groups = int(part.max()) + 1
    rows, covered = search._covered(part, groups)
    number = len(part)
    saved = exchange_kernels.exchange(
        np.arange(number),
        part,
        search.kind,
        k,
        100,
        search.places,
        search.tuples.sizes,
        np.zeros(number, np.int32),
        np.arange(groups),
        np.array([0, groups]),
        covered,
        rows,
        search.ground,
        np.zeros(groups, np.int64),
    )
    again, fresh = search._covered(part, groups)
    assert rows.tolist() == again.tolist()
    assert np.allclose(covered[3], fresh[3]) and np.allclose(covered[4], fresh[4])
    assert all((covered[i] == fresh[i]).all() for i in range(3))
    return saved


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_is_saved_is_the_difference_and_groups_stay_large_enough(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 3), sensitive=(0, 0)))
    search, k = made(case), data.draw(st.integers(1, 4))
    sizes = search.tuples.sizes
    if sizes.sum() < k:
        return
    part: Groups = np.zeros(len(sizes), np.int32)
    drawn = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(sizes), max_size=len(sizes))))
    for g in range(1, 4):
        trial = np.where(drawn == g, part.max() + 1, part)
        if np.bincount(trial, sizes).min() >= k:
            part = trial.astype(np.int32)
    before = search.cost(part)
    saved = exchanged(search, part, k)
    assert before - search.cost(part) == pytest.approx(saved, abs=1e-9)
    assert np.bincount(part, sizes).min() >= k


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_where_models_read_values_groups_keep_theirs(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 3), sensitive=(1, 2)))
    search = made(case)
    number = len(search.tuples.sizes)
    part: Groups = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=number, max_size=number)), np.int32
    )
    part = np.unique(part, return_inverse=True)[1].reshape(-1).astype(np.int32)

    def values() -> list[list[Counter[int]]]:
        found = []
        for counts in search.tuples.sensitive.values():
            per_group = [Counter[int]() for _ in range(int(part.max()) + 1)]
            for t in range(number):
                inside = slice(counts.offsets[t], counts.offsets[t + 1])
                for value, count in zip(counts.values[inside], counts.counts[inside], strict=True):
                    per_group[part[t]][int(value)] += int(count)
            found.append(per_group)
        return found

    before, cost = values(), search.cost(part)
    saved = exchanged(search, part, 0)
    assert values() == before
    assert cost - search.cost(part) == pytest.approx(saved, abs=1e-9)


def test_a_tuple_that_spoils_its_group_is_worth_most_outside_of_it() -> None:
    hierarchy = Hierarchy.of_levels([list("abcd")])
    case = Case((hierarchy,), tuple((value,) for value in "aaad"), ((),) * 4, ())
    search = made(case)
    part: Groups = np.zeros(2, np.int32)
    rows, covered = search._covered(part, 1)
    gains = exchange_kernels.leaving_gains(
        part, 10, search.places, search.tuples.sizes, rows, covered[-1], search.lost, search.ground
    )
    assert gains.tolist() == pytest.approx([1.0, 3.0])
