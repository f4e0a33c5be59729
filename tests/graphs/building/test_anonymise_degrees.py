"""Every small graph becomes anonymous, nearly always with as few edges as can be."""

from __future__ import annotations

from itertools import combinations
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.drawn import all_graphs, graph_of, graphs, pairs_of, power_law, rarest
from shoal.core.errors import Unreachable
from shoal.graphs.building import anonymise_degrees as reaching
from shoal.graphs.building.anonymise_degrees import AnonymousDegrees, match, reach
from shoal.graphs.building.target_degrees import Change, anonymous_degrees
from shoal.graphs.graph import Graph

Side = Literal["raise", "lower"]


def changed(graph: Graph, found: AnonymousDegrees, change: Side) -> Graph:
    made = graph.with_edges(added=found.pairs) if change == "raise" else graph.with_edges(removed=found.pairs)
    before, after = pairs_of(graph), pairs_of(made)
    assert after > before or after < before or after == before
    assert abs(len(after) - len(before)) == len(found.pairs)
    return made


def fewest(graph: Graph, k: int, change: Side) -> int:
    """Of all sets of edges to add or to drop, the smallest that makes the graph k-degree anonymous."""
    adding = change == "raise"
    pairs = [pair for pair in combinations(range(graph.nodes), 2) if graph.has(*pair) != adding]
    for size in range(len(pairs) + 1):
        for chosen in combinations(pairs, size):
            moved = np.bincount(np.array(chosen, np.int64).ravel(), minlength=graph.nodes)
            if rarest(graph.degrees + moved if adding else graph.degrees - moved) >= k:
                return size
    raise AssertionError("the complete and the empty graph are always anonymous")


@pytest.mark.parametrize("change", ["raise", "lower"])
def test_all_graphs_up_to_six_nodes_are_reached_and_hardly_ever_dearer_than_the_best(change: Side) -> None:
    dearer = []
    for nodes in range(1, 7):
        for graph in all_graphs(nodes):
            for k in range(1, nodes + 1):
                found = reach(graph, k, change, np.random.default_rng(1))
                assert rarest(changed(graph, found, change).degrees) >= k
                assert not found.resort
                # Half of the cost cannot be beaten; anything above is held against every set of edges.
                if len(found.pairs) > -(-found.cost // 2):
                    dearer.append(len(found.pairs) - fewest(graph, k, change))
    assert min(dearer) >= 0
    assert sum(dearer) <= (0 if change == "raise" else 4)  # of 1,159 cases, a third above half of the cost


@given(graphs(), st.data(), st.sampled_from(["raise", "lower"]), st.integers(0, 99))
def test_it_ends_and_changes_one_kind_of_edge_only(
    graph: Graph, data: st.DataObject, change: Side, seed: int
) -> None:
    k = data.draw(st.integers(1, graph.nodes))
    found = reach(graph, k, change, np.random.default_rng(seed))
    assert rarest(changed(graph, found, change).degrees) >= k
    assert found.bound <= len(found.pairs)


@pytest.mark.parametrize("k", [5, 50])
def test_graphs_with_hubs_come_close_to_the_bound(k: int) -> None:
    graph = power_law(3000, 9000, 8)
    found = reach(graph, k, "raise", np.random.default_rng(2))
    assert rarest(graph.with_edges(added=found.pairs).degrees) >= k
    assert len(found.pairs) <= 1.02 * found.bound


def test_a_star_takes_partners_from_whole_classes() -> None:
    star = Graph.of_edges(400, np.zeros(399, np.int32), np.arange(1, 400))
    found = reach(star, 3, "raise", np.random.default_rng(0))
    made = star.with_edges(added=found.pairs)
    assert rarest(made.degrees) >= 3
    assert made.edges < 3 * 400  # three hubs, and not the complete graph


@pytest.mark.parametrize(("change", "edges"), [("raise", 6), ("lower", 0)])
def test_the_last_resort_is_a_graph_in_which_all_are_equal(
    change: Side, edges: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Graph.of_edges(4, [0, 1], [1, 2])
    monkeypatch.setattr(reaching, "match", lambda *_: None)
    found = reach(path, 2, change, np.random.default_rng(0))
    assert found.resort and changed(path, found, change).edges == edges
    monkeypatch.setattr(reaching, "_COMPLETE", 3)
    if change == "raise":
        with pytest.raises(Unreachable, match="another seed, a smaller k, or method simultaneous"):
            reach(path, 2, change, np.random.default_rng(0))


def test_a_seed_repeats_the_choice() -> None:
    graph = power_law(200, 500, 3)
    one, other = (reach(graph, 10, "raise", np.random.default_rng(5)) for _ in range(2))
    assert (one.pairs.sources == other.pairs.sources).all()
    assert (one.pairs.targets == other.pairs.targets).all()


@given(graphs(), st.data(), st.sampled_from(["raise", "lower"]), st.integers(0, 9))
def test_what_comes_back_has_the_degrees_it_says(
    graph: Graph, data: st.DataObject, change: Change, seed: int
) -> None:
    k = data.draw(st.integers(1, graph.nodes))
    targets = anonymous_degrees(graph.degrees, k, change)
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
