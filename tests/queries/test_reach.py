"""The promise under all others: one person moves what is summed by no more than the noise is made for."""

from __future__ import annotations

import datetime
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from queries.clinic import PEOPLE as PEOPLE_TABLE
from queries.clinic import VISITS as VISITS_TABLE
from queries.clinic import WARDS as WARDS_TABLE
from queries.clinic import dataset, person, store
from queries.questions import ANSWERED
from shoal.queries.query import Query
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan

ODD = st.sampled_from([0.0, -1e300, 1e300, float("nan"), float("inf"), float("-inf"), 99.99, 1e-300, None])
PEOPLE = st.builds(
    person,
    st.integers(0, 5),
    sex=st.sampled_from(["F", "M", "X", None]),
    age=st.one_of(st.integers(-5, 130), st.none()),
    income=st.one_of(st.floats(-10, 1100), ODD),
    town=st.sampled_from(["Ulm", "Bonn", "", "'; --", None]),
    smokes=st.sampled_from([True, False, None]),
    born=st.sampled_from(
        [datetime.date(1980, 1, 1), datetime.date(1, 1, 1), datetime.date(9999, 12, 31), None]
    ),
    weight=ODD,
)
VISITS = st.fixed_dictionaries(
    {
        "id": st.one_of(st.integers(0, 5), st.none()),
        "ward": st.sampled_from([1, 2, 3, 2**62, None]),
        "cost": st.one_of(st.floats(-100, 300), ODD),
        "reason": st.sampled_from(["fall", "flu", None]),
    }
)
WARDS = st.fixed_dictionaries(
    {
        "ward": st.sampled_from([1, 2, 2**62, None]),
        "floor": st.integers(0, 9),
        "name": st.sampled_from(["north", "south"]),
    }
)


def exact(query: Query, made: Any) -> dict[str, dict[tuple[Any, ...], int]]:
    """Every primitive per group, and per group and step how many rows a quantile is chosen from."""
    frame, *steps = made.run(selects(query))
    keys = [f"k{index}" for index in range(len(query.keys))]
    found: dict[str, dict[tuple[Any, ...], int]] = {}
    for index, primitive in enumerate(query.primitives):
        total = np.zeros(frame.height, object)
        for column, weight in primitive.terms:
            total = total + weight * np.array([value or 0 for value in frame[f"x{column}"].to_list()], object)
        groups = [tuple(row) for row in frame.select(keys).rows()] if keys else [()]
        found[f"primitive {index}"] = dict(zip(groups, total.tolist(), strict=True))
    for index, (quantile, counts) in enumerate(zip(query.quantiles, steps, strict=True)):
        assert counts["step"].is_between(0, quantile.steps - 1).all()
        found[f"quantile {index}"] = {row[:-1]: row[-1] for row in counts.rows()}
    return found


Drawn = tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]], int]


def moved(one: dict[tuple[Any, ...], int], other: dict[tuple[Any, ...], int], power: int = 1) -> int:
    return sum(abs(one.get(group, 0) - other.get(group, 0)) ** power for group in {*one, *other})


DATABASES = st.tuples(
    st.lists(PEOPLE, max_size=8),
    st.lists(VISITS, max_size=14),
    st.lists(WARDS, max_size=5),
    st.integers(0, 5),
)


@settings(max_examples=6, deadline=None)
@given(DATABASES)
def test_one_person_moves_every_number_by_its_reach_at_most(drawn: Drawn) -> None:
    moves_by_its_reach(*drawn)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(DATABASES)
def test_one_person_moves_every_number_by_its_reach_at_most_in_many_databases(drawn: Drawn) -> None:
    moves_by_its_reach(*drawn)


def moves_by_its_reach(
    patients: list[dict[str, Any]], stays: list[dict[str, Any]], places: list[dict[str, Any]], gone: int
) -> None:
    whole = store(patients, stays, places)
    without = store(
        [row for row in patients if row["id"] != gone], [row for row in stays if row["id"] != gone], places
    )
    for question in ANSWERED:
        query, again = (plan(question, dataset(), made) for made in (whole, without))
        assert query.primitives == again.primitives
        assert [output.name for output in query.outputs] == [output.name for output in again.outputs]
        before, after = exact(query, whole), exact(again, without)
        together: Counter[int] = Counter()
        for index, primitive in enumerate(query.primitives):
            name = f"primitive {index}"
            together[primitive.part] += moved(before[name], after[name])
            if primitive.squared is not None:
                assert moved(before[name], after[name], 2) <= primitive.squared, (question, name)
            # All numbers of a part together, not each.
            assert together[primitive.part] <= primitive.reach, (question, name, before, after)
        for index, quantile in enumerate(query.quantiles):
            name = f"quantile {index}"
            assert moved(before[name], after[name]) <= quantile.reach, (question, name)


def test_a_store_that_keeps_more_rows_than_declared_would_be_noticed() -> None:
    stays = [{"id": 1, "ward": ward, "cost": 1.0, "reason": "flu"} for ward in (1, 2, 3)]
    whole, without = store([], stays, []), store([], [], [])
    lying = replace(dataset(), tables=(PEOPLE_TABLE, replace(VISITS_TABLE, rows=1, groups=1), WARDS_TABLE))
    query = plan("SELECT COUNT(*) FROM visits", lying, whole)
    before, after = exact(query, whole), exact(query, without)
    assert moved(before["primitive 0"], after["primitive 0"]) > query.primitives[0].reach
