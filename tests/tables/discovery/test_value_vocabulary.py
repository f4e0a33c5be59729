"""Values speak for themselves, and a word that has two meanings needs company."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.column_decisions import Role
from shoal.tables.discovery.value_vocabulary import CONTENTS, find_content


@pytest.mark.parametrize(
    ("values", "role", "about"),
    [
        (["Positive", "Negative", "Inconclusive"], "sensitive", "test results"),
        (
            ["asthma", "diabetes", "flu-like", "hypertension"],
            "sensitive",
            "illnesses, symptoms or treatments",
        ),
        (
            ["Battery", "Grand Theft", "Poss Cannabis", "Burglary"],
            "sensitive",
            "crimes or what became of them",
        ),
        (["Catholic", "Jewish", "None", "Buddhist"], "sensitive", "religion"),
        (["DEM", "REP", "UNA"], "sensitive", "political parties"),
        (["straight", "gay", "bisexual"], "sensitive", "sexual orientation"),
        (["Fully Paid", "Charged Off", "Current"], "sensitive", "sums owed or how they are paid back"),
        (["White", "Black", "Hispanic", "Unknown"], "quasi", "race or ethnic origin"),
        (["ledig", "verheiratet", "geschieden"], "quasi", "marital status"),
        (["Bachelors", "HS-grad", "Masters", "11th"], "quasi", "education"),
        (["teacher", "nurse", "driver", "sales"], "quasi", "jobs"),
        (["Wife", "Husband", "Own-child"], "quasi", "family members"),
        (["Germany", "Poland", "Spain"], "quasi", "countries"),
        (["Mr.", "Ms.", "Dr."], "quasi", "forms of address"),
    ],
)
def test_what_values_speak_of_is_told(values: list[str], role: Role, about: str) -> None:
    found = find_content(values, role)
    assert found is not None and found.about == about


@pytest.mark.parametrize(
    "values",
    [
        ["white", "black", "red", "blue"],  # colours
        ["black", "white"],
        ["single", "double", "suite"],  # rooms
        ["current", "voltage"],
        ["green", "independent"],
        ["0", "1"],
        ["yes", "no"],
        ["unknown", "other"],
        ["normal", "fast"],
        [],
    ],
)
def test_words_with_two_meanings_are_left_alone(values: list[str]) -> None:
    assert find_content(values, "sensitive") is None
    assert find_content(values, "quasi") is None


def test_most_values_must_be_known() -> None:
    assert find_content(["asthma", "x1", "x2", "x3"], "sensitive") is None


@given(st.lists(st.text(), max_size=5))
def test_no_text_breaks_the_search(values: list[str]) -> None:
    for role in {one.role for one in CONTENTS}:
        find_content(values, role)
