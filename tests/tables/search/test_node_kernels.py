"""The loops that price and bound a node, each against a plain-Python twin."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.search import node_kernels as kernels

small = st.integers(0, 1000).map(float)


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9)), max_size=8),
    st.integers(1, 6),
)
def test_what_is_left_of_a_class_is_enough_or_doomed(rows: list[tuple[int, int, int]], smallest: int) -> None:
    sizes = [size for size, _, _ in rows]
    before, more = ([float(min(row[which], row[0])) for row in rows] for which in (1, 2))
    doomed = np.array(before)
    total = kernels.doom(doomed, np.array(more), np.array(sizes, np.int64), smallest)
    wanted = []
    for size, one, other in zip(sizes, before, more, strict=True):
        lost = max(one, other)
        wanted.append(float(size) if size - lost < smallest else lost)
    assert doomed.tolist() == wanted
    assert total == sum(wanted)


@given(st.data())
def test_row_costs_are_sums_over_the_columns(data: st.DataObject) -> None:
    widths = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    levels = [data.draw(st.integers(1, 3)) for _ in widths]
    costs = [
        [[float(data.draw(st.integers(0, 1000))) for _ in range(width)] for _ in range(height)]
        for width, height in zip(widths, levels, strict=True)
    ]
    node = [data.draw(st.integers(0, height - 1)) for height in levels]
    codes = data.draw(
        st.lists(st.tuples(*(st.integers(0, width - 1) for width in widths)), min_size=1, max_size=6)
    )
    rows = data.draw(st.lists(st.integers(0, len(codes) - 1), max_size=8))
    begins = np.cumsum([0] + [w * h for w, h in zip(widths, levels, strict=True)])
    found = kernels.row_costs(
        np.array(codes, np.int32),
        np.array(rows, np.int32),
        np.array([cost for column in costs for level in column for cost in level]),
        np.array([begins[c] + node[c] * widths[c] for c in range(len(widths))], np.int64),
    )
    assert found.tolist() == [
        sum(costs[c][node[c]][codes[row][c]] for c in range(len(widths))) for row in rows
    ]


@given(st.data())
def test_bounds_below_are_levels_and_the_gaps_of_the_weights(data: st.DataObject) -> None:
    widths = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    heights = [data.draw(st.integers(1, 3)) for _ in widths]
    node = [data.draw(st.integers(0, height - 1)) for height in heights]
    codes = data.draw(
        st.lists(st.tuples(*(st.integers(0, width - 1) for width in widths)), min_size=1, max_size=6)
    )
    rows = data.draw(st.lists(st.integers(0, len(codes) - 1), max_size=8))
    weights = [float(data.draw(st.integers(0, 9))) for _ in rows]
    levels = [[data.draw(small) for _ in range(height)] for height in heights]
    # gaps[c][at][level][leaf]: of column c, for a node on level `at`
    gaps = [
        [[[data.draw(small) for _ in range(width)] for _ in range(at + 1)] for at in range(height)]
        for width, height in zip(widths, heights, strict=True)
    ]
    flat: list[float] = []
    padded, starts = np.zeros((len(widths), 3)), np.zeros((len(widths), 3), np.int64)
    for c, of_column in enumerate(gaps):
        padded[c, : heights[c]] = levels[c]
        for at, of_level in enumerate(of_column):
            starts[c, at] = len(flat)
            flat += [gap for one in of_level for gap in one]
    found = kernels.least_below(
        np.array(codes, np.int32),
        np.array(rows, np.int32),
        np.array(weights, np.float64),
        np.cumsum([0, *widths]),
        np.array(node, np.int64),
        padded,
        starts,
        np.array(flat),
    )
    assert found.tolist() == [
        levels[c][level]
        + sum(w * gaps[c][node[c]][level][codes[row][c]] for row, w in zip(rows, weights, strict=True))
        for c in range(len(widths))
        for level in range(node[c] + 1)
    ]


@given(st.data())
def test_lifting_goes_over_all_that_is_below_and_nothing_else(data: st.DataObject) -> None:
    shape = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    node = [data.draw(st.integers(0, levels - 1)) for levels in shape]
    least = [[data.draw(small) for _ in range(level + 1)] for level in node]
    before = np.array([data.draw(st.integers(0, 3000)) for _ in range(int(np.prod(shape)))], np.float64)
    bound = before.reshape(shape).copy()
    strides = np.array(bound.strides, np.int64) // bound.itemsize
    flat = np.array([number for column in least for number in column])
    kernels.lift_below(bound.reshape(-1), strides, np.array(node, np.int64), flat)
    for place in product(*map(range, shape)):
        old = before.reshape(shape)[place]
        below = all(level <= top for level, top in zip(place, node, strict=True))
        lifted = sum(column[level] for column, level in zip(least, place, strict=True)) if below else 0.0
        assert bound[place] == max(old, lifted)
