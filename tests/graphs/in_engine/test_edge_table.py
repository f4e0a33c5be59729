"""Edges in an engine: cleaned and counted as local files are, numbered at random, and none lost."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from sqlglot import exp

from engine_places import Place
from shoal.core.errors import BadGraph
from shoal.engines.address import Address
from shoal.engines.sql_engine import connect
from shoal.graphs.formats.edge_columns import from_frame
from shoal.graphs.in_engine.edge_table import EdgeColumns, EdgeTable

NAMES = pl.DataFrame(
    {
        "target": ["b", "a", "c", "c", "é🐟", None, "b", "e"],
        "since": range(8),
        "source": ["a", "b", "c", "a", "b", "d", "a", "e"],
    }
)


def address(folder: Path) -> Address:
    return Address("folder", str(folder))


def _labels(found: EdgeTable) -> exp.Query:
    return exp.select("label", "number").from_(found.nodes)


def test_every_engine_cleans_as_a_file_is_cleaned_and_knows_nobody_by_name(place: Place) -> None:
    local = from_frame(NAMES, "it")
    source = place.source(NAMES)
    with connect([source]) as engine:
        found = EdgeTable.of(engine, engine.table(source), "it", "key")
        assert (found.node_count, found.edge_count) == (local.nodes, local.edges)
        assert found.cleaned == local.cleaned
        degrees = found.histogram()
        assert dict(degrees.iter_rows()) == {0: 2, 1: 2, 2: 2}
        everybody = found.some_nodes(pl.DataFrame({"degree": degrees["degree"], "mark": "g"}))
        assert sorted(everybody["number"]) == list(range(local.nodes))
        nobody = found.some_nodes(pl.DataFrame({"degree": degrees["degree"], "mark": ""}))
        assert not nobody.height
        pairs = pl.DataFrame([(u, v) for v in range(6) for u in range(v)], schema=["u", "v"], orient="row")
        there = found.existing(pairs)
        assert there.height == local.edges and (there["u"] < there["v"]).all()
        some = pairs.join(there, on=["u", "v"], how="anti").head(1)
        for kept in (False, True):
            rows = engine.frame(found.with_added(some, kept))
            edges = rows.drop_nulls()
            alone = {"d", "e"} if kept else set(everybody.filter(pl.col("degree") == 0)["number"])
            ends = set(edges["source"]) | set(edges["target"])
            assert edges.height == local.edges + 1 and ends | alone == ends | set(rows["source"])
            assert rows.height == edges.height + len(alone - ends)
            assert rows.equals(rows.sort("source", "target", nulls_last=place.kind != "spark"))
        if kept:
            known = {(min(a, b), max(a, b)) for a, b in NAMES.select("source", "target").drop_nulls().rows()}
            assert {pair for pair in known if pair[0] != pair[1]} <= set(edges.rows())


def test_direction_is_dropped_and_counted_and_labels_may_be_numbers(tmp_path: Path) -> None:
    folder = tmp_path
    frame = pl.DataFrame({"from": [1, 2, 1, 3, 1], "to": [2, 1, 2, 4, 1]})
    frame.write_parquet(folder / "a.parquet")
    source = address(folder)
    with connect([source]) as engine:
        found = EdgeTable.of(engine, engine.table(source), "it", "key", directed=True)
        assert found.cleaned == from_frame(frame, "it", directed=True).undirected().cleaned
        orders = []
        for key in ("key", "key", "another"):
            numbered = EdgeTable.of(engine, engine.table(source), "it", key)
            orders.append(numbered.engine.frame(_labels(numbered)).sort("number")["label"].to_list())
        assert orders[0] == orders[1] and sorted(orders[0]) == sorted(orders[2])


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"a": ["x"]}, "it has 1 column; give two"),
        ({"a": [1.5], "b": [2.5]}, "column 'a' of it has Float64 values; give whole numbers or text"),
        ({"a": ["x", None], "b": ["y", "z"]}, "1 rows of it have no a; fill in the label"),
        ({"a": ["x", ""], "b": ["y", "z"]}, "1 rows of it have an empty label"),
        ({"a": pl.Series([], dtype=pl.Int64), "b": pl.Series([], dtype=pl.Int64)}, "it has no rows"),
    ],
)
def test_what_is_no_list_of_edges_is_refused(
    columns: dict[str, list[object]], words: str, tmp_path: Path
) -> None:
    folder = tmp_path
    pl.DataFrame(columns).write_parquet(folder / "a.parquet")
    source = address(folder)
    with connect([source]) as engine, pytest.raises(BadGraph, match=words):
        EdgeTable.of(engine, engine.table(source), "it", "key")


def test_ends_are_found_by_their_names(tmp_path: Path) -> None:
    folder = tmp_path
    NAMES.write_parquet(folder / "a.parquet")
    source = address(folder)
    with connect([source]) as engine:
        found = EdgeColumns.of(engine, engine.table(source), "it")
    assert (found.ends, found.others, found.text) == (("source", "target"), ("since",), True)
