"""The compiled loop gives what its Python text gives."""

import numpy as np

from graphs.drawn import power_law
from shoal.graphs.building import near_partners_kernels as kernels


def test_the_loop_chooses_as_the_plain_function() -> None:
    graph = power_law(80, 240, 1)
    anchors = np.argsort(-graph.degrees, kind="stable")[:3]
    joined = [
        [node for node in range(79, 0, -1) if node not in anchors and not graph.has(a, node)] for a in anchors
    ]
    partners = np.array([node for row in joined for node in row[:4]], np.int32)
    starts, is_anchor = np.arange(0, 13, 4), np.isin(np.arange(80), anchors)
    degrees = graph.degrees + np.bincount(np.concatenate((partners, np.repeat(anchors, 4))), minlength=80)
    told = []
    for loop in (kernels.exchange_partners, kernels.exchange_partners.py_func):  # type: ignore[attr-defined]
        own, after, state = partners.copy(), degrees.copy(), np.array([77], np.uint64)
        sizes = np.bincount(after, minlength=100)
        rows = (graph.offsets, graph.targets, starts, own, anchors, is_anchor)
        told.append((loop(*rows, after, sizes, 1, state, 10**6), own, after, sizes))
    for one, other in zip(*told, strict=True):
        assert np.array_equal(one, other)
    (changed, _), own, after, sizes = told[0]
    assert changed == (own != partners).sum() > 0
    assert np.array_equal(sizes, np.bincount(after, minlength=100))
