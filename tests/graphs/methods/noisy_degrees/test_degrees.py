"""Degrees brought to those of some graph: always one, and not far."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.mechanisms.small import matrices
from shoal.graphs.methods.noisy_degrees.degrees import levelled, made_realisable


@pytest.mark.parametrize("nodes", [0, 1, 2, 3, 4, 5])
def test_every_small_sequence_becomes_that_of_a_graph_and_those_of_graphs_stay(nodes: int) -> None:
    real = {tuple(sorted(row)) for row in matrices(nodes).sum(axis=2).tolist()} if nodes else {()}
    for wanted in product(range(-1, nodes + 1), repeat=nodes):
        found = made_realisable(np.array(wanted, np.int64))
        assert tuple(sorted(found.tolist())) in real
        if tuple(sorted(wanted)) in real:
            assert found.tolist() == list(wanted)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=20), st.data())
def test_levelling_takes_exactly_so_much_from_the_highest(degrees: list[int], data: st.DataObject) -> None:
    before = np.array(degrees)
    less = data.draw(st.integers(0, sum(degrees)))
    after = levelled(before, less)
    assert (before - after).sum() == less and (after <= before).all() and after.min() >= 0
    changed = before > after
    if changed.any():
        assert after[changed].max() - after[changed].min() <= 1
        assert before[~changed].max(initial=0) <= after[changed].max() + 1


def test_input_is_left_alone() -> None:
    wanted = np.array([5, 5, 0, 0, 0, 0])
    assert made_realisable(wanted).sum() % 2 == 0
    assert wanted.tolist() == [5, 5, 0, 0, 0, 0]
