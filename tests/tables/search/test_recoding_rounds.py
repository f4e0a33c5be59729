"""Treating a table in rounds: nobody twice, nobody forgotten, and nodes in the order of their price."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from shoal.core.progress import Progress
from shoal.tables.appraisal.losses import objective
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.search import recoding_rounds as module
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.recoding_rounds import Rounds, _cheapest_first, cheapest

from ..builders import Case, random_case


def made(case: Case) -> Tuples:
    table = case.table()
    return Tuples.of(table, table.hierarchies, case.domains())


@pytest.mark.parametrize("searched", [0, module.MOST_SEARCHED])
def test_every_tuple_is_in_one_round_or_left_over(searched: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SEARCHED", searched)
    for seed in range(12):
        tuples, k = made(random_case(Random(seed))), 3
        seen: list[Progress] = []
        search = Rounds(tuples, [KAnonymity(k)], objective("loss"), 2, None, seen.append)
        for plan in (search.repeated(2, 9), search.repeated(tuples.rows, 9), search.ascending(99)):
            assert plan is not None and seen
            told = sorted([*plan.left, *(t for one in plan.rounds for t in one.members)])
            assert told == list(range(len(tuples.sizes)))
            assert tuples.sizes[plan.left].sum() <= 2
        best = cheapest([None, search.ascending(99)], tuples, [KAnonymity(k)], objective("loss"))
        assert best is not None and best.parts.classes().sizes.min() >= 1


def test_nothing_comes_of_a_promise_that_cannot_be_kept() -> None:
    tuples = made(random_case(Random(1)))
    search = Rounds(tuples, [KAnonymity(1000)], objective("loss"), 0, None)
    assert search.repeated(tuples.rows, 5) is None and search.ascending(5) is None


def test_a_time_limit_still_gives_a_plan() -> None:
    tuples = made(random_case(Random(1)))
    plan = Rounds(tuples, [KAnonymity(2)], objective("loss"), 0, 0.0).ascending(99)
    assert plan is not None and not len(plan.left)


def test_nodes_come_once_each_by_their_price() -> None:
    levels: list[NDArray[np.float64]] = [np.array([0, 0.5, 2.0]), np.array([0.0, 1.0]), np.array([0.25])]
    found = list(_cheapest_first(levels))
    assert sorted(found) == sorted(product(range(3), range(2), range(1)))
    costs = [sum(float(levels[c][level]) for c, level in enumerate(node)) for node in found]
    assert costs == sorted(costs)
