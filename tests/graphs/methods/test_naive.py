"""Naive anonymisation: new labels, the same structure."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.building.small import drawn_graph, graphs, of_pairs, pairs_of
from shoal.core.errors import Unreachable
from shoal.graphs.graph import Graph
from shoal.graphs.methods.naive import Naive
from shoal.graphs.models.k_degree import KDegree


@given(graphs(), st.integers(0, 100))
def test_the_mapping_turns_the_release_back_into_the_original(graph: Graph, seed: int) -> None:
    made = Naive(seed=seed).protect(graph, [])
    assert made.mapping is not None and isinstance(made.graph, Graph)
    back = np.argsort(made.mapping["label"].to_numpy())
    after = {tuple(sorted((int(back[one]), int(back[other])))) for one, other in pairs_of(made.graph)}
    assert after == pairs_of(graph)
    assert made.mapping["original"].to_list() == list(range(graph.nodes))
    assert (made.added, made.removed) == (0, 0)


def test_old_labels_are_gone_from_the_release() -> None:
    graph = Graph.of_edges(3, [0, 1], [1, 2], labels=pl.Series(["Alice", "Bob", "Cathy"]))
    made = Naive(seed=1).protect(graph, [])
    assert isinstance(made.graph, Graph) and made.graph.labels is None
    assert made.mapping is not None and set(made.mapping["original"]) == {"Alice", "Bob", "Cathy"}
    assert sorted(made.mapping["label"]) == [0, 1, 2]


def test_without_a_seed_the_order_comes_from_the_operating_system() -> None:
    graph = drawn_graph(200, 300, 1)
    one, other = (Naive().protect(graph, []).mapping for _ in range(2))
    assert one is not None and other is not None and not one.equals(other)


def test_with_a_seed_it_repeats() -> None:
    graph = drawn_graph(200, 300, 1)
    one, other = (Naive(seed=3).protect(graph, []).mapping for _ in range(2))
    assert one is not None and other is not None and one.equals(other)


def test_a_promise_that_the_structure_does_not_keep_is_refused() -> None:
    star = of_pairs(4, [(0, 1), (0, 2), (0, 3)])
    with pytest.raises(Unreachable, match=r"offers 1 of k-degree\(k=2\); use another method"):
        Naive(seed=1).protect(star, [KDegree(2)])


def test_a_promise_that_held_before_holds_after() -> None:
    ring = of_pairs(5, [(node, (node + 1) % 5) for node in range(5)])
    assert KDegree(5).holds(Naive(seed=1).protect(ring, [KDegree(5)]).seen()).all()


def test_direction_stays_and_kinds_move_along() -> None:
    graph = Graph.of_edges(3, [0, 1], [1, 2], directed=True, kinds=pl.Series(["x", "y", "z"]))
    made = Naive(seed=4).protect(graph, [])
    assert isinstance(made.graph, Graph) and made.graph.directed and made.mapping is not None
    assert made.graph.kinds is not None
    for node, label in enumerate(made.mapping["label"]):
        assert made.graph.kinds[label] == "xyz"[node]


def test_nobody_and_one_are_no_problem() -> None:
    assert Naive(seed=1).protect(of_pairs(0, []), []).nodes == 0
    assert Naive(seed=1).protect(of_pairs(1, []), []).nodes == 1


def test_direction_does_not_go_out_with_a_promise_about_friends() -> None:
    ranked = Graph.of_edges(3, [0, 0, 1], [1, 2, 2], directed=True)
    promised = Naive().protect(ranked, [KDegree(3)]).graph
    assert isinstance(promised, Graph) and not promised.directed and promised.cleaned.undirected
    kept = Naive().protect(ranked, []).graph
    assert isinstance(kept, Graph) and kept.directed
