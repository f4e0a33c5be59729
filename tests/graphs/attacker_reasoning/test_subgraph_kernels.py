"""The compiled loop gives what its Python text gives."""

import numpy as np

from graphs.drawn import power_law
from shoal.graphs.attacker_reasoning import subgraph_kernels as kernels
from shoal.graphs.attacker_reasoning.known_members import known_by


def test_the_loop_counts_the_same_as_the_plain_function() -> None:
    graph = power_law(60, 200, 1)
    order = np.argsort(graph.degrees, kind="stable").astype(np.int32)
    people = graph.neighbours(3)[:3].tolist()
    joined = np.array([[graph.has(one, other) for other in people] for one in people], np.bool_)
    least = graph.degrees[people]
    starts = np.searchsorted(graph.degrees[order], least, "left")
    ends = np.searchsorted(graph.degrees[order], least + 2, "right")
    shared = np.zeros((3, 3), np.int64), np.full((3, 3), 9)
    codes = np.array(sorted(set(known_by(graph, np.array(people)).values())), np.int64)
    rows = (graph.offsets, graph.targets, graph.degrees)
    words = (*rows, order, starts, ends, joined, least, least + 2, *shared, codes, 1, 1, 2, 50)
    found = kernels.search_tree(*words, 10_000)
    plain = kernels.search_tree.py_func(*words, 10_000)  # type: ignore[attr-defined]
    assert np.array_equal(found[0], plain[0]) and found[1:] == plain[1:]


def test_friends_in_common_are_counted() -> None:
    graph = power_law(60, 200, 1)
    for one in range(20):
        shared = set(graph.neighbours(one).tolist()) & set(graph.neighbours(33).tolist())
        assert kernels.common_friends(graph.offsets, graph.targets, one, 33) == len(shared)
