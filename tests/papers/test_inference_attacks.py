"""Homogeneity, background knowledge, similarity and skewness, as the lectures and papers print them."""

from pathlib import Path

import polars as pl
import pytest

import shoal as library
from faces.shell import refused, shoal
from shoal.tables.measures.belief import Belief
from shoal.tables.table import Table

# "A 3-anonymous patient table".
PATIENTS = """zip,age,disease
476**,2*,Heart Disease
476**,2*,Heart Disease
476**,2*,Heart Disease
4790*,≥40,Flu
4790*,≥40,Heart Disease
4790*,≥40,Cancer
476**,3*,Heart Disease
476**,3*,Cancer
476**,3*,Cancer
"""
# "A 3-diverse patient table" (Li et al. 2007).
SALARIES = """zip,age,salary,disease
476**,2*,3000,gastric ulcer
476**,2*,4000,gastritis
476**,2*,5000,stomach cancer
4790*,≥40,6000,gastritis
4790*,≥40,11000,flu
4790*,≥40,8000,bronchitis
476**,3*,7000,bronchitis
476**,3*,9000,pneumonia
476**,3*,10000,stomach cancer
"""
DISEASES = """gastric ulcer,stomach disease
gastritis,stomach disease
stomach cancer,stomach disease
flu,respiratory infection
bronchitis,respiratory infection
pneumonia,respiratory infection
"""
ANATOMY = """zip,age,sex,disease
476**,2*,*,Ovarian Cancer
476**,2*,*,Ovarian Cancer
476**,2*,*,Prostate Cancer
4790*,"[43,52]",*,Flu
4790*,"[43,52]",*,Heart Disease
4790*,"[43,52]",*,Heart Disease
"""
BOB = "name=Bob,zip=47678,age=27"
CARL = "name=Carl,zip=47673,age=36"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("patients.csv").write_text(PATIENTS, "utf-8")
    Path("salaries.csv").write_text(SALARIES, "utf-8")
    Path("diseases.csv").write_text(DISEASES, "utf-8")
    Path("anatomy.csv").write_text(ANATOMY, "utf-8")


def attacked(attack: str, file: str, *words: str, quasi: str = "zip,age", sensitive: str = "disease") -> dict:  # type: ignore[type-arg]
    run = shoal("table", "attack", attack, file, "--quasi", quasi, "--sensitive", sensitive, *words, "--json")
    assert run.code == 0, run.err
    found: dict[str, object] = run.json
    return found


def test_bob_has_heart_disease_for_certain() -> None:
    found = attacked("homogeneity", "patients.csv", "--target", BOB)
    assert found["findings"] == [
        {"who": {"name": "Bob"}, "learned": {"disease": "Heart Disease"}, "confidence": 1.0}
    ]
    assert (found["hits"], found["targets"]) == (1, 1) and found["baseline"] == pytest.approx(5 / 9)
    assert found["cured"]["hits"] == 0 and "l-diversity(l=2)" in found["cured"]["how"]
    same = library.attack(
        pl.read_csv("patients.csv"),
        "homogeneity",
        quasi=("zip", "age"),
        sensitive=("disease",),
        target=(BOB,),
    )
    assert same.to_json() == found


def test_bob_is_told_on_the_screen_too() -> None:
    run = shoal(
        *("table", "attack", "homogeneity", "patients.csv", "--quasi", "zip,age"),
        *("--sensitive", "disease", "--target", BOB),
    )
    assert run.code == 0 and "Bob" in run.out and "Heart Disease" in run.out and "100%" in run.out
    assert "l-diversity(l=2)" in run.err


def test_carl_without_heart_disease_has_cancer() -> None:
    assert attacked("homogeneity", "patients.csv", "--target", CARL)["hits"] == 0
    found = attacked("background(excluded=Heart Disease)", "patients.csv", "--target", CARL)
    assert found["findings"][0]["who"] == {"name": "Carl"}
    assert found["findings"][0]["learned"] == {"disease": "Cancer"}
    assert found["findings"][0]["confidence"] == 1.0
    assert "l-diversity(l=3)" in found["cure"] and found["cured"]["hits"] == 0


def test_heart_disease_is_rare_in_japan() -> None:
    """Umeko (47653, 31): two rows of heart disease, two of viral infection."""
    Path("umeko.csv").write_text(
        "zip,age,disease\n" + "476**,3*,Heart Disease\n" * 2 + "476**,3*,Viral Infection\n" * 2, "utf-8"
    )
    Path("known.csv").write_text("origin,disease,weight\nJapan,Heart Disease,0.01\n", "utf-8")
    target = "name=Umeko,zip=47653,age=31,origin=Japan"
    found = attacked("background(file=known.csv,confidence=0.95)", "umeko.csv", "--target", target)
    assert found["findings"][0]["learned"] == {"disease": "Viral Infection"}
    assert found["findings"][0]["confidence"] == pytest.approx(1 / 1.01)
    other = attacked(
        "background(file=known.csv,confidence=0.95)",
        "umeko.csv",
        "--target",
        target.replace("Japan", "Chile"),
    )
    assert other["hits"] == 0


def test_women_have_no_prostate_cancer() -> None:
    """Alice (47677, 29, F) is in a class of two ovarian cancers and one prostate cancer."""
    Path("anatomy-known.csv").write_text(
        "sex,disease,weight\nF,Prostate Cancer,0\nM,Ovarian Cancer,0\n", "utf-8"
    )
    people = ["--target", "name=Alice,zip=47677,age=29,sex=F", "--target", "name=Carl,zip=47678,age=27,sex=M"]
    found = attacked("background(file=anatomy-known.csv)", "anatomy.csv", *people, quasi="zip,age,sex")
    assert [(told["who"]["name"], told["learned"]["disease"]) for told in found["findings"]] == [
        ("Alice", "Ovarian Cancer"),
        ("Carl", "Prostate Cancer"),
    ]


def test_bob_has_a_low_salary_and_a_stomach_disease() -> None:
    found = attacked(
        *("similarity", "salaries.csv", "--hierarchy", "disease=diseases.csv", "--target", BOB),
        sensitive="salary,disease",
    )
    assert found["findings"] == [
        {
            "who": {"name": "Bob"},
            "learned": {"salary": "3000 – 5000", "disease": "stomach disease"},
            "confidence": 1.0,
        }
    ]
    # The table is 3-diverse: homogeneity finds nothing.
    assert attacked("homogeneity", "salaries.csv", sensitive="salary,disease")["hits"] == 0
    alone = attacked("similarity", "salaries.csv", "--hierarchy", "disease=diseases.csv")
    assert alone["hits"] == 3 and alone["findings"][0]["who"] == {"zip": "476**", "age": "2*"}
    assert alone["cured"] is not None and alone["cured"]["hits"] == 0 and alone["cured"]["lost"] == 1 / 3


def test_one_per_cent_in_the_table_and_half_of_a_class() -> None:
    rows = ["A,positive"] * 25 + ["A,negative"] * 25 + ["B,positive"] * 75 + ["B,negative"] * 9875
    Path("virus.csv").write_text("class,test\n" + "\n".join(rows) + "\n", "utf-8")
    found = attacked("skewness(values=positive,share=0)", "virus.csv", quasi="class", sensitive="test")
    assert found["hits"] == 50
    (told,) = found["findings"]
    # Odds of 1 to 99 become even.
    assert (told["before"], told["confidence"], told["gain"]) == (0.01, 0.5, 99.0)
    assert found["cured"]["hits"] == 0


def test_49_of_50_and_1_of_50_are_equally_diverse_and_not_equally_skewed() -> None:
    rows = ["A,positive"] * 49 + ["A,negative"] + ["B,positive"] + ["B,negative"] * 49
    rows += ["C,positive"] * 50 + ["C,negative"] * 9850
    Path("virus.csv").write_text("class,test\n" + "\n".join(rows) + "\n", "utf-8")
    found = attacked("skewness(values=positive,share=0)", "virus.csv", quasi="class", sensitive="test")
    gains = {told["who"]["class"]: told["gain"] for told in found["findings"]}
    assert gains == {"A": pytest.approx(49 * 99), "B": pytest.approx(99 / 49)}


def test_who_was_born_in_83_has_anorexia_and_who_was_born_in_81_has_not() -> None:
    """Positive and negative disclosure of seed 003, and the steps of belief B0, B1, B2."""
    table = Table(
        pl.DataFrame(
            {
                "born": ["75"] * 3 + ["81"] * 2 + ["83"] * 2,
                "ill": [
                    "impotence",
                    "cancer",
                    "sterility",
                    "schizophrenia",
                    "diabetes",
                    "anorexia",
                    "anorexia",
                ],
            }
        ),
        (),
        ("born",),
        ("ill",),
    )
    found = Belief().measure(table)
    (ill,) = found.columns
    anorexia = next(value for value in ill.values if value.value == "anorexia")
    assert (anorexia.positive, anorexia.negative, ill.positive) == (2, 5, 2)
    by_class = found.rows("ill").filter(pl.col("value") == "anorexia")
    after = {row["who"]["born"]: row["posterior"] for row in by_class.to_dicts()}
    assert after == {"75": 0.0, "81": 0.0, "83": 1.0} and set(by_class["prior"]) == {2 / 7}
    # Six values alike, then one of them twice, then a class.
    assert ill.nothing_to_whole == pytest.approx(2 / 7 - 1 / 6)
    assert ill.whole_to_class.highest == pytest.approx(5 / 7)
    assert ill.nothing_to_class.highest == pytest.approx(5 / 6)


def test_bad_input_ends_in_one_sentence() -> None:
    roles = ("--quasi", "zip,age", "--sensitive", "disease")
    said = refused("table", "attack", "homogeneity", "patients.csv", "--quasi", "zip,age")
    assert "homogeneity needs a sensitive column; name one with --sensitive" in said
    said = refused("table", "attack", "background", "patients.csv", *roles)
    assert "background needs knowledge" in said
    said = refused("table", "attack", "background(file=none.csv)", "patients.csv", *roles)
    assert "no file 'none.csv'" in said
    said = refused("table", "attack", "similarity", "patients.csv", *roles)
    assert "give --hierarchy disease=FILE" in said
    said = refused("table", "attack", "skewness(gain=0.5)", "patients.csv", *roles)
    assert "skewness needs a gain above 1, not 0.5" in said
