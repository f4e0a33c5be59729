"""The graphs that fit a grouping: counted, and drawn with equal chances."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.possible_worlds import FigureRange, log_choose, sample, spread

FALSE_ALARM = 1e-7


def partitions(nodes: int) -> Iterator[list[int]]:
    """All ways to put nodes into groups, each once: a new group is the next number."""

    def grown(start: list[int]) -> Iterator[list[int]]:
        if len(start) == nodes:
            yield start
            return
        for group in range(max(start, default=-1) + 2):
            yield from grown([*start, group])

    return grown([])


def grouping_of(sizes: list[int], edges: Sequence[tuple[int, ...]]) -> Grouping:
    columns = [np.array([edge[at] for edge in edges], np.int64) for at in range(3)]
    return Grouping(
        np.array(sizes, np.int64), columns[0].astype(np.int32), columns[1].astype(np.int32), columns[2]
    )


def test_the_worlds_of_all_graphs_up_to_five_nodes_are_those_counted() -> None:
    for nodes in range(1, 6):
        pairs = list(combinations(range(nodes), 2))
        every = np.array(
            [[graph >> bit & 1 for bit in range(len(pairs))] for graph in range(2 ** len(pairs))]
        )
        for group_of in partitions(nodes):
            kinds = [tuple(sorted((group_of[one], group_of[other]))) for one, other in pairs]
            listed = sorted(set(kinds))
            figures = np.array([[kind == wanted for wanted in listed] for kind in kinds], int)
            weights = every @ figures if pairs else every
            for weight, number in Counter(map(tuple, weights.tolist())).items():
                edges = [(*kind, edges) for kind, edges in zip(listed, weight, strict=True) if edges]
                found = grouping_of(np.bincount(group_of).tolist(), edges).log_worlds
                assert math.exp(found) == pytest.approx(number)


@given(st.integers(0, 2000), st.integers(0, 2000))
def test_logarithms_are_those_of_whole_numbers(several: int, chosen: int) -> None:
    chosen = min(chosen, several)
    found = log_choose(np.array([several]), np.array([chosen]))[0]
    assert found == pytest.approx(math.log(math.comb(several, chosen)), rel=1e-13, abs=1e-13)


@pytest.mark.parametrize(("several", "chosen"), [(10**13, 1), (10**13, 40), (10**15, 3), (10**18, 2)])
def test_logarithms_stay_exact_where_log_gamma_does_not(several: int, chosen: int) -> None:
    found = log_choose(np.array([several]), np.array([chosen]))[0]
    assert found == pytest.approx(math.log(math.comb(several, chosen)), rel=1e-12)


@given(st.integers(1, 30), st.integers(0, 2**32), st.data())
def test_a_sampled_graph_has_the_same_edges_inside_and_between_groups(
    nodes: int, seed: int, data: st.DataObject
) -> None:
    chance = np.random.default_rng(seed)
    group_of = np.sort(chance.integers(0, data.draw(st.integers(1, nodes)), nodes))
    group_of = np.unique(group_of, return_inverse=True)[1]
    number = data.draw(st.integers(0, nodes * nodes))
    graph = Graph.of_edges(nodes, chance.integers(0, nodes, number), chance.integers(0, nodes, number))
    grouping = Grouping.of_graph(graph, group_of)
    drawn = grouping.sample(seed)
    again = Grouping.of_graph(drawn, group_of)  # groups stand in order, as in the sample
    assert drawn.cleaned.loops == drawn.cleaned.duplicates == 0
    for name in ("sizes", "sources", "targets", "weights"):
        assert getattr(again, name).tolist() == getattr(grouping, name).tolist()


@pytest.mark.parametrize("weights", [(1, 2, 1), (2, 5, 0), (1, 1, 0), (2, 4, 1)])
def test_every_world_is_drawn_as_often_as_the_others(weights: tuple[int, int, int]) -> None:
    """Weights above and below half of the pairs: both ways of drawing."""
    edges = [(0, 0), (0, 1), (1, 1)]
    listed = [(*edge, weight) for edge, weight in zip(edges, weights, strict=True) if weight]
    grouping = grouping_of([3, 2], listed)
    worlds = round(math.exp(grouping.log_worlds))
    chance = np.random.default_rng(1)
    counts = Counter(sample(grouping, chance).targets.tobytes() for _ in range(40 * worlds))
    assert len(counts) == worlds
    statistic = sum((count - 40) ** 2 / 40 for count in counts.values())
    assert _tail(statistic, worlds - 1) > FALSE_ALARM


def test_every_pair_of_a_large_group_is_drawn_as_often_as_the_others() -> None:
    groups, size = 20_000, 5
    numbers = np.arange(groups, dtype=np.int32)
    for weight in (2, 8):
        grouping = Grouping(np.full(groups, size), numbers, numbers, np.full(groups, weight))
        ends = sample(grouping, np.random.default_rng(2)).edge_list()
        assert (ends.sources // size == ends.targets // size).all()
        pairs = np.unique((ends.sources % size) * size + ends.targets % size, return_counts=True)[1]
        expected = groups * weight / 10
        # Drawn without putting back, pairs of one group keep apart: the variance is smaller by this much.
        statistic = float(((pairs - expected) ** 2).sum() / expected) / (1 - weight / 10) * (9 / 10)
        assert len(pairs) == 10 and _tail(statistic, 9) > FALSE_ALARM


def test_a_hundred_thousand_people_in_one_group_are_no_trouble() -> None:
    one = np.zeros(1, np.int32)
    grouping = Grouping(np.array([100_000]), one, one, np.array([200_000]))
    graph = grouping.sample(3)
    assert (graph.nodes, graph.edges, graph.cleaned.duplicates) == (100_000, 200_000, 0)
    ends = graph.edge_list()
    # The sum of all node numbers: its expectation, and a bound that fails once in 10^8 tosses.
    mean = (ends.sources.astype(float) + ends.targets).mean() / 99_999
    assert abs(mean - 1) < 6 * math.sqrt(1 / 6 / 200_000)


def test_a_figure_of_many_samples_has_a_mean_and_a_spread() -> None:
    path = Graph.of_edges(4, [0, 1, 2], [1, 2, 3])
    grouping = Grouping.of_graph(path, [0, 0, 0, 0])
    found = spread(grouping, lambda graph: float(graph.degrees.max()), draws=50, seed=1)
    assert found == spread(grouping, lambda graph: float(graph.degrees.max()), draws=50, seed=1)
    assert 2 <= found.low <= found.mean <= found.high <= 3 and found.deviation > 0
    assert FigureRange((2.0,)).deviation == 0
    with pytest.raises(BadParameter, match="0 draws"):
        spread(grouping, lambda graph: graph.density, draws=0)


def _tail(statistic: float, freedom: int) -> float:
    """How likely chi-square is this high or higher."""
    from scipy.special import gammaincc

    return float(gammaincc(freedom / 2, statistic / 2))
