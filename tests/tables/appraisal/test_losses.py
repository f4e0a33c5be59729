"""The losses of CONTRACT.md, against their definitions in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.losses import OBJECTIVES, largest_k, losses, objective, with_objective_file
from shoal.tables.appraisal.objective import SizeLoss
from shoal.tables.measures.average_class_size import AverageClassSize
from shoal.tables.methods.optimal import SuppressedRows
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from tables.appraisal.test_recoding import recoding_of
from tables.builders import Case, cases
from tables.twins import Outcome, cost_of, grouped, nodes


@given(cases(sensitive=(0, 0)), st.integers(1, 5), st.data())
def test_all_losses_are_their_definitions(case: Case, k: int, data: st.DataObject) -> None:
    node = data.draw(st.sampled_from([*nodes(case)]))
    groups = [*grouped(case, node).values()]
    # At least one class goes out: what the average class of nothing is, no definition says.
    gone = data.draw(st.lists(st.sampled_from(groups), max_size=len(groups) - 1, unique_by=id))
    kept = [members for members in groups if not any(members is lost for lost in gone)]
    found = losses(recoding_of(case, node, {row for members in gone for row in members}), k)
    twin = Outcome(node, frozenset(row for members in kept for row in members), tuple(map(len, kept)))
    assert found == {
        "precision": pytest.approx(1 - cost_of("precision", case, twin, k)),
        "loss": pytest.approx(cost_of("loss", case, twin, k)),
        "discernibility": cost_of("discernibility", case, twin, k),
        "average_class_size": pytest.approx(cost_of("average-class-size", case, twin, k)),
        "entropy": pytest.approx(cost_of("entropy", case, twin, k), abs=1e-12),
    }


@given(cases(sensitive=(0, 0)))
def test_the_table_itself_loses_nothing_and_total_suppression_everything(case: Case) -> None:
    bottom, *_, top = nodes(case)
    untouched = losses(recoding_of(case, bottom, set()), 1)
    assert (untouched["precision"], untouched["loss"]) == (1.0, 0.0)
    assert untouched["entropy"] == pytest.approx(0.0, abs=1e-12)
    nothing = losses(recoding_of(case, top, set(range(case.rows))), 1)
    assert (nothing["precision"], nothing["loss"]) == (0.0, 1.0)
    assert nothing["discernibility"] == case.rows**2
    assert nothing["average_class_size"] == float("inf")
    varied = any(len({row[c] for row in case.quasi}) > 1 for c in range(len(case.hierarchies)))
    assert nothing["entropy"] == pytest.approx(1.0 if varied else 0.0)


@given(cases(sensitive=(0, 0)), st.data())
def test_a_higher_level_never_loses_less(case: Case, data: st.DataObject) -> None:
    low = data.draw(st.sampled_from([*nodes(case)]))
    high = tuple(
        data.draw(st.integers(level, hierarchy.height))
        for level, hierarchy in zip(low, case.hierarchies, strict=True)
    )
    less, more = (losses(recoding_of(case, node, set()), 1) for node in (low, high))
    assert less["precision"] >= more["precision"] - 1e-12
    for name in ("loss", "discernibility", "average_class_size", "entropy"):
        assert less[name] <= more[name] + 1e-12


@settings(max_examples=120)
@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 4), st.booleans()), min_size=1, max_size=12),
    st.integers(1, 6),
    st.sampled_from(["discernibility", "average-class-size", "suppressed-rows"]),
)
def test_no_coarsening_of_classes_beats_the_bound_of_a_size_loss(
    parts: list[tuple[int, int, bool]], k: int, name: str
) -> None:
    """Fine classes are merged at random; a merged class goes out if it is large enough and not unlucky."""
    goal = SuppressedRows() if name == "suppressed-rows" else objective(name, k)
    assert isinstance(goal, SizeLoss)
    merged = {number: [part for part in parts if part[1] == number] for number in {n for _, n, _ in parts}}
    sizes = {number: sum(size for size, _, _ in group) for number, group in merged.items()}
    kept = [sizes[number] for number in merged if sizes[number] >= k and merged[number][0][2]]
    rows = sum(sizes.values())
    gone = rows - sum(kept)
    if not kept:
        return
    cost = goal.of_sizes(np.array(kept, np.int64), gone)
    fine = np.array([size for size, _, _ in parts], np.int64)
    for limit in (gone, rows):
        assert goal.at_least(fine, limit, k) <= cost + 1e-12
    for doomed in range(gone + 1):
        assert goal.when_doomed(float(doomed), rows, k) <= cost + 1e-12


def test_every_objective_has_its_name_and_others_are_refused() -> None:
    assert [objective(name).name for name in OBJECTIVES] == list(OBJECTIVES)
    with pytest.raises(BadParameter, match="no objective 'pretty'; choose loss, precision"):
        objective("pretty")


def test_class_sizes_are_measured_in_the_largest_k_asked_for() -> None:
    assert largest_k([LDiversity(3), KAnonymity(2), KAnonymity(7)]) == 7
    assert largest_k([LDiversity(3)]) == 1
    assert objective("average-class-size", 4) == AverageClassSize(4)


@pytest.mark.parametrize(
    ("spelling", "told"),
    [
        ("workload(a/load)", "workload(file=X/a/load)"),
        ('workload( "a, b.csv" ,floor=0.01)', 'workload(file="X/a, b.csv",floor=0.01)'),
        ("workload(file=w)", "workload(file=X/w)"),
        ("workload(a=b.csv)", None),
        ("classifier(column=w)", "classifier(column=w)"),
        ("loss", "loss"),
    ],
)
def test_the_file_of_an_objective_is_found_and_changed(spelling: str, told: str | None) -> None:
    if told is None:
        with pytest.raises(BadParameter, match="workload has no parameter 'a'"):
            with_objective_file(spelling, str)
        return
    assert with_objective_file(spelling, lambda path: f"X/{path}") == told
