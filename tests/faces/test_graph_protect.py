"""`shoal graph protect`: what is written, what is told, and that nothing gives the original away."""

import json
import stat
from pathlib import Path

import pytest

from faces.networks import edges_in, network, numbered
from faces.shell import contents, refused, shoal

PROTECT = ("graph", "protect", "people.csv", "-o", "out.csv")
NUMBERED = ("graph", "protect", "numbers.txt", "-o", "out.csv")


@pytest.fixture(autouse=True)
def files() -> None:
    Path("people.csv").write_text(network(), "utf-8")
    Path("numbers.txt").write_text(numbered(), "utf-8")


def test_a_release_keeps_its_promise_and_says_what_it_cost() -> None:
    run = shoal(*PROTECT, "--k", 3, "--seed", 1, "--json")
    assert run.code == 0, run.err
    found = run.json
    assert found["nodes"] == 40 and found["method"] == "supergraph"
    assert found["edges_after"] == found["edges_before"] + found["added"] - found["removed"]
    assert found["models"] == [
        {"name": "k-degree", "level": found["models"][0]["level"], "holds": True, "model": "k-degree(k=3)"}
    ]
    assert found["models"][0]["level"] >= 3 and found["seconds"] >= 0
    assert shoal("graph", "verify", "out.csv").code == 0
    assert shoal("graph", "verify", "out.csv", "--model", "k-degree(k=3)").code == 0
    assert len(edges_in("out.csv")) == found["edges_after"]


def test_names_do_not_go_out() -> None:
    run = shoal(*PROTECT, "--k", 3)
    assert run.code == 0 and "random number" in run.err
    assert "person" not in Path("out.csv").read_text("utf-8")
    assert "person" not in Path("out.csv.shoal.json").read_text("utf-8")
    assert sorted(contents()) == [
        "numbers.txt",
        "out.csv",
        "out.csv.shoal.json",
        "patients.csv",
        "people.csv",
    ]


def test_names_go_out_when_the_owner_says_so() -> None:
    run = shoal(*PROTECT, "--k", 3, "--labels", "keep")
    assert run.code == 0 and "the labels were kept" in run.err
    assert edges_in("people.csv") <= edges_in("out.csv"), "supergraph takes no edge away"


def test_whole_numbers_are_kept_only_where_the_owner_says_so() -> None:
    run = shoal(*NUMBERED, "--k", 3)
    assert run.code == 0 and "random number" in run.err and "--labels keep" in run.err
    assert not edges_in("numbers.txt") <= edges_in("out.csv")
    again = shoal(*NUMBERED, "--k", 3, "--labels", "keep")
    assert again.code == 0 and "the labels were kept" in again.err
    assert edges_in("numbers.txt") <= edges_in("out.csv")


def test_edges_are_written_in_the_order_of_the_released_labels() -> None:
    shoal(*NUMBERED, "--k", 4, "--seed", 1)
    written = [tuple(map(int, line.split(","))) for line in Path("out.csv").read_text("utf-8").split()[1:]]
    assert written == sorted(written) and all(one < other for one, other in written)
    # Where the original stands in the file must not show: another order of lines gives the same bytes.
    before = Path("out.csv").read_bytes()
    lines = Path("numbers.txt").read_text("utf-8").splitlines()
    Path("numbers.txt").write_text("\n".join(reversed(lines)) + "\n", "utf-8")
    shoal(*NUMBERED, "--k", 4, "--seed", 1)
    assert Path("out.csv").read_bytes() == before


def test_the_mapping_is_written_only_when_asked_for_and_for_the_owner_alone() -> None:
    run = shoal(*PROTECT, "--k", 3, "--mapping", "who.csv")
    assert run.code == 0 and "keep it apart from the release" in run.err
    assert stat.S_IMODE(Path("who.csv").stat().st_mode) == 0o600
    lines = Path("who.csv").read_text("utf-8").splitlines()
    assert lines[0] == "original,label" and len(lines) == 41
    names = {label: name for name, label in (line.split(",") for line in lines[1:])}
    back = {frozenset(names[end] for end in pair) for pair in edges_in("out.csv")}
    assert edges_in("people.csv") <= back
    assert "who.csv" not in Path("out.csv.shoal.json").read_text("utf-8")


def test_a_mapping_replaces_an_open_file_by_a_closed_one() -> None:
    Path("who.csv").write_text("old", "utf-8")
    Path("who.csv").chmod(0o644)
    assert shoal(*PROTECT, "--k", 3, "--mapping", "who.csv").code == 0
    assert stat.S_IMODE(Path("who.csv").stat().st_mode) == 0o600


def test_a_seed_repeats_a_release_and_is_told_to_be_a_risk() -> None:
    run = shoal(*PROTECT, "--k", 3, "--seed", 5)
    first = Path("out.csv").read_bytes()
    assert "whoever guesses the seed" in run.err
    shoal(*PROTECT, "--k", 3, "--seed", 5)
    assert Path("out.csv").read_bytes() == first
    shoal(*PROTECT, "--k", 3, "--seed", 6)
    assert Path("out.csv").read_bytes() != first
    shoal(*PROTECT, "--k", 3)
    unseeded = Path("out.csv").read_bytes()
    shoal(*PROTECT, "--k", 3)
    assert Path("out.csv").read_bytes() != unseeded


def test_the_manifest_tells_how_and_nothing_secret() -> None:
    Path("people.csv").write_text(network() + "person 0,person 0,1\nperson 1,person 0,1\n", "utf-8")
    shoal(*PROTECT, "--k", 3, "--seed", 41_733)
    text = Path("out.csv.shoal.json").read_text("utf-8")
    found = json.loads(text)
    assert found["kind"] == "graph" and found["models"] == ["k-degree(k=3)"]
    assert found["method"] == "supergraph" and found["settings"] == {
        "method": "supergraph",
        "kinds": None,
        "labels": "random",
        "decided": {"method": "default", "labels": "default"},
    }
    assert found["cleaned"]["loops"] == 1 and found["cleaned"]["duplicates"] == 1
    assert found["cleaned"]["weights"] == 1, "what a column is called may tell"
    assert found["hashes"]["output"].startswith("sha256:")
    assert found["hashes"]["input"] is None, "a guess at the original could be checked by its fingerprint"
    assert "seed" not in text and "41733" not in text


def test_what_was_cleaned_is_told() -> None:
    Path("people.csv").write_text(network() + "person 0,person 0,1\nperson 1,person 0,1\n", "utf-8")
    run = shoal(*PROTECT, "--k", 3)
    assert "shoal: 1 loop (an edge from a node to itself) left out\n" in run.err
    assert "shoal: 1 repeated edge left out\n" in run.err and "attribute left out (weight)" in run.err


def test_a_directed_graph_loses_its_direction_and_this_is_told() -> None:
    run = shoal(*PROTECT, "--k", 3, "--directed", "--json")
    assert run.code == 0 and "direction dropped" in run.err
    assert run.json["edges_before"] == len(edges_in("people.csv"))
    assert shoal("graph", "verify", "out.csv").code == 0


def test_naive_needs_no_promise_and_gives_new_labels() -> None:
    run = shoal(*NUMBERED, "--method", "naive", "--mapping", "who.csv", "--json")
    assert run.code == 0 and run.json["models"] == [] and run.json["added"] == 0
    assert Path("who.csv").exists() and edges_in("out.csv") != edges_in("numbers.txt")
    assert shoal(*NUMBERED, "--method", "naive", "--directed").code == 0
    assert json.loads(Path("out.csv.shoal.json").read_text("utf-8"))["directed"] is True
    assert "'naive'" not in refused(*NUMBERED, "--method", "naive", "--labels", "keep")
    assert "naive gives new labels only" in refused(*NUMBERED, "--method", "naive", "--k", 39, code=1)


def test_noise_leaves_no_exact_figure_anywhere() -> None:
    Path("people.csv").write_text(network() + "person 0,person 0,1\n", "utf-8")
    run = shoal(*PROTECT, "--model", "edge-differential-privacy(epsilon=2)", "--json")
    assert run.code == 0, run.err
    assert run.json["method"] == "noisy-degrees"
    assert [run.json[name] for name in ("edges_before", "added", "removed", "bound")] == [None] * 4
    assert "loop" not in run.err + run.out
    found = json.loads(Path("out.csv.shoal.json").read_text("utf-8"))
    private = ("edges_before", "added", "removed", "bound", "cleaned")
    assert [found[name] for name in private] == [None] * 5 and found["hashes"]["input"] is None
    verdict = shoal("graph", "verify", "out.csv", "--json")
    assert verdict.code == 0 and verdict.json["models"][0]["level"] == 2
    assert "no file can prove it" in verdict.err


def test_groups_go_out_with_their_sizes_and_are_read_back() -> None:
    run = shoal(*PROTECT, "--model", "k-grouping(k=5)", "--method", "grouping(rounds=1)", "--json")
    assert run.code == 0, run.err
    assert Path("out.csv").read_text("utf-8").startswith("source,source_size,target,target_size,edges\n")
    assert shoal("graph", "verify", "out.csv").code == 0
    assert shoal("graph", "verify", "out.csv", "--model", "k-grouping(k=100)").code == 1
    assert "groups only" in refused("graph", "verify", "out.csv", "--k", 2)


@pytest.mark.parametrize("form", ["out.csv", "out.tsv", "out.txt", "out.parquet", "out.graphml", "out.gml"])
def test_every_format_is_written_and_verified(form: str) -> None:
    run = shoal("graph", "protect", "people.csv", "-o", form, "--k", 3)
    assert run.code == 0, run.err
    assert shoal("graph", "verify", form, "--json").json["holds"] is True


def test_a_graph_flows_from_standard_input_to_standard_output() -> None:
    run = shoal("graph", "protect", "-", "-o", "-", "--k", 3, "--labels", "keep", stdin=network().encode())
    assert run.code == 0
    Path("out.csv").write_text(run.out, "utf-8")
    assert edges_in("people.csv") <= edges_in("out.csv")
    assert not Path("out.csv.shoal.json").exists()
    assert "both want standard output" in refused(
        "graph", "protect", "people.csv", "-o", "-", "--k", 3, "--json"
    )


def test_a_project_file_says_what_the_flags_say() -> None:
    words = ("--k", 3, "--seed", 4, "--labels", "random", "--mapping", "who.csv")
    assert shoal(*PROTECT, *words, "--save-config", "shoal.toml").code == 0
    before = {name: Path(name).read_bytes() for name in ("out.csv", "who.csv")}
    assert "[graph.protect]" in Path("shoal.toml").read_text("utf-8")
    run = shoal("graph", "protect", "--config", "shoal.toml")
    assert run.code == 0, run.err
    assert {name: Path(name).read_bytes() for name in before} == before
    assert (
        shoal("graph", "protect", "--config", "shoal.toml", "--k", 5, "--json").json["models"][0]["level"]
        >= 5
    )
    Path("other.toml").write_text(
        '[graph]\nfile = "people.csv"\nquasi = "zip"\n[graph.protect]\nstep = "x"\n'
    )
    assert "no setting 'step'" in refused("graph", "protect", "--config", "other.toml", "-o", "o.csv")


def test_nodes_without_edges_stay_in_the_release() -> None:
    Path("numbers.txt").write_text(numbered() + "900\n901\n902\n", "utf-8")
    run = shoal(*NUMBERED, "--k", 3, "--json")
    assert run.code == 0, run.err
    assert run.json["nodes"] == 43
    assert shoal("graph", "measure", "out.csv", "--json").json["nodes"] == 43


def test_kinds_of_nodes_go_out_where_the_format_has_room_for_them() -> None:
    kinds = "".join(f"person {node},{'nurse' if node % 2 else 'doctor'}\n" for node in range(40))
    Path("kinds.csv").write_text(f"node,kind\n{kinds}", "utf-8")
    words = ("graph", "protect", "people.csv", "--k", 3, "--kinds", "kinds.csv", "-o")
    run = shoal(*words, "out.graphml")
    assert run.code == 0, run.err
    assert Path("out.graphml").read_text("utf-8").count("nurse") == 20
    found = json.loads(Path("out.graphml.shoal.json").read_text("utf-8"))
    assert found["settings"]["kinds"] == "kind"
    assert shoal("graph", "verify", "out.graphml").code == 0
    # What was read as an attribute goes out under the same name.
    again = ("graph", "protect", "out.graphml", "--k", 3, "--kinds", "kind", "-o", "again.gml")
    assert shoal(*again).code == 0 and Path("again.gml").read_text("utf-8").count("nurse") == 20
    listed = shoal(*words, "out.csv")
    assert listed.code == 0 and "the kinds of nodes are not in the release" in listed.err
    assert "gone.csv" in refused(*words[:-2], "gone.csv", "-o", "other.csv")
    saved = shoal(*words, "out.gml", "--save-config", "shoal.toml")
    assert saved.code == 0 and shoal("graph", "protect", "--config", "shoal.toml").code == 0


def test_a_header_that_may_have_been_read_as_an_edge_is_told() -> None:
    Path("people.csv").write_text("customer,friend\nAnn,Bob\nBob,Cid\nCid,Ann\n", "utf-8")
    for words in (("protect", "people.csv", "-o", "out.csv", "--k", 2), ("measure", "people.csv")):
        run = shoal("graph", *words)
        assert run.code == 0 and "the first line was read as an edge" in run.err
    assert "friend" not in Path("out.csv.shoal.json").read_text("utf-8")
    private = ("--model", "edge-differential-privacy(epsilon=1)")
    assert "first line" not in shoal("graph", "protect", "people.csv", "-o", "out.csv", *private).err
