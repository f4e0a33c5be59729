"""The made-up hospital is the same everywhere, whole, plausible, and easy to attack before protection."""

import subprocess
import sys

import polars as pl
import pytest

from patience import LONG
from shoal.core.errors import BadParameter
from shoal.demo import DIAGNOSES, OCCUPATIONS, patients, voters

PATIENTS = patients()
VOTERS = voters(PATIENTS)
QUASI = ["birth_date", "zip", "sex"]


def test_the_same_seed_gives_the_same_people() -> None:
    assert patients(500, seed=7).equals(patients(500, seed=7))
    assert not patients(500, seed=7).equals(patients(500, seed=8))
    assert voters(PATIENTS, seed=7).equals(voters(PATIENTS, seed=7))


def test_the_table_is_whole() -> None:
    assert PATIENTS.height == 20_000
    assert PATIENTS.columns == [
        "patient_id", "name", "birth_date", "zip", "sex", "occupation", "diagnosis", "income",
    ]  # fmt: skip
    assert not PATIENTS.null_count().sum_horizontal().item()
    assert not VOTERS.null_count().sum_horizontal().item()
    assert PATIENTS["patient_id"].n_unique() == 20_000


def test_the_taxonomies_cover_every_value_once() -> None:
    for column, taxonomy in (("diagnosis", DIAGNOSES), ("occupation", OCCUPATIONS)):
        leaves = [leaf for group in taxonomy.values() for leaf in group]
        assert len(leaves) == len(set(leaves))
        assert set(PATIENTS[column]) == set(leaves)


def test_codes_have_five_digits_and_some_start_with_zero() -> None:
    assert PATIENTS["zip"].str.contains(r"^\d{5}$").all()
    assert 0.2 < PATIENTS["zip"].str.starts_with("0").mean() < 0.8  # type: ignore[operator]
    assert PATIENTS["zip"].n_unique() == 60


def test_dates_are_days_of_adults() -> None:
    births = PATIENTS["birth_date"].str.to_date(strict=True)
    assert births.max() < pl.Series(["2007-01-01"]).str.to_date()[0]
    assert births.min() > pl.Series(["1924-12-01"]).str.to_date()[0]


def test_diagnosis_follows_age_and_sex() -> None:
    men = PATIENTS.filter(pl.col("sex") == "M")
    women = PATIENTS.filter(pl.col("sex") == "F")
    assert not men["diagnosis"].is_in(["Ovarian cancer", "Pregnancy complication"]).any()
    assert not women["diagnosis"].is_in(["Prostate cancer"]).any()
    years = PATIENTS.group_by("diagnosis").agg(pl.col("birth_date").str.slice(0, 4).cast(pl.Int32).mean())
    born = dict(years.iter_rows())
    assert born["Heart failure"] + 25 < born["Anxiety disorder"]


def test_income_follows_occupation() -> None:
    pay = dict(PATIENTS.group_by("occupation").agg(pl.col("income").median()).iter_rows())
    assert pay["Physician"] > 3 * pay["Cook"]
    assert PATIENTS["income"].dtype == pl.Int64


def test_the_voter_list_holds_the_promised_share() -> None:
    links = ["name", *QUASI]
    found = PATIENTS.join(VOTERS.unique(), on=links, how="semi").height
    assert VOTERS.height == 12_000 + 30_000
    assert found == pytest.approx(12_000, abs=10)  # a stranger may share all four by chance


def test_the_voter_list_does_not_follow_the_order_of_patients() -> None:
    order = VOTERS.join(PATIENTS.with_row_index(), on=["name", *QUASI], how="left", maintain_order="left")
    ranks = order["index"].drop_nulls().cast(pl.Float64)
    correlation = pl.select(pl.corr(ranks, pl.Series(range(len(ranks))).cast(pl.Float64))).item()
    assert abs(correlation) < 0.05


def test_before_protection_most_registered_patients_are_found_by_name() -> None:
    alone = PATIENTS.filter(pl.struct(QUASI).is_unique())
    links = VOTERS.join(alone, on=QUASI, suffix="_patient")
    hits = links.filter(pl.col("name") == pl.col("name_patient"))
    assert hits.height > 0.95 * 12_000
    assert hits.height > 0.9 * links.height


def test_moderate_generalisation_reaches_ten_anonymity() -> None:
    coarse = PATIENTS.group_by(
        pl.col("birth_date").str.slice(0, 3), pl.col("zip").str.slice(0, 3), "sex"
    ).len()
    small = coarse.filter(pl.col("len") < 10)["len"].sum()
    assert small < 0.02 * PATIENTS.height


@pytest.mark.parametrize(
    ("bad", "message"), [({"share": 1.5}, "give 0 to 1"), ({"others": -1}, "give 0 or more")]
)
def test_impossible_voter_lists_are_refused(bad: dict[str, float], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        voters(PATIENTS, **bad)  # type: ignore[arg-type]


def test_an_empty_hospital_is_refused() -> None:
    with pytest.raises(BadParameter, match="at least 1"):
        patients(0)


def test_the_hospital_needs_no_compiler() -> None:
    code = "import sys, shoal.demo; shoal.demo.patients(10); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=LONG).returncode == 0
