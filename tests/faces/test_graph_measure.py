"""`shoal graph verify`, `measure` and `ask`."""

import json
from pathlib import Path

import pytest

from faces.networks import network, numbered, pairs
from faces.shell import refused, shoal


@pytest.fixture(autouse=True)
def files() -> None:
    Path("people.csv").write_text(network(), "utf-8")
    Path("numbers.txt").write_text(numbered(), "utf-8")


def protect(source: str, *words: object) -> None:
    run = shoal("graph", "protect", source, "-o", "out.csv", "--k", 3, "--seed", 1, *words)
    assert run.code == 0, run.err


def test_verify_tells_by_its_exit_code() -> None:
    protect("people.csv")
    held = shoal("graph", "verify", "out.csv", "--json")
    assert (
        held.code == 0 and held.json["holds"] is True and held.json["models"][0]["model"] == "k-degree(k=3)"
    )
    broken = shoal("graph", "verify", "out.csv", "--k", 39, "--json")
    assert broken.code == 1 and broken.json["holds"] is False
    assert "k-degree(k=39)" in shoal("graph", "verify", "out.csv", "--k", 39).out


def test_verify_says_when_there_is_no_manifest() -> None:
    run = shoal("graph", "verify", "people.csv", "--k", 1)
    assert run.code == 0 and "no manifest beside the file" in run.err
    assert "no promise to verify" in refused("graph", "verify", "people.csv")


def test_a_file_that_was_changed_since_is_told() -> None:
    protect("numbers.txt")
    with Path("out.csv").open("a", encoding="utf-8") as stream:
        stream.writelines(f"5000,{friend}\n" for friend in range(5001, 5031))
    run = shoal("graph", "verify", "out.csv")
    assert run.code == 1 and "its fingerprint differs" in run.err


def test_nobody_can_tell_of_noise_without_the_record() -> None:
    private = "edge-differential-privacy(epsilon=1)"
    assert shoal("graph", "protect", "people.csv", "-o", "out.csv", "--model", private).code == 0
    stricter = shoal("graph", "verify", "out.csv", "--model", "edge-differential-privacy(epsilon=0.5)")
    assert stricter.code == 1
    Path("out.csv.shoal.json").unlink()
    run = shoal("graph", "verify", "out.csv", "--model", private, "--json")
    assert run.code == 1 and run.json["models"][0]["holds"] is None and "nobody can tell" in run.err


def test_a_manifest_of_something_else_is_refused() -> None:
    protect("people.csv")
    Path("out.csv.shoal.json").write_text('{"kind": "table"}', "utf-8")
    assert "not a manifest of a graph" in refused("graph", "verify", "out.csv")


def test_measure_gives_the_figures_of_the_contract() -> None:
    run = shoal("graph", "measure", "people.csv", "--json")
    assert run.code == 0, run.err
    found = run.json
    assert found["nodes"] == 40 and found["edges"] == len(pairs())
    assert found["density"] == pytest.approx(len(pairs()) / (40 * 39 / 2))
    assert {"cc", "cc1", "cc2"} <= set(found["clustering"]) and found["anonymity"]["degree"] == 1
    for name in ("average_path_length", "average_path_length_reachable", "diameter", "power_law_exponent"):
        assert name in found
    assert "figures" in shoal("graph", "measure", "people.csv").out


def test_a_sample_carries_its_interval_and_repeats_with_a_seed() -> None:
    words = ("graph", "measure", "people.csv", "--sample", 10, "--seed", 1, "--json")
    run = shoal(*words)
    assert set(run.json["average_path_length"]) == {"value", "low", "high"}
    assert shoal(*words).json == run.json
    exact = shoal("graph", "measure", "people.csv", "--exact", "--json").json["average_path_length"]
    assert isinstance(exact, int | float)
    assert "do not go together" in refused("graph", "measure", "people.csv", "--exact", "--sample", 3)


def test_the_original_tells_what_was_changed() -> None:
    protect("numbers.txt", "--labels", "keep")
    found = shoal("graph", "measure", "out.csv", "--original", "numbers.txt", "--json").json
    assert found["removed"] == 0 and found["kept"] == len(pairs()) and found["overlap"] == 1
    assert found["added"] == found["edges"] - len(pairs())


def test_with_random_labels_the_mapping_tells_who_is_who() -> None:
    for source in ("people.csv", "numbers.txt"):
        protect(source, "--mapping", "who.csv")
        words = ("graph", "measure", "out.csv", "--original", source)
        found = shoal(*words, "--mapping", "who.csv", "--json").json
        assert found["removed"] == 0 and found["kept"] == len(pairs())
        # Numbers that look alike are not the same people: what needs them is unknown, the rest is told.
        unpaired = shoal(*words, "--json")
        assert "made at random" in unpaired.err and unpaired.json["before"]["edges"] == len(pairs())
        assert unpaired.json["added"] is None and unpaired.json["overlap"] is None
        assert unpaired.json.keys() == found.keys(), "a script finds the same words"
        assert "give --mapping FILE" in refused(*words, "--only", "overlap")
        Path("out.csv.shoal.json").unlink()


def test_a_mapping_that_cannot_be_is_refused() -> None:
    protect("people.csv", "--mapping", "who.csv")
    words = ("graph", "measure", "out.csv", "--original", "people.csv", "--mapping")
    whole = Path("who.csv").read_text("utf-8")
    for name, text, cause in (
        ("short.csv", "\n".join(whole.splitlines()[:-1]), "does not tell who 'person"),
        ("twice.csv", whole + whole.splitlines()[-1], "twice"),
        ("wrong.csv", "a,b\n1,2\n", "no column 'original'"),
        ("gone.csv", None, "no file 'gone.csv'"),
    ):
        if text is not None:
            Path(name).write_text(text, "utf-8")
        assert cause in refused(*words, name)
    assert "give that, too" in refused("graph", "measure", "out.csv", "--mapping", "who.csv")


def test_graphs_that_have_nobody_in_common_are_not_compared() -> None:
    assert "no label in common" in refused("graph", "measure", "people.csv", "--original", "numbers.txt")


def test_made_up_people_are_not_compared_one_by_one() -> None:
    private = "edge-differential-privacy(epsilon=1)"
    shoal("graph", "protect", "people.csv", "-o", "out.csv", "--model", private)
    assert "stand for nobody" in refused("graph", "measure", "out.csv", "--original", "people.csv")


def test_ask_answers_with_noise_and_keeps_the_books() -> None:
    one = shoal("graph", "ask", "people.csv", "edge-count(epsilon=0.5)", "--json")
    assert one.code == 0 and "no budget is kept" in one.err and one.json["spent"]["epsilon"] == 0.5
    words = ("graph", "ask", "people.csv", "triangles(epsilon=0.4)", "--json")
    first = shoal(*words, "--budget", 1)
    assert first.code == 0 and Path("shoal-ledger.sqlite").exists(), first.err
    again = shoal(*words)
    assert again.json["archived"] and again.json["answer"] == first.json["answer"]
    assert again.json["remaining"]["epsilon"] == pytest.approx(0.6)
    spent = shoal("graph", "ask", "people.csv", "triangles(epsilon=0.7)")
    assert spent.code == 1 and spent.out == "" and "is left" in spent.err
    assert "budget" in shoal("graph", "ask", "people.csv", "edge-count(epsilon=0.1)").out
    log = shoal("query", "log", "--ledger", "shoal-ledger.sqlite", "--json")
    assert log.code == 0 and "edge-count(epsilon=1/10)" in log.out


def test_ask_takes_a_project_file() -> None:
    Path("shoal.toml").write_text(
        '[graph]\nfile = "people.csv"\n[graph.ask]\nmechanism = "edge-count(epsilon=1)"\nbudget = 2\n'
        'ledger = "books.sqlite"\n',
        "utf-8",
    )
    run = shoal("graph", "ask", "--config", "shoal.toml", "--json")
    assert run.code == 0 and run.json["remaining"]["epsilon"] == 1, run.err
    assert Path("books.sqlite").exists()


def test_nothing_but_the_answer_depends_on_the_graph() -> None:
    documents = []
    for text in (network(), "source,target\na,b\na,a\n"):
        Path("some.csv").write_text(text, "utf-8")
        run = shoal("graph", "ask", "some.csv", "edge-count(epsilon=1)", "--json")
        assert "loop" not in run.err
        document = run.json
        for name in ("value", "interval"):
            document["answer"].pop(name)
        documents.append(json.dumps([document, run.err]))
    assert documents[0] == documents[1]


def test_degrees_are_drawn_on_request() -> None:
    protect("numbers.txt")
    run = shoal("graph", "measure", "out.csv", "--original", "numbers.txt", "--chart", "degrees.svg")
    assert run.code == 0 and Path("degrees.svg").read_text("utf-8").startswith("<svg")
    assert "unknown extension" in refused("graph", "measure", "out.csv", "--chart", "degrees.gif")
    assert "one of the other files" in refused(
        "graph", "measure", "out.csv", "--original", "numbers.svg", "--chart", "numbers.svg"
    )
