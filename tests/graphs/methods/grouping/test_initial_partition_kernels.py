"""Halving against plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.methods.grouping.twins import random_graph
from shoal.graphs.graph import Graph, Int32
from shoal.graphs.methods.grouping import initial_partition_kernels as kernels

LOGS = np.log(np.maximum(np.arange(60), 1))


def named(graph: Graph, left: list[int], right: list[int]) -> float:
    """What it takes to name everybody's neighbours on either side."""
    total = 0.0
    for node in range(graph.nodes):
        for side in (left, right):
            number = len(set(graph.neighbours(node).tolist()) & set(side))
            total += number * math.log(len(side) / (number + 1))
    return total


def counted(graph: Graph, sides: list[list[int]]) -> Int32:
    counts = np.zeros((graph.nodes, 2), np.int32)
    for node in range(graph.nodes):
        for at, side in enumerate(sides):
            counts[node, at] = len(set(graph.neighbours(node).tolist()) & set(side))
    return counts


@settings(max_examples=40)
@given(st.integers(4, 10), st.floats(0, 1), st.integers(0, 10**6))
def test_a_gain_is_what_crossing_over_saves(nodes: int, share: float, seed: int) -> None:
    graph = random_graph(nodes, share, seed)
    order = np.random.default_rng(seed).permutation(nodes).astype(np.int32)
    left, right = order[: nodes // 2], order[nodes // 2 :]
    counts = counted(graph, [left.tolist(), right.tolist()])
    found = kernels.gains(left, 0, len(left), len(right), graph.offsets, graph.targets, LOGS, counts)
    for node, gain in zip(left.tolist(), found, strict=True):
        before = after = 0.0
        for friend in graph.neighbours(node):
            near, away = counts[friend]
            before += near * math.log(len(left) / (near + 1)) + away * math.log(len(right) / (away + 1))
            after += (near - 1) * math.log(len(left) / near) + (away + 1) * math.log(len(right) / (away + 2))
        assert gain == pytest.approx(before - after, abs=1e-9)


@settings(max_examples=40)
@given(st.integers(2, 20), st.floats(0, 1), st.integers(0, 10**6), st.integers(1, 6))
def test_halving_only_rearranges(nodes: int, share: float, seed: int, groups: int) -> None:
    graph = random_graph(nodes, share, seed)
    order = np.arange(nodes, dtype=np.int32)
    limits = np.arange(groups + 1) * nodes // groups
    counts = np.zeros((nodes, 2), np.int32)
    if (np.diff(limits) > 0).all():
        kernels.bisect(order, limits, graph.offsets, graph.targets, LOGS, 5, counts)
    assert sorted(order) == list(range(nodes)) and not counts.any()


def test_two_stars_are_told_apart() -> None:
    hubs = [0, 1] * 6
    graph = Graph.of_edges(14, hubs, range(2, 14))
    order = np.arange(14, dtype=np.int32)
    counts = np.zeros((14, 2), np.int32)
    before = named(graph, order[:7].tolist(), order[7:].tolist())
    kernels.bisect(order, np.array([0, 7, 14]), graph.offsets, graph.targets, LOGS, 20, counts)
    assert named(graph, order[:7].tolist(), order[7:].tolist()) < before
    leaves = [{node % 2 for node in side.tolist() if node > 1} for side in (order[:7], order[7:])]
    assert leaves in ([{0}, {1}], [{1}, {0}])
