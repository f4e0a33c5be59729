"""Beliefs before and after seeing a release."""

import json

import polars as pl
import pytest
from hypothesis import given

from shoal.core.errors import BadParameter
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.belief import Belief
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.t_closeness import TCloseness
from shoal.tables.table import Table
from tables.builders import Case, cases

TABLE = Table(
    pl.DataFrame(
        {"zip": ["1*", "1*", "2*", "2*"], "ill": ["flu", "flu", "flu", None], "people": [1, 1, 2, 2]}
    ),
    (),
    ("zip",),
    ("ill",),
)


def test_prior_and_posterior_of_every_class_and_value() -> None:
    found = Belief().measure(TABLE)
    rows = found.rows("ill").sort(pl.col("who").struct.field("zip"), "value")
    assert rows.to_dicts() == [
        {"who": {"zip": "1*"}, "people": 2, "value": None, "prior": 0.25, "posterior": 0.0},
        {"who": {"zip": "1*"}, "people": 2, "value": "flu", "prior": 0.75, "posterior": 1.0},
        {"who": {"zip": "2*"}, "people": 2, "value": None, "prior": 0.25, "posterior": 0.5},
        {"who": {"zip": "2*"}, "people": 2, "value": "flu", "prior": 0.75, "posterior": 0.5},
    ]
    (ill,) = found.columns
    assert (ill.people, ill.positive, ill.negative) == (4, 2, 2)
    flu, missing = sorted(ill.values, key=lambda value: value.value is None)
    assert (flu.positive, flu.negative, flu.lowest, flu.highest) == (2, 0, 0.5, 1.0)
    assert (missing.positive, missing.negative, missing.lowest, missing.highest) == (0, 2, 0.0, 0.5)
    with pytest.raises(BadParameter, match="nothing was measured about 'pay'; there is ill"):
        found.rows("pay")


def test_the_three_steps() -> None:
    (ill,) = Belief().measure(TABLE).columns
    # B0 is (1/2, 1/2), B1 (3/4, 1/4), B2 (1, 0) or (1/2, 1/2).
    assert ill.nothing_to_whole == 0.25
    assert ill.whole_to_class.to_json() == {"lowest": 0.25, "average": 0.25, "highest": 0.25}
    assert ill.nothing_to_class.to_json() == {"lowest": 0.0, "average": 0.25, "highest": 0.5}
    assert ill.to_json()["b1_b2"] == ill.whole_to_class.to_json()


def test_a_hierarchy_tells_values_that_nobody_has() -> None:
    hierarchy = Hierarchy.of_levels([["flu", None, "gout", "mumps"]])
    (ill,) = Belief().measure(TABLE.with_hierarchies({"ill": hierarchy})).columns
    assert ill.nothing_to_whole == 0.5 and len(ill.values) == 2
    # Nobody is shown not to have what the table does not have at all.
    assert ill.negative == 2


def test_thresholds_can_be_set() -> None:
    (ill,) = Belief(positive=0.5, negative=0.0).measure(TABLE).columns
    assert ill.positive == 4
    (ill,) = Belief(positive=1.0, negative=0.5).measure(TABLE).columns
    assert ill.positive == 2 and ill.negative == 4


def test_people_on_a_list_are_believed_by_the_rows_that_may_be_theirs() -> None:
    people = pl.DataFrame({"name": ["Ann", "Bob"], "zip": ["11", "99"]})
    found = Belief().measure(TABLE, people)
    assert found.columns[0].people == 1 and found.columns[0].positive == 1
    assert found.rows("ill")["posterior"].to_list() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Belief(positive=0.0), "positive above 0 and up to 1, not 0"),
        (lambda: Belief(positive=1.5), "positive above 0 and up to 1, not 1.5"),
        (lambda: Belief(negative=0.9), "negative from 0 to below positive"),
        (lambda: Belief(negative=-0.1), "negative from 0 to below positive"),
        (lambda: Belief(column="zip").measure(TABLE), "belief names 'zip', which is not sensitive here"),
        (lambda: Belief().measure(Table(TABLE.frame)), "belief is about a sensitive column"),
    ],
)
def test_what_makes_no_sense_is_refused(made: object, said: str) -> None:
    with pytest.raises(BadParameter, match=said):
        made()  # type: ignore[operator]


@given(cases(sensitive=(1, 2)))
def test_the_step_from_table_to_class_is_what_t_closeness_limits(case: Case) -> None:
    table = case.table()
    found = Belief().measure(table)
    seen = Classes.of(table, case.domains())
    for about in found.columns:
        assert about.whole_to_class.highest == pytest.approx(TCloseness(0.0, column=about.column).level(seen))
        # A distance keeps to the triangle.
        most = about.nothing_to_whole + about.whole_to_class.highest
        assert about.nothing_to_class.highest <= most + 1e-9
        rows = found.rows(about.column)
        assert rows["posterior"].sum() == pytest.approx(len(seen))
        excluded = rows.filter(pl.col("posterior") == 0)
        by_class = excluded.group_by("who").agg(pl.col("people").first())["people"].sum()
        assert about.negative == by_class
        assert sum(value.negative for value in about.values) == excluded["people"].sum()
    json.dumps(found.to_json(), allow_nan=False)
    assert found == Belief().measure(table) and found.to_tables()["beliefs before and after"][1][0] == "s0"
