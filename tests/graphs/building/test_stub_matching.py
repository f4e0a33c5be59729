"""Pairs bring every node to its target, or a little beyond where somebody has to."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphs.drawn import graph_of, graphs, power_law, rarest
from shoal.graphs.building.programme import Change, anonymised
from shoal.graphs.building.stub_matching import match
from shoal.graphs.graph import Graph


@given(graphs(), st.data(), st.sampled_from(["raise", "lower"]), st.integers(0, 9))
def test_what_comes_back_has_the_degrees_it_says(
    graph: Graph, data: st.DataObject, change: Change, seed: int
) -> None:
    k = data.draw(st.integers(1, graph.nodes))
    targets = anonymised(graph.degrees, k, change)
    found = match(graph, targets, k, np.random.default_rng(seed))
    if found is None:
        return  # the caller tries other targets
    adding = change == "raise"
    made = graph.with_edges(added=found.pairs) if adding else graph.with_edges(removed=found.pairs)
    assert (made.degrees == found.targets).all()
    assert rarest(found.targets) >= k
    assert (found.targets >= targets).all() if adding else (found.targets <= targets).all()
    assert found.extra == np.abs(found.targets - targets).sum()
    assert len(found.pairs) * 2 == np.abs(found.targets - graph.degrees).sum()


def test_stubs_of_strangers_are_linked() -> None:
    path = graph_of(6, (0, 1), (2, 3), (3, 4), (4, 5))
    found = match(path, np.array([2, 2, 2, 2, 2, 2]), 6, np.random.default_rng(0))
    assert found is not None and found.extra == 0 and len(found.pairs) == 2


def test_two_who_know_each_other_get_an_added_edge_exchanged() -> None:
    # 0-1 are friends and lack one each; 2-3 are strangers and lack one each. Linking 2-3 first leaves 0 and 1
    # stuck, and the exchange gives 0-2 and 1-3.
    graph = graph_of(4, (0, 1))
    for seed in range(20):
        found = match(graph, np.array([2, 2, 1, 1]), 2, np.random.default_rng(seed))
        assert found is not None and found.extra == 0
        assert sorted(np.concatenate((found.pairs.sources, found.pairs.targets))) == [0, 1, 2, 3]


def test_an_odd_stub_is_met_by_a_member_of_a_large_class() -> None:
    graph = power_law(500, 900, 1)
    targets = graph.degrees.copy()
    node = int(np.argmax(np.bincount(graph.degrees)[graph.degrees] > 20))
    targets[node] += 1
    found = match(graph, targets, 1, np.random.default_rng(0))
    assert found is not None and len(found.pairs) == 1 and found.extra == 1


def test_nothing_lacking_is_nothing_to_do() -> None:
    graph = graph_of(3, (0, 1))
    found = match(graph, graph.degrees.copy(), 1, np.random.default_rng(0))
    assert found is not None and len(found.pairs) == 0
