"""Rows of a model: as many of each kind as it expects, and no kind that it rules out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.tables.methods.synthetic.graphical_model import GraphicalModel
from shoal.tables.methods.synthetic.junction_tree import JunctionTree
from shoal.tables.methods.synthetic.row_drawing import drawn_rows


def test_rows_have_the_marginals_of_the_model() -> None:
    chance = np.random.default_rng(2)
    widths = (3, 2, 4, 2)
    cliques: tuple[tuple[int, ...], ...] = ((0, 1), (1, 2), (3,))
    factors = {one: chance.normal(size=[widths[c] for c in one]) for one in cliques}
    model = GraphicalModel(widths, JunctionTree.over(widths, factors), factors, 5000.0)
    rows = drawn_rows(model, 5000)
    for columns in ((0, 1), (1, 2), (0, 2), (3,), (0, 3)):
        shape = [widths[column] for column in columns]
        places = np.ravel_multi_index(tuple(rows[:, c] for c in columns), shape)
        counts = np.bincount(places, minlength=int(np.prod(shape))).reshape(shape)
        assert np.abs(counts - model.marginal(columns)).max() < 120
    root = model.tree.cliques[0]
    shape = [widths[column] for column in root]
    counts = np.bincount(np.ravel_multi_index(tuple(rows[:, c] for c in root), shape), minlength=1)
    assert np.abs(counts - model.marginal(root).ravel()[: len(counts)]).max() <= 1


def test_what_is_impossible_is_not_drawn_and_one_row_can_be() -> None:
    factors: dict[tuple[int, ...], NDArray[np.float64]] = {(0, 1): np.array([[0.0, -1e4], [-1e4, 0.0]])}
    model = GraphicalModel((2, 2), JunctionTree.over((2, 2), factors), factors, 1.0)
    rows = drawn_rows(model, 400)
    assert (rows[:, 0] == rows[:, 1]).all() and 199 <= rows[:, 0].sum() <= 201
    assert drawn_rows(model, 1).shape == (1, 2)
