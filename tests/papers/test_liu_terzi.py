"""Liu and Terzi 2008 by way of chapter 9 of the thesis: the worked examples, to the digit."""

import numpy as np
import pytest

from graphs.building.small import numbers, of_pairs, pairs_of
from shoal.graphs.building.construct_graph import construct_graph, supergraph
from shoal.graphs.building.realisability import may_surround, realisable
from shoal.graphs.building.swapping_targets import even
from shoal.graphs.building.target_degrees import anonymous_degrees
from shoal.graphs.graph import Graph
from shoal.graphs.methods.relaxed import Relaxed
from shoal.graphs.methods.simultaneous import Simultaneous
from shoal.graphs.model_view import ModelView
from shoal.graphs.models.k_degree import KDegree

# A graph with the degrees of figure 9.2: node 0 has one neighbour, 3 and 5 have two, 1, 2 and 4 three;
# both 0–3 and 0–5 are missing, as the text says.
FIGURE = of_pairs(6, [(0, 1), (1, 2), (1, 4), (2, 3), (2, 4), (3, 5), (4, 5)])


def test_the_vector_5_5_3_3_2_2_2_is_2_anonymous() -> None:
    graph = construct_graph(numbers(5, 5, 3, 3, 2, 2, 2), "random", np.random.default_rng(1)).graph
    assert graph is not None
    assert KDegree(2).level(ModelView(graph)) == 2
    assert KDegree(2).holds(ModelView(graph)).all() and not KDegree(3).holds(ModelView(graph)).all()


def test_claim_9_1_an_anonymous_graph_is_so_for_every_smaller_k() -> None:
    ring = of_pairs(6, [(node, (node + 1) % 6) for node in range(6)])
    assert all(KDegree(k).holds(ModelView(ring)).all() for k in range(1, 7))


def test_figure_9_2_has_the_degrees_of_the_text() -> None:
    assert sorted(FIGURE.degrees, reverse=True) == [3, 3, 3, 2, 2, 1]
    assert FIGURE.degrees.tolist() == [1, 3, 3, 2, 3, 2]


def test_3_3_3_2_2_1_becomes_3_3_3_3_2_2_with_two_residual_stubs() -> None:
    nearest = anonymous_degrees(FIGURE.degrees, 2, "raise")
    # A slip of the thesis: the optimum of the programme is one step nearer, but its sum is odd. What it shows
    # is the nearest with an even sum.
    assert sorted(nearest, reverse=True) == [3, 3, 3, 2, 2, 2]
    target = even(nearest, FIGURE.degrees, 2, "raise", np.random.default_rng(1))
    assert sorted(target, reverse=True) == [3, 3, 3, 3, 2, 2]
    residual = target - FIGURE.degrees
    assert sorted(residual) == [0, 0, 0, 0, 1, 1] and residual[0] == 1


def test_the_residual_stubs_become_the_edge_0_3() -> None:
    made = supergraph(FIGURE, numbers(2, 3, 3, 3, 3, 2), "random", np.random.default_rng(1)).graph
    assert made is not None and pairs_of(made) - pairs_of(FIGURE) == {(0, 3)}


def test_with_nodes_sorted_the_other_way_they_become_the_edge_0_5() -> None:
    made = supergraph(FIGURE, numbers(2, 3, 3, 2, 3, 3), "random", np.random.default_rng(1)).graph
    assert made is not None and pairs_of(made) - pairs_of(FIGURE) == {(0, 5)}


@pytest.mark.parametrize("method", [Relaxed(seed=1), Simultaneous(seed=1)])
def test_one_edge_is_enough_for_figure_9_2(method: Relaxed | Simultaneous) -> None:
    made = method.protect(FIGURE, [KDegree(2)])
    assert made.added is not None and made.removed is not None
    assert made.added + made.removed == made.details["fewest_changes"] == 1


@pytest.mark.parametrize(
    ("degrees", "exists"),
    [
        ([3, 3, 3, 3, 2, 2], True),
        ([3, 3, 3, 2, 2, 1], True),
        ([5, 5, 3, 3, 2, 2, 2], True),
        ([4, 3, 3, 2, 2, 1, 1, 0], True),  # figure 7.4
        ([5, 3, 3, 2, 2, 1, 0], True),  # as the text of 7.3.2 gives it: another length, but a graph has it
        ([3, 3, 3, 2, 2, 2], False),  # an odd sum
        ([3, 3, 1, 1], False),  # the two highest need more than the others offer
        ([4, 1, 1, 1], False),  # more than there are others
    ],
)
def test_theorem_9_5_says_which_degrees_a_graph_can_have(degrees: list[int], exists: bool) -> None:
    assert realisable(numbers(*degrees)) is exists
    made = construct_graph(numbers(*degrees), "random", np.random.default_rng(1))
    assert made.answer == ("found" if exists else "no")


def test_theorem_9_6_denies_what_neighbours_cannot_give_each_other() -> None:
    triangle = of_pairs(4, [(0, 1), (1, 2), (0, 2)])
    assert realisable(numbers(3, 3, 2, 2))
    assert not may_surround(triangle, numbers(3, 3, 2, 0))  # 0 and 1 want an edge and have theirs
    assert may_surround(triangle, numbers(3, 2, 2, 1))
    assert supergraph(triangle, numbers(3, 3, 2, 0), "random", np.random.default_rng(1)).answer == "no"


def test_equation_9_1_added_edges_are_half_the_distance_of_the_degrees() -> None:
    made = supergraph(FIGURE, numbers(2, 3, 3, 3, 3, 2), "random", np.random.default_rng(1)).graph
    assert isinstance(made, Graph)
    assert made.edges - FIGURE.edges == int(np.abs(made.degrees - FIGURE.degrees).sum()) // 2


def test_both_directions_cost_no_more_than_additions() -> None:
    degrees = numbers(9, 7, 5, 5, 4, 2, 2, 2, 1, 1)
    for k in range(1, 11):
        up, both = (
            np.abs(anonymous_degrees(degrees, k, change) - degrees).sum() for change in ("raise", "both")
        )
        assert both <= up
