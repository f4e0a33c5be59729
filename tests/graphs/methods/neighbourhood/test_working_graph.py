"""A graph at work."""

from hypothesis import given

from graphs.drawn import graph_of, graphs, pairs_of
from shoal.graphs.graph import Graph
from shoal.graphs.methods.neighbourhood.working_graph import Work


@given(graphs(9))
def test_shapes_stay_up_to_date_edge_by_edge(graph: Graph) -> None:
    work = Work(graph, 2)
    work.refresh()
    for one in range(graph.nodes):
        for other in range(one):
            if other not in work.near[one] and (one + other) % 3 == 0:
                work.link(one, other)
                work.refresh()
    for node in range(graph.nodes):
        assert work.look(node) == work.shapes.of(work.near, node)
        assert node in work.classes[work.look(node)]
    assert sum(map(len, work.classes.values())) == graph.nodes


def test_added_edges_come_on_top_of_the_old_ones() -> None:
    graph = graph_of(4, (0, 1), (1, 2))
    work = Work(graph, 2)
    work.link(3, 0)
    assert pairs_of(work.graph()) == {(0, 1), (1, 2), (0, 3)} and work.added == 1


def test_unsafe_are_those_whom_too_few_resemble() -> None:
    work = Work(graph_of(4, (0, 1), (0, 2), (0, 3)), 3)
    work.refresh()
    assert set(work.unsafe()) == {0}
