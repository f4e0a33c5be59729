"""Kinds of nodes from a table."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.core.errors import BadGraph
from shoal.graphs.formats.node_kinds import read_kinds
from shoal.graphs.graph import Graph

GRAPH = Graph.of_edges(3, [0], [1], labels=pl.Series([7, 8, 9]))


def kinds(tmp_path: Path, content: str) -> list[str]:
    (tmp_path / "kinds.csv").write_text(content)
    return read_kinds(tmp_path / "kinds.csv", GRAPH).to_list()


def test_kinds_follow_the_nodes(tmp_path: Path) -> None:
    assert kinds(tmp_path, "node,kind\n9,c\n7,a\n8,b\n8,b\n") == ["a", "b", "c"]
    assert kinds(tmp_path, "age,kind,node\n1,c,9\n2,a,7\n3,a,8\n") == ["a", "a", "c"]
    assert kinds(tmp_path, "who;what\n9;c\n7;a\n8;b\n") == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("node\n7\n", "has one column"),
        ("node,kind\n7,a\n8,b\n", "no kind for node '9'"),
        ("node,kind\n7,a\n7,b\n8,b\n9,c\n", "gives node '7' two kinds"),
        ("node,kind\n7,a\n8,b\n9,c\n10,c\n", "names '10', which the graph does not have"),
        ("node,kind\n7,\n8,b\n9,c\n", "without node or kind"),
    ],
)
def test_every_node_needs_one_kind(tmp_path: Path, content: str, sentence: str) -> None:
    with pytest.raises(BadGraph, match=sentence):
        kinds(tmp_path, content)
