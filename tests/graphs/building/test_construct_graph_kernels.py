"""The compiled loops of the papers' constructions, against plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs.building.small import Pair, drawn_graph, graphs, numbers, of_pairs, pairs_of
from shoal.graphs.building import construct_graph_kernels as kernels
from shoal.graphs.graph import Graph


def state(seed: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array([seed], np.uint64)


def plainly_joined(graph: Graph, wanted: list[int], highest: bool) -> tuple[int, int]:
    """How many edges the lenient search makes, and how many ends it leaves, with other ties."""
    left, made, unmet = list(wanted), 0, 0
    edges = pairs_of(graph)
    while any(left):
        positive = [node for node, want in enumerate(left) if want]
        node = max(positive, key=left.__getitem__) if highest else min(positive, key=left.__getitem__)
        want, left[node] = left[node], 0
        others = [other for other in range(graph.nodes) if left[other] and other != node]
        others = [other for other in others if (min(node, other), max(node, other)) not in edges]
        others.sort(key=lambda other: -left[other])
        for other in others[:want]:
            left[other] -= 1
            made += 1
        unmet += want - len(others[:want])
    return made, unmet


@pytest.mark.parametrize("order", [kernels.HIGHEST, kernels.LOWEST])
def test_without_ties_that_matter_the_search_serves_as_many_as_plain_python(order: int) -> None:
    for seed in range(100):
        chance = np.random.default_rng(seed)
        graph = of_pairs(12, [])
        wanted = chance.integers(0, 6, 12)
        sources, ends, unmet = kernels.join_nodes(
            graph.offsets, graph.targets, wanted, np.arange(12), order, True, state(seed + 1)
        )
        made, left = plainly_joined(graph, wanted.tolist(), order == kernels.HIGHEST)
        assert (len(sources), int(unmet.sum())) == (made, left)
        assert len(ends) == made


@given(graphs(), st.integers(0, 10**6))
def test_new_edges_are_new_and_count_for_what_was_wanted(graph: Graph, seed: int) -> None:
    chance = np.random.default_rng(seed)
    wanted = chance.integers(0, 4, graph.nodes)
    order = int(chance.integers(0, 3))
    sources, ends, unmet = kernels.join_nodes(
        graph.offsets, graph.targets, wanted, chance.permutation(graph.nodes), order, True, state(seed + 1)
    )
    made = [(min(pair), max(pair)) for pair in zip(sources.tolist(), ends.tolist(), strict=True)]
    assert len(set(made)) == len(made) and not set(made) & pairs_of(graph)
    assert all(one != other for one, other in made)
    got = np.bincount(np.concatenate((sources, ends)), minlength=graph.nodes)
    assert (got + unmet == wanted).all()


def best_gain(original: set[Pair], built: set[Pair]) -> int:
    """The most that any valid swap of definition 9.6 (read rightly) gains."""
    best = 0
    for i, k in built:
        for one, other in built:
            for j, l in ((one, other), (other, one)):  # noqa: E741 - the paper's letters
                if len({i, j, k, l}) < 4:
                    continue
                new = {(min(i, j), max(i, j)), (min(k, l), max(k, l))}
                if not new & built:
                    lost = len({(i, k), (one, other)} & original)
                    best = max(best, len(new & original) - lost)
    return best


def swapped(original: Graph, built: Graph, patience: int) -> tuple[set[Pair], int]:
    edges = built.edge_list()
    sources, targets, rows = edges.sources.copy(), edges.targets.copy(), built.targets.copy()
    number = kernels.swap_greedily(
        original.offsets, original.targets, built.offsets, rows, sources, targets, 6, patience, state(9)
    )  # fmt: skip
    pairs = {(min(pair), max(pair)) for pair in zip(sources.tolist(), targets.tolist(), strict=True)}
    assert len(pairs) == built.edges
    for node in range(built.nodes):
        row = rows[built.offsets[node] : built.offsets[node + 1]].tolist()
        assert sorted(row) == sorted(sum(pair) - node for pair in pairs if node in pair)
    return pairs, number


def test_swaps_end_where_no_swap_helps() -> None:
    for seed in range(20):
        original = drawn_graph(8, 12, seed)
        built = drawn_graph(8, 12, seed + 100)
        pairs, _ = swapped(original, built, 500)
        assert best_gain(pairs_of(original), pairs) == 0


def test_both_swaps_of_definition_9_6_are_tried() -> None:
    built = of_pairs(4, [(0, 2), (1, 3)])
    for wanted in ([(0, 1), (2, 3)], [(0, 3), (1, 2)]):
        pairs, number = swapped(of_pairs(4, wanted), built, 50)
        assert pairs == set(wanted) and number == 1


def test_nobody_who_wants_leaves_nothing_to_check() -> None:
    graph = of_pairs(3, [(0, 1)])
    assert kernels.subject_to(graph.offsets, graph.targets, numbers(0, 0, 0), numbers())
