"""Files of other programs are refused by name, and edge lists are not."""

from pathlib import Path

import pytest

from shoal.core.errors import BadGraph
from shoal.graphs.formats.files import read_graph
from shoal.graphs.formats.other_formats import is_matrix

PAJEK = '*Vertices 3\n1 "Ann"\n2 "Bob"\n3 "Cy"\n*Edges\n1 2\n2 3\n'
MARKET = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
MATRIX = "0,1,0\n1,0,1\n0,1,0\n"


@pytest.mark.parametrize(
    ("called", "content", "told"),
    [
        ("a.net", PAJEK, "Pajek"),
        ("a.txt", PAJEK, "Pajek"),
        ("a.mtx", MARKET, "Matrix Market"),
        ("a.txt", MARKET, "Matrix Market"),
        ("a.graph", "3 2\n2\n1 3\n2\n", "METIS"),
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
    assert not is_matrix(lines, ",")


def test_under_a_promise_of_noise_no_edge_decides_whether_there_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(MATRIX)
    assert read_graph(tmp_path / "a.csv", private=True).graph.nodes == 2
