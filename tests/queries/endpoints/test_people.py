"""Rows of people as a plain database holds them."""

import math

import numpy as np
import polars as pl
import pytest

from queries.attacked import TABLE, people
from shoal.core.errors import BadParameter, BadTable
from shoal.queries.endpoints.people import People, number_column
from shoal.queries.endpoints.question import Question


def test_answers_are_those_of_the_rows() -> None:
    some = people()
    assert some.answer(Question()) == 60
    ill = Question("sex = 'F'", "count", "ill", "'flu'")
    women = some.frame.filter((pl.col("sex") == "F") & (pl.col("ill") == "flu"))
    assert some.answer(ill) == women.height == some.whom(ill).sum()
    assert some.answer(Question("age > 50", "sum", "income")) == pytest.approx(
        some.frame.filter(pl.col("age") > 50)["income"].sum()
    )
    assert some.answer(Question("age > 500", "sum", "income")) == 0
    assert math.isnan(some.answer(Question("age > 500", "max", "income")))


def test_people_leave_and_values_change_in_copies() -> None:
    some = people()
    assert len(some.without("P003")) == len(some.rows(np.arange(59))) == 59
    assert some.with_column(pl.Series("sex", ["F"] * 60)).answer(Question("sex = 'F'")) == 60
    assert len(some) == 60 and some.answer(Question("sex = 'F'")) < 60


def test_a_closed_table_opens_again() -> None:
    some = people()
    some.answer(Question())
    some.close()
    some.close()
    assert some.answer(Question()) == 60


def test_texts_of_a_file_become_numbers_where_they_are_declared() -> None:
    frame = people().frame.with_columns(pl.col("age", "income").cast(pl.String))
    assert People.of(TABLE, frame).frame.equals(people().frame)


def test_tables_without_one_row_of_each_person_are_refused() -> None:
    frame = people().frame
    with pytest.raises(BadTable, match="'id' repeats"):
        People.of(TABLE, pl.concat([frame, frame[:1]]))
    with pytest.raises(BadTable, match="no rows"):
        People.of(TABLE, frame[:0])


def test_bounds_are_asked_for_where_they_are_needed() -> None:
    assert number_column(people(), "age", "it").high == 120
    with pytest.raises(BadParameter, match="--bounds ill=0:120"):
        number_column(people(), "ill", "it")
