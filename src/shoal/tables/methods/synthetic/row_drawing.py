"""Rows drawn from a model: as many of each kind as expected, up to one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from shoal.core.randomness import generator
from shoal.tables.methods.synthetic.graphical_model import GraphicalModel


def drawn_rows(model: GraphicalModel, number: int) -> NDArray[np.int64]:
    """Rows of label numbers. They depend on the model alone, so that chance needs no more care than usual.

    Clique by clique: rows that are alike in the columns known so far share out the new columns of the clique
    by their conditional probabilities, with one random start for all of them (systematic sampling), which is
    unbiased and off by less than one row.
    """
    chance = generator(None)
    rows = np.zeros((number, len(model.widths)), np.int64)
    for clique, between, belief in zip(model.tree.cliques, model.tree.separators, model.beliefs, strict=True):
        new = tuple(column for column in clique if column not in between)
        if not new:
            continue
        axes = [clique.index(column) for column in (*between, *new)]
        held = math.prod(model.widths[column] for column in between)
        shares = np.maximum(belief.transpose(axes).reshape(held, -1), 0)
        sums = shares.sum(axis=1, keepdims=True)
        # What the model holds impossible comes up by rounding only; all values are as good then.
        shares = np.where(sums > 0, shares / np.where(sums > 0, sums, 1), 1 / shares.shape[1])
        group = np.zeros(number, np.int64)
        if between:
            shape = [model.widths[column] for column in between]
            group = np.ravel_multi_index(tuple(rows[:, column] for column in between), shape)
        values = _shared_out(group, shares, chance)
        for column, found in zip(new, np.unravel_index(values, [model.widths[c] for c in new]), strict=True):
            rows[:, column] = found
    return rows


def _shared_out(
    group: NDArray[np.int64], shares: NDArray[np.float64], chance: np.random.Generator
) -> NDArray[np.int64]:
    """A value for each row, by the shares of its group."""
    number, (groups, width) = len(group), shares.shape
    order = np.lexsort((chance.random(number), group))  # rows of a group in a random order
    sizes = np.bincount(group, minlength=groups)
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    of_row = group[order]
    # One random start for each group, then steps of equal length through its shares.
    start = chance.random(size=(groups,))
    points = (np.arange(number) - first + start[of_row]) / sizes[of_row]
    ends = np.cumsum(shares, axis=1)
    ends /= ends[:, -1:]
    ends[:, -1] = 1.0
    found = np.searchsorted((ends + np.arange(groups)[:, None]).ravel(), points + of_row, side="right")
    values = np.empty(number, np.int64)
    values[order] = np.clip(found - of_row * width, 0, width - 1)
    return values
