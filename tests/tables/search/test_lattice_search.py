"""The search against brute force: every node of random small tables, recoded and judged in plain Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter
from shoal.core.progress import Progress
from shoal.tables.appraisal.losses import OBJECTIVES, largest_k, objective
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.hierarchy import Label
from shoal.tables.methods.optimal import SuppressedRows
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.t_closeness import TCloseness
from shoal.tables.search import lattice_search as module
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice
from shoal.tables.search.lattice_search import LatticeSearch

from ..builders import Case, cases, models_for, random_case, random_models
from ..twins import Outcome, Whole, cost_of, nodes, outcome

Models = Sequence[ClassModel[Classes]]


def lattice_of(case: Case) -> Lattice:
    table = case.table()
    return Lattice(Tuples.of(table, table.hierarchies, case.domains()))


def all_outcomes(case: Case, models: Models) -> list[Outcome]:
    whole = Whole.of(case.sensitive, case.taxonomies)
    return [outcome(case, models, node, whole) for node in nodes(case)]


def feasible(outcomes: Sequence[Outcome], rows: int, limit: int) -> list[Outcome]:
    """What may be released; a release of nothing is none."""
    return [found for found in outcomes if found.released and rows - len(found.released) <= limit]


def assert_optimal(case: Case, models: Models, limits: Sequence[int]) -> None:
    """For every objective and limit: the least cost of all nodes, at a node that has it, and proved."""
    outcomes, lattice, k = all_outcomes(case, models), lattice_of(case), largest_k(models)
    costs = {
        name: {found.node: cost_of(name, case, found, k) for found in outcomes if found.released}
        for name in OBJECTIVES
    }
    for limit in limits:
        allowed = feasible(outcomes, case.rows, limit)
        for name in OBJECTIVES:
            best = LatticeSearch(lattice, models, objective(name, k), limit).run()
            if not allowed:
                assert best is None
                continue
            assert best is not None
            assert best.optimal
            assert best.node in {found.node for found in allowed}
            own = costs[name][best.node]
            assert math.isclose(best.cost, own, rel_tol=1e-9, abs_tol=1e-12)
            least = min(costs[name][found.node] for found in allowed)
            assert math.isclose(best.cost, least, rel_tol=1e-9, abs_tol=1e-12)


@settings(max_examples=60)
@given(st.data())
def test_the_search_finds_the_least_cost_of_all_nodes(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 4), most_rows=40))
    models = data.draw(models_for(case))
    assert_optimal(case, models, [0, data.draw(st.integers(0, case.rows)), case.rows])


@settings(max_examples=60)
@given(st.data())
def test_the_search_is_exact_for_models_that_suppression_can_break_and_mend(data: st.DataObject) -> None:
    """Sensitive models alone: a class may fail although its parts hold in part, and the other way round."""
    case = data.draw(cases(columns=(2, 3), most_rows=40, sensitive=(1, 2)))
    models = [model for model in data.draw(models_for(case, 1)) if not isinstance(model, KAnonymity)]
    assert_optimal(case, models, [0, case.rows // 10, case.rows // 3, case.rows])


@pytest.mark.parametrize("seed", range(40))
def test_the_search_is_exact_on_larger_random_tables(seed: int) -> None:
    chance = Random(seed)
    case = random_case(chance)
    models = random_models(chance, case)
    assert_optimal(case, models, sorted({0, case.rows // 20, case.rows // 5, case.rows // 2, case.rows}))


@pytest.mark.parametrize("seed", range(30))
def test_no_bound_is_ever_above_what_a_node_costs(seed: int) -> None:
    """Node by node in random order: what the search closes or lifts is never better than it says.

    A bound that is a little too high seldom changes the result of a small search, so results alone would not
    tell.
    """
    chance = Random(seed)
    case = random_case(chance)
    models = random_models(chance, case)
    outcomes, lattice, k = all_outcomes(case, models), lattice_of(case), largest_k(models)
    visits = [found.node for found in outcomes]
    chance.shuffle(visits)
    for name, limit in product((*OBJECTIVES, "suppressed-rows"), (0, case.rows // 6, case.rows)):
        goal = SuppressedRows() if name == "suppressed-rows" else objective(name, k)
        true = np.full(lattice.shape, np.inf)
        for found in feasible(outcomes, case.rows, limit):
            gone = case.rows - len(found.released)
            true[found.node] = gone if name == "suppressed-rows" else cost_of(name, case, found, k)
        search = LatticeSearch(lattice, models, goal, limit)
        assert (search.bound <= true + 1e-9).all()
        for node in visits[:25]:
            search._evaluate(node)
            true[node] = np.inf  # settled: its own cost has been taken, if it was any good
            assert (search.bound <= true * (1 + 1e-12) + 1e-12).all()


def tall_case(rows: int, seed: int) -> Case:
    """Four columns with hierarchies of different shapes and a skewed sensitive value: more than 200 nodes."""
    levels: list[list[list[Label]]] = [
        [list("abcdefgh"), list("ppqqrrss"), list("xxxxyyyy")],
        [list("abcdef"), list("aaadef"), list("aaa*ef")],
        [["1", "2", "3", None], ["12", "12", "3", None]],
        [list("abcde"), list("vvwwe"), list("uuuue")],
    ]
    hierarchies = tuple(Hierarchy.of_levels(level) for level in levels)
    chance = Random(seed)
    quasi = tuple(tuple(chance.choice(hierarchy.leaves) for hierarchy in hierarchies) for _ in range(rows))
    sensitive = tuple((chance.choice("1112235"), chance.choice("xy")) for _ in range(rows))
    return Case(hierarchies, quasi, sensitive, (None, Hierarchy.of_levels([["y", "x"]])))


@pytest.mark.parametrize(
    "models",
    [
        pytest.param([KAnonymity(3)], id="k"),
        pytest.param([KAnonymity(2), LDiversity(2, column="s0")], id="k and distinct l"),
        pytest.param([LDiversity(1.5, "entropy", column="s0"), KAnonymity(4)], id="entropy l and k"),
        pytest.param([LDiversity(2, "recursive", 2.0, "s0")], id="recursive l"),
        pytest.param([LDiversity(1.6, "probabilistic")], id="probabilistic l of both columns"),
        pytest.param([TCloseness(0.3, "ordered", "s0"), TCloseness(0.4, "hierarchical", "s1")], id="two t"),
        pytest.param([KAnonymity(2), LDiversity(2), TCloseness(0.35, column="s0")], id="k and l and t"),
    ],
)
def test_the_search_is_exact_on_a_lattice_of_many_nodes(models: list[ClassModel[Classes]]) -> None:
    case = tall_case(40, seed=len(models))
    assert_optimal(case, models, [0, 2, 6, 15, 40])


@settings(max_examples=60)
@given(st.data())
def test_the_fewest_rows_to_suppress_are_found_too(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 3), most_rows=30))
    models = data.draw(models_for(case, 1))
    gone = [case.rows - len(found.released) for found in all_outcomes(case, models) if found.released]
    best = LatticeSearch(lattice_of(case), models, SuppressedRows(), case.rows).run()
    assert (None if best is None else best.cost) == min(gone, default=None)


def test_the_search_prunes() -> None:
    """A search that looks at every node would be exact as well; this one looks at a part of them."""
    case = tall_case(40, seed=1)
    lattice = lattice_of(case)
    every = len([*nodes(case)])
    for limit in (0, 4):
        best = LatticeSearch(lattice, [KAnonymity(3)], objective("loss"), limit).run()
        assert best is not None
        assert best.evaluated < every / 2


def slow_clock(patch: pytest.MonkeyPatch) -> None:
    """A clock by which every look at it takes a second, so that a search stops after so many nodes."""
    ticks = iter(range(10**9))
    patch.setattr(module, "clock", SimpleNamespace(now=lambda: float(next(ticks)) - 0.5))


@pytest.mark.parametrize("name", OBJECTIVES)
def test_a_time_limit_gives_the_best_so_far_and_says_whether_it_is_proved(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, models = tall_case(40, seed=5), [KAnonymity(3)]
    lattice, limit = lattice_of(case), 6
    outcomes = {found.node: found for found in all_outcomes(case, models)}
    least = min(cost_of(name, case, found, 3) for found in feasible([*outcomes.values()], 40, limit))
    proved = []
    for seconds in range(1, 300):
        slow_clock(monkeypatch)
        best = LatticeSearch(lattice, models, objective(name, 3), limit).run(time_limit=float(seconds))
        if best is None:
            proved.append(False)
            continue
        assert best.evaluated <= seconds + 1
        assert outcomes[best.node] in feasible([*outcomes.values()], 40, limit)
        assert math.isclose(best.cost, cost_of(name, case, outcomes[best.node], 3), rel_tol=1e-9)
        assert best.cost >= least * (1 - 1e-9)
        if best.optimal:
            assert math.isclose(best.cost, least, rel_tol=1e-9)
        proved.append(best.optimal)
    assert not proved[0]
    assert proved[-1]
    assert proved == sorted(proved)


def test_progress_counts_every_node_and_its_bound_never_passes_the_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = tall_case(40, seed=6)
    slow_clock(monkeypatch)
    told: list[Progress] = []
    best = LatticeSearch(lattice_of(case), [KAnonymity(3)], objective("loss"), 4).run(watch=told.append)
    assert best is not None
    assert told
    every = len([*nodes(case)])
    assert all(progress.done + progress.open == every for progress in told)
    known = [progress.best for progress in told if progress.best is not None]
    assert known == sorted(known, reverse=True)
    assert known[-1] == best.cost
    for progress in told:
        if progress.open:
            assert progress.bound is not None
            assert progress.bound <= best.cost * (1 + 1e-9)


def test_a_lattice_too_large_to_hold_is_refused_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    case = tall_case(10, seed=1)
    every = len([*nodes(case)])
    monkeypatch.setattr(module, "LARGEST_LATTICE", every - 1)
    with pytest.raises(BadParameter, match=f"exact search .{every:,}; it takes {every - 1:,}"):
        LatticeSearch(lattice_of(case), [], objective("loss"), 0)
