"""Local methods from the command line to the written file and back."""

from pathlib import Path

import pytest

from faces.shell import ROLES, protect, refused, shoal

SHARED = ("precision", "loss", "discernibility", "average_class_size")
METHODS = ["mondrian", "mondrian(relaxed=true)", "heuristic", "local-recoding", "cell-suppression"]


@pytest.mark.parametrize("method", METHODS)
def test_a_release_verifies_from_its_file_and_measures_as_it_says(method: str) -> None:
    models = ("--k", 3, "--model", "l-diversity(l=2)", "--suppress", 0)
    run = protect("patients.csv", "-o", "out.csv", *ROLES, *models, "--method", method, "--json")
    assert run.code == 0, run.err
    assert run.json["method"] == method.split("(")[0] and run.json["suppressed"] == 0
    assert shoal("table", "verify", "out.csv", "--json").json["holds"] is True
    measured = shoal("table", "measure", "out.csv", "--original", "patients.csv", "--json").json
    for name in SHARED:
        assert measured["losses"][name] == pytest.approx(run.json["losses"][name], abs=1e-9), name
    assert measured["smallest_class"] >= 3 and measured["classes"] == run.json["classes"]


@pytest.mark.parametrize("method", METHODS)
def test_a_seed_gives_the_same_file(method: str) -> None:
    for name in ("one.csv", "two.csv"):
        assert protect("patients.csv", "-o", name, *ROLES, "--k", 3, "--method", method).code == 0
    one, two = (Path(name).read_bytes() for name in ("one.csv", "two.csv"))
    assert one == two


def test_what_cannot_be_done_is_said_in_one_sentence() -> None:
    words = ("table", "protect", "patients.csv", "-o", "out.csv", *ROLES)
    wide = refused(*words, "--model", "lkc(L=2,K=3,C=0.5)", "--method", "mondrian")
    assert "settles one class at a time" in wide
    assert "neither true nor false" in refused(*words, "--k", 3, "--method", "mondrian(relaxed=7)")


def test_a_flag_that_the_method_has_no_use_for_is_said() -> None:
    asked = ("patients.csv", "-o", "out.csv", *ROLES, "--k", 3, "--method", "mondrian")
    run = protect(*asked, "--suppress", "0.1")
    assert run.code == 0 and "mondrian has no use for --suppress" in run.err
    assert "no use for" not in protect(*asked).err
    assert "between 0 and 1, not 2" in refused("table", "protect", *asked, "--suppress", "2")
