"""Every attack against every protection, on one network whose truth is known."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

import shoal
from graphs.drawn import power_law
from shoal import catalog
from shoal.core.errors import BadInput
from shoal.faces.cli.app import app
from shoal.graphs.appraisal.attack_matrix import AttackMatrix
from shoal.jobs.graphs.matrix import plans_of
from shoal.jobs.graphs.requests import MatrixGraph
from shoal.jobs.schemas import schema_of

NETWORK = power_law(120, 500, 3)
QUICK = ("degree", "percolation(seeds=5)", "link-guessing(predictor=jaccard)")
FEW: dict[str, Any] = {"method": ("naive", "supergraph", "grouping(rounds=0)"), "k": 4, "seed": 1}


@pytest.fixture(scope="module")
def matrix() -> AttackMatrix:
    return shoal.attack_matrix(NETWORK, attack=QUICK, **FEW)


def test_every_graph_method_and_every_promise_of_the_catalog_is_a_row() -> None:
    plans = plans_of(MatrixGraph(data=NETWORK))
    methods = {name for name in catalog.names("method") if catalog.noun_of("method", name) == "graph"}
    models = {name for name in catalog.names("model") if catalog.noun_of("model", name) == "graph"}
    assert {plan.method.name for plan in plans} == methods
    assert {model.name for plan in plans for model in plan.models} == models
    assert not plans[0].models, "what promises nothing comes first"


@pytest.mark.parametrize("plan", plans_of(MatrixGraph(data=NETWORK, k=3)), ids=lambda plan: plan.spelled)
def test_what_a_method_says_it_reaches_it_reaches(plan: Any) -> None:
    hurried = plan.method.hurried()
    made = shoal.protect(NETWORK, method=hurried, model=list(plan.models))
    assert all(promise.holds for promise in made.promises)


def test_a_cell_is_what_the_attack_alone_finds(matrix: AttackMatrix) -> None:
    release = shoal.protect(NETWORK, method="naive", seed=1)
    for attack in QUICK[:2]:
        alone = shoal.attack(release, attack, original=NETWORK, seed=1)
        cell = matrix.cell("naive", next(one.attack for one in matrix.attacks if one.attack == attack))
        assert (cell.rate, cell.wrong, cell.baseline) == (alone.rate, alone.wrong, alone.baseline)


def test_what_does_not_apply_says_why_and_is_no_zero(matrix: AttackMatrix) -> None:
    for attack in matrix.attacks:
        groups = matrix.cell("grouping(rounds=0) k-grouping(k=4)", attack.attack)
        assert groups.rate is None and groups.state == "does not apply"
        assert "groups of at least 4" in groups.reason
    unchanged = matrix.cell("naive", QUICK[2])
    assert unchanged.rate is None and unchanged.reason == "the method changes no edge"


def test_it_names_nobody_and_stays_in_the_house(matrix: AttackMatrix) -> None:
    assert "findings" not in json.dumps(matrix.to_json())
    assert any("keep it in the house" in note for note in matrix.notes)


def test_a_seed_repeats_it(matrix: AttackMatrix) -> None:
    again = shoal.attack_matrix(NETWORK, attack=QUICK, **FEW)
    for one, other in zip(matrix.cells, again.cells, strict=True):
        assert (one.rate, one.wrong) == (other.rate, other.wrong)


def test_its_document_fits_the_schema_and_its_tables_have_every_cell(matrix: AttackMatrix) -> None:
    Draft202012Validator(schema_of(["graph", "attack", "matrix"])).validate(matrix.to_json())
    tables = matrix.to_tables()
    short, full = tables["share found / share taken for somebody else"], tables["every cell"]
    assert [row[0] for row in short[2:-1]] == [one.protection for one in matrix.protections]
    tried = [cell for cell in matrix.cells if cell.rate is not None]
    assert len(full) == 1 + len(tried)
    assert ["grouping(rounds=0) k-grouping(k=4)", "every attack"] in [row[:2] for row in tables["no figure"]]


def test_a_cell_that_runs_out_of_time_is_told_as_such() -> None:
    late = shoal.attack_matrix(NETWORK, attack=QUICK, time_limit=1e-6, **FEW)
    assert {cell.state for cell in late.cells} == {"out of time"}
    assert all("--time-limit" in cell.reason for cell in late.cells)
    assert any("left out because the time was over" in note for note in late.notes)


def test_who_knows_few_people_in_a_small_network_knows_one_in_twenty() -> None:
    small = shoal.attack_matrix(NETWORK, attack="propagation", method="naive", seed=1)
    assert small.attacks[0].attack == "propagation(seeds=6)"
    assert small.cells[0].rate is not None and small.cells[0].rate.targets > 100


def test_progress_names_what_is_at_work() -> None:
    heard: list[tuple[int, int, str]] = []
    shoal.attack_matrix(NETWORK, lambda *told: heard.append(told), attack="degree", **FEW)
    assert [done for done, _, _ in heard] == list(range(6)) and {whole for _, whole, _ in heard} == {6}
    assert heard[0][2] == "naive" and heard[-1][2] == "degree on grouping(rounds=0) k-grouping(k=4)"


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ({"k": 0}, "from 1 on"),
        ({"k": "many"}, "whole numbers"),
        ({"overlap": 0}, "above 0 and up to 1"),
        ({"trials": 0}, "at least 1"),
        ({"time_limit": 0}, "above 0"),
        ({"attack": "linkage"}, "attack for tables"),
        ({"method": "naive", "model": "k-degree(k=3)"}, "no method keeps k-degree"),
        ({"output": "x.pdf"}, "unknown extension"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(words: dict[str, Any], cause: str) -> None:
    with pytest.raises(BadInput, match=cause):
        shoal.attack_matrix(NETWORK, **words)


def test_groups_have_nobody_to_play_with() -> None:
    groups = shoal.protect(NETWORK, model="k-grouping(k=5)", method="grouping(rounds=0)", seed=1)
    with pytest.raises(BadInput, match="has groups, not people"):
        shoal.attack_matrix(groups)


def test_the_command_prints_one_document_and_draws_one_picture(tmp_path: Path) -> None:
    place, picture = tmp_path / "net.csv", tmp_path / "matrix.svg"
    place.write_text("a,b\n" + "\n".join(f"{one},{(one + step) % 9}" for one in range(9) for step in (1, 2)))
    words = ["graph", "attack", "matrix", str(place), "--attack", "degree", "--method", "naive", "--json"]
    ran = CliRunner().invoke(app, [*words, "-o", str(picture), "--seed", "1"])
    assert ran.exit_code == 0, ran.output
    assert json.loads(ran.stdout)["cells"][0]["state"] == "tried"
    assert "<title>What every attack achieves" in picture.read_text("utf-8")
    wrong = CliRunner().invoke(app, ["graph", "attack", "--json", "matrix", str(place)])
    assert wrong.exit_code == 2 or "come after it" in str(wrong.exception)
