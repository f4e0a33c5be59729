"""Whatever is wrong with a graph or a request about one: one sentence, exit code 2, nothing written."""

import os
from pathlib import Path

import pytest

from faces.networks import network, numbered
from faces.shell import contents, refused, shoal

VERBS = [
    ("protect", "FILE", "-o", "out.csv", "--k", 1),
    ("verify", "FILE", "--k", 1),
    ("measure", "FILE"),
    ("ask", "FILE", "edge-count(epsilon=1)"),
]
OUT = ("graph", "protect", "people.csv", "-o", "out.csv")

# What no command can read.
BROKEN = {
    "missing.csv": None,
    "empty.csv": b"",
    "blank.csv": b"\n\n\n",
    "comments.txt": b"# nothing\n# here\n",
    "header.csv": b"source,target\n",
    "ragged.csv": b"source,target,weight\n1,2,3\n4,5,6,7,8\n",
    "binary.csv": b"source,target\n\x00\x01,2\n",
    "broken.csv": "source,target\né,ü\n".encode() + b"\x81,\xff\n",
    "broken.parquet": b"PAR1 and then nothing",
    "broken.graphml": b"<graphml><graph>",
    "broken.gml": b"graph [ node [ id 1 ",
    "folder": b"",
}
# What looks odd and is a graph all the same.
ODD = {
    "loops.csv": (b"source,target\na,a\na,b\nb,b\n", "2 loops (an edge from a node to itself) left out"),
    "repeated.csv": (b"source,target\na,b\nb,a\na,b\n", "2 repeated edges left out"),
    "weighted.csv": (b"source,target,weight\na,b,0.5\n", "1 further column or attribute left out (weight)"),
    "apart.txt": (b"1 2\n3 4\n", ""),
    "names.csv": ("source,target\nJosé Pérez,Zoë\n".encode(), ""),
    "mixed.txt": (b"1 x\nx 2.5\n", ""),
    "negative.txt": (b"-1 2\n2 3\n", ""),
    "large.txt": (b"4611686018427387904 9223372036854775807\n", ""),
    "beyond.txt": (b"18446744073709551616 1\n", ""),
    "leading.txt": (b"007 7\n7 8\n", ""),
}
# An answer with noise comes for nobody, too: a refusal would tell that there is not one edge. And a byte that
# is no UTF-8 is part of one person's name.
ANSWERED = ("empty.csv", "blank.csv", "comments.txt", "header.csv", "broken.csv")


@pytest.fixture(autouse=True)
def files() -> None:
    Path("people.csv").write_text(network(), "utf-8")
    Path("numbers.txt").write_text(numbered(), "utf-8")


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: str(verb[0]))
def test_a_file_that_is_no_graph_is_refused_by_every_command(name: str, verb: tuple[object, ...]) -> None:
    content = BROKEN[name]
    if name == "folder":
        Path(name).mkdir()
    elif content is not None:
        Path(name).write_bytes(content)
    words = ["graph", *(name if word == "FILE" else word for word in verb)]
    if verb[0] == "ask" and name in ANSWERED:
        assert shoal(*words).code == 0
        return
    assert name.partition(".")[0] in refused(*words)


@pytest.mark.parametrize("name", BROKEN)
def test_an_original_that_is_no_graph_is_refused(name: str) -> None:
    content = BROKEN[name]
    if name == "folder":
        Path(name).mkdir()
    elif content is not None:
        Path(name).write_bytes(content)
    refused("graph", "measure", "people.csv", "--original", name)


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: str(verb[0]))
def test_an_odd_graph_is_handled_by_every_command(name: str, verb: tuple[object, ...]) -> None:
    content, note = ODD[name]
    Path(name).write_bytes(content)
    run = shoal("graph", *(name if word == "FILE" else word for word in verb), "--json")
    assert run.code == 0, run.err
    if verb[0] == "protect":
        assert note in run.err
        assert shoal("graph", "verify", "out.csv", "--k", 1).code == 0
    if verb[0] == "measure":
        assert note in run.err


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: str(verb[0]))
def test_one_node_alone_is_a_graph(verb: tuple[object, ...]) -> None:
    Path("one.csv").write_text("source,target\nann,ann\n", "utf-8")
    run = shoal("graph", *("one.csv" if word == "FILE" else word for word in verb))
    assert run.code == 0, run.err


def test_nothing_is_charged_for_a_file_that_is_no_graph_when_the_ledger_is_new() -> None:
    Path("ragged.csv").write_bytes(BROKEN["ragged.csv"] or b"")
    refused("graph", "ask", "ragged.csv", "edge-count(epsilon=1)", "--budget", 2)
    assert not Path("shoal-ledger.sqlite").exists()
    refused("graph", "ask", "missing.csv", "edge-count(epsilon=1)", "--budget", 2)


@pytest.mark.parametrize("k", ["41", "0", "-1", "abc", "", "1e3", "2.5", "1" + "0" * 30])
def test_a_k_that_cannot_be(k: str) -> None:
    assert k in refused(*OUT, "--k", k)
    assert k in refused(*OUT, "--model", f"k-degree(k={k})")


def test_a_k_beyond_the_number_of_nodes_tells_how_many_there_are() -> None:
    for model in ("k-degree(k=41)", "k-neighbourhood(k=41)", "k-grouping(k=41)"):
        assert "k=41 is larger than the graph, which has 40 nodes" in refused(*OUT, "--model", model)
    assert "k=41" in refused(*OUT, "--method", "naive", "--k", 41)


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ((), "no promise asked for"),
        (("--model", "k-anonymity(k=3)"), "'k-anonymity' is a model for tables; for graphs there is "),
        (("--model", "k-degre(k=3)"), "no model 'k-degre'"),
        (("--model", "k-degree"), "k-degree needs k"),
        (("--model", "k-degree(q=3)"), "no parameter 'q'"),
        (("--model", "k-degree(k=3"), "cannot read"),
        (("--k", 3, "--method", "mondrian"), "'mondrian' is a method for tables"),
        (("--k", 3, "--method", "magic"), "no method 'magic'"),
        (("--k", 3, "--method", "grouping"), "k-degree"),
        (("--k", 3, "--model", "k-grouping(k=3)"), "k-degree"),
        (("--k", 3, "--method", "noisy-degrees"), "noisy-degrees"),
        (("--model", "edge-differential-privacy(epsilon=1)", "--method", "supergraph"), "noisy-degrees"),
        (("--model", "edge-differential-privacy(epsilon=1)", "--seed", 1), "takes no seed"),
        (("--model", "edge-differential-privacy(epsilon=1)", "--mapping", "m.csv"), "no mapping"),
        (("--k", 3, "--seed", "-1"), "not -1"),
        (("--k", 3, "--seed", "abc"), "'abc' is not a whole number"),
        (("--k", 3, "--labels", "secret"), "not 'secret'"),
        (("--k", 3, "--labels", "keep", "--mapping", "m.csv"), "no mapping"),
        (("--k", 3, "--mapping", "people.csv"), "other files"),
        (("--k", 3, "--mapping", "out.csv"), "other files"),
        (("--k", 3, "--mapping", "out.csv.shoal.json"), "other files"),
        (("--k", 3, "--mapping", "."), "is a folder"),
        (("--k", 3, "--mapping", ""), "empty"),
        (("--k", 3, "--mapping", "-"), "takes a file"),
        (("--k", 3, "--mapping", "nowhere/m.csv"), "no folder 'nowhere'"),
        (("--k", 3, "--separator", "ab"), "'ab'"),
        (("--k", 3, "--encoding", "klingon"), "klingon"),
        (("--k", 3, "--quasi", "zip"), "--quasi"),
        (("--k", 3, "--k", 4), "given 2 times"),
        (("--k", 3, "--config", "nowhere.toml"), "nowhere.toml"),
        (("--k", 3, "--save-config", "out.csv"), "other files"),
        (("--k", 3, "--save-config", "nowhere/shoal.toml"), "no folder 'nowhere'"),
    ],
)
def test_a_request_that_cannot_be(words: tuple[object, ...], cause: str) -> None:
    assert cause in refused(*OUT, *words)


def test_a_mapping_of_labels_that_are_kept_is_refused() -> None:
    words = ("graph", "protect", "numbers.txt", "-o", "out.csv", "--k", 3, "--mapping", "m.csv")
    assert "leave out --mapping, or give --labels random" in refused(*words, "--labels", "keep")


@pytest.mark.parametrize(
    "output",
    [
        "nowhere/out.csv",
        ".",
        "",
        "people.csv",
        "./people.csv",
        "linked.csv",
        "out.xlsx",
        "pipe",
        "people.csv/out.csv",
        "x" * 250 + ".csv",
        "x" * 300 + ".csv",
    ],
    ids=lambda name: name[:24] or "empty",
)
def test_an_output_that_cannot_be(output: str) -> None:
    Path("linked.csv").symlink_to("people.csv")
    os.mkfifo("pipe")
    refused("graph", "protect", "people.csv", "-o", output, "--k", 3)


def test_nowhere_to_write_is_refused() -> None:
    assert "give -o OUT.csv" in refused("graph", "protect", "people.csv", "--k", 3)
    assert "no graph given" in refused("graph", "protect", "-o", "out.csv", "--k", 3)


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("measure", "people.csv", "--x-min", "-1"), "not -1"),
        (("measure", "people.csv", "--sample", "0"), "not 0"),
        (("measure", "people.csv", "--sample", "many"), "'many' is not a whole number"),
        (("measure", "people.csv", "--seed", "-3"), "not -3"),
        (("verify", "people.csv", "--model", "k-anonymity(k=2)"), "is a model for tables"),
        (("verify", "people.csv", "--k", "0"), "0"),
        (("ask", "people.csv"), "nothing asked"),
        (("ask", "people.csv", "laplace(epsilon=1)"), "is a mechanism for questions"),
        (("ask", "people.csv", "edge-count(epsilon=0)"), "edge-count"),
        (("ask", "people.csv", "edge-count(epsilon=1)", "--budget", "none"), "--budget"),
        (("ask", "people.csv", "edge-count(epsilon=1)", "--ledger", "gone.sqlite"), "there is no ledger"),
        (("ask", "-", "edge-count(epsilon=1)", "--budget", "1"), "Name a file with --ledger"),
        (("attack", "people.csv"), "no graph given"),
    ],
)
def test_other_requests_that_cannot_be(words: tuple[object, ...], cause: str) -> None:
    assert cause in refused("graph", *words)


def test_parts_of_graphs_are_refused_where_tables_are_spoken_of() -> None:
    table = ("table", "protect", "patients.csv", "-o", "out.csv", "--quasi", "zip")
    assert "'k-degree' is a model for graphs" in refused(*table, "--model", "k-degree(k=2)")
    assert "'naive' is a method for graphs" in refused(*table, "--k", 2, "--method", "naive")
    assert "is a mechanism for graphs" in refused("query", "mechanism", "edge-count(epsilon=1)", "--value", 3)


def test_a_failed_rename_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents()

    def broken(*_: object) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", broken)
    run = shoal(*OUT, "--k", 3, "--mapping", "who.csv")
    assert run.code == 2 and "No space left" in run.err
    assert contents() == before
