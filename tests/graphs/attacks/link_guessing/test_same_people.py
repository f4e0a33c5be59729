"""Added edges beside true ones of the same people."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from graphs.drawn import graphs
from shoal.graphs.attacks.link_guessing.same_people import anchors_of, area_among_the_same_people
from shoal.graphs.graph import Graph


@settings(max_examples=100, deadline=None)
@given(graphs(9), st.data())
def test_the_area_is_that_of_all_pairs_of_one_person(graph: Graph, data: st.DataObject) -> None:
    edges = graph.edge_list()
    number = len(edges)
    added = np.array(data.draw(st.lists(st.booleans(), min_size=number, max_size=number)), np.bool_)
    score = np.array(data.draw(st.lists(st.integers(0, 3), min_size=number, max_size=number)), np.float64)
    anchors = anchors_of(graph.nodes, edges, added)
    told = []
    for at in np.flatnonzero(added):
        mine = [
            place
            for place in np.flatnonzero(~added)
            if anchors[at] in (edges.sources[place], edges.targets[place])
        ]
        if mine:
            told.append(np.mean([(score[p] > score[at]) + (score[p] == score[at]) / 2 for p in mine]))
    found = area_among_the_same_people(graph.nodes, edges, added, score)
    assert (found is None) == (not told)
    assert found is None or abs(found - np.mean(told)) < 1e-9


def test_degrees_tell_nothing_about_edges_of_one_person() -> None:
    """The larger degree gives the hub's edges away among all edges, and none among its own."""
    star = Graph.of_edges(9, [0] * 6 + [7], [1, 2, 3, 4, 5, 6, 8])
    edges = star.edge_list()
    added = (edges.sources == 0) & (edges.targets > 3)
    largest = -np.maximum(star.degrees[edges.sources], star.degrees[edges.targets]).astype(np.float64)
    assert area_among_the_same_people(9, edges, added, largest) == 0.5
