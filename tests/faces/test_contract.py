"""CONTRACT.md, key by key: users script against these names."""

import json
import os
import subprocess
import sys
from numbers import Real
from pathlib import Path
from typing import Any

import pytest

from faces.shell import ROLES, patients, protect, shoal
from patience import LONG

LOSSES = {"precision", "loss", "discernibility", "average_class_size", "entropy"}


def test_protect_prints_what_the_contract_says() -> None:
    words = ("--k", 3, "--suppress", 0.1, "--method", "optimal", "--json")
    run = protect("patients.csv", "-o", "out.csv", *ROLES, *words)
    found = run.json
    assert run.code == 0
    assert {"rows", "released", "suppressed", "classes", "method", "optimal", "levels", "models"} <= set(
        found
    )
    assert {"losses", "seconds"} <= set(found)
    assert found["rows"] == 60 == found["released"] + found["suppressed"]
    assert found["method"] == "optimal" and found["optimal"] is True
    assert list(found["levels"]) == ["zip", "age", "sex"]
    assert all(isinstance(level, int) for level in found["levels"].values())
    assert set(found["losses"]) == LOSSES
    assert _numbers(found["losses"]) and isinstance(found["seconds"], float)
    (model,) = found["models"]
    assert model["name"] == "k-anonymity" and model["level"] >= 3 and model["holds"] is True


def test_protect_by_default_tries_several_methods_and_names_the_one_taken() -> None:
    found = protect("patients.csv", "-o", "out.csv", "--quasi", "zip,age,sex", "--k", 3, "--json").json
    assert found["method"] in {one["method"] for one in found["tried"]} != set()
    assert found["suppress"] == 0.05
    assert found["undeclared"] == ["name", "ill"]
    assert found["decided"] == {
        **dict.fromkeys(["zip", "age", "sex"], "flags"),
        "name": "nobody",
        "ill": "nobody",
    }
    assert json.loads(Path("out.csv.shoal.json").read_text("utf-8"))["decisions"]["left_out"] == [
        "name",
        "ill",
    ]


def test_verify_prints_what_the_contract_says(release: Path) -> None:
    run = shoal("table", "verify", release, "--json")
    assert run.code == 0 and run.json["holds"] is True
    assert [model["name"] for model in run.json["models"]] == ["k-anonymity", "l-diversity", "t-closeness"]
    assert all({"name", "level", "holds"} <= set(model) for model in run.json["models"])
    run = shoal("table", "verify", release, "--k", 50, "--json")
    assert run.code == 1 and run.json["holds"] is False


def test_measure_prints_what_the_contract_says(release: Path) -> None:
    found = shoal("table", "measure", release, "--json").json
    assert {"rows", "classes", "smallest_class", "distinction", "separation", "risk"} <= set(found)
    assert "losses" not in found  # only with an original
    assert set(found["distinction"]) == set(found["separation"]) == {"zip", "age", "sex", "zip,age,sex"}
    assert {"prosecutor", "journalist", "marketer"} <= set(found["risk"])
    for kind in ("prosecutor", "journalist"):
        assert set(found["risk"][kind]) == {"lowest", "average", "highest"}
    assert set(found["risk"]["marketer"]) == {"average"}
    found = shoal("table", "measure", release, "--original", "patients.csv", "--json").json
    assert set(found["losses"]) == LOSSES


def test_inspect_prints_what_the_contract_says() -> None:
    found = shoal("table", "inspect", "patients.csv", "--json").json
    assert list(found["columns"]) == ["name", "zip", "age", "sex", "ill"]
    for column in found["columns"].values():
        assert set(column) == {"role", "reason", "distinction", "separation", "pattern"}
        assert column["role"] in ("identifier", "quasi", "sensitive", "insensitive")
    for combination in found["combinations"]:
        assert set(combination) == {"columns", "distinction", "separation"}
    assert "zip,age" in {combination["columns"] for combination in found["combinations"]}


def test_attack_prints_what_the_contract_says() -> None:
    words = ("--quasi", "zip,age,sex", "--external", "patients.csv", "--json")
    found = shoal("table", "attack", "linkage", "patients.csv", *words).json
    assert {"attack", "targets", "hits", "rate", "interval", "baseline", "findings", "cure"} <= set(found)
    assert found["targets"] == 60 and found["rate"] == found["hits"] / 60
    low, high = found["interval"]
    assert 0 <= low <= found["rate"] <= high <= 1
    assert found["baseline"] == 1 / 60 and found["findings"] and found["cure"]


def test_catalog_lists_every_kind() -> None:
    found = shoal("catalog", "--json").json
    assert {"models", "methods", "steps", "attacks", "measures", "mechanisms"} <= set(found)
    names = {part["name"] for part in found["models"]}
    assert {"k-anonymity", "l-diversity", "t-closeness"} <= names


def test_an_unbounded_level_is_null() -> None:
    Path("one.csv").write_text("zip,ill\n1,flu\n1,flu\n", "utf-8")
    words = ("--quasi", "zip", "--sensitive", "ill", "--model", "l-diversity(l=2,kind=recursive,c=3)")
    run = shoal("table", "verify", "one.csv", *words, "--json")
    assert run.code == 1 and run.json["models"][0]["level"] is None


@pytest.mark.parametrize(
    "words",
    [
        ("inspect", "patients.csv"),
        ("protect", "patients.csv", "-o", "o.csv", "--quasi", "zip,age,sex", "--k", 3),
        ("verify", "release.csv"),
        ("verify", "release.csv", "--k", 60),
        ("measure", "release.csv", "--original", "patients.csv"),
        ("attack", "linkage", "release.csv", "--external", "patients.csv"),
        ("hierarchy", "patients.csv", "--column", "zip"),
    ],
    ids=lambda words: " ".join(map(str, words[:2])),
)
@pytest.mark.usefixtures("release")
def test_json_is_one_document_and_remarks_are_elsewhere(words: tuple[object, ...]) -> None:
    run = shoal("table", *words, "--json")
    document, end = json.JSONDecoder(parse_constant=_no_nan).raw_decode(run.out)
    assert run.out[end:] == "\n" and isinstance(document, dict)
    assert all(line.startswith("shoal: ") for line in run.err.splitlines())
    assert run.out.count("shoal: ") == 0
    assert shoal("table", *words).out  # and tables for people without it


def test_names_may_be_spelled_as_in_the_contract() -> None:
    Path("incomes.csv").write_text(
        "zip,income\n" + "".join(f"{row % 2},{1000 + 10 * (row % 6)}\n" for row in range(24)), "utf-8"
    )
    Path("income.csv").write_text("".join(f"{1000 + 10 * row};low;*\n" for row in range(6)), "utf-8")
    models = [
        "k-anonymity(k=2)",
        "l-diversity(l=2,kind=distinct)",
        "l-diversity(l=2,kind=probabilistic)",
        "l-diversity(l=2,kind=entropy)",
        "l-diversity(l=2,kind=recursive,c=3,column=income)",
        "t-closeness(t=0.5,distance=ordered)",
        "t-closeness(t=0.5,distance=equal)",
        "t-closeness(t=0.5,distance=hierarchical)",
    ]
    words = [word for model in models for word in ("--model", model)]
    roles = ("--quasi", "zip", "--sensitive", "income", "--hierarchy", "income=income.csv")
    run = protect("incomes.csv", "-o", "out.csv", *roles, *words, "--json")
    assert run.code == 0, run.err
    assert len(run.json["models"]) == len(models)
    assert shoal("table", "verify", "out.csv").code == 0


@pytest.mark.parametrize(
    "objective", ["loss", "precision", "discernibility", "average-class-size", "entropy"]
)
def test_every_objective_is_known_and_the_best_by_its_own_measure(objective: str) -> None:
    found: dict[str, Any] = {}
    for name in (objective, "loss", "discernibility"):
        words = ("--k", 4, "--objective", name, "--suppress", 0.1, "--method", "optimal", "--json")
        found[name] = protect("patients.csv", "-o", "out.csv", *ROLES, *words).json["losses"]
    key = objective.replace("-", "_")
    sign = -1 if objective == "precision" else 1
    assert all(sign * found[objective][key] <= sign * other[key] + 1e-12 for other in found.values())


def test_standard_input_and_output_carry_a_table() -> None:
    words = (*ROLES, "--k", 3)
    written = protect("-", "-o", "-", *words, stdin=Path("patients.csv").read_bytes())
    assert written.code == 0 and not list(Path().glob("*.shoal.json"))
    protect("patients.csv", "-o", "out.csv", *words)
    assert written.out == Path("out.csv").read_text("utf-8")
    check = shoal("table", "verify", "-", "--quasi", "zip,age,sex", "--k", 3, stdin=written.out.encode())
    assert check.code == 0 and "no manifest" in check.err


def test_a_broken_pipe_is_no_verdict(release: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = "from shoal.faces.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, "table", "verify", str(release), "--json"],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        timeout=LONG,
    )
    os.close(writer)
    assert done.returncode == 141 and done.stderr == b""


def test_a_terminal_without_unicode_shows_what_it_can() -> None:
    Path("german.csv").write_text("straße,alter\nü,1\nü,1\n", "utf-8")
    command = "from shoal.faces.cli import main; main()"
    for flags in ([], ["--json"]):
        done = subprocess.run(
            [sys.executable, "-c", command, "table", "inspect", "german.csv", *flags],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
            check=False,
            timeout=LONG,
        )
        assert done.returncode == 0, done.stderr
    assert "straße" in json.loads(done.stdout)["columns"]


def test_help_answers_without_loading_anything_heavy() -> None:
    command = (
        "import sys; sys.argv = ['shoal', 'table', 'protect', '--help']\n"
        "from shoal.faces.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([name for name in ('polars', 'numpy', 'numba', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True, timeout=LONG
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_same_command_with_the_same_seed_gives_the_same_bytes() -> None:
    words = (*ROLES, "--k", 3)
    protect("patients.csv", "-o", "one.csv", *words)
    protect("patients.csv", "-o", "two.csv", *words)
    shoal("table", "protect", "patients.csv", "-o", "three.csv", *words)
    one = Path("one.csv").read_text("utf-8")
    assert one == Path("two.csv").read_text("utf-8")
    assert one != Path("three.csv").read_text("utf-8")  # without a seed the order is the system's
    assert sorted(one.splitlines()) == sorted(Path("three.csv").read_text("utf-8").splitlines())


def test_with_a_seed_the_order_of_the_original_leaves_no_trace() -> None:
    lines = patients().splitlines()
    Path("turned.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n", "utf-8")
    for name in ("patients", "turned"):
        protect(f"{name}.csv", "-o", f"{name}-out.csv", *ROLES, "--k", 3)
    assert Path("patients-out.csv").read_bytes() == Path("turned-out.csv").read_bytes()


def _numbers(values: dict[str, Any]) -> bool:
    return all(isinstance(value, Real) and not isinstance(value, bool) for value in values.values())


def _no_nan(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")
