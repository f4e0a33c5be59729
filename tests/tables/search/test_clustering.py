"""Groups of neighbours: true costs, promises kept at every step, and never dearer after a step."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.contract import ClassModel
from shoal.tables.appraisal.objective import CellLoss
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.measures.entropy import Entropy
from shoal.tables.measures.loss import Loss
from shoal.tables.measures.precision import Precision
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.search import clustering as module
from shoal.tables.search.clustering import Clustering, Groups, refined_groups
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.labelled_release import all_models_hold, among, merge_classes

from ..builders import Case, cases, models_for, random_case, random_models


def made(case: Case) -> Tuples:
    table = case.table()
    return Tuples.of(table, table.hierarchies, case.domains())


def clustering(
    tuples: Tuples,
    models: list[ClassModel[Classes]],
    guide: CellLoss | None = None,
    late: Callable[[], bool] = lambda: False,
) -> Clustering:
    orders = [LeafOrder.of_branches(hierarchy) for hierarchy in tuples.hierarchies]
    return Clustering(tuples, orders, models, guide or Loss(), late)


def holding(tuples: Tuples, models: list[ClassModel[Classes]], part: Groups) -> bool:
    inside = np.flatnonzero(part >= 0)
    groups = int(part.max()) + 1
    assert set(part[inside].tolist()) == set(range(groups))
    few = Classes(tuples.sizes[inside], among(tuples.sensitive, inside))
    return bool(all_models_hold(models, merge_classes(few, part[inside], groups)).all())


@pytest.mark.parametrize("blocks", [(900, 1500), (4, 6)])
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_every_step_keeps_the_promises_and_costs_no_more(
    blocks: tuple[int, int], data: st.DataObject
) -> None:
    case = data.draw(cases(columns=(1, 3)))
    models = data.draw(models_for(case, at_least=1))
    tuples = made(case)
    if not all_models_hold(models, tuples.grouped(np.zeros(len(tuples.sizes), np.int32), 1)).all():
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK_ROWS", blocks)
        search = clustering(tuples, models)
    for part in (search.cut(), search.grow()):
        assert holding(tuples, models, part)
        refined = search.refine(part)
        assert holding(tuples, models, refined)
        assert search.cost(refined) <= search.cost(part) + 1e-9
        allowed = data.draw(st.integers(0, 5))
        fewer = search.leave_out(refined, allowed)
        assert holding(tuples, models, fewer)
        assert tuples.sizes[fewer < 0].sum() <= allowed
        assert search.cost(fewer) <= search.cost(refined) + 1e-9


@pytest.mark.parametrize("guide", [Loss(), Precision(), Entropy()])
@settings(max_examples=20, deadline=None)
@given(st.data())
def test_the_cost_is_what_the_measure_says_of_the_release(guide: CellLoss, data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 3), sensitive=(0, 0)))
    tuples = made(case)
    part = np.array(
        data.draw(st.lists(st.integers(-1, 3), min_size=len(tuples.sizes), max_size=len(tuples.sizes)))
    )
    if (part < 0).all():
        return
    part[part >= 0] = np.unique(part[part >= 0], return_inverse=True)[1].reshape(-1)
    search = clustering(tuples, [], guide)
    labelled, kept = search.labelled(part.astype(np.int32))
    counts = tuples.leaf_counts
    worth = sum(float((one * guide.leaf(one)).sum()) for one in counts)
    worst = search.lost * tuples.rows - worth
    measured = guide.measure(labelled.recoding(kept))
    measured = 1 - measured if guide.better == "more" else measured
    if worst and not any(len(set(sum(h.names, ()))) < sum(map(len, h.names)) for h in tuples.hierarchies):
        assert (search.cost(part.astype(np.int32)) - worth) / worst == pytest.approx(measured, abs=1e-9)


def test_no_time_at_all_still_gives_groups_that_hold() -> None:
    chance = Random(5)
    for _ in range(20):
        case = random_case(chance)
        models, tuples = random_models(chance, case), made(case)
        if not all_models_hold(models, tuples.grouped(np.zeros(len(tuples.sizes), np.int32), 1)).all():
            continue
        search = clustering(tuples, models, late=lambda: True)
        assert holding(tuples, models, search.grow())
        assert (search.refine(search.cut()) == search.cut()).all()


def test_where_the_whole_table_fails_there_are_no_groups() -> None:
    tuples = made(random_case(Random(1)))
    orders = [LeafOrder.of(hierarchy) for hierarchy in tuples.hierarchies]
    found = refined_groups(tuples, orders, [KAnonymity(1000)], Loss(), 0, None, lambda: False)
    assert list(found) == []
