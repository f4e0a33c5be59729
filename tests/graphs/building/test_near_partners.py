"""Added edges get partners who look like true friends, and nothing is lost by it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.attacks.link_guessing.test_learnt_scorer import circles
from graphs.drawn import graph_of, graphs, pairs_of, power_law, rarest
from shoal.core.errors import ShoalError
from shoal.graphs.building.anonymise_degrees import reach
from shoal.graphs.building.near_partners import alike_partners, near_partners
from shoal.graphs.graph import Edges, Graph


def made_near(graph: Graph, k: int, seed: int) -> tuple[Graph, Graph]:
    """A release with any partners, and one with near ones."""
    found = reach(graph, k, "raise", np.random.default_rng(seed))
    near = near_partners(graph, found.pairs, k, np.random.default_rng(seed))
    assert len(near) == len(found.pairs)
    return graph.with_edges(added=found.pairs), graph.with_edges(added=near)


@settings(max_examples=60, deadline=None)
@given(graphs(14), st.integers(2, 5), st.integers(0, 1000))
def test_every_degree_stays_shared_by_k_and_no_edge_is_lost(graph: Graph, k: int, seed: int) -> None:
    if graph.nodes < k:
        return
    try:
        plain, near = made_near(graph, k, seed)
    except ShoalError:
        return
    # `with_edges` would give fewer edges if a pair had been linked twice.
    assert near.edges == plain.edges and pairs_of(near) >= pairs_of(graph)
    assert rarest(near.degrees) >= k


@pytest.mark.parametrize("seed", range(4))
def test_of_a_larger_network_too(seed: int) -> None:
    graph = power_law(600, 3000, seed)
    plain, near = made_near(graph, 8, seed)
    assert near.edges == plain.edges and pairs_of(near) >= pairs_of(graph) and rarest(near.degrees) >= 8


def test_a_stranger_gives_way_to_a_friend_of_friends() -> None:
    # Node 1 of the first circle was joined to somebody far away; it has friends of friends whom it lacks.
    graph = circles()
    added = Edges(np.array([1], np.int32), np.array([50], np.int32))
    for seed in range(5):
        near = near_partners(graph, added, 1, np.random.default_rng(seed))
        one, other = int(near.sources[0]), int(near.targets[0])
        partner = other if one == 1 else one
        assert set(graph.neighbours(1).tolist()) & set(graph.neighbours(partner).tolist())


@settings(max_examples=100, deadline=None)
@given(graphs(14), st.integers(2, 4), st.integers(0, 1000))
def test_partners_who_look_alike_keep_the_promise_at_a_few_edges_more(
    graph: Graph, k: int, seed: int
) -> None:
    if graph.nodes < k:
        return
    chance = np.random.default_rng(seed)
    try:
        found = reach(graph, k, "raise", chance)
        pairs = alike_partners(graph, found.pairs, k, chance)
    except ShoalError:
        return
    if pairs is not None:
        made = graph.with_edges(added=pairs)
        assert made.edges == graph.edges + len(pairs) and pairs_of(made) >= pairs_of(graph)
        assert rarest(made.degrees) >= k and len(pairs) <= 1.5 * len(found.pairs)


def test_removed_edges_do_not_come_back() -> None:
    graph = circles()
    friends = graph.neighbours(1)[-3:]
    gone = Edges(np.ones(3, np.int32), friends.copy())
    base = graph.with_edges(removed=gone)
    added = Edges(np.array([1, 1], np.int32), np.array([50, 60], np.int32))
    near = near_partners(base, added, 1, np.random.default_rng(2), gone)
    assert not pairs_of(base.with_edges(added=near)) & (pairs_of(graph) - pairs_of(base))


def test_nothing_added_stays_nothing() -> None:
    empty = Edges(np.empty(0, np.int32), np.empty(0, np.int32))
    assert len(near_partners(graph_of(3, (0, 1)), empty, 2, np.random.default_rng(1))) == 0
