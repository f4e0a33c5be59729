"""Hay, Miklau, Jensen, Towsley and Weis 2008: the example network of figure 2 as groups, counted by hand."""

import math

import numpy as np
import pytest

from graphs.methods.grouping.twins import fewest
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.methods.grouping.search import most_likely

PEOPLE = ("Alice", "Bob", "Carol", "Dave", "Ed", "Fred", "Greg", "Harry")
FRIENDS = ["AB", "BC", "BD", "BE", "DE", "DF", "DG", "EG", "EH", "FG", "GH"]


def network() -> Graph:
    initials = [name[0] for name in PEOPLE]
    ends = [[initials.index(pair[at]) for pair in FRIENDS] for at in range(2)]
    return Graph.of_edges(len(PEOPLE), *ends)


def test_the_network_has_the_degrees_of_the_paper() -> None:
    assert network().degrees.tolist() == [1, 4, 1, 4, 4, 2, 4, 2]


def test_one_group_leaves_all_graphs_with_eleven_edges() -> None:
    grouping = Grouping.of_graph(network(), [0] * 8)
    assert grouping.log_worlds == pytest.approx(math.log(math.comb(28, 11)))


def test_groups_of_those_alike_leave_216_worlds() -> None:
    """Alice and Carol, Bob and Greg, Dave and Ed, Fred and Harry.

    Two of four pairs are linked between the first two groups (6 ways), all four between the second and the
    third, Dave and Ed themselves, two of four between each of these groups and the last: 6 · 6 · 6.
    """
    grouping = Grouping.of_graph(network(), [0, 1, 0, 2, 2, 3, 1, 3])
    assert math.exp(grouping.log_worlds) == pytest.approx(216)
    weights = zip(grouping.sources, grouping.targets, grouping.weights, strict=True)
    assert list(weights) == [(0, 1, 2), (1, 2, 4), (1, 3, 2), (2, 2, 1), (2, 3, 2)]
    assert grouping.sure_edges == 5  # Bob and Greg know Dave and Ed for sure, and these two each other


@pytest.mark.parametrize("k", [2, 3, 4])
def test_the_most_likely_partition_is_found(k: int) -> None:
    found = most_likely(network(), k, None, np.random.default_rng(1))
    assert found.log_worlds == pytest.approx(fewest(network(), k), abs=1e-9)


def test_a_finer_partition_never_has_more_worlds() -> None:
    coarse = Grouping.of_graph(network(), [0, 0, 0, 0, 1, 1, 1, 1])
    fine = Grouping.of_graph(network(), [0, 0, 1, 1, 2, 2, 3, 3])
    assert fine.log_worlds <= coarse.log_worlds
