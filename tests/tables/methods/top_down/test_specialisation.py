"""The search: valid, maximal, every step tried once, whatever the models are."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.contract import ClassModel
from shoal.core.progress import Progress
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.methods.top_down.column_tree import Tree
from shoal.tables.methods.top_down.specialisation import Specialisation
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.model_inputs.text_values import Label
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.lkc import LKC
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.table import Table
from tables.builders import Case, cases, models_for, random_case, random_models
from tables.methods.top_down.test_lkc_counts import holds_twin
from tables.twins import Whole, keeps, ways


def search_of(table: Table, models: Sequence[ClassModel[Classes]]) -> Specialisation:
    tuples = Tuples.of(table, table.hierarchies, domains_of(table, models))
    trees = []
    for c, hierarchy in enumerate(tuples.hierarchies):
        order = LeafOrder.of(hierarchy)
        trees.append(Tree(order, False, tuples.leaf_counts[c][order.leaf_at].astype(np.float64)[:, None]))
    return Specialisation(tuples, trees, models)


def holds(case: Case, models: Sequence[ClassModel[Classes]], labels: Sequence[Sequence[int]]) -> bool:
    """Whether rows with these labels keep every promise, straight from the definitions."""
    whole = Whole.of(case.sensitive, case.taxonomies)
    parts: dict[tuple[int, ...], list[int]] = {}
    for row, own in enumerate(labels):
        parts.setdefault(tuple(own), []).append(row)
    for model in models:
        if isinstance(model, LKC):
            for c, name in enumerate(case.sensitive_names):
                rows = [(own, str(case.sensitive[row][c]), 1) for row, own in enumerate(labels)]
                spoken = model.column in (None, name)
                if spoken and not holds_twin(rows, model.L, model.K, Fraction(str(model.C)), model.values):
                    return False
        elif not all(keeps(model, [case.sensitive[row] for row in part], whole) for part in parts.values()):
            return False
    return True


def finer(case: Case, column: int, stretch: Sequence[Label]) -> list[set[Label]]:
    """The children of a label, given the leaves it covers: on the highest level that tells some apart."""
    for way in reversed(ways(case.hierarchies[column])):
        found: dict[Label, set[Label]] = {}
        for leaf in stretch:
            found.setdefault(way[leaf], set()).add(leaf)
        if len(found) > 1:
            return list(found.values())
    return []


def check(case: Case, models: Sequence[ClassModel[Classes]]) -> None:
    search = search_of(case.table(), models)
    start = [[0] * len(case.hierarchies) for _ in range(case.rows)]
    if not holds(case, models, start):
        whole = search.validity.whole()
        assert not all(model.holds(whole).all() for model in models)
        return
    assert search.run(None, None) is None
    labels = search.labels[:, search.tuples.of_row].T.tolist()
    assert holds(case, models, labels), "the result breaks a promise"
    for c, tree in enumerate(search.trees):
        covered = [
            [case.hierarchies[c].leaves[leaf] for leaf in tree.order.leaf_at[first : last + 1]]
            for first, last in search.stretches[c]
        ]
        for row, own in enumerate(labels):
            under = [number for number, leaves in enumerate(covered) if case.quasi[row][c] in leaves]
            assert under == [own[c]], "a leaf has exactly one label on the cut"
        for leaves in covered:
            children = finer(case, c, leaves)
            after = [list(own) for own in labels]
            for row, own in enumerate(after):
                for place, child in enumerate(children):
                    if case.quasi[row][c] in child:
                        own[c] = 100 + place
            assert not children or not holds(case, models, after), "a further step would have been valid"


@st.composite
def lkcs(draw: st.DrawFn, case: Case) -> LKC:
    column = draw(st.sampled_from([None, *case.sensitive_names]))
    values = draw(st.sampled_from([(), ("1",), ("1", "5"), ("a", "b")]))
    return LKC(
        draw(st.integers(1, 4)),
        draw(st.integers(1, 4)),
        draw(st.sampled_from([0.4, 0.5, 0.8, 1.0])),
        values,
        column,
    )


@settings(max_examples=60)
@given(st.data())
def test_lkc_holds_after_the_search_and_no_further_step_is_valid(data: st.DataObject) -> None:
    case = data.draw(cases(sensitive=(1, 2), most_rows=25))
    check(case, [data.draw(lkcs(case))])


@settings(max_examples=60)
@given(st.data())
def test_any_class_wise_model_holds_after_it_and_no_further_step_is_valid(data: st.DataObject) -> None:
    case = data.draw(cases(sensitive=(0, 1), most_rows=20))
    models = data.draw(models_for(case, at_least=1))
    if data.draw(st.booleans()) and case.taxonomies:
        models.append(data.draw(lkcs(case)))
    check(case, models)


@pytest.mark.parametrize("seed", range(8))
def test_larger_tables_too(seed: int) -> None:
    chance = Random(seed)
    case = random_case(chance)
    check(case, [LKC(chance.randint(1, 3), 2, 1.0)])
    check(case, [KAnonymity(2), LKC(2, 3, 1.0)])
    check(case, random_models(chance, case))


def test_progress_is_told_and_a_time_limit_leaves_a_valid_release_and_a_remark() -> None:
    case = random_case(Random(1))
    told: list[Progress] = []
    assert search_of(case.table(), [KAnonymity(2)]).run(None, told.append) is None
    assert [progress.done for progress in told] == list(range(1, len(told) + 1)) and told[-1].open == 0
    search = search_of(case.table(), [LKC(2, 2, 1.0)])
    note = search.run(time.monotonic() - 1, None)
    assert note is not None and f"left {len(case.hierarchies)} steps untried" in note
    assert not search.labels.any()


def test_a_step_too_long_for_the_time_left_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    case = random_case(Random(2))
    search = search_of(case.table(), [LKC(2, 1, 1.0)])
    monkeypatch.setattr(search.validity, "seconds", lambda column, _: 1e6 if column == 0 else 0.0)
    note = search.run(time.monotonic() + 60, None)
    assert note is not None and "left 1 steps untried" in note
    assert not search.labels[0].any() and search.labels[1:].any()
