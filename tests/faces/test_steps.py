"""Steps from the command line to the written file."""

import json
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

import shoal as library
from faces.shell import ROLES, protect, refused, shoal

ALL = (
    "dummies(rows=5)",
    "noise(column=age,deviation=0.2,bounds=kept)",
    "swapping(column=ill,share=0.2,within=sex)",
    "sampling(share=0.9)",
    "microaggregation(columns=age|zip,k=3)",
    "pseudonyms(column=name,key=vault/key)",
)


@pytest.fixture(autouse=True)
def vault(folder: Path) -> Path:
    (folder / "vault").mkdir()
    return folder / "vault"


def words(*steps: str) -> list[str]:
    return [word for step in steps for word in ("--step", step)]


def read(path: str) -> pl.DataFrame:
    return pl.read_csv(path, infer_schema=False)


# Noise takes no seed, so what must come out alike is made without it.
REPEATABLE = tuple(step for step in ALL if not step.startswith("noise"))


def test_noise_takes_no_seed_and_differs_every_time() -> None:
    asked = ("table", "protect", "patients.csv", *ROLES, "--k", 3, *words("noise(column=age,deviation=2)"))
    assert "noise takes no seed: whoever guesses 1" in refused(*asked, "-o", "out.csv", "--seed", 1)
    for name in ("one.csv", "two.csv"):
        assert shoal(*asked, "--hierarchy", "age=flat()", "-o", name, "--suppress", 1).code == 0
    notes = [json.loads(Path(f"{name}.csv.shoal.json").read_text("utf-8")) for name in ("one", "two")]
    assert notes[0]["hashes"]["output"] != notes[1]["hashes"]["output"]


def test_every_step_at_once_and_the_same_in_python_and_from_a_project_file() -> None:
    before = Path("patients.csv").read_bytes()
    base = ("patients.csv", *ROLES, "--k", 3, *words(*REPEATABLE))
    run = protect(*base, "-o", "one.csv", "--save-config", "vault/shoal.toml", "--json")
    assert run.code == 0, run.err
    assert run.json["rows"] == 58 and run.json["models"][0]["holds"]  # 90 % of 60 + 5
    assert [note.split("(")[0] for note in run.json["notes"][:-1]] == [
        f"step {step.split('(')[0]}" for step in REPEATABLE
    ]
    assert run.err.count("shoal: step ") == 5
    roles = {"identifier": "name", "quasi": "zip,age,sex", "sensitive": "ill"}
    library.protect("patients.csv", output="two.csv", k=3, step=REPEATABLE, seed=1, **roles)  # type: ignore[call-overload]
    assert shoal("table", "protect", "--config", "vault/shoal.toml", "-o", "three.csv").code == 0
    assert Path("one.csv").read_bytes() == Path("two.csv").read_bytes() == Path("three.csv").read_bytes()
    assert shoal("table", "verify", "one.csv").code == 0
    assert Path("patients.csv").read_bytes() == before


def test_the_manifest_records_the_steps_and_nothing_secret(vault: Path) -> None:
    assert (
        shoal("table", "protect", "patients.csv", "-o", "out.csv", *ROLES, "--k", 3, *words(*ALL)).code == 0
    )
    text = Path("out.csv.shoal.json").read_text("utf-8")
    found = json.loads(text)
    assert found["settings"]["step"][5] == "pseudonyms(column=name)" and len(found["settings"]["step"]) == 6
    assert "vault" not in text and (vault / "key").read_bytes().hex() not in text
    assert found["roles"]["identifier"] == [] and "name" in found["roles"]["insensitive"]


def test_pseudonyms_are_stable_between_releases_and_verify_knows_them() -> None:
    step = words("pseudonyms(column=name,key=vault/key)")
    for name in ("one.csv", "two.csv"):
        assert shoal("table", "protect", "patients.csv", "-o", name, *ROLES, "--k", 3, *step).code == 0
    one, two = set(read("one.csv")["name"]), set(read("two.csv")["name"])
    assert one == two and len(one) == 60 and not one & set(read("patients.csv")["name"])
    assert shoal("table", "verify", "one.csv", "--quasi", "zip,age,sex", "--k", 3).code == 0
    Path("shoal.toml").write_text('[table]\nidentifier = "name"\nquasi = "zip,age,sex"\n', "utf-8")
    assert shoal("table", "verify", "one.csv", "--config", "shoal.toml", "--k", 3).code == 0
    Path("one.csv.shoal.json").unlink()  # nothing says any more that these are pseudonyms
    assert shoal("table", "verify", "one.csv", "--config", "shoal.toml", "--k", 3).code == 1


def test_a_column_without_a_role_is_kept_when_it_becomes_a_pseudonym() -> None:
    roles = ("--quasi", "zip,age,sex", "--sensitive", "ill", "--k", 3)
    assert protect("patients.csv", "-o", "one.csv", *roles).code == 0
    assert "name" not in read("one.csv").columns
    assert (
        protect("patients.csv", "-o", "two.csv", *roles, *words("pseudonyms(column=name,key=vault/k)")).code
        == 0
    )
    assert "name" in read("two.csv").columns


def test_microaggregation_alone_reaches_k() -> None:
    roles = ("--identifier", "name", "--quasi", "zip,age", "--insensitive", "sex", "--sensitive", "ill")
    step = words("microaggregation(columns=zip|age,k=4)")
    run = protect("patients.csv", "-o", "out.csv", *roles, "--k", 4, *step, "--json")
    assert run.json["levels"] == {"zip": 0, "age": 0} and run.json["losses"]["loss"] == 0
    assert min(Counter(read("out.csv").select("zip", "age").iter_rows()).values()) >= 4
    assert shoal("table", "verify", "out.csv").code == 0


def test_swapping_keeps_the_distribution_in_the_written_file() -> None:
    step = words("swapping(column=ill,share=1)")
    assert protect("patients.csv", "-o", "out.csv", *ROLES, "--k", 3, *step).code == 0
    assert Counter(read("out.csv")["ill"]) == Counter(read("patients.csv")["ill"])


def test_flags_replace_the_steps_of_a_project() -> None:
    Path("shoal.toml").write_text(
        '[table.protect]\nfile = "patients.csv"\nidentifier = "name"\nquasi = ["zip", "age", "sex"]\n'
        'sensitive = "ill"\nk = 3\noutput = "out.csv"\nstep = "sampling(share=0.5)"\n',
        "utf-8",
    )
    assert shoal("table", "protect", "--config", "shoal.toml", "--json").json["rows"] == 30
    run = shoal("table", "protect", "--config", "shoal.toml", "--step", "sampling(rows=40)", "--json")
    assert run.json["rows"] == 40


@pytest.mark.parametrize(
    ("step", "cause"),
    [
        ("nois(column=age)", "no step 'nois'"),
        ("noise", "noise needs column"),
        ("noise(column=agee)", "no column 'agee'; the table has name, zip, age, sex, ill"),
        ("noise(column=ill)", "noise needs numbers, and 'ill' has the value"),
        ("noise(column=age,deviation=x)", "is not a number"),
        ("noise(column=age,kind=cauchy)", "no kind 'cauchy'"),
        ("noise(column=age,colour=5)", "no parameter 'colour'"),
        ("swapping(column=ill,rank=0.1)", "needs numbers"),
        ("swapping(column=ill,within=town)", "no column 'town'"),
        ("swapping(column=ill,share=2)", "not above 0"),
        ("microaggregation(columns=age|ill)", "needs numbers"),
        ("microaggregation(columns=age,k=61)", "fewer than k=61"),
        ("sampling(share=0)", "not above 0"),
        ("sampling(rows=61)", "more than the 60 rows"),
        ("sampling(rows=2)", "k=3 is larger than the table, which has 2 rows"),
        ("dummies(share=-1)", "not above 0"),
        ("pseudonyms(column=name)", "needs a key"),
        ("pseudonyms(column=nam,key=vault/key)", "no column 'nam'"),
        ("pseudonyms(column=name,key=key)", "beside the release"),
        ("pseudonyms(column=name,key=nowhere/key)", "no folder 'nowhere'"),
        ("pseudonyms(column=name,key=vault)", "is a folder"),
        ("pseudonyms(column=name,key=patients.csv)", "beside the release"),
    ],
)
def test_a_bad_step_is_refused_in_one_sentence(step: str, cause: str) -> None:
    base = ("table", "protect", "patients.csv", "-o", "out.csv", *ROLES, "--k", 3)
    assert cause in refused(*base, "--step", step)


def test_a_request_that_fails_leaves_no_key_behind() -> None:
    base = ("table", "protect", "patients.csv", "-o", "out.csv", *ROLES, "--k", 3)
    steps = words("pseudonyms(column=name,key=vault/key)", "noise(column=none)")
    assert "no column 'none'" in refused(*base, *steps)
    models = ("--model", "l-diversity(l=9)")
    assert "cannot hold" in refused(*base, *steps[:2], *models, code=1)


def test_the_catalog_lists_the_steps() -> None:
    found = shoal("catalog", "--json").json["steps"]
    assert [step["name"] for step in found] == [
        "dummies",
        "microaggregation",
        "noise",
        "pseudonyms",
        "sampling",
        "swapping",
    ]
    assert "steps" in shoal("catalog").out
