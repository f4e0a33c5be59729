"""Whom the voter list names rightly, and whose diagnosis is guessed."""

from __future__ import annotations

import polars as pl

from shoal.demo.truth import SHARED, count_guessed, count_identified


def people(*rows: tuple[str, str, str, str, str]) -> pl.DataFrame:
    return pl.DataFrame(rows, ["name", *SHARED, "diagnosis"], orient="row")


PATIENTS = people(
    ("Ann", "1950", "11", "F", "flu"),
    ("Bea", "1960", "12", "F", "flu"),
    ("Cat", "1960", "12", "F", "hiv"),
    ("Dan", "1970", "13", "M", "hiv"),
)


def test_only_a_row_and_a_person_who_are_both_alone_are_a_pair() -> None:
    listed = PATIENTS.drop("diagnosis")
    assert count_identified(PATIENTS, listed) == 2  # Ann and Dan; Bea and Cat look alike


def test_a_wrong_name_does_not_count() -> None:
    stranger = PATIENTS.drop("diagnosis").with_columns(pl.col("name").replace({"Ann": "Eve"}))
    assert count_identified(PATIENTS, stranger) == 1


def test_a_guess_is_the_most_frequent_diagnosis_of_the_rows_that_fit() -> None:
    assert count_guessed(PATIENTS, PATIENTS) == 3  # of Bea and Cat one is right
