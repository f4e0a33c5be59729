"""Column names speak, whatever their spelling and language."""

import pytest

from shoal.tables.hints import DIRECT, QUASI, SENSITIVE, hinted, topic, words


@pytest.mark.parametrize("column", ["DateOfBirth", "date_of_birth", "DATE-OF-BIRTH", "date of birth"])
def test_spellings_of_one_name_are_one(column: str) -> None:
    assert words(column) == "date of birth"


def test_accents_and_sharp_s_do_not_matter() -> None:
    assert words("Größe") == "grosse"
    assert words("prénom") == "prenom"


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("zipCode", "zip"),
        ("Postleitzahl", "zip"),
        ("code_postal", "zip"),
        ("Geburtsdatum", "date"),
        ("fecha_nacimiento", "date"),
        ("native-country", "place"),
        ("Wohnort", "place"),
        ("ciudad", "place"),
        ("Beruf", "occupation"),
        ("métier", "occupation"),
        ("Familienstand", "marital status"),
        ("estado_civil", "marital status"),
    ],
)
def test_quasi_identifiers_are_known_in_four_languages(column: str, expected: str) -> None:
    assert topic(column, QUASI) == expected


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("diagnosis", "health"),
        ("Krankheit", "health"),
        ("maladie", "health"),
        ("enfermedad", "health"),
        ("Einkommen", "money"),
        ("salaire", "money"),
        ("Religion", "belief"),
    ],
)
def test_sensitive_subjects_are_known_in_four_languages(column: str, expected: str) -> None:
    assert topic(column, SENSITIVE) == expected


@pytest.mark.parametrize("column", ["trace", "template", "statement", "agent", "original", "platelets"])
def test_a_hint_inside_another_word_is_no_hint(column: str) -> None:
    assert topic(column, {**DIRECT, **QUASI, **SENSITIVE}) is None


def test_a_whole_name_hint_does_not_match_a_part() -> None:
    assert hinted("name", DIRECT["name"])
    assert not hinted("product_name", DIRECT["name"])
