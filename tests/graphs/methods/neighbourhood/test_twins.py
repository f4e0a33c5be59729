"""The dense way."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphs.drawn import graph_of, graphs, power_law
from shoal.graphs.graph import Graph
from shoal.graphs.methods.neighbourhood.twins import Twins
from shoal.graphs.methods.neighbourhood.working_graph import Work
from shoal.graphs.neighbourhoods.classes import alike


def gathered(graph: Graph, k: int, nodes: list[int], kinds: list[int] | None = None) -> Work:
    work = Work(graph, k)
    work.watched = False
    assert Twins(work, kinds or [0] * graph.nodes, lambda _: None).gather(nodes, 10**9)
    return work


@given(graphs(14), st.integers(1, 5), st.sets(st.integers(0, 13)))
def test_a_unit_knows_itself_and_the_same_others(graph: Graph, k: int, nodes: set[int]) -> None:
    k = min(k, graph.nodes)
    wanted = [one for one in nodes if one < graph.nodes]
    work = gathered(graph, k, wanted)
    for unit in work.units:
        assert len(unit) >= k
        circles = [work.near[one] | {one} for one in unit]
        assert all(circle == circles[0] for circle in circles)
    assert all(work.unit[one] >= 0 for one in wanted)
    assert all(set(graph.neighbours(one).tolist()) <= work.near[one] for one in range(graph.nodes))


def test_twins_have_isomorphic_neighbourhoods() -> None:
    graph = power_law(60, 200, 2)
    work = gathered(graph, 4, list(range(60)))
    classes = alike(work.graph(), np.zeros(60, np.int64))
    assert min(np.bincount(classes)) >= 4


def test_twins_are_of_one_kind() -> None:
    kinds = [one % 2 for one in range(20)]
    work = gathered(power_law(20, 40, 1), 3, list(range(20)), kinds)
    assert all(len({kinds[one] for one in unit}) == 1 for unit in work.units)


def test_those_who_share_friends_come_together() -> None:
    # Two cliques, each with a stranger at one of its people: these two need company, and find it at home.
    cliques = [(base + one, base + other) for base in (0, 6) for other in range(6) for one in range(other)]
    work = gathered(graph_of(14, *cliques, (0, 12), (6, 13)), 3, [0, 6])
    assert sorted(len({one // 6 for one in unit}) for unit in work.units) == [1, 1]
    assert work.added == 4


def test_it_stops_at_the_most_edges_that_it_may_add() -> None:
    graph = power_law(60, 200, 2)
    assert not Twins(Work(graph, 4), [0] * 60, lambda _: None).gather(range(60), 5)
