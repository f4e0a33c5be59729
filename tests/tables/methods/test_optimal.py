"""The optimal method end to end: what it releases, what it refuses and what it then advises."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from dataclasses import replace
from random import Random
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.contract import ClassModel
from shoal.core.errors import BadHierarchy, BadParameter, Unreachable
from shoal.tables.appraisal.losses import OBJECTIVES, largest_k
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods import optimal as module_of_optimal
from shoal.tables.methods.optimal import Optimal, SuppressedRows
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.release import TableRelease
from shoal.tables.search import box_search, exact_search, lattice_search
from shoal.tables.table import Table

from ..builders import Case, Row, cases, models_for, random_case, random_models
from ..search.test_lattice_search import Models, all_outcomes, feasible, tall_case
from ..twins import Whole, cost_of, grouped, keeps, outcome


def assert_honest(case: Case, models: Models, release: TableRelease, allowed: int) -> None:
    """The rows that went out are those of the node it names, every class keeps every promise by the
    definition, and the losses are those of CONTRACT.md."""
    assert release.levels is not None
    whole = Whole.of(case.sensitive, case.taxonomies)
    twin = outcome(case, models, tuple(release.levels[name] for name in case.quasi_names), whole)
    assert release.suppressed == case.rows - len(twin.released) <= allowed
    recoded = {row: labels for labels, rows in grouped(case, twin.node).items() for row in rows}
    wanted = Counter((*recoded[row], *case.sensitive[row], row % 3) for row in twin.released)
    frame = release.table.frame
    assert frame.columns == [*case.quasi_names, *case.sensitive_names, "note"]
    assert Counter(frame.rows()) == wanted
    classes: dict[Row, list[Row]] = {}
    for row in frame.rows():
        width = len(case.hierarchies)
        classes.setdefault(row[:width], []).append(row[width:-1])
    assert all(keeps(model, rows, whole) for model in models for rows in classes.values())
    assert all(model.holds(release.seen()).all() for model in models)
    k = largest_k(models)
    for name in OBJECTIVES:
        cost = cost_of(name, case, twin, k)
        told = release.losses[name.replace("-", "_")]
        assert told == pytest.approx(1 - cost if name == "precision" else cost, abs=1e-12)


@settings(max_examples=60)
@given(st.data())
def test_a_release_is_what_its_levels_say_and_keeps_every_promise(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 3)))
    models = data.draw(models_for(case))
    share = data.draw(st.sampled_from([0.0, 0.1, 0.29, 0.5, 1.0]))
    name = data.draw(st.sampled_from(OBJECTIVES))
    table = case.table()
    before = table.frame.clone()
    allowed = int(round(share * 100) * case.rows // 100)
    possible = feasible(all_outcomes(case, models), case.rows, allowed)
    method = Optimal(name, share, seed=1)
    if possible:
        release = method.protect(table, models)
        assert release.optimal is True
        assert_honest(case, models, release, allowed)
    else:
        with pytest.raises(Unreachable):
            method.protect(table, models)
    assert table.frame.equals(before)


def relaxed(model: ClassModel[Classes], message: str) -> ClassModel[Classes]:
    """The model with what a message advises."""
    if isinstance(model, LDiversity) and model.kind == "recursive":
        above = re.search(r"needs c above (\S+);", message)
        if above:
            return replace(model, c=float(above[1]) + 1e-9)
        assert f"too few values for l={model.l:g}; ask for a smaller l" in message
        return replace(model, l=model.l - 1)
    offered = re.search(r"offers (\S+); ask for no more than that$", message)
    assert offered
    if isinstance(model, KAnonymity):
        return KAnonymity(int(offered[1]))
    assert isinstance(model, LDiversity)
    return replace(model, l=float(offered[1]))


def follow_advice(case: Case, method: Optimal, models: list[ClassModel[Classes]], message: str) -> None:
    """What a refusal advises works, and what it says about the least share is the least share."""
    share = re.search(r"--suppress (\S+) would do \(([\d,]+) of ([\d,]+) rows\)$", message)
    if share:
        rows = int(share[2].replace(",", ""))
        least = min(case.rows - len(found.released) for found in all_outcomes(case, models) if found.released)
        assert (rows, int(share[3].replace(",", ""))) == (least, case.rows)
        release = replace(method, suppress=float(share[1])).protect(case.table(), models)
        assert release.suppressed >= rows
        assert float(share[1]) - rows / case.rows < 0.002
        return
    # Each piece of advice is about one model; once all are followed there is a release.
    for _ in range(10):
        whole = Whole.of(case.sensitive, case.taxonomies)
        failing = [keeps(model, case.sensitive, whole) for model in models].index(False)
        assert message.startswith(f"{models[failing].name} cannot hold: the whole table as one class ")
        models = [*models[:failing], relaxed(models[failing], message), *models[failing + 1 :]]
        try:
            replace(method, suppress=1.0).protect(case.table(), models)
        except Unreachable as again:
            message = str(again)
        else:
            return
    raise AssertionError("ten pieces of advice were not enough")


@settings(max_examples=60)
@given(st.data())
def test_a_promise_is_refused_exactly_when_no_node_keeps_it_and_the_advice_works(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 2), most_rows=12))
    models = data.draw(models_for(case, 1))
    share = data.draw(st.sampled_from([0.0, 0.1, 1.0]))
    possible = feasible(all_outcomes(case, models), case.rows, int(share * case.rows + 1e-9))
    method = Optimal(suppress=share, seed=1)
    try:
        method.protect(case.table(), models)
    except Unreachable as refusal:
        assert not possible
        follow_advice(case, method, models, str(refusal))
    else:
        assert possible


@pytest.mark.parametrize("seed", range(25))
def test_the_advice_of_a_refusal_works_on_larger_tables(seed: int) -> None:
    chance = Random(seed)
    case = random_case(chance)
    models = [*random_models(chance, case), *random_models(chance, case)]
    for share in (0.0, 0.05, 1.0):
        method = Optimal(suppress=share, seed=1)
        try:
            release = method.protect(case.table(), models)
        except Unreachable as refusal:
            follow_advice(case, method, models, str(refusal))
        else:
            assert_honest(case, models, release, int(share * case.rows + 1e-9))


SEVEN = "aaabcde"  # the most frequent is 3 of 7, and exp(H) = 7 / 27^(1/7) = 4.37136…


@pytest.mark.parametrize(
    ("model", "advice"),
    [
        (KAnonymity(8), "offers 7; ask for no more than that"),
        (LDiversity(6), "offers 5; ask for no more than that"),
        (LDiversity(3, "probabilistic"), "offers 2.3333; ask for no more than that"),
        (LDiversity(4.5, "entropy"), "offers 4.3713; ask for no more than that"),
        (LDiversity(3, "recursive", 0.5), "needs c above 1; ask for that, or a smaller l"),
        (LDiversity(2, "recursive", 0.7), "needs c above 0.75; ask for that, or a smaller l"),
        (LDiversity(6, "recursive", 9.0), "has too few values for l=6; ask for a smaller l"),
    ],
)
def test_a_promise_that_no_table_of_these_rows_can_keep_says_what_they_offer(
    model: ClassModel[Classes], advice: str
) -> None:
    case = Case((Hierarchy.of_levels([["x"]]),), (("x",),) * 7, tuple((v,) for v in SEVEN), (None,))
    with pytest.raises(Unreachable) as refusal:
        Optimal(suppress=1.0).protect(case.table(), [model])
    assert str(refusal.value) == f"{model.name} cannot hold: the whole table as one class {advice}"
    assert Optimal(suppress=1.0).protect(case.table(), [relaxed(model, str(refusal.value))]).released


def test_a_release_of_nothing_is_no_release_even_when_all_may_be_suppressed() -> None:
    hierarchy = Hierarchy.of_levels([["x", "y"]])
    case = Case((hierarchy,), (("x",), ("y",)), (("1",), ("1",)), (None,))
    with pytest.raises(Unreachable):
        Optimal(suppress=1.0).protect(case.table(), [LDiversity(2)])


@pytest.mark.parametrize(("share", "possible"), [(0.28, False), (0.2899, False), (0.29, True), (0.57, True)])
def test_the_limit_is_the_floor_of_the_share_as_written(share: float, possible: bool) -> None:
    """0.29 × 100 is 28.999999999999996 to a computer, and 29 rows may go."""
    hierarchy = Hierarchy.of_levels([["x", "y"]])
    rows = [("x",)] * 71 + [("y",)] * 29
    ills = [("1",), ("2",)] * 35 + [("1",)] + [("1",)] * 29
    case = Case((hierarchy,), tuple(rows), tuple(ills), (None,))
    models = [LDiversity(1.9, "probabilistic")]
    assert [len(found.released) for found in all_outcomes(case, models)] == [71, 0]
    if possible:
        assert Optimal(suppress=share).protect(case.table(), models).suppressed == 29
    else:
        with pytest.raises(Unreachable, match=r"--suppress 0\.29 would do \(29 of 100 rows\)"):
            Optimal(suppress=share).protect(case.table(), models)


def test_a_stopped_search_releases_something_valid_and_admits_it(monkeypatch: pytest.MonkeyPatch) -> None:
    case = tall_case(40, seed=9)
    models: Models = [KAnonymity(3), LDiversity(2, column="s0")]
    best = Optimal("loss", 0.1, seed=1).protect(case.table(), models)
    found = []
    for seconds in (6.0, 10.0, 500.0):
        ticks = iter(range(10**9))
        monkeypatch.setattr(lattice_search, "clock", SimpleNamespace(now=lambda t=ticks: float(next(t))))
        release = Optimal("loss", 0.1, time_limit=seconds, seed=1).protect(case.table(), models)
        assert_honest(case, models, release, 4)
        assert release.losses["loss"] >= best.losses["loss"] - 1e-12
        found.append(release.optimal)
    assert found == [False, False, True]


@pytest.mark.parametrize("most", [10**6, 1], ids=["array", "boxes"])
def test_a_stopped_search_says_how_far_off_it_can_be_and_a_proved_one_has_no_bound(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    case, models = tall_case(40, seed=9), [KAnonymity(3)]
    monkeypatch.setattr(exact_search, "MOST_IN_ARRAY", most)
    best = Optimal("loss", 0.1, seed=1).protect(case.table(), models)
    assert (best.bound, best.notes) == (None, ())
    for module in (lattice_search, box_search):
        ticks = iter(range(10**9))
        monkeypatch.setattr(module, "clock", SimpleNamespace(now=lambda t=ticks: float(next(t))))
    made = Optimal("loss", 0.1, time_limit=4.0, seed=1).protect(case.table(), models)
    assert made.bound is not None and made.optimal is False
    assert made.to_json()["bound"] == pytest.approx(made.bound)
    assert made.bound <= best.losses["loss"] + 1e-12
    assert made.notes[0].startswith("the time limit of 4 s ended the search")
    sent = pickle.loads(pickle.dumps(made))  # what travels tells nothing of rows that were left out
    assert (sent.bound, sent.notes) == (None, ())


def test_what_no_levels_keep_is_told_of_a_very_large_lattice_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_search, "MOST_IN_ARRAY", 1)
    monkeypatch.setattr(module_of_optimal, "LARGEST_LATTICE", 1)
    with pytest.raises(Unreachable, match=r"k-anonymity cannot hold"):
        Optimal("loss", 0.1).protect(tall_case(40, seed=9).table(), [KAnonymity(41)])


def test_a_time_limit_that_ends_before_anything_is_found_tries_the_top(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = tall_case(40, seed=9)
    ticks = iter(range(10**9))
    monkeypatch.setattr(lattice_search, "clock", SimpleNamespace(now=lambda: 5.0 * next(ticks)))
    release = Optimal(time_limit=0.5).protect(case.table(), [KAnonymity(13)])
    assert release.optimal is False
    assert min(release.seen().sizes) >= 13


def test_a_seed_repeats_a_release_whatever_the_order_of_the_rows() -> None:
    case = tall_case(40, seed=2)
    table, models = case.table(), [KAnonymity(2)]
    once = Optimal(suppress=0.2, seed=4).protect(table, models)
    again = Optimal(suppress=0.2, seed=4).protect(table, models)
    turned = Optimal(suppress=0.2, seed=4).protect(table.with_frame(table.frame[::-1]), models)
    other = Optimal(suppress=0.2, seed=5).protect(table, models)
    assert once.table.frame.equals(again.table.frame)
    assert once.levels == turned.levels
    assert once.losses == pytest.approx(turned.losses)
    assert once.table.frame.equals(turned.table.frame)
    assert not once.table.frame.equals(other.table.frame)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"suppress": -0.1}, "between 0 and 1, not -0.1"),
        ({"suppress": 5.0}, "between 0 and 1, not 5"),
        ({"suppress": float("nan")}, "not nan"),
        ({"time_limit": 0.0}, "above 0, not 0"),
        ({"time_limit": float("nan")}, "not nan"),
        ({"objective": "beauty"}, "no objective 'beauty'"),
    ],
)
def test_bad_parameters_are_refused_with_their_value(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        Optimal(**arguments)  # type: ignore[arg-type]


def test_a_hierarchy_that_misses_a_value_of_the_table_is_refused() -> None:
    table = Table(
        pl.DataFrame({"q": ["x", "z"]}), quasi=("q",), hierarchies={"q": Hierarchy.of_levels([["x"]])}
    )
    with pytest.raises(BadHierarchy, match="'q' misses 'z'"):
        Optimal().protect(table, [KAnonymity(2)])


def test_only_suppressed_rows_cost() -> None:
    ruler = SuppressedRows()
    assert [ruler.of_sizes(np.array(sizes), gone) for sizes, gone in (([5], 0), ([1, 1], 3))] == [0, 3]
    assert ruler.when_doomed(4, 10, 2) == 4 and ruler.at_least(np.array([1]), 5, 2) == 0
