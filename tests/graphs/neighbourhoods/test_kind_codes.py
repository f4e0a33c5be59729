"""Kinds as numbers."""

from dataclasses import replace

import polars as pl

from graphs.drawn import graph_of
from shoal.graphs.neighbourhoods.kind_codes import kind_codes


def test_equal_kinds_get_equal_numbers_and_a_missing_one_is_a_kind() -> None:
    graph = replace(graph_of(4), kinds=pl.Series(["nurse", "cook", None, "nurse"]))
    assert kind_codes(graph, True).tolist() == [2, 1, 0, 2]


def test_where_kinds_do_not_count_all_are_zero() -> None:
    graph = replace(graph_of(2), kinds=pl.Series(["nurse", "cook"]))
    assert kind_codes(graph, False).tolist() == kind_codes(graph_of(2), True).tolist() == [0, 0]
