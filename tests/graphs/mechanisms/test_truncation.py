"""Leaving edges out: nobody keeps more than the bound, and names decide which, not places."""

import numpy as np
import polars as pl
import pytest

from shoal.graphs.graph import Graph
from shoal.graphs.mechanisms.truncation import by_label, truncated_degrees


@pytest.mark.parametrize("bound", [1, 2, 3, 10])
def test_nobody_keeps_more_than_the_bound_and_nothing_is_lost_below_it(bound: int) -> None:
    star = Graph.of_edges(6, [5] * 5, range(5))
    assert sorted(truncated_degrees(star, bound).tolist())[-1] == min(5, bound)
    assert int(truncated_degrees(star, bound).sum()) == 2 * min(5, bound)


def test_what_is_left_out_depends_on_labels_and_not_on_the_order_of_the_file() -> None:
    chance = np.random.default_rng(3)
    ends = chance.integers(0, 40, (2, 300))
    for kind in (pl.Int64, pl.String):
        names = pl.Series(chance.permutation(1000)[:40]).cast(kind)
        found = []
        for _ in range(3):
            places = chance.permutation(40)
            labels = names.gather(np.argsort(places))
            graph = Graph.of_edges(40, places[ends[0]], places[ends[1]], labels=labels)
            ranked = by_label(graph)
            assert ranked.names().is_sorted()
            found.append(truncated_degrees(graph, 4).tolist())
        assert found[0] == found[1] == found[2]


def test_direction_is_dropped_first() -> None:
    both = Graph.of_edges(2, [0, 1], [1, 0], directed=True)
    assert truncated_degrees(both, 5).tolist() == [1, 1]
    assert truncated_degrees(Graph.of_edges(0, [], []), 5).tolist() == []
