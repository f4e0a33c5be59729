"""`shoal table compare`."""

import json
from pathlib import Path

from ..shell import ROLES, refused, shoal


def test_a_curve_for_people_and_for_scripts() -> None:
    words = ("table", "compare", "patients.csv", *ROLES, "--k", "2,5", "--method", "mondrian", "--seed", 1)
    run = shoal(*words)
    assert run.code == 0 and "k=5" in run.out and "best trade-offs, safest first" in run.err
    found = shoal(*words, "--method", "optimal", "--suppress", "0,0.1", "--json").json
    assert len(found["points"]) == 6 and found["front"]
    assert set(found["points"][0]) >= {
        "setting", "method", "models", "suppress", "reached", "released", "suppressed", "risk", "losses",
        "usefulness", "seconds", "front",
    }  # fmt: skip


def test_the_curve_is_drawn() -> None:
    run = shoal(
        "table", "compare", "patients.csv", *ROLES, "--model", "l-diversity(l={2,3})", "-o", "curve.svg",
        "--class-column", "ill", "--utility", "information-gain", "--risk", "prosecutor-average",
    )  # fmt: skip
    assert run.code == 0 and Path("curve.svg").read_text("utf-8").startswith("<svg")


def test_a_project_file_says_the_same() -> None:
    Path("shoal.toml").write_text(
        '[table]\nfile = "patients.csv"\nidentifier = "name"\nquasi = ["zip", "age", "sex"]\n'
        'sensitive = "ill"\n[table.compare]\nk = [2, 5]\nsuppress = [0, 0.1]\n'
        'method = ["optimal", "mondrian"]\noutput = "curve.json"\n',
        "utf-8",
    )
    run = shoal("table", "compare", "--config", "shoal.toml", "--json")
    assert run.code == 0 and len(run.json["points"]) == 6
    assert json.loads(Path("curve.json").read_text("utf-8"))["front"] == run.json["front"]
    one = shoal("table", "compare", "--config", "shoal.toml", "--k", "3", "--method", "mondrian", "--json")
    assert [point["setting"] for point in one.json["points"]] == ["k=3"]


def test_bad_input_is_one_sentence() -> None:
    table = ("table", "compare", "patients.csv", *ROLES)
    assert "no promise asked for" in refused(*table)
    assert "--k takes whole numbers" in refused(*table, "--k", "2;5")
    assert "--suppress takes shares" in refused(*table, "--k", 2, "--suppress", "some")
    assert "unknown extension" in refused(*table, "--k", 2, "-o", "curve.doc")
    assert "one of the other files" in refused(
        "table", "compare", "patients.csv", *ROLES, "--k", 2, "--hierarchy", "zip=zip.json", "-o", "zip.json"
    )
    assert "no table given" in refused("table", "compare")
    refused(*table, "--model", "l-diversity(l={50,60})", code=1)
    Path("bad.toml").write_text('[table.compare]\nk = true\nfile = "patients.csv"\n', "utf-8")
    assert "a list such as [2, 5, 10]" in refused("table", "compare", "--config", "bad.toml")
