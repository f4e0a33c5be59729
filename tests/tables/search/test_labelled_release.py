"""Labels for parts, and the small tools that methods with parts share."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.measures.loss import Loss
from shoal.tables.measures.precision import Precision
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.lkc import LKC
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.labelled_release import (
    LabelledParts,
    all_models_hold,
    among,
    choose,
    merge_classes,
    part_of,
    refuse_table_wide,
)
from shoal.tables.table import Table

AGE = Hierarchy.of_levels([["20", "21", "30", "31"], ["2*", "2*", "3*", "3*"]])
SEX = Hierarchy.of_levels([["F", "M"]])


def table() -> Table:
    frame = pl.DataFrame(
        {"age": ["20", "21", "30", "31"], "sex": ["F", "M", "F", "F"], "ill": ["flu", "cold", "flu", "flu"]}
    )
    return Table(frame, (), ("age", "sex"), ("ill",), {"age": AGE, "sex": SEX})


def parts(levels: bool) -> tuple[LabelledParts, Tuples]:
    tuples = Tuples.of(table(), table().hierarchies, domains_of(table()))
    orders = [LeafOrder.of(hierarchy) for hierarchy in tuples.hierarchies]
    part = np.array([0, 0, 1, 2], np.int32)
    if levels:
        return LabelledParts.on_levels(
            tuples, orders, part, np.array([0, 2, 3]), np.array([[1, 1], [1, 0], [1, 0]])
        ), tuples
    first, last = np.array([[0, 0], [2, 0], [3, 0]], np.int32), np.array([[1, 1], [2, 0], [3, 0]], np.int32)
    return LabelledParts.over(tuples, orders, part, first, last), tuples


def test_stretches_become_ranges_and_labels() -> None:
    labelled, _ = parts(levels=False)
    release = labelled.release(table(), np.array([True, True, False]), [KAnonymity(1)], "m", None, 0.0, {})
    assert sorted(release.table.frame.rows()) == [
        ("30", "F", "flu"), ("[20, 21]", "*", "cold"), ("[20, 21]", "*", "flu"),
    ]  # fmt: skip
    assert (release.classes, release.suppressed) == (2, 1)
    # (1/3 + 1) twice, nothing for the third row, everything for the fourth
    assert release.losses["loss"] == pytest.approx((2 * (1 / 3 + 1) + 0 + 2) / 8)


def test_parts_that_read_alike_are_one_class() -> None:
    labelled, _ = parts(levels=True)
    assert labelled.number == 2
    assert sorted(labelled.classes().sizes.tolist()) == [2, 2]
    release = labelled.release(table(), np.ones(3, np.bool_), [KAnonymity(2)], "m", 1, 0.0, {}, ["a note"])
    assert release.losses["discernibility"] == 8 and release.notes == ("a note",)


def test_counts_of_some_tuples_put_together_are_those_of_the_whole() -> None:
    _, tuples = parts(levels=True)
    whole = tuples.grouped(np.zeros(4, np.int32), 1)
    few = among(tuples.sensitive, np.array([3, 0]))["ill"]
    assert few.counts.tolist() == [1, 1] and few.offsets.tolist() == [0, 1, 2]
    again = merge_classes(tuples.grouped(np.arange(4, dtype=np.int32), 4), np.zeros(4, np.int32), 1)
    assert again.sensitive["ill"].counts.tolist() == whole.sensitive["ill"].counts.tolist() == [1, 3]
    assert all_models_hold([KAnonymity(4)], whole).tolist() == [True]
    assert all_models_hold([KAnonymity(4), KAnonymity(5)], whole).tolist() == [False]


def test_a_promise_about_the_whole_table_is_refused_with_the_reason() -> None:
    with pytest.raises(
        BadParameter, match="m settles one class at a time and lkc speaks of the whole table; x"
    ):
        refuse_table_wide([KAnonymity(2), LKC(2, 2, 0.5)], "m", "x")


def test_some_tuples_make_a_table_of_their_own() -> None:
    _, tuples = parts(levels=True)
    few = part_of(tuples, np.array([2, 0]))
    assert few.rows == tuples.sizes[0] + tuples.sizes[2]
    assert few.codes.tolist() == tuples.codes[[2, 0]].tolist()


def test_parts_are_chosen_only_if_a_reader_sees_classes_that_hold() -> None:
    labelled, _ = parts(levels=True)
    kept = np.array([True, True, False])
    assert choose(labelled, kept, [KAnonymity(2)], Loss()) is None
    found = choose(labelled, np.array([True, True, True]), [KAnonymity(2)], Loss())
    assert found is not None and found.cost == pytest.approx((2 * (1 / 3 + 1) + 2 / 3) / 8)
    fine = choose(labelled, np.array([True, True, True]), [KAnonymity(2)], Precision())
    assert fine is not None and fine.cost == pytest.approx((2 * (1 / 2 + 1) + 2 / 2) / 8)
