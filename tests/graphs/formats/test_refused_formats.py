"""Files of other programs are refused by name, and edge lists are not."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadGraph
from shoal.graphs.formats.files import read_graph
from shoal.graphs.formats.refused_formats import is_adjacency, is_matrix, is_metis, rows_of

PAJEK = '*Vertices 3\n1 "Ann"\n2 "Bob"\n3 "Cy"\n*Edges\n1 2\n2 3\n'
MARKET = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
RING = "200 200\n" + "".join(f"{(at - 2) % 200 + 1} {at % 200 + 1}\n" for at in range(1, 201))
MATRIX = "0,1,0\n1,0,1\n0,1,0\n"


@pytest.mark.parametrize(
    ("called", "content", "told"),
    [
        ("a.net", PAJEK, "Pajek"),
        ("a.txt", PAJEK, "Pajek"),
        ("a.mtx", MARKET, "Matrix Market"),
        ("a.txt", MARKET, "Matrix Market"),
        ("a.graph", "3 2\n2\n1 3\n2\n", "METIS"),
        ("a.txt", "3 2\n2\n1 3\n2\n", "METIS"),
        ("ring", "4 4\n2 4\n1 3\n2 4\n1 3\n", "METIS"),
        ("a.txt", "% a remark\n5 3\n2 3 4\n1\n1\n1\n\n", "METIS"),
        ("a.txt", "1 2 3 4\n2 1 3\n3 1 2\n4 1\n", "adjacency list"),
        ("a.txt", "Ann Bob Cy\nBob Cy\nCy\n", "adjacency list"),
        ("a.txt", "1 2 3\n2 1 3\n3 1 2\n", "adjacency list"),
        ("a.txt", RING, "METIS"),
        ("a.csv", MATRIX, "matrix of 0 and 1"),
        ("a.txt", MATRIX.replace(",", " "), "matrix of 0 and 1"),
        ("a.csv", ",Ann,Bob,Cy\nAnn,0,1,0\nBob,1,0,1\nCy,0,1,0\n", "matrix of 0 and 1"),
        ("a.csv", "\n".join(",".join("01"[(a + b) % 2] for b in range(150)) for a in range(150)), "matrix"),
    ],
)
def test_what_is_no_edge_list_is_refused_by_name(
    tmp_path: Path, called: str, content: str, told: str
) -> None:
    (tmp_path / called).write_text(content)
    with pytest.raises(BadGraph, match=told):
        read_graph(tmp_path / called)


@pytest.mark.parametrize(
    "lines",
    [
        ["0,1,1", "1,2,1", "2,0,1"],  # edges with a weight
        ["0,1,1"],
        ["0,1", "1,0"],
        ["source,target", "0,1"],
        ["0,1,0", "1,0"],
        [],
    ],
)
def test_edge_lists_are_no_matrices(lines: list[str]) -> None:
    assert not is_matrix(rows_of(lines, ","), cut=False)


@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)).filter(lambda pair: pair[0] != pair[1])),
    st.sampled_from(["", ",1", ",7.5", ",2020-01-01"]),
)
def test_edge_lists_are_neither_metis_nor_adjacency_lists(edges: list[tuple[int, int]], more: str) -> None:
    lines = [f"{one},{other}{more}" for one, other in edges]
    rows = rows_of(lines, ",")
    assert not is_metis(rows, cut=False) and not is_adjacency(rows, cut=False)


def test_under_a_promise_of_noise_no_edge_decides_whether_there_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(MATRIX)
    assert read_graph(tmp_path / "a.csv", private=True).graph.nodes == 2
