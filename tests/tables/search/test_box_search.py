"""The search by boxes against brute force, and that its bound is never above what a node costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.contract import ClassModel
from shoal.core.progress import Progress
from shoal.tables.appraisal.losses import OBJECTIVES, largest_k, objective
from shoal.tables.appraisal.objective import CellLoss
from shoal.tables.measures.loss import Loss
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.t_closeness import TCloseness
from shoal.tables.search import box_search as module
from shoal.tables.search.box_search import BoxSearch
from shoal.tables.search.lattice import Lattice

from ..builders import Case, cases, models_for, random_case, random_models
from ..twins import cost_of, nodes
from .test_lattice_search import all_outcomes, feasible, lattice_of, tall_case

Models = Sequence[ClassModel[Classes]]

CELL_LOSSES = [name for name in OBJECTIVES if isinstance(objective(name, 2), CellLoss)]


def search(lattice: Lattice, models: Models, name: str, limit: int) -> BoxSearch:
    goal = objective(name, largest_k(models))
    assert isinstance(goal, CellLoss)
    return BoxSearch(lattice, models, goal, limit)


def assert_optimal(case: Case, models: Models, limits: Sequence[int]) -> None:
    """For every cell loss and limit: the least cost of all nodes, at a node that has it, and proved."""
    outcomes, lattice, k = all_outcomes(case, models), lattice_of(case), largest_k(models)
    for limit in limits:
        allowed = feasible(outcomes, case.rows, limit)
        for name in CELL_LOSSES:
            best = search(lattice, models, name, limit).run()
            if not allowed:
                assert best is None
                continue
            costs = {found.node: cost_of(name, case, found, k) for found in allowed}
            assert best is not None
            assert best.optimal
            assert math.isclose(best.cost, costs[best.node], rel_tol=1e-9, abs_tol=1e-12)
            assert math.isclose(best.cost, min(costs.values()), rel_tol=1e-9, abs_tol=1e-12)
            assert best.bound == best.cost


def bare(patch: pytest.MonkeyPatch) -> None:
    """No first good node: the boxes alone must find the best."""
    patch.setattr(BoxSearch, "_start", lambda *_: None)


@settings(max_examples=40)
@given(st.data())
def test_the_search_finds_the_least_cost_of_all_nodes(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 4), most_rows=40))
    models = data.draw(models_for(case))
    assert_optimal(case, models, [0, data.draw(st.integers(0, case.rows)), case.rows])


@pytest.mark.parametrize("most_open", [50_000, 0], ids=["by the bound", "one after the other"])
@pytest.mark.parametrize("seed", range(20))
def test_the_boxes_alone_find_it_on_larger_random_tables(
    seed: int, most_open: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(seed)
    case = random_case(chance)
    models = random_models(chance, case)
    bare(monkeypatch)
    monkeypatch.setattr(module, "MOST_OPEN", most_open)
    assert_optimal(case, models, sorted({0, case.rows // 20, case.rows // 5, case.rows // 2, case.rows}))


@pytest.mark.parametrize(
    "models",
    [
        pytest.param([KAnonymity(2)], id="k"),
        pytest.param([KAnonymity(7)], id="a larger k"),
        pytest.param([LDiversity(2.5, "entropy", column="s0")], id="entropy l"),
        pytest.param([TCloseness(0.3, "ordered", "s0"), TCloseness(0.4, "hierarchical", "s1")], id="two t"),
        pytest.param([KAnonymity(2), LDiversity(2), TCloseness(0.35, column="s0")], id="k and l and t"),
    ],
)
@pytest.mark.parametrize("forgetful", [False, True], ids=["", "with next to no memory"])
def test_the_search_is_exact_on_a_lattice_of_many_nodes(
    models: list[ClassModel[Classes]], forgetful: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare(monkeypatch)
    if forgetful:
        monkeypatch.setattr(module, "MOST_KNOWN", 2)
        monkeypatch.setattr(module, "MOST_CLOSED", 2)
        monkeypatch.setattr(module, "MOST_OPEN", 1)
    case = tall_case(40, seed=len(models))
    assert_optimal(case, models, [0, 2, 6, 15, 40])


@pytest.mark.parametrize("seed", range(10))
def test_whatever_is_guessed_the_result_is_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guess decides where to look, never what is found."""
    chance = Random(seed)
    monkeypatch.setattr(module._Guess, "lost", lambda *_: chance.uniform(-1, 5))
    bare(monkeypatch)
    assert_optimal(tall_case(40, seed), [KAnonymity(3)], [0, 3, 8, 40])


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("limit", [0, 5, 40])
def test_at_any_time_no_open_node_costs_less_than_the_bound(seed: int, limit: int) -> None:
    """Box by box: every node that could still be better lies in an open box, and none is below its bound."""
    case, models = tall_case(40, seed), [KAnonymity(3)]
    true = {
        found.node: cost_of("loss", case, found, 3)
        for found in feasible(all_outcomes(case, models), case.rows, limit)
    }
    looking = search(lattice_of(case), models, "loss", limit)
    while (box := looking._next()) is not None:
        rest = looking._rest(box)
        looking._deep.extend(rest)
        boxes = [*looking._deep, *(one for _, _, one in looking._open)]
        for node, cost in true.items():
            if cost >= looking.cost * (1 - 1e-9):
                continue
            homes = [
                one
                for one in boxes
                if all(a <= level <= b for a, level, b in zip(one.low, node, one.high, strict=True))
            ]
            assert len(homes) == 1, "a node that is better than the best lies in one open box"
            assert homes[0].bound <= cost * (1 + 1e-9)
    assert math.isclose(looking.cost, min(true.values()), rel_tol=1e-9)


def test_it_looks_at_a_part_of_the_lattice(monkeypatch: pytest.MonkeyPatch) -> None:
    bare(monkeypatch)
    case = tall_case(40, seed=1)
    for limit in (0, 4):
        best = search(lattice_of(case), [KAnonymity(3)], "loss", limit).run()
        assert best is not None
        assert best.evaluated < len([*nodes(case)]) / 2


def test_a_part_of_the_lattice_is_searched_as_asked() -> None:
    case, models = tall_case(40, seed=3), [KAnonymity(3)]
    lattice = lattice_of(case)
    for part in ([slice(0, 1)], [slice(None), slice(2, 3)], [slice(1, 2), slice(None), slice(0, 1)]):
        inside = [
            cost_of("loss", case, found, 3)
            for found in feasible(all_outcomes(case, models), case.rows, 6)
            if all(level in range(20)[place] for level, place in zip(found.node, part, strict=False))
        ]
        best = BoxSearch(lattice, models, Loss(), 6, part).run()
        assert (best is None) == (not inside)
        if best is not None:
            assert math.isclose(best.cost, min(inside), rel_tol=1e-9)
            assert all(level in range(20)[place] for level, place in zip(best.node, part, strict=False))


def slow_clock(patch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(10**9))
    patch.setattr(module, "clock", SimpleNamespace(now=lambda: float(next(ticks)) - 0.5))


def test_a_time_limit_gives_the_best_so_far_and_a_bound_that_only_rises(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case, models = tall_case(40, seed=5), [KAnonymity(3)]
    lattice, limit = lattice_of(case), 6
    allowed = feasible(all_outcomes(case, models), case.rows, limit)
    least = min(cost_of("loss", case, found, 3) for found in allowed)
    bounds, proved = [], []
    monkeypatch.setattr(module, "Descent", Nothing)
    for seconds in range(1, 200):
        slow_clock(monkeypatch)
        best = BoxSearch(lattice, models, Loss(), limit).run(time_limit=float(seconds))
        assert best is not None
        assert best.node in {found.node for found in allowed}
        assert best.bound <= least * (1 + 1e-9)
        assert best.cost >= least * (1 - 1e-9)
        if best.optimal:
            assert math.isclose(best.cost, least, rel_tol=1e-9)
        bounds.append(best.bound)
        proved.append(best.optimal)
    assert not proved[0]
    assert proved[-1]
    assert proved == sorted(proved)
    assert bounds == sorted(bounds)


class Nothing:
    """A descent that finds nothing."""

    best, cost, evaluated = None, math.inf, 0

    def __init__(self, *_: object) -> None:
        pass

    def run(self, *_: object) -> None:
        pass


def test_progress_never_tells_a_bound_above_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    slow_clock(monkeypatch)
    monkeypatch.setattr(module, "Descent", Nothing)
    told: list[Progress] = []
    best = BoxSearch(lattice_of(tall_case(40, seed=6)), [KAnonymity(3)], Loss(), 4).run(watch=told.append)
    assert best is not None
    assert told
    known = [progress.best for progress in told if progress.best is not None]
    assert known == sorted(known, reverse=True)
    for progress in told:
        if progress.open and progress.bound is not None:
            assert progress.bound <= best.cost * (1 + 1e-9) or progress.bound >= known[-1] * (1 - 1e-9)
