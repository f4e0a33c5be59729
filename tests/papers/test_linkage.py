"""Fung, Wang, Chen, Yu, "Privacy-preserving data publishing", 2010: the patients of section 2, linked."""

import polars as pl

from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.linkage import Linkage
from shoal.tables.attacks.partly_known import PartlyKnown
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.table import Table

ILL = ["Hepatitis", "Hepatitis", "HIV", "Flu", "HIV", "HIV", "HIV"]
PATIENTS = pl.DataFrame(
    {
        "job": ["Engineer", "Engineer", "Lawyer", "Writer", "Writer", "Dancer", "Dancer"],
        "sex": ["Male"] * 3 + ["Female"] * 4,
        "age": ["35", "38", "38", "30", "30", "30", "30"],
        "ill": ILL,
    }
)
THREE_ANONYMOUS = PATIENTS.with_columns(
    job=pl.Series(["Professional"] * 3 + ["Artist"] * 4),
    age=pl.Series(["[35, 40)"] * 3 + ["[30, 35)"] * 4),
)
EXTERNAL = pl.DataFrame(
    {
        "name": ["Alice", "Bob", "Cathy", "Doug", "Emily", "Fred", "Gladys", "Henry", "Irene"],
        "job": ["Writer", "Engineer", "Writer", "Lawyer", "Dancer", "Engineer", "Dancer", "Lawyer", "Dancer"],
        "sex": ["Female", "Male", "Female", "Male", "Female", "Male", "Female", "Male", "Female"],
        "age": [30, 35, 30, 38, 30, 38, 30, 39, 32],
    }
)
JOB = Hierarchy.of_levels(
    [["Engineer", "Lawyer", "Writer", "Dancer"], ["Professional", "Professional", "Artist", "Artist"]]
)
QUASI = ("job", "sex", "age")


def test_doug_is_the_only_lawyer_of_38_and_has_hiv() -> None:
    found = Linkage().attack(Scene(Table(PATIENTS, quasi=QUASI, sensitive=("ill",)), external=EXTERNAL))
    learned = {told["who"]["name"]: told["learned"] for told in found.findings}  # type: ignore[index,call-overload]
    assert learned == {"Bob": {"ill": "Hepatitis"}, "Doug": {"ill": "HIV"}, "Fred": {"ill": "Hepatitis"}}
    assert found.details["fit_no_row"] == 2, "Henry and Irene are no patients"


def test_in_the_3_anonymous_table_doug_is_one_of_three() -> None:
    table = Table(THREE_ANONYMOUS, quasi=QUASI, sensitive=("ill",), hierarchies={"job": JOB})
    found = Linkage().attack(Scene(table, external=EXTERNAL))
    assert found.rate.hits == 0
    # Bob, Doug, Fred and Henry may each be in three rows, the five women in four.
    assert found.details["expected_right_links_of_a_random_guess"] == 4 / 3 + 5 / 4
    assert found.details["average_candidates"] == (4 * 3 + 5 * 4) / 9


def test_whoever_knows_of_the_flu_finds_that_row_all_the_same() -> None:
    more = THREE_ANONYMOUS.with_columns(pay=pl.Series([str(row) for row in range(7)]))
    table = Table(more, quasi=QUASI, sensitive=("ill", "pay"), hierarchies={"job": JOB})
    known = EXTERNAL.with_columns(ill=pl.when(pl.col("name") == "Alice").then(pl.lit("Flu")))
    found = PartlyKnown().attack(Scene(table, external=known.filter(pl.col("name") == "Alice")))
    assert [told["learned"] for told in found.findings] == [{"pay": "3"}]
    assert found.details["hits_without_what_is_known"] == 0
