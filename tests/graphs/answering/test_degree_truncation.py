"""Leaving edges out: nobody keeps more than the bound, and names decide which, not places."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal.graphs.answering.degree_truncation import by_label, truncated_degrees
from shoal.graphs.formats.files import read_graph
from shoal.graphs.graph import Graph


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
            assert ranked.names().cast(pl.Int64).is_sorted()
            found.append(truncated_degrees(graph, 4).tolist())
        assert found[0] == found[1] == found[2]


def test_direction_is_dropped_first() -> None:
    both = Graph.of_edges(2, [0, 1], [1, 0], directed=True)
    assert truncated_degrees(both, 5).tolist() == [1, 1]
    assert truncated_degrees(Graph.of_edges(0, [], []), 5).tolist() == []


def test_one_person_who_is_no_number_does_not_turn_the_order_of_all_others_around(tmp_path: Path) -> None:
    # Of each chain 30000–9000–20000–40000 the middle comes first by number, and the two outer edges as text.
    chains = [(at + 30000, at + 9000, at + 20000, at + 40000) for at in range(50)]
    lines = [f"{one},{other}" for chain in chains for one, other in pairwise(chain)]
    found = []
    for name, more in (("without", []), ("with", ["9000,x1"])):
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join(["source,target", *lines, *more]), "utf-8")
        graph = read_graph(path).graph
        assert isinstance(graph, Graph)
        found.append(int(truncated_degrees(graph, 1).sum()) // 2)
    assert abs(found[0] - found[1]) <= 1


def test_whole_numbers_come_by_size_and_before_all_other_labels() -> None:
    names = ["b", "10", "9", "-3", "007", "99999999999999999999", "0", "a", "+5"]
    graph = Graph.of_edges(len(names), [0], [1], labels=pl.Series(names))
    wanted = ["-3", "0", "9", "10", "+5", "007", "99999999999999999999", "a", "b"]
    assert by_label(graph).names().to_list() == wanted
