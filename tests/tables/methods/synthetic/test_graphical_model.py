"""Marginals of a model against those of its whole table, written out cell by cell."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from shoal.tables.methods.synthetic.graphical_model import GraphicalModel, spread
from shoal.tables.methods.synthetic.junction_tree import JunctionTree

CLIQUES = st.sets(
    st.sets(st.integers(0, 4), min_size=1, max_size=3).map(lambda one: tuple(sorted(one))), max_size=6
)


def whole(model: GraphicalModel) -> NDArray[np.float64]:
    """The twin: the whole table."""
    every = tuple(range(len(model.widths)))
    logs = np.zeros(model.widths)
    for columns, factor in model.factors.items():
        logs = logs + spread(factor, columns, every)
    weights = np.exp(logs)
    return np.asarray(model.total * weights / weights.sum())


@settings(max_examples=25, deadline=None)
@given(CLIQUES, st.lists(st.integers(1, 3), min_size=5, max_size=5), st.integers(0, 2**32 - 1))
def test_every_marginal_is_that_of_the_whole_table(
    cliques: set[tuple[int, ...]], widths: list[int], seed: int
) -> None:
    chance = np.random.default_rng(seed)
    factors = {one: chance.normal(size=[widths[c] for c in one]) for one in sorted(cliques)}
    model = GraphicalModel(tuple(widths), JunctionTree.over(widths, cliques), factors, 50.0)
    table = whole(model)
    for size in range(4):
        for columns in combinations(range(5), size):
            others = tuple(axis for axis in range(5) if axis not in columns)
            assert model.marginal(columns) == pytest.approx(table.sum(axis=others), rel=1e-9, abs=1e-9)


def test_what_is_all_but_impossible_does_not_become_no_number() -> None:
    factors: dict[tuple[int, ...], NDArray[np.float64]] = {
        (0, 1): np.array([[0.0, -1e5], [-1e5, 0.0]]),
        (1, 2): np.array([[0.0, -1e5], [-1e5, -1e5]]),
    }
    model = GraphicalModel((2, 2, 2), JunctionTree.over((2, 2, 2), factors), factors, 1.0)
    assert model.marginal((0, 2)) == pytest.approx(np.array([[1.0, 0], [0, 0]]))
    assert math.isclose(model.marginal(()), 1.0)
