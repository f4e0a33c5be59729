"""Distinct rows come here with their counts; of too many, the widest column is rolled up first."""

from __future__ import annotations

import polars as pl
import pytest

from engine_places import Place
from shoal.core.errors import BadParameter
from shoal.engines.sql_engine import connect
from shoal.tables.hierarchies import Hierarchy, suggest
from shoal.tables.in_engine.distinct_rows import distinct_rows

FRAME = pl.DataFrame(
    {"age": [*range(40), None, None], "sex": ["f"] * 21 + ["m"] * 21, "ill": ["a", "b", None] * 14}
)


def hierarchy(values: pl.Series) -> Hierarchy:
    return suggest(values, values.name).hierarchy


def test_every_distinct_row_comes_once_with_its_count(place: Place) -> None:
    source = place.source(FRAME.vstack(FRAME))
    with connect([source]) as engine:
        found = distinct_rows(engine, engine.table(source), ["age", "sex"], ["ill"], hierarchy)
        assert found.frame.height == FRAME.n_unique()
    assert found.weights.sum() == 2 * FRAME.height
    assert sorted(found.frame.rows(), key=str) == sorted(FRAME.unique().rows(), key=str)
    assert not found.notes


def test_too_many_are_rolled_up_in_the_engine_and_it_is_said(place: Place) -> None:
    source = place.source(FRAME)
    with connect([source]) as engine:
        found = distinct_rows(engine, engine.table(source), ["age", "sex"], [], hierarchy, most=30)
    (rolled,) = found.rolled
    labels = (
        [rolled.hierarchy.whole.label(str(age), 1) for age in range(40)] if rolled.hierarchy.whole else []
    )
    wanted = pl.DataFrame({"age": [*labels, None, None], "sex": FRAME["sex"]}).unique()
    assert sorted(found.frame.rows(), key=str) == sorted(wanted.rows(), key=str)
    assert found.weights.sum() == FRAME.height
    assert "rolled 'age' up to level 1" in found.notes[0]


def test_what_is_still_too_much_is_refused_with_the_cure(place: Place) -> None:
    source = place.source(FRAME)
    with connect([source]) as engine, pytest.raises(BadParameter, match="name fewer quasi-identifiers"):
        distinct_rows(engine, engine.table(source), ["age", "sex"], ["ill"], hierarchy, most=1)
