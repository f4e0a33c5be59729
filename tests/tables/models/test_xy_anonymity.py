"""(X,Y)-anonymity against dictionaries of what goes with what."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.models.xy_anonymity import XYAnonymity
from shoal.tables.table import Table

Row = tuple[str | None, ...]
NAMES = ("q0", "q1", "s0", "s1")
tables = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", None]),
        st.sampled_from("cd"),
        st.sampled_from("xyz"),
        st.sampled_from("uv"),
    ),
    min_size=1,
    max_size=25,
)
some_x = st.sampled_from([("q0",), ("q1",), ("q0", "q1")])
some_y = st.sampled_from([("s0",), ("s1",), ("s0", "s1"), ("s1", "s0")])


def classes_of(rows: list[Row], model: ClassModel[Classes]) -> Classes:
    frame = pl.DataFrame(rows, schema=dict.fromkeys(NAMES, pl.String), orient="row")
    table = Table(frame, (), NAMES[:2], NAMES[2:])
    return Classes.of(table, domains_of(table, [model]))


def links(rows: list[Row], x: tuple[str, ...], y: tuple[str, ...]) -> list[list[Row]]:
    """Per combination on x, the values of y that go with it."""
    found: dict[Row, list[Row]] = {}
    for row in rows:
        key, value = (tuple(row[NAMES.index(name)] for name in names) for names in (x, y))
        found.setdefault(key, []).append(value)
    return list(found.values())


@settings(max_examples=60, deadline=None)
@given(tables, some_x, some_y, st.integers(1, 4))
def test_a_table_holds_exactly_when_every_combination_goes_with_k_values(
    rows: list[Row], x: tuple[str, ...], y: tuple[str, ...], k: int
) -> None:
    model = XYAnonymity(x, y, k)
    seen = classes_of(rows, model)
    offered = min(len(set(values)) for values in links(rows, x, y))
    assert model.level(seen) == offered
    assert model.holds(seen).tolist() == [offered >= k] * len(seen)
    assert model.doomed(seen).tolist() == ([0] * len(seen) if offered >= k else seen.sizes.tolist())


@settings(max_examples=80, deadline=None)
@given(tables, some_x, some_y)
def test_finer_labels_never_link_to_more(rows: list[Row], x: tuple[str, ...], y: tuple[str, ...]) -> None:
    model = XYAnonymity(x, y, 2)
    coarse: list[Row] = [("*" if row[0] else None, row[1], *row[2:]) for row in rows]
    assert model.level(classes_of(rows, model)) <= model.level(classes_of(coarse, model))


def test_rows_that_repeat_one_person_do_not_add_to_k() -> None:
    """Ten rows of the same secret are 10-anonymous, and linked to one value."""
    model = XYAnonymity(("q0",), ("s0",), 2)
    seen = classes_of([("a", "c", "x", "u")] * 10, model)
    assert seen.sizes.tolist() == [10] and not model.holds(seen).any() and model.level(seen) == 1


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(BadParameter, match="k of at least 1, not 0"):
        XYAnonymity(("q0",), ("s0",), 0)
    with pytest.raises(BadParameter, match="needs columns for x and y"):
        XYAnonymity((), ("s0",), 2)
    rows: list[Row] = [("a", "c", "x", "u")]
    for x, y, message in (
        ("s0", "s1", r"xy-anonymity names 's0', which is not a quasi-identifier \(there is q0, q1\)"),
        ("q0", "q1", "xy-anonymity names 'q1', which is not a sensitive column"),
    ):
        model = XYAnonymity((x,), (y, "s0"), 2)
        with pytest.raises(BadParameter, match=message):
            model.holds(classes_of(rows, model))
