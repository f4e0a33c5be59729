"""Answers of Spark have the law of DuckDB's, where most rows of a person are cut off and values are clamped.

A public group is a repetition: every group holds one person, with the same rows, and gets noise of its own.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from queries.stores.in_spark import as_tables
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.ledger.open_ledger import passing_ledger
from shoal.queries.session import Session
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.spark_store import SparkStore
from shoal.queries.stores.store import Store
from statistical.goodness import fits, laplace_pmf, same

pytestmark = pytest.mark.slow

GROUPS, KEPT, HIGH = 1500, 2, 3
# Each of the four p-values below is under this once in 10^8 runs.
CHANCE = 1e-8
DECLARED = Dataset(
    "d",
    (
        Table(
            "t",
            (
                Column("id", "integer"),
                Column("g", "integer", keys=tuple(range(GROUPS)), missing=False),
                Column("y", "integer", 0, HIGH),
            ),
            "id",
            KEPT,
        ),
    ),
    Budget(Fraction(100)),
    "warn",
)


def answers(store: Store, question: str) -> NDArray[np.int64]:
    """What a question of ε = 1 gives, a row for every group."""
    live = Session(DECLARED, store, passing_ledger())
    live.grant("owner")
    rows = live.ask(question, Fraction(1), None, "owner").rows
    return np.array([[round(float(cell or 0)) for cell in row[1:]] for row in rows], np.int64)


def test_answers_of_spark_have_the_law_of_duckdbs_where_people_are_cut_off(
    spark: Any, tmp_path: Path
) -> None:
    # Five rows where two are kept, each of 9 where 3 is the most.
    people = pl.DataFrame({"id": range(GROUPS), "g": range(GROUPS), "y": 9})
    rows = pl.concat([people] * 5)
    here = DuckStore(DECLARED)
    here.load("t", rows)
    there = SparkStore(DECLARED, spark, as_tables(spark, tmp_path, {"t": rows}))
    counted = "SELECT g, COUNT(*) FROM t GROUP BY g"
    law = laplace_pmf(Fraction(KEPT), 40)
    for store in (here, there):
        assert fits(answers(store, counted)[:, 0] - KEPT, law) > CHANCE
    both = "SELECT g, COUNT(*), SUM(y) FROM t GROUP BY g"
    ours, theirs = answers(here, both), answers(there, both)
    for place in range(2):
        assert same(ours[:, place], theirs[:, place]) > CHANCE
    # Of 1,500 sums the mean is near the clamped one, and far from 18 and from 45.
    assert abs(theirs[:, 1].mean() - KEPT * HIGH) < 2
