"""(X,Y)-linkability against dictionaries of what goes with what."""

from __future__ import annotations

import math
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.models.xy_linkability import XYLinkability
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
@given(tables, some_x, some_y, st.sampled_from([0.2, 0.3, 0.5, 0.6, 0.75, 1.0]))
def test_a_table_holds_exactly_when_no_combination_is_too_sure(
    rows: list[Row], x: tuple[str, ...], y: tuple[str, ...], h: float
) -> None:
    model = XYLinkability(x, y, h)
    seen = classes_of(rows, model)
    surest = max(
        Fraction(values.count(value), len(values)) for values in links(rows, x, y) for value in values
    )
    holds = surest <= Fraction(str(h))
    assert model.level(seen) == pytest.approx(float(surest))
    assert model.holds(seen).tolist() == [holds] * len(seen)
    assert model.doomed(seen).tolist() == ([0] * len(seen) if holds else seen.sizes.tolist())


@settings(max_examples=80, deadline=None)
@given(tables, some_x, some_y)
def test_finer_labels_are_never_less_sure(rows: list[Row], x: tuple[str, ...], y: tuple[str, ...]) -> None:
    model = XYLinkability(x, y, 0.5)
    coarse: list[Row] = [("*" if row[0] else None, row[1], *row[2:]) for row in rows]
    assert model.level(classes_of(rows, model)) >= model.level(classes_of(coarse, model))


def test_two_secrets_together_are_rarer_than_each() -> None:
    rows: list[Row] = [("a", "c", "x", "u"), ("a", "c", "x", "v"), ("a", "c", "y", "u"), ("a", "c", "x", "u")]
    for y, level in ((("s0",), 0.75), (("s1",), 0.75), (("s0", "s1"), 0.5)):
        model = XYLinkability(("q0",), y, 0.5)
        assert model.level(classes_of(rows, model)) == level


@pytest.mark.parametrize("h", [0, -1, 50, math.nan])
def test_bad_parameters_are_refused_with_the_cure(h: float) -> None:
    with pytest.raises(BadParameter, match=rf"not {h:g}; for 50 % write h=0\.5"):
        XYLinkability(("q0",), ("s0",), h)
    with pytest.raises(BadParameter, match="needs columns for x and y"):
        XYLinkability(("q0",), (), 0.5)
