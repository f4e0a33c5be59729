"""Noisy answers become tables with the kinds that the declaration gives."""

from __future__ import annotations

import polars as pl

from queries.clinic import dataset, usual
from shoal.queries.sql.outer_tables import FURTHEST, empty_table, leaf_table, series
from shoal.queries.sql.planner import plan

QUERY = plan("SELECT sex, born, COUNT(*), AVG(age) FROM people GROUP BY sex, born", dataset(), usual())


def test_kinds_are_public() -> None:
    kinds = list(empty_table(QUERY).schema.values())
    assert kinds == [pl.String, pl.Date, pl.Int64, pl.Float64]
    rows = [("F", "1980-05-17", 3, 1.5), (None, None, None, None)]
    assert leaf_table(QUERY, rows).schema == empty_table(QUERY).schema
    assert leaf_table(QUERY, []).schema == empty_table(QUERY).schema


def test_a_number_beyond_all_reading_is_cut_off() -> None:
    assert series("n", [10**30, -(10**30), None, 5], pl.Int64).to_list() == [FURTHEST, -FURTHEST, None, 5]
