"""Cutting in step: against a plain recursion that cuts one part after the other."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.contract import ClassModel
from shoal.core.progress import Progress
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.labelled_release import all_models_hold
from shoal.tables.search.partition import Partition
from tables.builders import Case, cases, models_for

Members = list[int]  # tuples of a part


def made(case: Case) -> tuple[Tuples, list[LeafOrder]]:
    table = case.table()
    tuples = Tuples.of(table, table.hierarchies, case.domains())
    return tuples, [LeafOrder.of(hierarchy) for hierarchy in tuples.hierarchies]


class Twin:
    """One part, all its cuts, straight from the description."""

    def __init__(self, tuples: Tuples, orders: list[LeafOrder], models: list[ClassModel[Classes]]) -> None:
        self.tuples, self.orders, self.models = tuples, orders, models
        self.places = [order.place_of[tuples.codes[:, c]].tolist() for c, order in enumerate(orders)]

    def holds(self, part: Members) -> bool:
        group = np.full(len(self.tuples.sizes), 1, np.int32)
        group[part] = 0
        classes = self.tuples.grouped(group, 1 + int(len(part) < len(group)))
        return bool(all_models_hold(self.models, classes)[0])

    def cuts(self, part: Members) -> list[list[Members]]:
        """Every cut that is tried in a part, whether it holds or not."""
        found = []
        for order, places in zip(self.orders, self.places, strict=True):
            here = sorted({places[t] for t in part})
            if len(here) < 2:
                continue
            if order.numbers:
                weight = Counter[int]()
                for t in part:
                    weight[places[t]] += int(self.tuples.sizes[t])
                total = sum(weight.values())
                uneven = [(abs(2 * sum(weight[q] for q in here if q <= p) - total), p) for p in here[:-1]]
                borders = [min(uneven)[1]]
                if here[0] < order.numbers <= here[-1]:
                    borders.append(order.numbers - 1)
                found += [
                    [[t for t in part if places[t] <= p], [t for t in part if places[t] > p]] for p in borders
                ]
            else:
                level = next(
                    level for level, codes in enumerate(order.codes) if len({codes[p] for p in here}) == 1
                )
                codes = order.codes[level - 1]
                found.append([[t for t in part if codes[places[t]] == c] for c in {codes[p] for p in here}])
        return found

    def can_be_cut(self, part: Members) -> bool:
        return any(all(map(self.holds, pieces)) for pieces in self.cuts(part))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_part_holds_and_no_cut_of_it_would(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 3), most_leaves=6, sensitive=(1, 1)))
    models = data.draw(models_for(case, at_least=1))
    tuples, orders = made(case)
    twin = Twin(tuples, orders, models)
    every = list(range(len(tuples.sizes)))
    if not twin.holds(every):
        return
    partition = Partition(tuples, orders, models)
    partition.cut_up()
    part, first, last = partition.parts()
    members = [np.flatnonzero(part == p).tolist() for p in range(len(first))]
    assert sorted(t for one in members for t in one) == every
    for number, one in enumerate(members):
        assert one and twin.holds(one)
        assert not twin.can_be_cut(one)
        for c, places in enumerate(twin.places):
            assert first[number, c] == min(places[t] for t in one)
            assert last[number, c] == max(places[t] for t in one)


@settings(max_examples=20, deadline=None)
@given(cases(columns=(1, 3), most_rows=20, sensitive=(0, 0)), st.integers(1, 3))
def test_taking_back_joins_what_was_cut_apart(case: Case, k: int) -> None:
    tuples, orders = made(case)
    partition = Partition(tuples, orders, [KAnonymity(k)])
    partition.cut_up()
    _, first, _ = partition.parts()
    if case.rows < k or len(first) < 2:
        return
    partition.take_back(np.arange(len(first)), np.zeros(len(first), np.int32))
    part, _, _ = partition.parts()
    assert set(part.tolist()) == {0}


def test_progress_is_told_and_ends_with_nothing_open() -> None:
    case = Case((made_hierarchy(),), tuple((value,) for value in "aabbccdd"), ((),) * 8, ())
    tuples, orders = made(case)
    seen: list[Progress] = []
    Partition(tuples, orders, [KAnonymity(2)]).cut_up(seen.append)
    assert seen[-1].open == 0 and seen[-1].done == 4


def made_hierarchy() -> Hierarchy:
    return Hierarchy.of_levels([list("abcd"), list("xxyy")])
