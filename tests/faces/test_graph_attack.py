"""`shoal graph attack`."""

from pathlib import Path

import pytest

from faces.networks import network
from faces.shell import refused, shoal


@pytest.fixture(autouse=True)
def files() -> None:
    Path("people.csv").write_text(network(), "utf-8")
    words = ("-o", "out.csv", "--method", "naive", "--mapping", "who.csv", "--seed", 1)
    assert shoal("graph", "protect", "people.csv", *words).code == 0


def test_attack_prints_what_the_contract_says() -> None:
    run = shoal(
        "graph", "attack", "degree", "out.csv", "--original", "people.csv", "--truth", "who.csv", "--json"
    )
    assert run.code == 0, run.err
    keys = {"attack", "targets", "hits", "rate", "interval", "baseline", "findings", "cure", "wrong"}
    assert keys <= set(run.json) and run.json["hits"] > 0 and run.json["wrong"] == 0
    assert all(told["who"]["name"].startswith("person") for told in run.json["findings"])
    assert run.json["cured"]["hits"] == 0


def test_nobody_is_named_without_the_truth() -> None:
    run = shoal("graph", "attack", "degree", "out.csv", "--original", "people.csv", "--json")
    assert run.json["hits"] > 0 and "person" not in run.out and "wrong" not in run.json
    assert "person" not in shoal("graph", "attack", "degree", "out.csv").out


def test_attack_takes_a_project_file() -> None:
    Path("shoal.toml").write_text(
        '[graph]\nfile = "out.csv"\n[graph.attack]\nattack = "pooled-knowledge(size=3,trials=5)"\nseed = 1\n'
        'original = "people.csv"\ntruth = "who.csv"\n',
        "utf-8",
    )
    run = shoal("graph", "attack", "--config", "shoal.toml", "--json")
    assert run.code == 0 and run.json["details"]["circles"] == 5, run.err
    assert run.json == shoal("graph", "attack", "--config", "shoal.toml", "--json").json


def test_what_cannot_be_attacked_is_refused_in_a_sentence() -> None:
    assert "no attack named" in refused("graph", "attack")
    assert "no graph given" in refused("graph", "attack", "degree")
    assert "no attack 'degre'" in refused("graph", "attack", "degre", "out.csv")
    assert "an attack for tables" in refused("graph", "attack", "linkage", "out.csv")
    assert "an attack for graphs" in refused("table", "attack", "degree", "out.csv")
    shoal("graph", "protect", "people.csv", "-o", "groups.csv", "--model", "k-grouping(k=5)")
    assert "groups, not people" in refused("graph", "attack", "degree", "groups.csv")
    Path("other.csv").write_text("source,target\nZoe,Yan\n", "utf-8")
    words = ("graph", "attack", "degree", "out.csv", "--auxiliary", "other.csv")
    assert "names nobody of 'other.csv'" in refused(*words, "--truth", "who.csv")
    Path("seeds.csv").write_text("original,label\nZoe,3\nZoe,4\n", "utf-8")
    assert "contradict each other" in refused(*words, "--seeds", "seeds.csv")
    Path("seeds.csv").write_text("original,label\nXan,3\n", "utf-8")
    assert "'Xan' is not in 'other.csv'" in refused(*words, "--seeds", "seeds.csv")


def test_an_attack_that_runs_out_of_time_tells_the_matches_so_far() -> None:
    words = ("graph", "attack", "propagation(seeds=3)", "out.csv", "--original", "people.csv")
    run = shoal(*words, "--truth", "who.csv", "--seed", 1, "--time-limit", "1e-9", "--json")
    assert run.code == 0, run.err
    assert run.json["details"]["complete"] is False
    assert run.json["hits"] == 0
    assert "a number of seconds above 0, not 0.0" in refused(*words, "--time-limit", 0)
