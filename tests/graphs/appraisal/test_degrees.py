"""The degree sequence in short."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.measures.builders import all_graphs, graph_of, skewed_graph
from shoal.graphs.appraisal.degrees import Degrees, movers_distance

LISTS = st.lists(st.integers(0, 12), min_size=1, max_size=12)


def of_list(degrees: list[int]) -> Degrees:
    values = sorted(set(degrees))
    return Degrees(tuple(values), tuple(degrees.count(value) for value in values))


def test_the_summary_is_that_of_the_sequence_in_all_graphs_of_five() -> None:
    for graph in all_graphs(5):
        found, twin = Degrees.of(graph), sorted(graph.degrees.tolist())
        if not twin:
            assert (found.lowest, found.mean, found.median, found.highest) == (0, 0, 0, 0)
            continue
        assert (found.lowest, found.highest) == (twin[0], twin[-1])
        assert found.mean == pytest.approx(statistics.mean(twin))
        assert found.median == statistics.median(twin)
        assert found == of_list(twin)


def test_reaching_counts_those_with_so_many_friends_or_more() -> None:
    found = Degrees.of(graph_of(5, [(0, 1), (0, 2), (0, 3)]))
    assert found.values == (0, 1, 3)
    assert found.reaching().tolist() == [5, 4, 1]
    assert found.to_json()["distribution"] == {"0": 1, "1": 3, "3": 1}


@given(LISTS, LISTS)
def test_the_distance_is_the_area_between_the_two_distributions(one: list[int], other: list[int]) -> None:
    shares = [
        np.array([sum(value <= at for value in degrees) / len(degrees) for at in range(13)])
        for degrees in (one, other)
    ]
    assert movers_distance(of_list(one), of_list(other)) == pytest.approx(np.abs(shares[0] - shares[1]).sum())


def test_the_distance_of_equally_many_people_is_that_of_the_sorted_sequences() -> None:
    one, other = skewed_graph(200, 500, 1), skewed_graph(200, 700, 2)
    twin = np.abs(np.sort(one.degrees) - np.sort(other.degrees)).mean()
    assert movers_distance(Degrees.of(one), Degrees.of(other)) == pytest.approx(twin)


def test_nobody_at_all_is_no_reason_to_fail() -> None:
    nobody = Degrees.of(graph_of(0, []))
    assert movers_distance(nobody, nobody) == 0
    assert movers_distance(nobody, of_list([2, 4])) == 3
