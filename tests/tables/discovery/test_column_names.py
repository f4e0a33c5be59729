"""Column names speak, whatever their spelling and language."""

import pytest

from shoal.tables.discovery.column_names import _PIECES, has_hint, says_otherwise, topic, words
from shoal.tables.discovery.name_vocabulary import DIRECT, QUASI, SENSITIVE


@pytest.mark.parametrize(
    "column", ["DateOfBirth", "date_of_birth", "DATE-OF-BIRTH", "date of birth", "dateofbirth", "DATEOFBIRTH"]
)
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


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("raceethnicity", "race ethnicity"),
        ("HispanicLatino", "hispanic latino"),
        ("HIVStatus", "hiv status"),
        ("PULocationID", "pu location id"),
        ("address1", "address 1"),
        ("ICD9_CODE", "icd 9 code"),
        ("patientunitstayid", "patient unit stay id"),
        ("visitor", "visitor"),
        ("percentage", "percentage"),
        ("x" * 5_000, "x" * 5_000),
    ],
)
def test_words_written_as_one_are_told_apart(column: str, expected: str) -> None:
    assert words(column) == expected


def test_a_name_may_say_something_else_than_expected() -> None:
    assert says_otherwise("charge_degree", "sex")
    assert not says_otherwise("x", "sex")
    assert not says_otherwise("gender", "sex")


def test_hints_do_not_make_words_of_the_middle_of_others() -> None:
    assert topic("visa_number", SENSITIVE) == "legal status"
    assert topic("advisable", SENSITIVE) is None


@pytest.mark.parametrize("column", ["trace", "template", "statement", "agent", "original", "platelets"])
def test_a_hint_inside_another_word_is_no_hint(column: str) -> None:
    assert topic(column, {**DIRECT, **QUASI, **SENSITIVE}) is None


def test_a_whole_name_hint_does_not_match_a_part() -> None:
    assert has_hint("name", DIRECT["name"])
    assert not has_hint("product_name", DIRECT["name"])


def test_letters_without_an_accent_to_take_off_are_read_and_so_is_the_sign_for_numbers() -> None:
    assert words("Płeć") == "plec" and words("Straße") == "strasse" and words("Fødselsdato") == "fodselsdato"
    assert words("Member #") == "member no"


def test_pieces_of_names_are_read_as_themselves() -> None:
    assert all(words(piece) == piece for piece in _PIECES)


def test_a_name_without_a_gap_is_read_as_its_words() -> None:
    assert words("raceethnicity") == "race ethnicity"
    assert words("patientunitstayid") == "patient unit stay id"
