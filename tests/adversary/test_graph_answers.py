"""One edge, or one person, more or less: neither how a file is read nor an error may tell it."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadGraph
from shoal.graphs.answering.degree_truncation import by_label
from shoal.graphs.formats.files import read_graph
from shoal.graphs.formats.objects import graph_of
from shoal.graphs.graph import Graph
from shoal.graphs.mechanisms.degree_histogram import DegreeHistogram
from shoal.graphs.mechanisms.degree_sequence import DegreeSequence
from shoal.graphs.mechanisms.triangles.triangles import Triangles, by_falling_degree, count
from shoal.jobs.graphs.protect import protect_graph
from shoal.jobs.graphs.requests import ProtectGraph

SURE = 900  # an ε at which noise is 0, so that what the noise would cover shows
MECHANISMS = (
    "edge-count(epsilon=1)",
    "edge-count(epsilon=1,neighbours=node,bound=3)",
    "degree-sequence(epsilon=1,nodes=20)",
    "degree-histogram(epsilon=1,nodes=20)",
    "degree-histogram(epsilon=1,form=at-least,nodes=20)",
    "degree-histogram(epsilon=1,neighbours=node,bound=3)",
    "triangles(epsilon=1,nodes=20)",
)
# A file, and the same with one line more: one edge, which may bring people of its own along.
PAIRS = [
    ("a,b\n1,2\n3,4\n", "x,y\n"),
    ("source,target\n1,2\n3,4\n", "source,9\n"),
    ("source,target\n1,2\n", "x,y\n"),
    ("u,v\nAnn,Bob\n", "u,Bob\n"),
    ("source,target\n", "1,2\n"),
    ("1,2\n", "Ann,Bob\n"),
    ("source;target\nAnn;Bob\n", "Cid;Ann, the second\n"),
    ("1\n2\n", "1,2\n"),
    ("", "1,2\n"),
]


def told(place: Path, text: str, mechanism: str, name: str = "graph.csv") -> dict[str, Any]:
    (place / name).write_text(text)
    return shoal.ask_graph(place / name, mechanism=mechanism).to_json()


def private(place: Path) -> Graph:
    found = read_graph(place, private=True).graph
    assert isinstance(found, Graph)
    return found


@pytest.mark.parametrize(("text", "line"), PAIRS)
def test_one_line_more_is_one_edge_more(text: str, line: str, tmp_path: Path) -> None:
    """A name in one line used to make an edge of the header: two edges for one, and ε was half the truth."""
    sure = f"edge-count(epsilon={SURE})"
    one, other = (told(tmp_path, whole, sure)["answer"]["value"] for whole in (text, text + line))
    assert other - one == 1


# One person's line, and the lines of others: whoever came first used to tell how all are cut.
FIRST = [
    ("Ann Lee\n", "Bob,Cid\nCid,Dan\nDan,Eve\n", "graph.csv"),
    ("x y\n", "".join(f"a{' ' * blanks}b,1\n" for blanks in range(1, 9)), "graph.csv"),
    ("x y\n", "".join(f"hub {number},P{number}\n" for number in range(9)), "graph.csv"),
]


@pytest.mark.parametrize(("line", "others", "name"), FIRST)
def test_whose_line_comes_first_does_not_decide_how_others_are_read(
    line: str, others: str, name: str, tmp_path: Path
) -> None:
    """Ann Lee, who knows nobody, made lone nodes of everybody else's edges: three edges became one."""
    sure = f"degree-histogram(epsilon={SURE},nodes=30)"
    found = [
        told(tmp_path, text, sure, name)["answer"]["noisy"] for text in (others, others + line, line + others)
    ]
    assert found[1] == found[2]
    assert sum(abs(one - other) for one, other in zip(found[0], found[1], strict=True)) <= 4


@pytest.mark.parametrize(
    ("text", "name"),
    [("Ann;Bob\n", "graph.csv"), ("1,2\n", "graph.txt"), ("Ann Bob\n", "graph.csv"), ("1,2\n", "graph.tsv")],
)
def test_a_separator_that_only_edges_tell_is_asked_for(text: str, name: str, tmp_path: Path) -> None:
    with pytest.raises(BadGraph, match="pass --separator"):
        told(tmp_path, text, "edge-count(epsilon=1)", name)
    mark = next(mark for mark in ";, " if mark in text)
    sure = shoal.ask_graph(tmp_path / name, mechanism=f"edge-count(epsilon={SURE})", separator=mark)
    assert sure.answer["value"] == 1


def test_a_byte_that_is_no_utf_8_leaves_the_names_of_others_as_they_are(tmp_path: Path) -> None:
    """One name in another encoding gave it to all, and edges are taken in the order of names."""
    one = "source,target\nœ,ž\nž,ÿ\n".encode()
    orders = []
    for text in (one, one + b"Ann," + b"\xe9" * 20 + b"\n"):
        (tmp_path / "graph.csv").write_bytes(text)
        names = private(tmp_path / "graph.csv").names().to_list()
        orders.append([name for name in names if name in "œžÿ"])
    assert orders[0] == orders[1] == sorted("œžÿ")


def test_a_decimal_leaves_the_names_of_others_as_they_are() -> None:
    """A column of decimals has as many digits as whoever has most: 9.0 comes after 10.0, and 9 before 10."""
    ends = [(Decimal(9), Decimal(10)), (Decimal(10), Decimal(11))]
    orders = []
    for edges in (ends, [*ends, (Decimal("7.5"), Decimal(9))]):
        frame = pl.DataFrame(edges, schema=["source", "target"], orient="row")
        orders.append([name for name in by_label(graph_of(frame)).names().to_list() if name != "7.5"])
    assert [list(map(str, order)) for order in orders] == [["9", "10", "11"]] * 2


@pytest.mark.parametrize("extra", ["", ' label "Ann"', ' label ""', ' name "Zoe"'])
def test_a_node_without_a_label_leaves_the_names_of_others_as_they_are(extra: str, tmp_path: Path) -> None:
    """Nodes were called by their ids as soon as one of them had no label, or that of another."""
    nodes = 'node [ id 1 label "Cid" ] node [ id 2 label "Bob" ] node [ id 3 label "Ann" ]'
    (tmp_path / "graph.gml").write_text(f"graph [ {nodes} node [ id 4{extra} ] edge [ source 1 target 2 ] ]")
    names = by_label(private(tmp_path / "graph.gml")).names()
    told = [name.partition("\n")[0] for name in names if not name.endswith("4")]
    assert told == ["Ann", "Bob", "Cid"]


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize(("text", "line"), PAIRS)
def test_neighbours_get_an_answer_of_one_form(mechanism: str, text: str, line: str, tmp_path: Path) -> None:
    forms = []
    for whole in (text, text + line):
        document = told(tmp_path, whole, mechanism)
        answer = document.pop("answer")
        drawn = {"value", "values", "noisy", "counts", "interval"}
        lengths = {name: len(answer[name]) for name in drawn - {"value"} if answer.get(name) is not None}
        forms.append((document, {name: answer[name] for name in answer.keys() - drawn}, lengths))
    assert forms[0] == forms[1]


def test_more_people_than_declared_are_cut_off_and_not_told() -> None:
    """The largest degrees stay: one edge moves what is kept by no more than what is there."""
    ring = Graph.of_edges(6, [0, 1, 2, 3, 4, 0], [1, 2, 3, 4, 5, 2])
    found = DegreeSequence(Fraction(SURE), nodes=3).release(ring)
    assert found.noisy.tolist() == [2, 2, 3]
    assert len(DegreeHistogram(Fraction(SURE), nodes=3).release(ring).counts) == 3


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_an_edge_that_brings_more_people_than_declared_is_not_told_by_a_refusal(
    mechanism: str, tmp_path: Path
) -> None:
    """`triangles` refused as soon as there were more: with a declared number at the edge, one edge decided
    whether an answer came, and declaring one number after the other told how many people there are.
    """
    name = mechanism.replace("nodes=20", "nodes=3")
    forms = []
    for text in ("source,target\n1,2\n2,3\n", "source,target\n1,2\n2,3\n4,5\n"):
        document = told(tmp_path, text, name)
        forms.append((document["notes"], document["answer"].keys(), document["answer"]["public"]))
    assert forms[0] == forms[1]


def test_triangles_among_more_people_than_declared_keep_epsilon() -> None:
    """All graphs of up to five people, with three declared: an edge moves the count by what the ladder allows
    and the ladder by a rung, from both sides (the theorem that the mechanism rests on).
    """
    pairs = list(combinations(range(5), 2))
    made: dict[int, tuple[int, Any]] = {}
    for chosen in range(2 ** len(pairs)):
        edges = [pair for place, pair in enumerate(pairs) if chosen >> place & 1]
        there = sorted({end for edge in edges for end in edge})
        ends = [[there.index(edge[side]) for edge in edges] for side in (0, 1)]
        ranked = by_falling_degree(Graph.of_edges(len(there), *ends))
        made[chosen] = count(ranked), Triangles(Fraction(1), nodes=3)._ladder(ranked)
    for chosen, (number, one) in made.items():
        for place in range(len(pairs)):
            if not chosen >> place & 1:
                more, other = made[chosen | 1 << place]
                assert more - number <= min(one.reach(0), other.reach(0))
                for t in range(40):
                    assert one.reach(t) <= other.reach(t + 1) and other.reach(t) <= one.reach(t + 1)


def test_an_edge_that_brings_people_moves_what_is_cut_off_no_farther() -> None:
    """All files of edges among four people, with two declared; people are there who have an edge."""
    pairs = list(combinations(range(4), 2))
    cells, degrees = DegreeHistogram(Fraction(SURE), nodes=2), DegreeSequence(Fraction(SURE), nodes=2)

    def numbers(edges: list[tuple[int, int]]) -> tuple[Any, Any]:
        there = sorted({end for edge in edges for end in edge})
        ends = [[there.index(edge[side]) for edge in edges] for side in (0, 1)]
        graph = Graph.of_edges(len(there), *ends)
        return cells.numbers(graph), degrees.release(graph).noisy

    for chosen in range(2 ** len(pairs)):
        edges = [pair for place, pair in enumerate(pairs) if chosen >> place & 1]
        before = numbers(edges)
        for edge in edges:
            after = numbers([pair for pair in edges if pair != edge])
            moved = [abs(one - other).sum() for one, other in zip(before, after, strict=True)]
            assert moved[0] <= cells.sensitivity and moved[1] <= degrees.sensitivity


@pytest.mark.parametrize("text", ["source,target\n", "source,target\n1,2\n", "a,b\n1,2\nx,y\n"])
def test_a_synthetic_graph_has_the_same_manifest_whatever_the_edges(text: str, tmp_path: Path) -> None:
    (tmp_path / "graph.csv").write_text(text)
    ask = ProtectGraph(
        data=tmp_path / "graph.csv",
        output=tmp_path / "out.csv",
        method="noisy-degrees(epsilon=1,nodes=20)",
        model="edge-differential-privacy(epsilon=1)",
    )
    assert not any("first line" in note or "loop" in note for note in protect_graph(ask).notes)
    manifest = json.loads((tmp_path / "out.csv.shoal.json").read_text())
    exact = {manifest[name] for name in ("edges_before", "added", "removed", "bound", "cleaned")}
    assert manifest["nodes"] == 20 and exact == {None}
    assert manifest["hashes"] == {"input": None, "output": manifest["hashes"]["output"]}
