"""Exact and noisy numbers: which groups are told, in which order, with how much noise."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

from queries.clinic import dataset, person, store, usual
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.noise import add_noise
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore


@cache
def counted(question: str, made: DuckStore) -> tuple[Any, Any]:
    """The plan and the exact numbers, which are the same every time; only noise is drawn anew."""
    query = plan(question, dataset(), made)
    return query, made.run(selects(query))


def noise(question: str, made: DuckStore, epsilon: int = 10**6, delta: str = "1e-6") -> Any:
    query, exact = counted(question, made)
    return add_noise(query, exact, Shares("approximate", Fraction(epsilon), Fraction(delta), query.parts))


def test_all_public_groups_are_told_in_their_order_whoever_is_there() -> None:
    for made in (usual(), store([], [], [])):
        found = noise("SELECT smokes, sex, COUNT(*) FROM people GROUP BY smokes, sex", made)
        assert found.groups == 9
        assert found.keys["k1"].tolist() == ["F", "M", None] * 3


def test_a_group_of_one_person_is_hardly_ever_told() -> None:
    lonely = store([person(1, town="Atlantis")], [], [])
    for _ in range(200):
        found = noise("SELECT town, COUNT(*) FROM people GROUP BY town", lonely, epsilon=1, delta="1e-9")
        assert found.groups == 0


def test_told_groups_are_sorted_by_name_and_not_by_the_engine() -> None:
    made = store([person(n, town=("z", "b", "a", None)[n % 4]) for n in range(400)], [], [])
    found = noise("SELECT town, COUNT(*) FROM people GROUP BY town", made, epsilon=100)
    assert found.keys["k0"].tolist() == [None, "a", "b", "z"]


@pytest.mark.parametrize("epsilon", [1, 4])
def test_noise_has_the_scale_it_says(epsilon: int) -> None:
    made = usual()
    draws = np.array(
        [noise("SELECT COUNT(*) FROM visits", made, epsilon).primitives[0][0] for _ in range(600)]
    )
    # Three rows a person: scale 3/ε, standard deviation √2 times that; 600 draws stay within 40 % of it.
    assert np.std(draws) == pytest.approx(2**0.5 * 3 / epsilon, rel=0.4)
    assert abs(draws.mean() - 60) < 6 * 2**0.5 * 3 / epsilon / 600**0.5


def test_no_group_is_called_minus_nought() -> None:
    query = plan("SELECT weight AS k, COUNT(*) FROM people GROUP BY 1", dataset(), usual())
    for keys in ([-0.0], [-0.0, 1.0], [1.0, -0.0, None]):
        frame = pl.DataFrame(
            {"k0": keys, "x0": [10**6] * len(keys)}, schema={"k0": pl.Float64, "x0": pl.Int64}
        )
        told = add_noise(query, [frame], Shares("approximate", Fraction(100), Fraction(1, 2), query.parts))
        assert len(told.keys["k0"]) == len(keys)
        assert not np.signbit(told.keys["k0"]).any()
