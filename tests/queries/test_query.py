"""The subject: parts that are paid for, and groups that need protection."""

import polars as pl
from sqlglot import exp

from queries.clinic import dataset, usual
from shoal.queries.query import Check
from shoal.queries.sql.planner import plan

FULL = usual()


def test_every_noise_of_its_own_is_a_part() -> None:
    """COUNT and SUM of one column share theirs; a count that is told also decides which groups are named."""
    assert plan("SELECT COUNT(*), SUM(age), MEDIAN(age) FROM people", dataset(), FULL).parts == 2
    assert plan("SELECT town, COUNT(*) FROM people GROUP BY town", dataset(), FULL).parts == 1
    assert plan("SELECT town, MEDIAN(age) FROM people GROUP BY town", dataset(), FULL).parts == 2


def test_a_public_table_without_rows_fits_nothing() -> None:
    check = Check(exp.Select(), 1)
    assert check.found(pl.DataFrame({"number": [None]})) == 0
    assert check.found(pl.DataFrame({"number": [3]})) == 3
