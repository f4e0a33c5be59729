"""`shoal graph verify`: what a file shows beyond the promise is told, and a record is not simply believed."""

import json
from pathlib import Path
from typing import Any

from faces.shell import contents, refused, shoal

RECORD = Path("out.csv.shoal.json")


def released(*more: object) -> dict[str, Any]:
    Path("ring.csv").write_text("1,2\n2,3\n3,4\n4,1\n", "utf-8")
    run = shoal("graph", "protect", "ring.csv", "-o", "out.csv", "--k", 4, *more)
    assert run.code == 0, run.err
    found: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    return found


def test_what_no_promise_speaks_of_is_told() -> None:
    Path("x.csv").write_text("source,target,name\n1,2,Ann\n1,2,Bob\n3,4,Cid\n3,3,Dee\n", "utf-8")
    run = shoal("graph", "verify", "x.csv", "--k", 4, "--json")
    assert run.code == 0 and "more than was checked" in run.err
    assert run.json["notes"][0].endswith("loops, repeated edges, name")
    released()
    assert shoal("graph", "verify", "out.csv").err == ""


def test_a_record_cannot_have_another_file_read() -> None:
    record = released()
    record["settings"]["kinds"] = "secret.csv"
    RECORD.write_text(json.dumps(record), "utf-8")
    Path("secret.csv").write_text("name\nPIN 1234,5,6\n", "utf-8")
    assert shoal("graph", "verify", "out.csv").code == 0


def test_a_promise_of_a_method_needs_that_method() -> None:
    record = released()
    record["models"] = ["edge-differential-privacy(epsilon=1)"]
    record["guarantees"] = {"epsilon": 1.0, "delta": 0.0, "edges": 1}
    RECORD.write_text(json.dumps(record), "utf-8")
    run = shoal("graph", "verify", "out.csv", "--json")
    assert run.code == 1 and run.json["models"][0]["holds"] is None


def test_direction_counts_where_it_is_said_to_and_does_not_go_out_with_a_promise() -> None:
    Path("rank.csv").write_text("1,2\n1,3\n2,3\n", "utf-8")  # two friends each, but 2, 1 and 0 edges out
    naive = ("graph", "protect", "rank.csv", "-o", "rank-out.csv", "--method", "naive", "--k", 3)
    assert shoal(*naive).code == 0
    assert shoal("graph", "verify", "rank-out.csv").code == 0
    assert "direction dropped" in shoal(*naive, "--directed").err
    assert json.loads(Path("rank-out.csv.shoal.json").read_text("utf-8"))["directed"] is False
    assert shoal("graph", "verify", "rank.csv", "--directed", "--k", 2).code == 1


def test_nothing_is_left_behind_where_the_record_cannot_be_written() -> None:
    Path("ring.csv").write_text("1,2\n2,3\n3,1\n", "utf-8")
    RECORD.mkdir()
    before = contents()
    command = ("graph", "protect", "ring.csv", "-o", "out.csv", "--k", 3, "--labels", "random")
    assert "'out.csv.shoal.json' is a folder" in refused(*command, "--mapping", "who.csv")
    assert contents() == before


def test_kinds_that_nobody_protects_are_told() -> None:
    Path("ring.csv").write_text("1,2\n2,3\n3,1\n", "utf-8")
    Path("kinds.csv").write_text("node,kind\n1,nurse\n2,nurse\n3,head\n", "utf-8")
    protect = ("graph", "protect", "ring.csv", "--k", 3)
    run = shoal(*protect, "-o", "out.graphml", "--kinds", "kinds.csv")
    assert run.code == 0 and "no promise looks at them" in run.err
    run = shoal(*protect, "-o", "out.csv", "--kinds", "kinds.csv")
    assert run.code == 0 and "not in the release" in run.err and "no promise" not in run.err
    assert "kinds" not in shoal(*protect, "-o", "out.graphml").err
