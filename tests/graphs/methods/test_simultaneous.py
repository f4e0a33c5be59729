"""Simultaneous: promise kept on every small graph, the original graph kept almost whole on larger ones."""

from pathlib import Path
from typing import get_args

import polars as pl
import pytest

from graphs.building.small import drawn_graph, of_pairs, pairs_of, unlabelled
from shoal.core.errors import BadParameter
from shoal.graphs.building.near_partners import Partners
from shoal.graphs.graph import Graph
from shoal.graphs.methods.relaxed import Relaxed
from shoal.graphs.methods.simultaneous import Simultaneous
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.models.k_grouping import KGrouping

LIMIT = {("power", 5): 0.002, ("power", 50): 0.01, ("ca-GrQc", 5): 0.005, ("ca-GrQc", 50): 0.02}
LIMIT |= {("facebook_combined", 5): 0.01, ("facebook_combined", 50): 0.02}
DATA = Path(__file__).parents[4] / "shared" / "data" / "graphs"


@pytest.mark.parametrize("construction", ["editing", "greedy-swap"])
def test_every_graph_of_up_to_6_nodes_keeps_the_promise_for_every_k(construction: str) -> None:
    for graph in unlabelled(6 if construction == "editing" else 5):
        for k in range(1, graph.nodes + 1):
            method = Simultaneous(construction=construction, patience=5, seed=1)
            made = method.protect(graph, [KDegree(k)])
            assert KDegree(k).holds(made.seen()).all()
            assert isinstance(made.graph, Graph)
            before, after = pairs_of(graph), pairs_of(made.graph)
            assert (made.added, made.removed) == (len(after - before), len(before - after))


@pytest.mark.parametrize("k", [2, 10, 60])
def test_no_more_than_twice_the_fewest_edges_change(k: int) -> None:
    graph = drawn_graph(3000, 12_000, 1)
    made = Simultaneous(seed=1).protect(graph, [KDegree(k)])
    assert KDegree(k).holds(made.seen()).all()
    fewest = made.details["fewest_changes"]
    assert isinstance(fewest, int) and made.removed is not None and made.added is not None
    assert made.added + made.removed < 2 * fewest + 20


def test_the_largest_k_counts() -> None:
    made = Simultaneous(seed=1).protect(drawn_graph(100, 200, 1), [KDegree(2), KDegree(9), KDegree(4)])
    assert KDegree(9).holds(made.seen()).all()


def test_the_same_seed_gives_the_same_release() -> None:
    graph = drawn_graph(300, 700, 1)
    one, other = (Simultaneous(seed=5).protect(graph, [KDegree(8)]).graph for _ in range(2))
    assert isinstance(one, Graph) and isinstance(other, Graph) and pairs_of(one) == pairs_of(other)


def test_direction_is_dropped_and_labels_stay() -> None:
    names = pl.Series(["a", "b", "c", "d"])
    graph = Graph.of_edges(4, [0, 1, 1], [1, 0, 2], labels=names, directed=True)
    made = Simultaneous(seed=1).protect(graph, [KDegree(4)])
    assert isinstance(made.graph, Graph)
    assert made.original_edges == 2 and not made.graph.directed and made.graph.cleaned.merged == 1
    assert made.graph.names().to_list() == names.to_list()


@pytest.mark.parametrize("graph", [of_pairs(0, []), of_pairs(1, []), of_pairs(3, [(0, 1)])])
def test_more_than_there_are_nodes_is_refused_in_one_sentence(graph: Graph) -> None:
    with pytest.raises(BadParameter, match=r"k-degree\(k=4\) needs at least 4 nodes"):
        Simultaneous().protect(graph, [KDegree(4)])


def test_other_promises_are_refused() -> None:
    with pytest.raises(BadParameter, match="simultaneous reaches k-degree, not k-grouping"):
        Simultaneous().protect(of_pairs(3, []), [KGrouping(2)])


def test_one_node_is_alone() -> None:
    assert Simultaneous().protect(of_pairs(1, []), [KDegree(1)]).edges == 0


def test_parameters_out_of_range_are_refused_at_once() -> None:
    with pytest.raises(BadParameter, match=r"simultaneous\(construction=other\)"):
        Simultaneous(construction="other")


def test_it_changes_fewer_edges_than_adding_alone() -> None:
    graph = drawn_graph(3000, 12_000, 1)
    both, up = (method.protect(graph, [KDegree(30)]) for method in (Simultaneous(seed=1), Relaxed(seed=1)))
    assert both.added is not None and both.removed is not None and up.added is not None
    assert both.added + both.removed < up.added / 2
    assert isinstance(both.details["fewest_changes"], int)
    assert both.details["fewest_changes"] <= both.added + both.removed


@pytest.mark.parametrize("name", ["power", "ca-GrQc", "facebook_combined"])
@pytest.mark.parametrize("k", [5, 50])
def test_real_graphs_stay_near_what_they_were(name: str, k: int) -> None:
    file = DATA / f"{name}.csv"
    if not file.exists():
        pytest.skip(f"{file} is not here")
    ends = pl.read_csv(file, has_header=False, new_columns=["one", "other"])
    nodes = pl.concat((ends["one"], ends["other"])).max()
    assert isinstance(nodes, int)
    graph = Graph.of_edges(nodes + 1, ends["one"].to_numpy(), ends["other"].to_numpy())
    made = Simultaneous(seed=1).protect(graph, [KDegree(k)])
    assert KDegree(k).holds(made.seen()).all()
    assert made.added is not None and made.removed is not None
    assert made.removed <= 0.07 * graph.edges
    assert made.added <= LIMIT[name, k] * graph.edges


@pytest.mark.parametrize("partners", ["near", "alike"])
def test_other_partners_keep_the_promise_on_every_small_graph(partners: Partners) -> None:
    for graph in unlabelled(5):
        for k in range(1, graph.nodes + 1):
            made = Simultaneous(partners=partners, seed=1).protect(graph, [KDegree(k)])
            assert KDegree(k).holds(made.seen()).all() and isinstance(made.graph, Graph)
            before, after = pairs_of(graph), pairs_of(made.graph)
            assert (made.added, made.removed) == (len(after - before), len(before - after))


def test_near_partners_cost_no_change_and_those_who_look_alike_few() -> None:
    graph = drawn_graph(3000, 12_000, 1)
    changes = {}
    for partners in get_args(Partners):
        made = Simultaneous(partners=partners, seed=1).protect(graph, [KDegree(10)])
        assert KDegree(10).holds(made.seen()).all()
        changes[partners] = (made.added or 0) + (made.removed or 0)
    assert changes["any"] == changes["near"] <= changes["alike"] <= 1.5 * changes["any"]


def test_partners_are_those_of_edits() -> None:
    with pytest.raises(BadParameter, match="makes the graph anew"):
        Simultaneous(partners="near", construction="greedy-swap")
    with pytest.raises(BadParameter, match="give near, alike, or any"):
        Simultaneous(partners="best")  # type: ignore[arg-type]
