"""`shoal query attack` and `shoal query compare`."""

from pathlib import Path

from faces.asking import TABLE
from faces.shell import patients, refused, shoal

ILL = (*TABLE, "--secret", "ill=hiv", "--seed", 1)


def test_attack_prints_what_the_contract_says() -> None:
    run = shoal(
        "query", "attack", "differencing(targets=10)", *ILL, "--against", "minimum-size(n=3)", "--json"
    )
    assert run.code == 0, run.err
    keys = {"attack", "targets", "hits", "rate", "interval", "baseline", "findings", "cure"}
    assert keys <= set(run.json) and run.json["hits"] == run.json["targets"] == 10
    assert run.json["findings"][0]["who"]["name"].startswith("Person")
    assert "private(epsilon=1)" in run.json["cured"]["how"]


def test_names_of_the_contract_are_known() -> None:
    for name in ("averaging(targets=2,repeats=2)", "tracker(targets=2)", "membership(people=5)"):
        assert shoal("query", "attack", name, *ILL, "--json").code == 0
    for name in ("reconstruction(people=6)", "auxiliary-information(targets=3)", "refusals(targets=4)"):
        assert shoal("query", "attack", name, *ILL, "--known", "sex,age", "--json").code == 0


def test_compare_prints_a_row_for_each_way() -> None:
    Path("patients.csv").write_text(patients(200), "utf-8")
    words = ("--against", "plain", "--against", "local-randomised-response", "--questions", 3)
    run = shoal("query", "compare", *ILL, *words, "--json")
    assert run.code == 0, run.err
    assert [row["epsilon"] for row in run.json["alternatives"]] == [1.0, None]
    assert "plain" in shoal("query", "compare", *ILL, *words).out


def test_what_cannot_be_attacked_is_refused_in_a_sentence() -> None:
    assert "no attack named" in refused("query", "attack")
    assert "no private table" in refused("query", "attack", "differencing")
    assert "--unit" in refused("query", "attack", "differencing", "--data", "patients=patients.csv")
    assert "no attack 'difference'" in refused("query", "attack", "difference", *ILL)
    assert "an attack for tables" in refused("query", "attack", "linkage", *ILL)
    assert "an attack for questions" in refused("table", "attack", "tracker", "patients.csv")
    assert "--service URL" in refused("query", "attack", "tracker", *ILL, "--token-file", "t")
    words = ("--service", "http://127.0.0.1:9", "--token-file", "t")
    Path("t").write_text("token", "utf-8")
    assert "is the service running" in refused("query", "attack", "tracker", *ILL, *words)
    assert "unknown extension" in refused("query", "compare", *ILL, "-o", "x.doc")
