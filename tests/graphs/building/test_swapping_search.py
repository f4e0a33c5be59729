"""A k-degree anonymous graph near the original, for every small graph and every k."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.building.small import drawn_graph, graphs, labelled, numbers, of_pairs, pairs_of, unlabelled
from shoal.core.progress import Progress
from shoal.graphs.building import swapping_search
from shoal.graphs.building.construct_graph import construct_graph
from shoal.graphs.building.swapping_search import edit_edges, near
from shoal.graphs.building.swapping_targets import k_anonymous
from shoal.graphs.building.target_degrees import Change
from shoal.graphs.graph import Graph


@pytest.mark.parametrize("change", ["raise", "both"])
def test_every_graph_of_up_to_6_nodes_reaches_every_k_without_a_last_resort(change: Change) -> None:
    for graph in unlabelled(6):
        for k in range(1, graph.nodes + 1):
            found = near(graph, k, change, graph.edges // 20, 40, np.random.default_rng(1))
            assert not found.complete
            degrees = graph.with_edges(found.added, found.removed).degrees
            assert k_anonymous(degrees, k)
            if k == 1:
                assert found.changes == 0


@pytest.mark.parametrize("change", ["raise", "both"])
def test_what_is_anonymous_already_stays(change: Change) -> None:
    ring = of_pairs(6, [(node, (node + 1) % 6) for node in range(6)])
    found = near(ring, 6, change, 0, 40, np.random.default_rng(1))
    assert found.changes == 0


@pytest.mark.parametrize("k", [5, 40])
def test_hubs_take_partners_from_large_classes_before_the_graph_is_taken_apart(k: int) -> None:
    graph = drawn_graph(2000, 8000, 1)
    allowed = graph.edges // 20
    found = near(graph, k, "raise", allowed, 40, np.random.default_rng(1))
    assert len(found.removed) <= allowed + allowed // 4 + 16


def test_a_star_with_many_leaves_gets_a_second_hub() -> None:
    star = of_pairs(2001, [(0, leaf) for leaf in range(1, 2001)])
    found = near(star, 2, "raise", 0, 40, np.random.default_rng(1))
    assert not found.complete
    assert (len(found.added), len(found.removed)) == (1999, 0)


def test_when_no_round_succeeds_edges_are_only_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swapping_search, "k_anonymous", lambda *_: False)
    sparse = of_pairs(6, [(0, 1), (1, 2)])
    watched: list[Progress] = []
    found = near(sparse, 3, "both", 0, 2, np.random.default_rng(1), watched.append)
    assert len(found.removed) == 0 and not found.complete
    assert k_anonymous(sparse.with_edges(found.added).degrees, 3)
    assert [step.done for step in watched] == [1, 2]


def test_hubs_that_want_everybody_do_not_end_in_the_complete_graph() -> None:
    chance = np.random.default_rng(2459)
    for _ in range(30):
        weights = 1 / (np.arange(38) + 1.0)
        ends = chance.choice(38, (2, 500), p=weights / weights.sum())
        graph = Graph.of_edges(38, ends[0], ends[1])
        found = near(graph, 7, "raise", graph.edges // 20, 40, chance)
        assert not found.complete and k_anonymous(graph.with_edges(found.added, found.removed).degrees, 7)


@given(graphs(), st.integers(0, 10**6), st.booleans())
def test_the_degrees_told_are_those_of_the_graph(graph: Graph, seed: int, insist: bool) -> None:
    chance = np.random.default_rng(seed)
    target = np.clip(graph.degrees + chance.integers(-2, 3, graph.nodes), 0, graph.nodes - 1)
    made = edit_edges(graph, target, 1, 2, insist, chance)
    after = graph.with_edges(made.added, made.removed)
    assert after.degrees.tolist() == made.degrees.tolist()
    assert len(pairs_of(after)) == graph.edges + len(made.added) - len(made.removed)
    assert made.left >= 0


def test_degrees_of_another_small_graph_are_reached_or_what_is_left_is_told() -> None:
    every = [graph for graph in labelled(4) if graph.nodes == 4]
    reached = 0
    for graph in every:
        for other in every[::7]:
            # k = 5 closes every class: nothing may be shared, so the target is the one that was given.
            made = edit_edges(graph, other.degrees, 5, 9, True, np.random.default_rng(1))
            assert int(np.abs(made.degrees - other.degrees).sum()) == made.left
            reached += made.left == 0
    assert reached > 0.9 * len(every) * len(every[::7])


def test_two_who_lack_an_edge_are_linked() -> None:
    made = edit_edges(of_pairs(4, [(0, 1)]), numbers(1, 1, 1, 1), 1, 0, False, np.random.default_rng(1))
    assert (len(made.added), len(made.removed), made.left) == (1, 0, 0)


def test_two_neighbours_who_have_too_many_lose_their_edge() -> None:
    made = edit_edges(of_pairs(3, [(0, 1), (1, 2)]), numbers(0, 1, 1), 1, 0, False, np.random.default_rng(1))
    assert (len(made.added), len(made.removed), made.left) == (0, 1, 0)


def test_nearly_all_of_a_large_graph_stays() -> None:
    graph = drawn_graph(3000, 9000, 1)
    chance = np.random.default_rng(1)
    target = graph.degrees.copy()
    target[chance.choice(graph.nodes, 200, replace=False)] += 1
    made = edit_edges(graph, target, 5, 100, True, chance)
    assert made.left == 0
    assert len(made.removed) < 10 and 100 <= len(made.added) < 110


def test_a_graph_that_has_its_degrees_is_left_alone() -> None:
    graph = drawn_graph(50, 90, 1)
    made = edit_edges(graph, graph.degrees, 1, 0, True, np.random.default_rng(1))
    assert len(made.added) == len(made.removed) == made.left == 0


def test_a_built_graph_is_brought_to_the_degrees_of_another() -> None:
    graph = drawn_graph(60, 120, 1)
    other = construct_graph(drawn_graph(60, 120, 2).degrees, "random", np.random.default_rng(1)).graph
    assert other is not None
    made = edit_edges(other, graph.degrees, 61, other.edges, True, np.random.default_rng(1))
    assert made.left == 0
