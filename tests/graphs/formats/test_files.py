"""Graphs in files of every format, and what is refused."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from graphs.formats.shown import edges_of, lone_of, same
from shoal.core.errors import BadGraph, BadInput, BadParameter
from shoal.graphs.formats.file_style import Style
from shoal.graphs.formats.files import check_target, read_graph, read_kinds, write_graph
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping

EXTENSIONS = (
    "",
    ".csv",
    ".tsv",
    ".txt",
    ".edges",
    ".edgelist",
    ".parquet",
    ".arrow",
    ".feather",
    ".graphml",
    ".gml",
)
PACKED = (".csv.gz", ".txt.gz", ".graphml.gz", ".gml.gz")
STYLES = (None, Style(".csv", ",", None), Style(".txt", " ", None), Style(".tsv", "\t", ("from", "to")))
GRAPHS = {
    "numbers": Graph.of_edges(3, [0, 1], [1, 2]),
    "labels": Graph.of_edges(3, [0, 1], [1, 2], labels=pl.Series([-3, 7, 2**40])),
    "texts": Graph.of_edges(4, [0, 1], [1, 2], labels=pl.Series(["#a", "b, c", 'd "e"', "é <&>"])),
    "without edges": Graph.of_edges(2, [], []),
    "one node": Graph.of_edges(1, [], [], labels=pl.Series(["only me"])),
    "directed": Graph.of_edges(3, [0, 1, 1], [1, 0, 2], directed=True),
}
GROUPS = Grouping(
    np.array([2, 3, 4], np.int64),
    np.array([0, 0], np.int32),
    np.array([0, 1], np.int32),
    np.array([1, 4], np.int64),
)


def graph(path: Path, **options: object) -> Graph:
    found = read_graph(path, **options).graph  # type: ignore[arg-type]
    assert isinstance(found, Graph)
    return found


@pytest.mark.parametrize("extension", [*EXTENSIONS, *PACKED])
@pytest.mark.parametrize("name", GRAPHS)
def test_every_graph_comes_back_from_every_format(name: str, extension: str, tmp_path: Path) -> None:
    made, path = GRAPHS[name], tmp_path / f"graph{extension}"
    for style in STYLES:
        write_graph(made, path, style)
        assert same(made, graph(path, directed=made.directed or None))


@pytest.mark.parametrize("extension", [*EXTENSIONS, *PACKED])
def test_groupings_come_back_from_every_format(extension: str, tmp_path: Path) -> None:
    path = tmp_path / f"groups{extension}"
    for style in STYLES:
        write_graph(GROUPS, path, style)
        back = read_graph(path, directed=None).graph
        assert isinstance(back, Grouping)
        assert back.sizes.tolist() == [2, 3, 4] and back.weights.tolist() == [1, 4]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "1,2\n2,3\n"),
        ("a.csv", "source;target\n1;2\n2;3\n"),
        ("a.tsv", "FromNodeId\tToNodeId\n1\t2\n2\t3\n"),
        ("a.txt", "1 2\n2 3\n"),
        ("a.txt", "ann,bob\nbob,cid\ndan,\n"),
        ("a.edges", "u v\n1 2\n2 3\n7\n"),
        ("a", "1|2\n2|3\n"),
    ],
)
def test_a_release_is_written_as_its_original_was(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    read = read_graph(tmp_path / name)
    for target in (tmp_path / "out" / name, tmp_path / "out" / f"{name}.gz"):
        target.parent.mkdir(exist_ok=True)
        if target.suffix == ".gz" and not Path(name).suffix:
            continue
        write_graph(read.graph, target, read.style)
        raw = target.read_bytes()
        assert (gzip.decompress(raw) if target.suffix == ".gz" else raw).decode() == content


def test_formats_are_turned_into_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("from,to\n1,2\n2,3\n9,\n")
    read = read_graph(tmp_path / "a.csv")
    write_graph(read.graph, tmp_path / "a.parquet", read.style)
    assert pl.read_parquet(tmp_path / "a.parquet").rows() == [(1, 2), (2, 3), (9, None)]
    again = read_graph(tmp_path / "a.parquet")
    assert again.style.header == ("from", "to") and lone_of(graph(tmp_path / "a.parquet")) == [9]
    write_graph(again.graph, tmp_path / "a.gml", again.style)
    last = read_graph(tmp_path / "a.gml")
    write_graph(last.graph, tmp_path / "b.csv", last.style)
    assert (tmp_path / "b.csv").read_text() == "source,target\n1,2\n2,3\n9,\n"
    write_graph(last.graph, tmp_path / "b.edges")
    assert (tmp_path / "b.edges").read_text() == "1 2\n2 3\n9\n"
    write_graph(last.graph, tmp_path / "b.tsv", Style(".txt", " ", None))
    assert (tmp_path / "b.tsv").read_text() == "1\t2\n2\t3\n9\t\n"


def test_standard_input_and_output_are_text(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1 2\n2 3\n")))
    read = read_graph("-")
    write_graph(read.graph, "-", read.style)
    assert capfdbinary.readouterr().out == b"1 2\n2 3\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(BadGraph, match="standard input has no edges"):
        read_graph("-")


def test_direction_is_kept_on_request(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("2,1\n1,2\n2,1\n")
    assert graph(tmp_path / "a.csv").cleaned.duplicates == 2
    kept = graph(tmp_path / "a.csv", directed=True)
    assert edges_of(kept) == [(1, 2), (2, 1)] and kept.cleaned.duplicates == 1
    write_graph(kept, tmp_path / "a.graphml")
    assert graph(tmp_path / "a.graphml").directed
    assert graph(tmp_path / "a.graphml", directed=False).cleaned.merged == 1


def test_kinds_come_from_a_table_or_an_attribute(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("al,bo\nbo,cy\n")
    (tmp_path / "kinds.csv").write_text("node,kind\nal,nurse\nbo,cook\ncy,nurse\n")
    made = graph(tmp_path / "a.csv", kinds=tmp_path / "kinds.csv")
    assert made.kinds is not None and made.kinds.to_list() == ["nurse", "cook", "nurse"]
    for name in ("a.gml", "a.graphml"):
        write_graph(made, tmp_path / name, Style(kinds="job"))
        read = read_graph(tmp_path / name, kinds="job")
        assert isinstance(read.graph, Graph) and read.graph.kinds is not None
        assert read.graph.kinds.to_list() == ["nurse", "cook", "nurse"] and read.style.kinds == "job"
        write_graph(read.graph, tmp_path / f"again{name}", read.style)
        assert (tmp_path / f"again{name}").read_bytes() == (tmp_path / name).read_bytes()
    with pytest.raises(BadGraph, match=r"no file '.*nowhere.csv'"):
        graph(tmp_path / "a.csv", kinds=tmp_path / "nowhere.csv")
    write_graph(GROUPS, tmp_path / "g.csv")
    with pytest.raises(BadGraph, match="groups, which have no kind"):
        read_graph(tmp_path / "g.csv", kinds=tmp_path / "kinds.csv")


def test_separator_and_encoding_may_be_given(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("Zoë:Bo\n".encode("utf-16-le"))
    assert edges_of(graph(tmp_path / "a.csv", separator=":", encoding="utf-16-le")) == [("Bo", "Zoë")]
    (tmp_path / "b.csv").write_text("a b\tc d\n")
    assert edges_of(graph(tmp_path / "b.csv", separator="\\t")) == [("a b", "c d")]
    with pytest.raises(BadParameter, match="separator"):
        graph(tmp_path / "b.csv", separator="ab")
    with pytest.raises(BadParameter, match="no encoding"):
        graph(tmp_path / "b.csv", encoding="nope")


@pytest.mark.parametrize(
    "name", ["a.csv", "a.txt", "a", "a.edges", "a.parquet", "a.arrow", "a.graphml", "a.gml", "a.csv.gz"]
)
@pytest.mark.parametrize(
    "content", [b"", b"\x00\x01\x02\xff", b"PAR1\x00garbage", b"\x1f\x8b\x08\x00broken", b"\xff\xfe\x00"]
)
def test_damaged_files_are_refused_in_one_sentence(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadGraph) as caught:
        read_graph(tmp_path / name)
    assert "\n" not in str(caught.value) and ";" in str(caught.value)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.graphml", "a.gml", "a.csv.gz"])
def test_missing_files_and_folders_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadGraph, match="no file"):
        read_graph(tmp_path / name)
    (tmp_path / name).mkdir()
    with pytest.raises(BadGraph, match="is a folder"):
        read_graph(tmp_path / name)


def test_formats_that_are_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(BadGraph, match="not read as a graph"):
        read_graph(tmp_path / "a.json")
    for name in ("a.json", "a.parquet.gz", "a.xlsx"):
        with pytest.raises(BadParameter, match="unknown extension"):
            check_target(tmp_path / name)
        with pytest.raises(BadParameter, match="unknown extension"):
            write_graph(GROUPS, tmp_path / name)
    assert not (tmp_path / "a.xlsx").exists()


def test_nothing_is_written_when_writing_fails(tmp_path: Path) -> None:
    broken = Graph.of_edges(2, [0], [1], labels=pl.Series(["a\nb", "c"]))
    with pytest.raises(BadGraph, match="line end"):
        write_graph(broken, tmp_path / "a.csv")
    with pytest.raises(BadInput, match="no folder"):
        write_graph(GROUPS, tmp_path / "nowhere" / "a.csv")
    assert not list(tmp_path.iterdir())


def test_the_same_graph_gives_the_same_bytes(tmp_path: Path) -> None:
    for extension in (".csv.gz", ".parquet", ".graphml"):
        first, second = tmp_path / f"a{extension}", tmp_path / f"b{extension}"
        write_graph(GRAPHS["texts"], first)
        write_graph(GRAPHS["texts"], second)
        assert first.read_bytes() == second.read_bytes()


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
