"""One edge, or one person, more or less: neither how a file is read nor an error may tell it."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import shoal
from shoal.core.errors import BadGraph
from shoal.graphs.graph import Graph
from shoal.graphs.mechanisms.degree_histogram import DegreeHistogram
from shoal.graphs.mechanisms.degree_sequence import DegreeSequence
from shoal.graphs.mechanisms.triangles.triangles import Triangles
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
    ("Ann;Bob\n", "Cid;Ann, the second\n"),
    ("1\n2\n", "1,2\n"),
    ("", "1,2\n"),
]


def told(place: Path, text: str, mechanism: str, name: str = "graph.csv") -> dict[str, Any]:
    (place / name).write_text(text)
    return shoal.ask_graph(place / name, mechanism=mechanism).to_json()


@pytest.mark.parametrize(("text", "line"), PAIRS)
def test_one_line_more_is_one_edge_more(text: str, line: str, tmp_path: Path) -> None:
    """A name in one line used to make an edge of the header: two edges for one, and ε was half the truth."""
    sure = f"edge-count(epsilon={SURE})"
    one, other = (told(tmp_path, whole, sure)["answer"]["value"] for whole in (text, text + line))
    assert other - one == 1


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
    with pytest.raises(BadGraph) as refused:
        Triangles(Fraction(SURE), nodes=3).release(ring)
    assert "6" not in str(refused.value)


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
