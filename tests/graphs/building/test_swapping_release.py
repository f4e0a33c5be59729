"""The release of methods that add and remove edges."""

import numpy as np
import pytest

from graphs.building.small import drawn_graph, of_pairs, pairs_of
from shoal.core.errors import BadParameter, Unreachable
from shoal.graphs.building import swapping_release
from shoal.graphs.building.swapping_release import Way, swap_release
from shoal.graphs.building.swapping_search import Near
from shoal.graphs.graph import Graph


def way(construction: str = "editing", rounds: int | None = None) -> Way:
    return Way("relaxed", construction, "random", 4, 10, 100, rounds)


@pytest.mark.parametrize("construction", ["editing", "greedy-swap"])
def test_added_and_removed_are_exact(construction: str) -> None:
    graph = drawn_graph(200, 400, 1)
    made = swap_release(way(construction), graph, 5, "raise", 20, np.random.default_rng(1), None)
    assert isinstance(made.graph, Graph)
    before, after = pairs_of(graph), pairs_of(made.graph)
    assert (made.added, made.removed) == (len(after - before), len(before - after))
    assert made.added is not None and made.removed is not None
    fewest = made.details["fewest_changes"]
    assert isinstance(fewest, int) and fewest <= made.added + made.removed


def test_who_builds_anew_is_told_how_much_was_replaced() -> None:
    graph = drawn_graph(200, 400, 1)
    made = swap_release(way("greedy-swap"), graph, 5, "both", 0, np.random.default_rng(1), None)
    assert made.removed is not None
    assert made.notes[0].startswith(f"the graph was built anew: {made.removed / graph.edges:.1%}")


def test_labels_stay_when_a_graph_is_built_anew() -> None:
    import polars as pl

    names = pl.Series([f"n{node}" for node in range(6)])
    graph = Graph.of_edges(6, [0, 1, 2], [1, 2, 3], labels=names)
    made = swap_release(way("greedy-swap"), graph, 2, "both", 0, np.random.default_rng(1), None)
    assert isinstance(made.graph, Graph) and made.graph.names().to_list() == names.to_list()


def test_where_most_edges_would_go_adding_is_tried_too() -> None:
    star = of_pairs(2001, [(0, leaf) for leaf in range(1, 2001)])
    made = swap_release(way(), star, 2, "both", 0, np.random.default_rng(1), None)
    assert made.removed == 0 and made.added == 1999


def test_no_graph_is_one_sentence() -> None:
    star = of_pairs(31, [(0, leaf) for leaf in range(1, 31)])
    with pytest.raises(Unreachable, match="in 3 rounds of probing; use construction=editing"):
        swap_release(way("greedy-swap", 3), star, 2, "raise", 0, np.random.default_rng(1), None)


def test_the_complete_graph_is_told_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = of_pairs(2, [])
    near = Near(graph.edge_list(), graph.edge_list(), complete=True)
    monkeypatch.setattr(swapping_release, "near", lambda *_: near)
    made = swap_release(way(), graph, 2, "raise", 0, np.random.default_rng(1), None)
    assert made.notes == ("nothing but the complete graph was found: it tells nothing",)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"construction": "magic"}, r"relaxed\(construction=magic\) cannot be; give editing or greedy-swap"),
        ({"order": "best"}, "give random, highest or lowest"),
        ({"probing": 5}, r"probing=5\) cannot be; give 1 to 4"),
        ({"max_delta": 0}, r"max-delta=0\) cannot be"),
        ({"patience": 0}, r"patience=0\) cannot be"),
        ({"rounds": 0}, r"rounds=0\) cannot be"),
    ],
)
def test_a_parameter_out_of_range_is_refused(changed: dict[str, object], says: str) -> None:
    right: dict[str, object] = {"construction": "editing", "order": "random", "probing": 4}
    right |= {"max_delta": 1, "patience": 1, "rounds": None}
    with pytest.raises(BadParameter, match=says):
        Way("relaxed", **{**right, **changed})  # type: ignore[arg-type]
