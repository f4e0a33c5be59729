"""What goes out, and what is told about it."""

import json

import networkx
import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.outcome import Promise
from shoal.graphs.graph import Graph
from shoal.graphs.release import GraphRelease

NAMES = pl.Series("label", ["cy", "al", "bo", "di"])
STAR = Graph.of_edges(4, [0, 0, 0], [1, 2, 3], labels=NAMES, kinds=pl.Series(["x", "y", "y", "z"]))


def release(graph: Graph = STAR, **more: object) -> GraphRelease:
    return GraphRelease(graph, 3, "supergraph", 2, 1, 1, **more)  # type: ignore[arg-type]


def names_of(graph: Graph) -> set[frozenset[str]]:
    ends = graph.edge_list()
    return {
        frozenset((graph.name(one), graph.name(other)))
        for one, other in zip(ends.sources.tolist(), ends.targets.tolist(), strict=True)
    }


def test_new_labels_move_the_nodes_and_the_mapping_tells_where_to() -> None:
    made = release().relabelled(np.array([2, 0, 3, 1]))
    assert isinstance(made.graph, Graph) and made.graph.labels is None
    assert made.mapping is not None
    assert dict(made.mapping.iter_rows()) == {"cy": 2, "al": 0, "bo": 3, "di": 1}
    assert made.graph.neighbours(2).tolist() == [0, 1, 3]
    assert made.graph.kinds is not None and made.graph.kinds.to_list() == ["y", "z", "x", "y"]


@given(st.integers(0, 8), st.data())
def test_whoever_has_the_mapping_can_undo_new_labels(nodes: int, data: st.DataObject) -> None:
    ends = st.lists(st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1))) if nodes else st.just([])
    pairs = data.draw(ends)
    graph = Graph.of_edges(nodes, [one for one, _ in pairs], [other for _, other in pairs])
    order = np.array(data.draw(st.permutations(range(nodes))), np.int64)
    made = release(graph).relabelled(order)
    assert isinstance(made.graph, Graph) and made.mapping is not None
    back = made.graph.moved(np.argsort(order))
    assert back.targets.tolist() == graph.targets.tolist()
    assert back.offsets.tolist() == graph.offsets.tolist()


def test_nodes_go_out_in_the_order_of_their_labels_never_in_that_of_the_original() -> None:
    made = release().in_order().graph
    assert isinstance(made, Graph) and made.labels is not None
    assert made.labels.to_list() == ["al", "bo", "cy", "di"]
    assert names_of(made) == names_of(STAR)
    assert made.kinds is not None and made.kinds.to_list() == ["y", "y", "x", "z"]
    other = Graph.of_edges(4, [3, 3, 3], [1, 0, 2], labels=pl.Series("label", ["bo", "di", "al", "cy"]))
    again = release(other).in_order().graph
    assert isinstance(again, Graph) and again.targets.tolist() == made.targets.tolist()
    plain = release(Graph.of_edges(2, [0], [1]))
    assert plain.in_order() is plain


def test_the_document_tells_what_became_of_the_edges() -> None:
    document = release(promises=(Promise("k-degree", 2.0, True, "k-degree(k=2)"),)).to_json()
    figures = {name: document[name] for name in ("nodes", "edges_before", "edges_after", "added", "removed")}
    assert figures == {"nodes": 4, "edges_before": 3, "edges_after": 3, "added": 2, "removed": 1}
    assert document["bound"] == 1 and document["method"] == "supergraph"
    assert json.loads(json.dumps(document)) == document
    tables = release().to_tables()
    assert ["edges", "3 before, 3 after"] in tables["release"]
    assert ["edges added", "2 (66.67%)"] in tables["release"]


def test_a_release_with_noise_tells_no_exact_figure_of_the_original() -> None:
    noisy = release(guarantees={"epsilon": 1.0}, paired=False)
    document = noisy.to_json()
    assert [document[name] for name in ("edges_before", "added", "removed", "bound")] == [None] * 4
    assert document["edges_after"] == 3
    assert ["edges", "3 after"] in noisy.to_tables()["release"]
    assert not [row for row in noisy.to_tables()["release"] if "added" in row[0] or "fewest" in row[0]]


def test_a_release_becomes_an_object_of_the_library_it_came_from() -> None:
    made = release()
    graph = made.to_networkx()
    assert isinstance(graph, networkx.Graph) and set(graph["cy"]) == {"al", "bo", "di"}
    assert made.to_igraph().vcount() == 4
    again = made.relabelled(np.array([2, 0, 3, 1])).to_networkx()
    assert set(again[2]) == {0, 1, 3}


def test_remarks_and_promises_are_added_not_replaced() -> None:
    made = release().noted(["one"]).noted(["two"]).promised((Promise("k-degree", 1.0, True),))
    assert made.notes == ("one", "two") and made.promises[0].name == "k-degree"
    assert made.seen().released is STAR and (made.nodes, made.edges) == (4, 3)


def test_what_is_hidden_does_not_look_like_a_count() -> None:
    made = release(guarantees={"epsilon": 1.0, "edges": 1})
    told = [row[0] for row in made.to_tables()["release"]]
    assert told.count("edges") == 1 and "edges hidden" in told
