"""A simple random sample."""

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.core.randomness import generator
from shoal.tables.steps.sampling import Sampling
from shoal.tables.table import Table


def table(rows: int) -> Table:
    return Table(pl.DataFrame({"x": range(rows)}), quasi=("x",))


def test_so_many_rows_each_once_in_their_order() -> None:
    drawn = Sampling(0.3).apply(table(50), generator(1))
    values = drawn.frame["x"].to_list()
    assert len(values) == 15 == len(set(values)) and values == sorted(values) and drawn.quasi == ("x",)
    assert Sampling(rows=7).apply(table(50), generator(1)).rows == 7
    assert Sampling(0.001).apply(table(50), generator(1)).rows == 1
    assert Sampling(1.0).apply(table(5), generator(1)).frame.equals(table(5).frame)


def test_every_row_is_as_likely_as_every_other() -> None:
    chance, rounds = generator(3), 2000
    counts = [0] * 10
    for _ in range(rounds):
        for value in Sampling(0.3).apply(table(10), chance).frame["x"]:
            counts[value] += 1
    # The standard deviation of each count is √(rounds · 0.3 · 0.7) = 20.5.
    assert all(abs(count - 0.3 * rounds) < 100 for count in counts)


def test_bad_parameters_are_refused() -> None:
    for share in (0.0, 1.1, -0.5, float("nan")):
        with pytest.raises(BadParameter, match="not above 0 and up to 1"):
            Sampling(share)
    with pytest.raises(BadParameter, match="leaves nobody"):
        Sampling(rows=0)
    with pytest.raises(BadParameter, match="more than the 5 rows there are"):
        Sampling(rows=6).apply(table(5), generator(1))
