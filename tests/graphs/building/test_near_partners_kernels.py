"""The compiled loop gives what its Python text gives."""

import numpy as np
import pytest

from graphs.drawn import power_law
from shoal.graphs.building import near_partners_kernels as kernels
from shoal.graphs.graph import Graph


@pytest.mark.parametrize("again", [False, True])
def test_the_loop_chooses_as_the_plain_function(again: bool) -> None:
    graph = power_law(80, 240, 1)
    anchors = np.argsort(-graph.degrees, kind="stable")[:3]
    joined = [
        [node for node in range(79, 0, -1) if node not in anchors and not graph.has(a, node)] for a in anchors
    ]
    partners = np.array([node for row in joined for node in row[:4]], np.int32)
    # The fifth stranger of each is barred: an edge that was removed must not come back as an added one.
    barred = Graph.of_edges(80, anchors, [row[4] for row in joined])
    starts, taken = np.arange(0, 13, 4), np.isin(np.arange(80), anchors)
    degrees = graph.degrees + np.bincount(np.concatenate((partners, np.repeat(anchors, 4))), minlength=80)
    models = np.repeat(graph.offsets[anchors], 4) + np.arange(12) % 3
    told = []
    for loop in (kernels.exchange_added, kernels.exchange_added.py_func):  # type: ignore[attr-defined]
        own, after = partners.copy(), degrees.copy()
        sizes = np.bincount(after, minlength=100)
        rows = (graph.offsets, graph.targets), (barred.offsets, barred.targets), (anchors, starts, own)
        told.append((loop(*rows, models, taken, after, sizes, 1, 10**6, again), own, after, sizes))
    for one, other in zip(*told, strict=True):
        assert np.array_equal(one, other)
    exchanged, own, after, sizes = told[0]
    assert exchanged >= (own != partners).sum() > 0
    assert np.array_equal(sizes, np.bincount(after, minlength=100))
    for anchor, row in zip(np.repeat(anchors, 4).tolist(), own.tolist(), strict=True):
        assert not (graph.has(anchor, row) or barred.has(anchor, row) or taken[row])
