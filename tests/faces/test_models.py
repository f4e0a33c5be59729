"""Every model of the catalog that reads secrets, from the command line to the file and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from faces.shell import shoal

SURGERY = """job,sex,age,surgery,pay
Janitor,M,34,Transgender,10
Doctor,M,58,Plastic,20
Mover,M,34,Transgender,30
Lawyer,M,24,Vascular,40
Mover,M,58,Urology,50
Janitor,M,44,Plastic,60
Doctor,M,24,Urology,70
Lawyer,F,58,Plastic,80
Doctor,F,44,Vascular,90
Carpenter,F,63,Vascular,100
Technician,F,63,Plastic,110
"""
ROLES = ("--quasi", "job,sex,age", "--sensitive", "surgery,pay")
MODELS = [
    "alpha-k-anonymity(alpha=0.5,k=3,values=Transgender,column=surgery)",
    "beta-likeness(beta=1,column=surgery)",
    "confidence-bounding(h=0.4,column=surgery)",
    "delta-disclosure(delta=1,column=surgery)",
    "epsilon-m-anonymity(epsilon=10,m=2,column=pay)",
    "k-e-anonymity(k=3,e=40,column=pay)",
    "lkc(L=2,K=2,C=0.5,values=Transgender,column=surgery)",
    "multi-attribute-diversity(l=1)",
    "negative-positive-disclosure(c1=3,c2=10,l=2,protected=Plastic,column=surgery)",
    "positive-disclosure(c=3,l=2,allowed=Plastic,column=surgery)",
    "xy-anonymity(x=sex|age,y=surgery,k=2)",
    "xy-linkability(x=sex|job,y=surgery|pay,h=0.5)",
]


@pytest.fixture
def surgery(tmp_path: Path) -> Path:
    path = tmp_path / "surgery.csv"
    path.write_text(SURGERY)
    return path


@pytest.mark.parametrize("model", MODELS)
def test_a_release_is_made_written_and_verified_from_its_files(model: str, surgery: Path) -> None:
    output = surgery.with_name("out.csv")
    made = shoal(
        "table", "protect", surgery, *ROLES, "--suppress", "0.3", "--model", model, "-o", output, "--json",
        "--method", "optimal",
    )  # fmt: skip
    assert made.code == 0, made.err
    assert made.json["optimal"] and made.json["models"][0]["holds"]
    checked = shoal("table", "verify", output, "--json")
    assert checked.code == 0 and checked.json["holds"]
    # Only what a model compares with may tell of the rows that were left out.
    told = json.loads(Path(f"{output}.shoal.json").read_text())["sensitive"]
    distribution = model.startswith(("beta", "delta"))
    assert list(told) == (["surgery"] if distribution else [])


def test_columns_counted_together_are_not_told_beside_a_distribution(surgery: Path) -> None:
    output = surgery.with_name("out.csv")
    models = ("--model", "multi-attribute-diversity(l=1)", "--model", "t-closeness(t=1)")
    assert shoal("table", "protect", surgery, *ROLES, *models, "-o", output).code == 0
    assert list(json.loads(Path(f"{output}.shoal.json").read_text())["sensitive"]) == ["surgery", "pay"]
    assert shoal("table", "verify", output).code == 0


def test_rows_that_another_model_leaves_out_do_not_break_a_promise_about_the_table(surgery: Path) -> None:
    """Suppressing for k-anonymity takes matches away from lkc; what comes out must keep both."""
    models = ("--k", "2", "--model", "lkc(L=2,K=2,C=0.6,column=surgery)", "--suppress", "0.4")
    made = shoal("table", "protect", surgery, *ROLES, *models, "-o", surgery.with_name("out.csv"), "--json")
    assert made.code == 0, made.err
    assert all(model["holds"] for model in made.json["models"])


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("k-e-anonymity(k=3,e=40,column=surgery)", "needs numbers, and 'surgery' has 'Plastic'"),
        ("epsilon-m-anonymity(epsilon=1,m=2)", "needs numbers, and 'surgery' has 'Plastic'"),
        ("lkc(L=2,K=2,C=50)", "for 50 % write C=0.5"),
        (
            "lkc(L=2,K=2,C=0.5,values=Foot)",
            "names the value 'Foot' in values, which surgery,pay does not have",
        ),
        ("confidence-bounding(h=0.5,column=ill)", "'ill', which is not sensitive"),
        ("positive-disclosure(c=3,l=2,allowed=Foot,column=surgery)", "it has Plastic, Transgender, Urology"),
        ("xy-anonymity(x=zip,y=surgery,k=2)", "'zip', which is not a quasi-identifier"),
        ("xy-linkability(x=sex,y=surgery|ill,h=0.5)", "'ill', which is not a sensitive column"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(model: str, message: str, surgery: Path) -> None:
    output = surgery.with_name("out.csv")
    refused = shoal("table", "protect", surgery, *ROLES, "--model", model, "-o", output)
    assert refused.code == 2 and message in refused.err and refused.err.count("\n") == 1


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("confidence-bounding(h=0.1,column=surgery)", "comes to 0.3637; ask for no less than that"),
        ("xy-linkability(x=sex,y=surgery,h=0.1)", "ask for no less than that"),
        ("positive-disclosure(c=0.1,l=2,column=surgery)", "ask for more than that"),
        ("multi-attribute-diversity(l=9,kind=recursive,c=3)", "has too few values for l=9"),
        ("positive-disclosure(c=3,l=9,column=surgery)", "lacks values that it would need"),
        ("k-e-anonymity(k=3,e=4000,column=pay)", "has 11 different numbers over 100"),
        ("lkc(L=2,K=12,C=0.5,column=surgery)", "has 11 rows, 36.37% with one value"),
        ("negative-positive-disclosure(c1=0.1,c2=5,l=9,protected=Plastic,column=surgery)", "too few values"),
    ],
)
def test_what_can_never_hold_says_what_would(model: str, message: str, surgery: Path) -> None:
    output = surgery.with_name("out.csv")
    refused = shoal("table", "protect", surgery, *ROLES, "--model", model, "-o", output)
    assert refused.code == 1 and message in refused.err
