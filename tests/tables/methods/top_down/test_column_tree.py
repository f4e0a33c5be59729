"""The tree of one column: what a label splits into, where numbers are cut, and what a split is worth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.hierarchies import Hierarchy, suggest
from shoal.tables.hierarchies.flat import flat
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.methods.top_down.column_tree import Tree, information_gain
from tables.builders import hierarchies


def tree_of(
    hierarchy: Hierarchy, counts: Sequence[Sequence[float]], grows: bool = False, least: int = 1
) -> Tree:
    return Tree(LeafOrder.of(hierarchy), grows, np.array(counts, np.float64), least)


def entropy_twin(counts: Sequence[float]) -> float:
    total = sum(counts)
    return float(-sum(count / total * math.log2(count / total) for count in counts if count))


def gain_twin(parts: Sequence[Sequence[float]]) -> float:
    """InfoGain(v) = E(T[v]) − Σ_c |T[c]|/|T[v]|·E(T[c])."""
    whole = [sum(column) for column in zip(*parts, strict=True)]
    after: float = sum(sum(part) / sum(whole) * entropy_twin(part) for part in parts if sum(part))
    return entropy_twin(whole) - after


@pytest.mark.parametrize(
    ("parts", "gain"),
    [
        ([[10, 0], [0, 10]], 1.0),  # entropy 1 bit before, 0 after
        ([[5, 5], [5, 5]], 0.0),
        ([[10, 0], [10, 0]], 0.0),
        ([[5, 5], [10, 0]], 0.8112781244591328 - 0.5),
        ([[3, 4], [2, 2]], 0.0034305),  # sex in table 6.1 of the lectures, by hand
    ],
)
def test_the_gain_is_the_entropy_before_less_the_entropy_after(
    parts: Sequence[Sequence[float]], gain: float
) -> None:
    assert information_gain(np.array(parts, np.float64)) == pytest.approx(gain, abs=1e-6)


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=5))
def test_the_gain_follows_its_formula_and_is_never_negative(parts: list[list[int]]) -> None:
    if not sum(map(sum, parts)):
        return
    gain = information_gain(np.array(parts, np.float64))
    assert gain >= 0 and gain == pytest.approx(gain_twin(parts), abs=1e-9)


@given(hierarchies(6, 3), st.data())
def test_splitting_all_the_way_down_reaches_every_leaf_once_and_frees_all_the_loss(
    hierarchy: Hierarchy, data: st.DataObject
) -> None:
    leaves = len(hierarchy.leaves)
    counts = data.draw(st.lists(st.integers(0, 3), min_size=leaves, max_size=leaves).filter(any))
    tree = tree_of(hierarchy, [[count] for count in counts])
    waiting, reached, freed = [(0, leaves - 1)], list[int](), 0.0
    while waiting:
        first, last = waiting.pop()
        split = tree.split(first, last)
        if split is None:
            reached.append(first)
            continue
        freed += split.kept
        assert len(split.starts) and split.gain == 0
        below = list(zip(split.starts.tolist(), split.ends.tolist(), strict=True))
        assert all(first <= low <= high <= last for low, high in below)
        for low, high in below:
            names = {tree.names(np.array([low], np.int32), np.array([high], np.int32))[0]}
            assert len(names) == 1
        waiting += below
    assert sorted(reached) == [place for place in range(leaves) if counts[place]]
    if leaves > 1:
        assert freed == pytest.approx(1.0)


def cut_twin(numbers: Sequence[tuple[int, str]], least: int) -> tuple[float, float] | None:
    """Over all cuts with enough rows on both sides: the most gain, and the least spread among those."""
    values, classes = sorted({value for value, _ in numbers}), sorted({kind for _, kind in numbers})
    found = []
    for cut in range(1, len(values)):
        sides = [[pair for pair in numbers if pair[0] in part] for part in (values[:cut], values[cut:])]
        if min(map(len, sides)) < least:
            continue
        tallies = [[Counter(kind for _, kind in side)[kind] for kind in classes] for side in sides]
        spread = len(sides[0]) * (cut - 1) + len(sides[1]) * (len(values) - cut - 1)
        found.append((-round(gain_twin(tallies), 9), spread))
    return min(found) if found else None


@given(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from("ab")), min_size=2, max_size=20),
    st.integers(1, 4),
    st.booleans(),
)
def test_numbers_are_cut_where_the_gain_is_highest(
    rows: list[tuple[int, str]], least: int, classes: bool
) -> None:
    if len({value for value, _ in rows}) < 3:
        return
    rows = rows if classes else [(value, "a") for value, _ in rows]
    values = sorted({value for value, _ in rows})
    tally = Counter(rows)
    tree = tree_of(
        flat([str(value) for value in values]),
        [[tally[value, kind] for kind in "ab"] for value in values],
        True,
        least,
    )
    split, wanted = tree.split(0, len(values) - 1), cut_twin(rows, least)
    assert (split is None) == (wanted is None)
    if split is None or wanted is None:
        return
    sizes = [
        sum(tally[value, kind] for kind in "ab" for value in values[low : high + 1])
        for low, high in zip(split.starts, split.ends, strict=True)
    ]
    spread = sum(size * (high - low) for size, low, high in zip(sizes, split.starts, split.ends, strict=True))
    assert len(sizes) == 2 and min(sizes) >= least
    assert split.gain == pytest.approx(-wanted[0], abs=1e-8) and spread == wanted[1]


def test_grown_numbers_are_named_by_their_ends_and_marks_stand_alone() -> None:
    import polars as pl

    column = pl.Series(["17", "20", "25", "40", "41", "60", "?", None])
    hierarchy = suggest(column, "age").hierarchy
    order = LeafOrder.of(hierarchy)
    assert order.numbers == 6
    tree = Tree(order, True, np.ones((8, 1)), 1)
    split = tree.split(0, 7)
    assert split is not None
    assert tree.names(split.starts, split.ends) == ["[17, 25]", "[40, 60]", "?", None]
    assert tree.names(np.array([0], np.int32), np.array([7], np.int32)) == ["*"]


def test_a_weighted_gain_is_counted_by_the_rows_that_have_it() -> None:
    hierarchy = Hierarchy.of_levels([["a", "b", "c", "d"], ["x", "x", "y", "y"]])
    counts = np.array([[1, 0], [0, 1], [9, 0], [0, 9]], np.float64)
    plain, weighted = (Tree(LeafOrder.of(hierarchy), False, counts, 1, by_rows) for by_rows in (False, True))
    for first, last, share in ((0, 1, 0.1), (2, 3, 0.9)):
        one, other = plain.split(first, last), weighted.split(first, last)
        assert one is not None and other is not None
        assert one.gain == pytest.approx(1.0) and other.gain == pytest.approx(share)
