"""A k-degree anonymous graph near the original, for every small graph and every k."""

import numpy as np
import pytest

from graphs.building.small import drawn_graph, of_pairs, unlabelled
from shoal.core.progress import Progress
from shoal.graphs.building import swapping_search
from shoal.graphs.building.programme import Change
from shoal.graphs.building.swapping_search import near
from shoal.graphs.building.swapping_targets import k_anonymous
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
