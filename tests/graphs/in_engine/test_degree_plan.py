"""What is planned here for a graph elsewhere: as few edges as for one that is here, of few of its nodes."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import Unreachable
from shoal.core.randomness import generator
from shoal.graphs.building.anonymise_degrees import reach
from shoal.graphs.building.target_degrees import anonymous_degrees
from shoal.graphs.graph import Graph
from shoal.graphs.in_engine.degree_plan import marks_of, plan_edges, population, sizes_of


def histogram(degrees: list[int]) -> pl.DataFrame:
    found, counts = np.unique(degrees, return_counts=True)
    return pl.DataFrame({"degree": found, "nodes": counts})


def cost(degrees: np.ndarray, k: int) -> int:
    return int((anonymous_degrees(degrees.astype(np.int64), k, "raise") - degrees).sum())


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 30)), min_size=1, max_size=8), st.integers(1, 6))
def test_the_nearest_degrees_of_a_few_are_those_of_all(runs: list[tuple[int, int]], k: int) -> None:
    degrees = np.array([degree for degree, many in runs for _ in range(many)])
    if len(degrees) < k:
        return
    sizes = sizes_of(histogram(list(degrees)), k)
    few = np.repeat(sizes["degree"].to_numpy(), sizes["wanted"].to_numpy())
    assert cost(few, k) == cost(degrees, k)
    left = (sizes["nodes"] - sizes["wanted"]).to_numpy()
    assert ((left == 0) | (left >= k)).all()


def test_so_many_nodes_are_drawn_as_are_wanted_and_no_degree_is_left_with_fewer_than_k() -> None:
    sizes = pl.DataFrame({"degree": [1, 2, 9], "nodes": [100_000, 30, 1], "wanted": [500, 30, 1]})
    marks = marks_of(sizes)
    assert marks["mark"].to_list()[1:] == ["g", "g"] and 0.005 < int(marks["mark"][0], 16) / 16**13 < 0.01
    drawn = pl.DataFrame({"number": range(800), "degree": [1] * 769 + [2] * 30 + [9]})
    chosen = population(sizes, drawn)
    assert dict(chosen["degree"].value_counts().iter_rows()) == {1: 500, 2: 30, 9: 1}


def here(graph: Graph, k: int, seed: int) -> tuple[int, int, int]:
    """A plan made as for an engine, and the edges that the local method adds; all is checked."""
    asked = []

    def existing(pairs: pl.DataFrame) -> pl.DataFrame:
        asked.append(pairs.height)
        return pairs.filter([graph.has(u, v) for u, v in pairs.iter_rows()])

    sizes = sizes_of(histogram(list(graph.degrees)), k)
    drawn = pl.DataFrame({"number": np.arange(graph.nodes), "degree": graph.degrees})
    plan = plan_edges(population(sizes, drawn), graph.nodes, k, existing, seed)
    pairs = plan.pairs
    assert (pairs["u"] < pairs["v"]).all() and not pairs.is_duplicated().any() and not existing(pairs).height
    made = Graph.of_edges(
        graph.nodes,
        np.concatenate((graph.edge_list().sources, pairs["u"].to_numpy())),
        np.concatenate((graph.edge_list().targets, pairs["v"].to_numpy())),
    )
    assert np.bincount(made.degrees)[made.degrees].min() >= k
    return pairs.height, len(reach(graph, k, "raise", generator(seed)).pairs), plan.nodes


@pytest.mark.parametrize("k", [2, 5, 20])
def test_a_plan_adds_about_as_few_edges_as_the_local_method(k: int) -> None:
    chance = np.random.default_rng(k)
    weights = 1 / np.arange(1, 3001) ** 0.8
    ends = chance.choice(3000, (9000, 2), p=weights / weights.sum())
    added, local, nodes = here(Graph.of_edges(3000, ends[:, 0], ends[:, 1]), k, 1)
    assert added <= 1.1 * local + 5
    assert k > 2 or nodes < 3000


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 4))
def test_small_graphs_are_anonymous_or_it_is_said_that_no_way_was_found(seed: int, k: int) -> None:
    chance = np.random.default_rng(seed)
    nodes = int(chance.integers(k, 25))
    ends = chance.integers(0, nodes, (int(chance.integers(0, 60)), 2))
    try:
        here(Graph.of_edges(nodes, ends[:, 0], ends[:, 1]), k, seed)
    except Unreachable as said:
        assert "by adding edges alone" in str(said)
