"""The compiled loop gives what its Python text gives."""

import numpy as np

from graphs.drawn import power_law
from shoal.graphs.attacker_reasoning import subgraph_kernels as kernels


def test_the_loop_counts_the_same_as_the_plain_function() -> None:
    graph = power_law(60, 200, 1)
    order = np.argsort(graph.degrees, kind="stable").astype(np.int32)
    people = graph.neighbours(3)[:3].tolist()
    joined = np.array([[graph.has(one, other) for other in people] for one in people], np.bool_)
    least = graph.degrees[people]
    starts = np.searchsorted(graph.degrees[order], least, "left")
    ends = np.searchsorted(graph.degrees[order], least + 2, "right")
    words = (
        graph.offsets,
        graph.targets,
        graph.degrees,
        order,
        starts,
        ends,
        joined,
        least,
        least + 2,
        1,
        1,
        50,
    )
    found = kernels.search_tree(*words, 10_000)
    plain = kernels.search_tree.py_func(*words, 10_000)  # type: ignore[attr-defined]
    assert np.array_equal(found[0], plain[0]) and found[1:] == plain[1:]
